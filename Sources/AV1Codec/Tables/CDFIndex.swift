// Where the cumulative distribution functions of each syntax element start, in groups of four values.
// Made by generate-tables.py.

enum CDFIndex {
  /// `intra_frame_y_mode`, by the contexts of the modes above and left.
  static let intraFrameYMode = 0
  /// `uv_mode` without chroma from luma, by luma mode.
  static let uvMode = 100
  /// `uv_mode` with chroma from luma, by luma mode.
  static let uvModeCfL = 152
  /// `angle_delta_y` and `angle_delta_uv`, by directional mode.
  static let angleDelta = 204
  /// `use_intrabc`.
  static let intraBlockCopy = 220
  /// `partition`, by block size from 8 on and context.
  static let partition = 221
  /// `tx_depth`, by largest size and context.
  static let transformDepth = 301
  /// `txfm_split`.
  static let transformSplit = 313
  /// `filter_intra_mode`.
  static let filterIntraMode = 334
  /// `use_filter_intra`, by block size.
  static let filterIntra = 336
  /// `segment_id`.
  static let segmentID = 358
  /// `skip`.
  static let skip = 364
  /// `mv_joint`.
  static let vectorJoint = 367
  /// `mv_sign`, by component.
  static let vectorSign = 368
  /// `mv_class`, by component.
  static let vectorClass = 370
  /// `mv_class0_bit`, by component.
  static let vectorClass0Bit = 378
  /// `mv_bit`, by component and bit.
  static let vectorBit = 380
  /// `palette_size_y_minus_2`, by block size.
  static let paletteYSize = 400
  /// `palette_size_uv_minus_2`, by block size.
  static let paletteUVSize = 414
  /// `palette_color_idx_y` and `palette_color_idx_uv`, by number of colours and context.
  static let paletteColor = 428
  /// `has_palette_y`, by block size and context.
  static let hasPaletteY = 568
  /// `has_palette_uv`.
  static let hasPaletteUV = 589
  /// `delta_q_abs`.
  static let deltaQ = 591
  /// `delta_lf_abs`: for all filters, then for each.
  static let deltaLF = 592
  /// `intra_tx_type` of set 1, by size and direction.
  static let intraTransformSet1 = 597
  /// `intra_tx_type` of set 2, by size and direction.
  static let intraTransformSet2 = 649
  /// `inter_tx_type` of set 1, by size.
  static let interTransformSet1 = 727
  /// `inter_tx_type` of set 2.
  static let interTransformSet2 = 735
  /// `inter_tx_type` of set 3, by size.
  static let interTransformSet3 = 739
  /// `cfl_alpha_signs`.
  static let cflSign = 743
  /// `cfl_alpha_u` and `cfl_alpha_v`.
  static let cflAlpha = 745
  /// `use_wiener`.
  static let useWiener = 769
  /// `use_sgrproj`.
  static let useSelfGuided = 770
  /// `restoration_type`.
  static let restorationType = 771
  /// The first of the distributions of coefficients, of which there are four sets.
  static let coefficients = 772
  /// `all_zero`, by size and context.
  static let allZero = 772
  /// `eob_pt_16` to `eob_pt_256`, by kind of plane and context.
  static let endOfBlock = 837
  /// `eob_pt_512` and `eob_pt_1024`, by kind of plane.
  static let endOfLargeBlock = 917
  /// `eob_extra`, by size, kind of plane and context.
  static let endOfBlockExtra = 933
  /// `dc_sign`, by kind of plane and context.
  static let dcSign = 1023
  /// `coeff_base_eob`, by size, kind of plane and context.
  static let baseEnd = 1029
  /// `coeff_base`, by size, kind of plane and context.
  static let base = 1069
  /// `coeff_br`, by size, kind of plane and context.
  static let baseRange = 1489
  /// The number of all groups.
  static let count = 1699
}
