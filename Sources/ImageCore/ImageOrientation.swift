// EXIF orientation: how stored pixels must be rotated or mirrored for display.

/// The rotation or mirroring by which stored pixels are displayed upright. The raw values are those of EXIF tag 0x0112.
public enum ImageOrientation: UInt8, Hashable, Codable, Sendable, CaseIterable {
  /// As stored.
  case up = 1
  /// Mirrored left to right.
  case upMirrored = 2
  /// Rotated by 180°.
  case down = 3
  /// Mirrored top to bottom.
  case downMirrored = 4
  /// Mirrored along the main diagonal.
  case leftMirrored = 5
  /// To be rotated by 90° clockwise.
  case right = 6
  /// Mirrored along the other diagonal.
  case rightMirrored = 7
  /// To be rotated by 90° counter-clockwise.
  case left = 8

  /// Whether displaying the image upright swaps width and height.
  public var swapsAxes: Bool { rawValue >= 5 }
}
