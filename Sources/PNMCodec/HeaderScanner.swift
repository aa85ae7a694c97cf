// Words and numbers of a header, separated by white space. Comments extend from # to the end of the line.

internal import ImageCoding

/// Reads the text of a header.
struct HeaderScanner: ~Escapable {
  private let bytes: Span<UInt8>
  /// The offset of the next byte.
  private(set) var position = 0

  /// The fields of a PAM header.
  struct ArbitraryMapFields {
    var width = 0
    var height = 0
    var depth = 0
    var maximum = 0
  }

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>) {
    self.bytes = bytes
  }

  func error(_ reason: String, _ kind: CodecError.Kind = .malformed) -> CodecError {
    CodecError(kind, reason, format: PNMDecoder.type, byteOffset: position)
  }

  /// The error of a header that is incomplete, or so long that it cannot be one.
  func truncated() -> CodecError {
    guard bytes.count < PNMHeader.maximumByteCount else { return error("there is no end of the header") }
    return CodecError(
      .truncated, "the file ends in its header", format: PNMDecoder.type, byteOffset: bytes.count,
      neededByteCount: bytes.count + 1)
  }

  @_lifetime(self: copy self)
  mutating func skipSignature() {
    position = 2
  }

  /// Skips white space and comments.
  @_lifetime(self: copy self)
  private mutating func skipSpace() throws(CodecError) {
    while true {
      guard position < bytes.count, position < PNMHeader.maximumByteCount else { throw truncated() }
      if bytes[position] == UInt8(ascii: "#") {
        try skipLine()
      } else if bytes[position].isSpace {
        position += 1
      } else {
        return
      }
    }
  }

  @_lifetime(self: copy self)
  private mutating func skipLine() throws(CodecError) {
    while true {
      guard position < bytes.count, position < PNMHeader.maximumByteCount else { throw truncated() }
      position += 1
      if bytes[position - 1] == 0x0A || bytes[position - 1] == 0x0D { return }
    }
  }

  /// Reads a word. The character after it is not read, but must be present.
  @_lifetime(self: copy self)
  private mutating func word() throws(CodecError) -> String {
    try skipSpace()
    let start = position
    while true {
      guard position < bytes.count, position < PNMHeader.maximumByteCount else { throw truncated() }
      if bytes[position].isSpace || bytes[position] == UInt8(ascii: "#") { break }
      position += 1
    }
    return String(decoding: Array(copying: bytes.extracting(start..<position)), as: UTF8.self)
  }

  /// Reads a decimal number.
  @_lifetime(self: copy self)
  mutating func number(_ name: String) throws(CodecError) -> Int {
    let text = try word()
    guard let value = Int32(text), value >= 0 else { throw error("the \(name) is not a number") }
    return Int(value)
  }

  /// Reads the scale of a PFM, which is negative if samples are little-endian.
  @_lifetime(self: copy self)
  mutating func isScaleNegative() throws(CodecError) -> Bool {
    let text = try word()
    guard let value = Double(text), value.isFinite, value != 0 else { throw error("the scale is not a number") }
    return value < 0
  }

  /// Skips the single white space before the pixels.
  @_lifetime(self: copy self)
  mutating func skipSeparator() throws(CodecError) {
    guard position < bytes.count else { throw truncated() }
    guard bytes[position].isSpace else { throw error("the header is not followed by white space") }
    position += 1
  }

  /// Reads the lines of a PAM header up to ENDHDR. The tuple type is implied by the depth.
  @_lifetime(self: copy self)
  mutating func arbitraryMapFields() throws(CodecError) -> ArbitraryMapFields {
    var fields = ArbitraryMapFields()
    while true {
      switch try word() {
      case "WIDTH": fields.width = try number("width")
      case "HEIGHT": fields.height = try number("height")
      case "DEPTH": fields.depth = try number("depth")
      case "MAXVAL": fields.maximum = try number("maximum")
      case "TUPLTYPE": try skipLine()
      case "ENDHDR":
        try skipLine()
        return fields
      case let other: throw error("the header contains the unknown word “\(String(other.prefix(20)))”")
      }
    }
  }
}

extension UInt8 {
  /// Whether the character is ASCII white space.
  var isSpace: Bool { self == 0x20 || (self >= 0x09 && self <= 0x0D) }
}
