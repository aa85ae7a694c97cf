// EXIF orientation: which way up stored pixels are meant to be shown.

/// How stored pixels must be turned to be shown upright. Raw values are those of EXIF tag 0x0112.
public enum ImageOrientation: UInt8, Hashable, Sendable, CaseIterable {
  /// As stored.
  case up = 1
  /// Mirrored left to right.
  case upMirrored = 2
  /// Turned by 180°.
  case down = 3
  /// Mirrored top to bottom.
  case downMirrored = 4
  /// Mirrored along the main diagonal.
  case leftMirrored = 5
  /// To be turned by 90° clockwise.
  case right = 6
  /// Mirrored along the other diagonal.
  case rightMirrored = 7
  /// To be turned by 90° counter-clockwise.
  case left = 8

  /// Whether showing the image upright swaps width and height.
  public var swapsAxes: Bool { rawValue >= 5 }
}
