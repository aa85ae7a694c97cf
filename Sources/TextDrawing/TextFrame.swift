// Where text is drawn.

/// The rectangle that text is aligned in and wrapped to, in pixels.
public struct TextFrame: Hashable, Sendable {
  /// The alignment of lines.
  public enum HorizontalAlignment: String, Hashable, Sendable, CaseIterable {
    /// At the edges of the frame, or in its middle.
    case left, center, right
    /// Left for text that begins with a script written from left to right, right for others.
    case start
  }

  /// The alignment of all lines together.
  public enum VerticalAlignment: String, Hashable, Sendable, CaseIterable {
    /// At the edges of the frame, or in its middle.
    case top, middle, bottom
  }

  /// The left edge.
  public var x: Double
  /// The top edge.
  public var y: Double
  /// The width. Lines are wrapped to it if ``wraps`` is set.
  public var width: Double
  /// The height. Text that is higher extends beyond it.
  public var height: Double
  /// The alignment of lines.
  public var horizontalAlignment: HorizontalAlignment
  /// The alignment of all lines together.
  public var verticalAlignment: VerticalAlignment
  /// Whether lines that are too long are wrapped: between words (Unicode Standard Annex 14), or between characters
  /// where a single word is too long.
  public var wraps: Bool
  /// The maximum number of lines; an ellipsis replaces the rest. `nil` if there is no maximum.
  public var maximumLineCount: Int?
  /// The angle in degrees, clockwise, by which the text is turned about the centre of the frame.
  public var rotation: Double

  /// Creates a frame.
  public init(
    x: Double = 0, y: Double = 0, width: Double, height: Double, horizontalAlignment: HorizontalAlignment = .start,
    verticalAlignment: VerticalAlignment = .top, wraps: Bool = true, maximumLineCount: Int? = nil, rotation: Double = 0
  ) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
    self.horizontalAlignment = horizontalAlignment
    self.verticalAlignment = verticalAlignment
    self.wraps = wraps
    self.maximumLineCount = maximumLineCount
    self.rotation = rotation
  }
}
