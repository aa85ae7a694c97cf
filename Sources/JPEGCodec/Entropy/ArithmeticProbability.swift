// The probability estimates of the arithmetic decoder: the probability of the less probable symbol in each state, and
// the state transitions. ITU-T T.81, table D.3.

/// The probability estimation state machine.
enum ArithmeticProbability {
  /// The state that remains at one half, for bits that are not estimated. ITU-T T.851, section 10.3.
  static let fixed: UInt8 = 113

  /// For each state: the probability (Qe) in the upper 16 bits; the next state after a less probable symbol, with bit 7
  /// set if the symbols then swap roles; and the next state after a more probable symbol.
  static let states: [UInt32] = [
    0x5A1D_81_01, 0x2586_0E_02, 0x1114_10_03, 0x080B_12_04, 0x03D8_14_05, 0x01DA_17_06, 0x00E5_19_07, 0x006F_1C_08,
    0x0036_1E_09, 0x001A_21_0A, 0x000D_23_0B, 0x0006_09_0C, 0x0003_0A_0D, 0x0001_0C_0D, 0x5A7F_8F_0F, 0x3F25_24_10,
    0x2CF2_26_11, 0x207C_27_12, 0x17B9_28_13, 0x1182_2A_14, 0x0CEF_2B_15, 0x09A1_2D_16, 0x072F_2E_17, 0x055C_30_18,
    0x0406_31_19, 0x0303_33_1A, 0x0240_34_1B, 0x01B1_36_1C, 0x0144_38_1D, 0x00F5_39_1E, 0x00B7_3B_1F, 0x008A_3C_20,
    0x0068_3E_21, 0x004E_3F_22, 0x003B_20_23, 0x002C_21_09, 0x5AE1_A5_25, 0x484C_40_26, 0x3A0D_41_27, 0x2EF1_43_28,
    0x261F_44_29, 0x1F33_45_2A, 0x19A8_46_2B, 0x1518_48_2C, 0x1177_49_2D, 0x0E74_4A_2E, 0x0BFB_4B_2F, 0x09F8_4D_30,
    0x0861_4E_31, 0x0706_4F_32, 0x05CD_30_33, 0x04DE_32_34, 0x040F_32_35, 0x0363_33_36, 0x02D4_34_37, 0x025C_35_38,
    0x01F8_36_39, 0x01A4_37_3A, 0x0160_38_3B, 0x0125_39_3C, 0x00F6_3A_3D, 0x00CB_3B_3E, 0x00AB_3D_3F, 0x008F_3D_20,
    0x5B12_C1_41, 0x4D04_50_42, 0x412C_51_43, 0x37D8_52_44, 0x2FE8_53_45, 0x293C_54_46, 0x2379_56_47, 0x1EDF_57_48,
    0x1AA9_57_49, 0x174E_48_4A, 0x1424_48_4B, 0x119C_4A_4C, 0x0F6B_4A_4D, 0x0D51_4B_4E, 0x0BB6_4D_4F, 0x0A40_4D_30,
    0x5832_D0_51, 0x4D1C_58_52, 0x438E_59_53, 0x3BDD_5A_54, 0x34EE_5B_55, 0x2EAE_5C_56, 0x299A_5D_57, 0x2516_56_47,
    0x5570_D8_59, 0x4CA9_5F_5A, 0x44D9_60_5B, 0x3E22_61_5C, 0x3824_63_5D, 0x32B4_63_5E, 0x2E17_5D_56, 0x56A8_DF_60,
    0x4F46_65_61, 0x47E5_66_62, 0x41CF_67_63, 0x3C3D_68_64, 0x375E_63_5D, 0x5231_69_66, 0x4C0F_6A_67, 0x4639_6B_68,
    0x415E_67_63, 0x5627_E9_6A, 0x50E7_6C_6B, 0x4B85_6D_67, 0x5597_6E_6D, 0x504F_6F_6B, 0x5A10_EE_6F, 0x5522_70_6D,
    0x59EB_F0_6F,
    0x5A1D_71_71,
  ]
}
