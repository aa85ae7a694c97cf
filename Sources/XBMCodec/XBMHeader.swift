// The C definitions of an X bitmap that precede its pixels.

internal import ImageCoding

/// The size and the hot spot of an X bitmap.
public struct XBMHeader: Hashable, Sendable {
  /// The position of a pixel relative to the top left corner.
  public struct HotSpot: Hashable, Sendable {
    /// The number of columns to its left.
    public let x: Int
    /// The number of rows above it.
    public let y: Int

    /// Creates a position.
    public init(x: Int, y: Int) {
      self.x = x
      self.y = y
    }
  }

  /// The number of columns.
  public let width: Int
  /// The number of rows.
  public let height: Int
  /// The hot spot, if the bitmap is meant as a cursor.
  public let hotSpot: HotSpot?

  /// Reads the definitions before the pixels.
  ///
  /// - Throws: `CodecError.Kind.truncated` if width or height are not defined.
  public init(parsing bytes: Span<UInt8>) throws(CodecError) {
    var scanner = TextScanner(bytes)
    try self.init(&scanner)
  }

  init(_ scanner: inout TextScanner) throws(CodecError) {
    var (width, height, hotX, hotY): (Int?, Int?, Int?, Int?)
    while let definition = scanner.nextDefinition() {
      if definition.name.hasSuffix("width") { width = definition.value }
      if definition.name.hasSuffix("height") { height = definition.value }
      if definition.name.hasSuffix("x_hot") { hotX = definition.value }
      if definition.name.hasSuffix("y_hot") { hotY = definition.value }
    }
    guard let width, let height else {
      throw CodecError(.truncated, "no definitions of width and height", format: XBMDecoder.type)
    }
    self.width = width
    self.height = height
    hotSpot = if let hotX, let hotY { HotSpot(x: hotX, y: hotY) } else { nil }
  }

  var info: ImageInfo {
    ImageInfo(type: XBMDecoder.type, width: width, height: height, bitDepth: 1, colorModel: .gray)
  }
}

extension TextScanner {
  /// The outcome of identifying a text.
  enum Verdict {
    case no
    case yes
    /// The text ends too early to decide.
    case undecided
  }

  /// Skips comments and looks for `#define <name>_width`.
  @_lifetime(self: copy self)
  mutating func findWidthDefinition() -> Verdict {
    while true {
      guard let definition = nextDefinition() else {
        let isCutOff = peek == nil || starts(with: "#define") == nil || starts(with: "/*") == nil
        return isCutOff ? .undecided : .no
      }
      if definition.name.hasSuffix("_width") || definition.name == "width" { return .yes }
      if definition.name.hasSuffix("_height") || definition.name == "height" { continue }
      return peek == nil ? .undecided : .no
    }
  }

  /// Returns the next `#define <name> <number>`, or `nil` if the text continues with anything else.
  @_lifetime(self: copy self)
  mutating func nextDefinition() -> (name: String, value: Int)? {
    skipWhitespace()
    while starts(with: "/*") == true {
      if !skipPastEndOfComment() { return nil }
      skipWhitespace()
    }
    guard starts(with: "#define") == true else { return nil }
    advance(7)
    skipWhitespace()
    let name = readName()
    skipWhitespace()
    var value = 0
    var hasDigits = false
    while let letter = peek, letter >= 0x30, letter <= 0x39, value < 1_000_000 {
      value = value * 10 + Int(letter - 0x30)
      hasDigits = true
      advance()
    }
    // A number at the very end may continue in bytes that have not arrived.
    return hasDigits && peek != nil && !name.isEmpty ? (name, value) : nil
  }
}
