"""utm, haversine (both MIT): special-purpose geometry with enumerations and checks."""

import utm
from haversine import Unit, haversine, haversine_vector, inverse_haversine

utm.from_latlon(51.2, 7.5)
utm.to_latlon(340000.0, 5710000.0, 32, "U")
haversine((45.7597, 4.8422), (48.8567, 2.3508))
haversine((45.7597, 4.8422), (48.8567, 2.3508), unit=Unit.MILES)
inverse_haversine((45.7597, 4.8422), 50.0, 0.7)
haversine_vector([(45.7597, 4.8422)], [(48.8567, 2.3508)], Unit.KILOMETERS)
