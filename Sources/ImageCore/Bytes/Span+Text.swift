// Text in headers: names at the start of a segment, NUL-terminated fields, and ISO 8859-1.

extension Span where Element == UInt8 {
  /// Whether the bytes begin with a name, in UTF-8.
  package func starts(with name: String) -> Bool {
    var index = 0
    for unit in name.utf8 {
      guard index < count, self[index] == unit else { return false }
      index += 1
    }
    return true
  }

  /// The bytes before the first NUL, or all bytes if there is none.
  @_lifetime(copy self)
  package func upToNUL() -> Span<UInt8> {
    var length = 0
    while length < count, self[length] != 0 { length += 1 }
    return extracting(0..<length)
  }
}

extension String {
  /// Decodes text in ISO 8859-1, in which each byte is a character's code.
  package init(latin1 bytes: Span<UInt8>) {
    var highCount = 0
    for index in bytes.indices where bytes[index] >= 0x80 { highCount += 1 }
    // Characters from U+0080 to U+00FF take two bytes in UTF-8.
    let text = [UInt8](capacity: bytes.count + highCount) { output in
      for index in bytes.indices {
        let byte = bytes[index]
        if byte < 0x80 {
          output.append(byte)
        } else {
          output.append(0xC0 | byte >> 6)
          output.append(0x80 | byte & 0x3F)
        }
      }
    }
    self.init(decoding: text, as: UTF8.self)
  }

  /// Decodes text in UTF-8. Invalid sequences become replacement characters.
  package init(utf8 bytes: Span<UInt8>) {
    self.init(decoding: Array(copying: bytes), as: UTF8.self)
  }

  /// Decodes text in UTF-8, or in ISO 8859-1 if the bytes are not valid UTF-8.
  package init(utf8OrLatin1 bytes: Span<UInt8>) {
    if let text = String(validating: Array(copying: bytes), as: UTF8.self) {
      self = text
    } else {
      self.init(latin1: bytes)
    }
  }
}
