// The JSON object of a job (RFC 8259). Unlike Foundation's decoder, it keeps the text of numbers and finds members that are
// repeated.

/// A JSON object whose members are strings, numbers and Booleans.
struct JobObject {
  /// The value of a member.
  enum Value {
    /// The bytes of a string, which are not UTF-8 only if it contains an escaped byte (``Parser/unit(_:)``).
    case string([UInt8])
    /// A number.
    case number
    /// `true` or `false`.
    case boolean(Bool)
    /// `null`, which is the same as no member.
    case null
    /// An object or an array, of which no job has any.
    case nested
  }

  /// A value and its text.
  struct Member {
    var value: Value
    /// The JSON text of a string, number, Boolean or `null`.
    var literal: String
  }

  private(set) var members: [String: Member] = [:]

  /// Reads an object.
  ///
  /// - Throws: ``BatchJobError`` if the bytes are not a JSON object, or if a member is repeated. An object or an array as the
  ///   value of a member ends the reading: it is the only thing wrong that is reported.
  init(parsing bytes: [UInt8]) throws(BatchJobError) {
    guard String(validating: bytes, as: UTF8.self) != nil else { throw BatchJobError(reason: "the line is not UTF-8") }
    var parser = Parser(bytes: bytes)
    parser.skipSpace()
    guard parser.take(UInt8(ascii: "{")) else { throw BatchJobError(reason: "the line is not an object") }
    parser.skipSpace()
    if !parser.take(UInt8(ascii: "}")) {
      repeat {
        parser.skipSpace()
        let name = String(decoding: try parser.string(), as: UTF8.self)
        parser.skipSpace()
        guard parser.take(UInt8(ascii: ":")) else { throw parser.invalid }
        parser.skipSpace()
        let start = parser.position
        let value = try parser.value()
        let literal = String(decoding: bytes[start..<parser.position], as: UTF8.self)
        guard members.updateValue(Member(value: value, literal: literal), forKey: name) == nil else {
          throw BatchJobError(reason: "the member '\(name.prefix(40))' is repeated")
        }
        if case .nested = value { return }
        parser.skipSpace()
      } while parser.take(UInt8(ascii: ","))
      guard parser.take(UInt8(ascii: "}")) else { throw parser.invalid }
    }
    parser.skipSpace()
    guard parser.position == bytes.count else { throw parser.invalid }
  }

  /// Returns a member that is present and not `null`.
  private func present(_ name: String) -> Member? {
    guard let member = members[name] else { return nil }
    if case .null = member.value { return nil }
    return member
  }

  private func wrongType(_ name: String) -> BatchJobError {
    BatchJobError(reason: "the member '\(name)' has the wrong type")
  }

  /// Returns a string; `nil` if there is none.
  func string(_ name: String) throws(BatchJobError) -> String? {
    guard let member = present(name) else { return nil }
    guard case .string(let bytes) = member.value, let text = String(validating: bytes, as: UTF8.self) else {
      throw wrongType(name)
    }
    return text
  }

  /// Returns the name of a file as in ``FileName``; `nil` if there is none.
  func fileName(_ name: String) throws(BatchJobError) -> String? {
    guard let member = present(name) else { return nil }
    guard case .string(let bytes) = member.value else { throw wrongType(name) }
    return FileName.text(of: bytes)
  }

  /// Returns a Boolean; `nil` if there is none.
  func boolean(_ name: String) throws(BatchJobError) -> Bool? {
    guard let member = present(name) else { return nil }
    guard case .boolean(let value) = member.value else { throw wrongType(name) }
    return value
  }

  /// Returns a number, which is infinite if it is too large; `nil` if there is none.
  func number(_ name: String) throws(BatchJobError) -> (value: Double, literal: String)? {
    guard let member = present(name) else { return nil }
    guard case .number = member.value, let value = Double(member.literal) else { throw wrongType(name) }
    return (value, member.literal)
  }

