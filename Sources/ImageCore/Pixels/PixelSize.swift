// Sizes in pixels and points, and rectangles in pixels.

/// A width and a height in whole pixels.
public struct PixelSize: Hashable, Codable, Sendable, CustomStringConvertible {
  /// The width, in pixels.
  public var width: Int
  /// The height, in pixels.
  public var height: Int

  /// Creates a size in pixels.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The size with width and height swapped.
  public var transposed: PixelSize { PixelSize(width: height, height: width) }

  /// The largest side of a size that is computed. Larger ones exceed every limit of pixels.
  package static let maximumSide = 0x1p30

  /// Returns the size with its sides multiplied by factors that are numbers, rounded, and limited to 1…`maximumSide`.
  package func scaled(across: Double, down: Double) -> PixelSize {
    func scaled(_ side: Int, _ factor: Double) -> Int {
      Int(min(max(1, (Double(side) * factor).rounded()), Self.maximumSide))
    }
    return PixelSize(width: scaled(width, across), height: scaled(height, down))
  }

  /// Whether a picture of this size can be a reduced version of another one, or the whole: it is no larger, and its
  /// aspect ratio is the same but for rounding. Safe for any untrusted values.
  package func isReduction(of original: PixelSize) -> Bool {
    guard width <= original.width, height <= original.height else { return false }
    let difference = Double(width) * Double(original.height) - Double(height) * Double(original.width)
    return difference.magnitude <= Double(max(original.width, original.height))
  }

  /// The size in the form `"640x480"`.
  public var description: String { "\(width)x\(height)" }
}

/// A rectangle of whole pixels. The origin is the top left corner.
public struct PixelRegion: Hashable, Codable, Sendable {
  /// The left edge, in pixels.
  public var x: Int
  /// The top edge, in pixels.
  public var y: Int
  /// The width, in pixels.
  public var width: Int
  /// The height, in pixels.
  public var height: Int

  /// Creates a rectangle in pixels.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Whether the rectangle is inside a canvas of this size. Safe for any untrusted values.
  public func fits(in size: PixelSize) -> Bool {
    x >= 0 && y >= 0 && width >= 0 && height >= 0
      && width <= size.width && height <= size.height
      && x <= size.width - width && y <= size.height - height
  }
}

/// A width and a height in points: pixels divided by a scale.
public struct ImageSize: Hashable, Codable, Sendable {
  /// The width, in points.
  public var width: Double
  /// The height, in points.
  public var height: Double

  /// A width and a height of 0.
  public static let zero = ImageSize(width: 0, height: 0)

  /// Creates a size in points.
  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }
}
