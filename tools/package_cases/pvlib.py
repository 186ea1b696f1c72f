"""pvlib (BSD): photovoltaics; numbers and arrays, masks, np.where, fits and root finding."""

import numpy as np
import pvlib

aoi = np.array([10.0, 35.0, 60.0, 80.0])
zenith = np.array([20.0, 45.0, 70.0])
sandia = {
    "Paco": 250.0, "Pdco": 259.52, "Vdco": 40.0, "Pso": 2.09, "C0": -4.1e-5, "C1": -9.1e-5, "C2": 4.94e-4,
    "C3": -0.013171, "Pnt": 0.075,
}
adr = {
    "Pnom": 3500.0, "Vnom": 360.0, "Vmax": 450.0, "Vmin": 200.0, "Vdcmax": 600.0, "Pacmax": 3650.0, "MPPTHi": 450.0,
    "MPPTLow": 200.0, "Pnt": 0.25, "ADRCoefficients": [0.01385, 0.0152, 0.00794, 0.00286, -0.01872, -0.01305, 0.0, 0.0, 0.0],
}
cell = dict(photocurrent=7.0, saturation_current=6e-10, resistance_series=0.4, resistance_shunt=300.0, nNsVth=1.6)

pvlib.atmosphere.pres2alt(90000.0)
pvlib.atmosphere.alt2pres(1000.0)
pvlib.atmosphere.get_absolute_airmass(1.5, pressure=90000.0)
pvlib.atmosphere.get_relative_airmass(zenith, model="kastenyoung1989")
pvlib.atmosphere.gueymard94_pw(np.array([10.0, 20.0]), np.array([30.0, 50.0]))
pvlib.atmosphere.rh_from_tdew(20.0, 12.0)
pvlib.atmosphere.tdew_from_rh(20.0, 60.0)
pvlib.atmosphere.bird_hulstrom80_aod_bb(0.1, 0.15)
pvlib.atmosphere.kasten96_lt(1.5, 1.4, 0.13)
pvlib.atmosphere.angstrom_alpha(0.2, 500.0, 0.1, 1000.0)
pvlib.atmosphere.windspeed_powerlaw(np.array([5.0, 7.0]), 10.0, 80.0, exponent=0.2)
pvlib.clearsky.simplified_solis(40.0)
pvlib.clearsky.bird(zenith, 1.5, 0.1, 0.15, 1.4)
pvlib.iam.ashrae(aoi, b=0.05)
pvlib.iam.physical(aoi, n=1.526, K=4.0, L=0.002)
pvlib.iam.martin_ruiz(aoi, a_r=0.16)
pvlib.iam.martin_ruiz_diffuse(20.0, a_r=0.16)
pvlib.iam.interp(aoi, [0.0, 30.0, 60.0, 90.0], [1.0, 0.98, 0.9, 0.1])
pvlib.iam.schlick(aoi)
pvlib.iam.schlick_diffuse(20.0)
pvlib.irradiance.aoi_projection(30.0, 180.0, zenith, np.array([170.0, 180.0, 200.0]))
pvlib.irradiance.aoi(30.0, 180.0, zenith, np.array([170.0, 180.0, 200.0]))
pvlib.irradiance.beam_component(30.0, 180.0, 40.0, 170.0, 800.0)
pvlib.irradiance.get_ground_diffuse(30.0, 500.0, albedo=0.25)
pvlib.irradiance.isotropic(30.0, 100.0)
pvlib.irradiance.klucher(30.0, 180.0, 100.0, 500.0, 40.0, 170.0)
pvlib.irradiance.haydavies(30.0, 180.0, 100.0, 800.0, 1400.0, 40.0, 170.0)
pvlib.irradiance.reindl(30.0, 180.0, 100.0, 800.0, 600.0, 1400.0, 40.0, 170.0)
pvlib.irradiance.king(30.0, 100.0, 500.0, 40.0)
pvlib.irradiance.perez(30.0, 180.0, 100.0, 800.0, 1400.0, 40.0, 170.0, 1.3)
pvlib.irradiance.perez_driesse(30.0, 180.0, 100.0, 800.0, 1400.0, 40.0, 170.0, 1.3)
pvlib.irradiance.get_total_irradiance(30.0, 180.0, 40.0, 170.0, 800.0, 600.0, 100.0)
pvlib.irradiance.clearsky_index(np.array([500.0, 700.0]), np.array([800.0, 850.0]))
pvlib.irradiance.clearness_index(500.0, 40.0, 1400.0)
pvlib.irradiance.erbs(500.0, 40.0, 100)["dni"]
pvlib.irradiance.boland(500.0, 40.0, 100)["dhi"]
pvlib.irradiance.campbell_norman(40.0, 0.7)["ghi"]
pvlib.irradiance.disc(500.0, 40.0, 100)["dni"]
pvlib.irradiance.dni(np.array([500.0, 600.0]), np.array([100.0, 120.0]), np.array([40.0, 30.0]))
pvlib.inverter.sandia(40.0, 200.0, sandia)
pvlib.inverter.adr(350.0, 3000.0, adr)
pvlib.inverter.pvwatts(np.array([90.0, 95.0]), 100.0)
pvlib.pvsystem.calcparams_desoto(
    800.0, 45.0, alpha_sc=0.0055, a_ref=1.8, I_L_ref=7.0, I_o_ref=6e-10, R_sh_ref=300.0, R_s=0.4
)
pvlib.pvsystem.calcparams_pvsyst(
    800.0, 45.0, alpha_sc=0.0055, gamma_ref=1.05, mu_gamma=0.001, I_L_ref=6.0, I_o_ref=5e-9, R_sh_ref=300.0,
    R_sh_0=1000.0, R_s=0.5, cells_in_series=60,
)
pvlib.pvsystem.pvwatts_dc(800.0, 45.0, 1000.0, -0.003)
pvlib.pvsystem.pvwatts_losses(soiling=2.0, shading=3.0)
pvlib.pvsystem.dc_ohmic_losses(0.1, 8.0)
pvlib.pvsystem.dc_ohms_from_percent(38.0, 8.0, 2.0)
pvlib.pvsystem.i_from_v(voltage=20.0, **cell)
pvlib.pvsystem.v_from_i(current=5.0, **cell)
pvlib.singlediode.estimate_voc(7.0, 6e-10, 1.6)
pvlib.singlediode.bishop88(20.0, 7.0, 6e-10, 0.4, 300.0, 1.6)
pvlib.singlediode.bishop88_i_from_v(20.0, 7.0, 6e-10, 0.4, 300.0, 1.6, method="newton")
pvlib.temperature.sapm_cell(1000.0, 10.0, 2.0, a=-3.47, b=-0.0594, deltaT=3.0)
pvlib.temperature.pvsyst_cell(1000.0, 10.0, 2.0, u_c=29.0, u_v=0.0)
pvlib.temperature.faiman(np.array([800.0, 900.0]), np.array([10.0, 12.0]), wind_speed=2.0)
pvlib.temperature.ross(800.0, 20.0, noct=45.0)
pvlib.temperature.noct_sam(800.0, 20.0, 2.0, 45.0, 0.2)
pvlib.temperature.generic_linear(800.0, 20.0, 2.0, 29.0, 0.5, 0.2, 0.9)
pvlib.solarposition.declination_spencer71(np.array([10.0, 100.0]))
pvlib.solarposition.equation_of_time_pvcdrom(np.array([10.0, 100.0]))
pvlib.solarposition.solar_zenith_analytical(0.6, 0.3, 0.1)
pvlib.solarposition.solar_azimuth_analytical(0.6, 0.3, 0.1, 0.8)
pvlib.albedo.inland_water_dvoracek(40.0, surface_condition="clear_water_no_waves")
pvlib.tracking.calc_axis_tilt(180.0, 10.0, 170.0)
pvlib.tracking.calc_cross_axis_tilt(180.0, 10.0, 170.0, 5.0)
pvlib.shading.ground_angle(30.0, 0.4, 0.5)
pvlib.shading.masking_angle(30.0, 0.4, 0.5)
pvlib.shading.masking_angle_passias(30.0, 0.4)
pvlib.shading.sky_diffuse_passias(10.0)
pvlib.shading.shaded_fraction1d(80.0, 135.0, 90.0, 30.0, collector_width=2.0, pitch=3.0)
pvlib.bifacial.utils.vf_row_sky_2d(30.0, 0.4, 0.5)
pvlib.bifacial.utils.vf_row_sky_2d_integ(30.0, 0.4, 0.1, 0.9)
pvlib.transformer.simple_efficiency(800.0, 0.002, 0.02, 1000.0)
pvlib.pvarray.huld(np.array([800.0, 900.0]), np.array([40.0, 45.0]), 100.0, cell_type="cSi")
pvlib.pvarray.pvefficiency_adr(
    np.array([1000.0, 200.0]), 25.0, k_a=100.0, k_d=-6.0, tc_d=0.02, k_rs=0.05, k_rsh=0.10
)
pvlib.spectrum.spectral_factor_firstsolar(1.4, 1.5, module_type="cdte")
pvlib.spectrum.spectral_factor_caballero(1.4, 1.5, 0.1, module_type="cdte")
pvlib.spectrum.spectral_factor_pvspec(1.5, 0.8, module_type="monosi")