  /// Returns the text of a string or a number; `nil` if there is none.
  func literal(_ name: String) throws(BatchJobError) -> String? {
    guard let member = present(name) else { return nil }
    switch member.value {
    case .string, .number: return member.literal
    default: throw wrongType(name)
    }
  }
}

extension JobObject {
  /// Reads values from the bytes of a line.
  private struct Parser {
    let bytes: [UInt8]
    var position = 0

    init(bytes: [UInt8]) {
      self.bytes = bytes
    }

    var invalid: BatchJobError { BatchJobError(reason: "the line is not valid JSON from byte \(position)") }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func skipSpace() {
      while let next, [0x20, 0x09, 0x0A, 0x0D].contains(next) { position += 1 }
    }

    mutating func take(_ byte: UInt8) -> Bool {
      guard next == byte else { return false }
      position += 1
      return true
    }

    private mutating func take(_ word: String) -> Bool {
      guard bytes[position...].starts(with: word.utf8) else { return false }
      position += word.utf8.count
      return true
    }

    mutating func value() throws(BatchJobError) -> Value {
      switch next {
      case UInt8(ascii: "\""): return .string(try string())
      case UInt8(ascii: "{"), UInt8(ascii: "["): return .nested
      default: break
      }
      if take("true") { return .boolean(true) }
      if take("false") { return .boolean(false) }
      if take("null") { return .null }
      try skipNumber()
      return .number
    }

    private mutating func skipNumber() throws(BatchJobError) {
      _ = take(UInt8(ascii: "-"))
      if !take(UInt8(ascii: "0")) { try skipDigits() }
      if take(UInt8(ascii: ".")) { try skipDigits() }
      if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
        if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
        try skipDigits()
      }
    }

    private mutating func skipDigits() throws(BatchJobError) {
      let start = position
      while let next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) { position += 1 }
      if position == start { throw invalid }
    }

    /// Reads a string and returns its bytes.
    mutating func string() throws(BatchJobError) -> [UInt8] {
      guard take(UInt8(ascii: "\"")) else { throw invalid }
      var text: [UInt8] = []
      while let byte = next, byte >= 0x20 {
        position += 1
        switch byte {
        case UInt8(ascii: "\""): return text
        case UInt8(ascii: "\\"): text += try escape()
        default: text.append(byte)
        }
      }
      throw invalid
    }

    private mutating func escape() throws(BatchJobError) -> [UInt8] {
      guard let byte = next else { throw invalid }
      position += 1
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
      case UInt8(ascii: "b"): return [0x08]
      case UInt8(ascii: "f"): return [0x0C]
      case UInt8(ascii: "n"): return [0x0A]
      case UInt8(ascii: "r"): return [0x0D]
      case UInt8(ascii: "t"): return [0x09]
      case UInt8(ascii: "u"): return try character(try unit())
      default: throw invalid
      }
    }

    /// Reads the four digits of a UTF-16 code unit.
    private mutating func unit() throws(BatchJobError) -> UInt32 {
      guard bytes.count - position >= 4 else { throw invalid }
      var value: UInt32 = 0
      for _ in 0..<4 {
        guard let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue else { throw invalid }
        value = value << 4 | UInt32(digit)
        position += 1
      }
      return value
    }

    /// Returns the bytes of a character with its first code unit. A single U+DC80…U+DCFF is a byte of a name that is not
    /// UTF-8, as Python writes it.
    private mutating func character(_ first: UInt32) throws(BatchJobError) -> [UInt8] {
      if (0xDC80...0xDCFF).contains(first) { return [UInt8(truncatingIfNeeded: first)] }
      var value = first
      if (0xD800...0xDBFF).contains(first) {
        guard take("\\u") else { throw invalid }
        let second = try unit()
        guard (0xDC00...0xDFFF).contains(second) else { throw invalid }
        value = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(value), let encoded = UTF8.encode(scalar) else { throw invalid }
      return Array(encoded)
    }
  }
}
