// How many chroma samples there are for the luma samples of a picture.

/// The sampling of the chroma planes relative to luma (`chroma_format_idc` of H.264 and H.265, and JPEG's two others).
public enum ChromaFormat: String, Hashable, Sendable, CaseIterable {
  /// 4:0:0: no chroma planes.
  case monochrome = "400"
  /// 4:2:0: half the columns and half the rows.
  case yuv420 = "420"
  /// 4:2:2: half the columns.
  case yuv422 = "422"
  /// 4:4:4: the resolution of luma.
  case yuv444 = "444"
  /// 4:4:0: half the rows. Only JPEG has it.
  case yuv440 = "440"
  /// 4:1:1: a quarter of the columns. Only JPEG has it.
  case yuv411 = "411"

  /// Luma columns for each chroma column: 1, 2 or 4. 1 for ``monochrome``.
  public var horizontalRatio: Int {
    switch self {
    case .monochrome, .yuv444, .yuv440: 1
    case .yuv420, .yuv422: 2
    case .yuv411: 4
    }
  }

  /// Luma rows for each chroma row: 1 or 2. 1 for ``monochrome``.
  public var verticalRatio: Int {
    switch self {
    case .monochrome, .yuv444, .yuv422, .yuv411: 1
    case .yuv420, .yuv440: 2
    }
  }

  /// Chroma columns of a picture of `width` luma columns, rounded up. 0 for ``monochrome``.
  public func chromaWidth(_ width: Int) -> Int {
    self == .monochrome ? 0 : Self.dividedUp(width, by: horizontalRatio)
  }

  /// Chroma rows of a picture of `height` luma rows, rounded up. 0 for ``monochrome``.
  public func chromaHeight(_ height: Int) -> Int {
    self == .monochrome ? 0 : Self.dividedUp(height, by: verticalRatio)
  }

  private static func dividedUp(_ length: Int, by ratio: Int) -> Int {
    length / ratio + (length % ratio == 0 ? 0 : 1)
  }
}

/// Where chroma samples lie between luma samples (`ChromaLocType` of H.273, figure 1).
public enum ChromaSiting: UInt8, Hashable, Sendable, CaseIterable {
  /// On the even columns, halfway between two rows: MPEG-2, H.264 and H.265 by default.
  case left = 0
  /// Halfway between two columns and two rows: JPEG, MPEG-1 and WebP.
  case center = 1
  /// On the even columns and even rows: BT.2020 and BT.2100.
  case topLeft = 2
  /// Halfway between two columns, on the even rows.
  case top = 3
  /// On the even columns and odd rows.
  case bottomLeft = 4
  /// Halfway between two columns, on the odd rows.
  case bottom = 5
}
