"""PsychroLib (MIT): moist air; global unit switch, range checks that raise, iterations to a tolerance."""

import psychrolib as psy

psy.SetUnitSystem(psy.SI)  # not a case

psy.GetTWetBulbFromTDewPoint(30.0, 20.0, 101325.0)
psy.GetTWetBulbFromRelHum(30.0, 0.5, 101325.0)
psy.GetRelHumFromTDewPoint(30.0, 20.0)
psy.GetRelHumFromTWetBulb(30.0, 22.0, 101325.0)
psy.GetTDewPointFromRelHum(30.0, 0.5)
psy.GetTDewPointFromVapPres(30.0, 2000.0)
psy.GetTWetBulbFromHumRatio(30.0, 0.01, 101325.0)
psy.GetHumRatioFromTWetBulb(30.0, 22.0, 101325.0)
psy.GetHumRatioFromVapPres(2000.0, 101325.0)
psy.GetSpecificHumFromHumRatio(0.01)
psy.GetDryAirEnthalpy(30.0)
psy.GetDryAirDensity(30.0, 101325.0)
psy.GetTDryBulbFromEnthalpyAndHumRatio(60000.0, 0.01)
psy.GetSatVapPres(30.0)
psy.GetSatAirEnthalpy(30.0, 101325.0)
psy.GetVaporPressureDeficit(30.0, 0.01, 101325.0)
psy.GetDegreeOfSaturation(30.0, 0.01, 101325.0)
psy.GetMoistAirEnthalpy(30.0, 0.01)
psy.GetMoistAirVolume(30.0, 0.01, 101325.0)
psy.GetMoistAirDensity(30.0, 0.01, 101325.0)
psy.GetStandardAtmPressure(1000.0)
psy.GetSeaLevelPressure(90000.0, 1000.0, 15.0)
psy.CalcPsychrometricsFromTWetBulb(30.0, 22.0, 101325.0)
psy.CalcPsychrometricsFromRelHum(30.0, 0.5, 101325.0)
