// Sizes in pixels and in points.

/// A width and a height in whole pixels.
public struct PixelSize: Hashable, Sendable, CustomStringConvertible {
  /// Columns.
  public var width: Int
  /// Rows.
  public var height: Int

  /// Creates a size.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The size with width and height exchanged.
  public var transposed: PixelSize { PixelSize(width: height, height: width) }
  /// `"640x480"`.
  public var description: String { "\(width)x\(height)" }
}

/// A rectangle of whole pixels; the origin is the top left corner.
public struct PixelRegion: Hashable, Sendable {
  /// Columns left of the rectangle.
  public var x: Int
  /// Rows above the rectangle.
  public var y: Int
  /// Columns of the rectangle.
  public var width: Int
  /// Rows of the rectangle.
  public var height: Int

  /// Creates a rectangle.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Whether the rectangle lies within a canvas of this size. Safe for any untrusted values.
  public func fits(in size: PixelSize) -> Bool {
    x >= 0 && y >= 0 && width >= 0 && height >= 0
      && width <= size.width && height <= size.height
      && x <= size.width - width && y <= size.height - height
  }
}

/// A width and a height in points: pixels divided by a scale.
public struct ImageSize: Hashable, Sendable {
  /// Points across.
  public var width: Double
  /// Points down.
  public var height: Double

  /// Creates a size.
  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }
}
