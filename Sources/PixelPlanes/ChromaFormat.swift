// Chroma subsampling and chroma siting.

/// The subsampling of the chroma planes: `chroma_format_idc` of H.264 and H.265, and the two additional formats of
/// JPEG.
public enum ChromaFormat: String, Hashable, Sendable, CaseIterable {
  /// 4:0:0: no chroma planes.
  case monochrome = "400"
  /// 4:2:0: half the columns and half the rows of luma.
  case yuv420 = "420"
  /// 4:2:2: half the columns of luma.
  case yuv422 = "422"
  /// 4:4:4: the resolution of luma.
  case yuv444 = "444"
  /// 4:4:0: half the rows of luma. JPEG only.
  case yuv440 = "440"
  /// 4:1:1: a quarter of the columns of luma. JPEG only.
  case yuv411 = "411"

  /// The number of luma columns per chroma column: 1, 2 or 4; 1 for ``monochrome``.
  public var horizontalRatio: Int {
    switch self {
    case .monochrome, .yuv444, .yuv440: 1
    case .yuv420, .yuv422: 2
    case .yuv411: 4
    }
  }

  /// The number of luma rows per chroma row: 1 or 2; 1 for ``monochrome``.
  public var verticalRatio: Int {
    switch self {
    case .monochrome, .yuv444, .yuv422, .yuv411: 1
    case .yuv420, .yuv440: 2
    }
  }

  /// Returns the number of chroma columns of a picture of `width` luma columns, rounded up; 0 for ``monochrome``.
  public func chromaWidth(_ width: Int) -> Int {
    self == .monochrome ? 0 : Self.dividedUp(width, by: horizontalRatio)
  }

  /// Returns the number of chroma rows of a picture of `height` luma rows, rounded up; 0 for ``monochrome``.
  public func chromaHeight(_ height: Int) -> Int {
    self == .monochrome ? 0 : Self.dividedUp(height, by: verticalRatio)
  }

  private static func dividedUp(_ length: Int, by ratio: Int) -> Int {
    length / ratio + (length % ratio == 0 ? 0 : 1)
  }
}

/// The position of chroma samples relative to luma samples (`ChromaLocType` of H.273, figure 1).
public enum ChromaSiting: UInt8, Hashable, Sendable, CaseIterable {
  /// Co-sited with even columns, midway between two rows. The default of MPEG-2, H.264 and H.265.
  case left = 0
  /// Midway between two columns and between two rows. Used by JPEG, MPEG-1 and WebP.
  case center = 1
  /// Co-sited with even columns and even rows. Used by BT.2020 and BT.2100.
  case topLeft = 2
  /// Midway between two columns, co-sited with even rows.
  case top = 3
  /// Co-sited with even columns and odd rows.
  case bottomLeft = 4
  /// Midway between two columns, co-sited with odd rows.
  case bottom = 5
}
