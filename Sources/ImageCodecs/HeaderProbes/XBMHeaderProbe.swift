// X bitmap: the two `#define`s with its dimensions.

internal import ImageCore

/// Reads the dimensions of X bitmaps.
struct XBMHeaderProbe: HeaderProbe {
  let types: [AssetType] = [.xbm]

  /// Looks for the definition of a width after comments.
  func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    var scanner = TextScanner(prefix)
    scanner.skipWhitespace()
    switch scanner.peek {
    case UInt8(ascii: "#"), UInt8(ascii: "/"), nil: break
    default: return .no
    }
    switch scanner.findWidthDefinition() {
    case .no: return .no
    case .yes: return .yes(.xbm)
    case .undecided:
      if prefix.count >= TextScanner.maximumByteCount { return .no }
      return .needs(byteCount: min(prefix.count * 2 + 64, TextScanner.maximumByteCount))
    }
  }

  func info(_ bytes: Span<UInt8>, options: InfoOptions) throws(CodecError) -> ImageInfo {
    var scanner = TextScanner(bytes)
    var width: Int?
    var height: Int?
    while width == nil || height == nil, let definition = scanner.nextDefinition() {
      if definition.name.hasSuffix("width") { width = definition.value }
      if definition.name.hasSuffix("height") { height = definition.value }
    }
    guard let width, let height else {
      throw CodecError(.truncated, "no definitions of width and height", format: .xbm)
    }
    return ImageInfo(type: .xbm, width: width, height: height, bitDepth: 1, colorModel: .gray)
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
  mutating func nextDefinition() -> (name: String, value: Int)? {
    skipWhitespace()
    while starts(with: "/*") == true {
      if !skip(past: "*/") { return nil }
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
