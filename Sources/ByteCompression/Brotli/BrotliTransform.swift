// The modification of a word of the static dictionary (RFC 7932, section 8).

/// A transform of dictionary words: text before the word, a change of the word, and text after it.
struct BrotliTransform: Sendable {
  /// The change of the word.
  enum Change: Sendable {
    case identity
    /// The case of the first character is changed.
    case raisedFirst
    /// The case of all characters is changed.
    case raisedAll
    case withoutFirst(Int)
    case withoutLast(Int)
  }

  /// The maximum length of the result: the longest word and the longest texts around it.
  static let maximumByteCount = 24 + 13

  let prefix: [UInt8]
  let change: Change
  let suffix: [UInt8]

  /// - Parameters: the texts in ISO 8859-1.
  init(_ prefix: String, _ change: Change, _ suffix: String) {
    self.prefix = prefix.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    self.change = change
    self.suffix = suffix.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
  }

  /// Writes a word, transformed, and returns its length.
  ///
  /// - Parameter output: at least ``maximumByteCount`` bytes from `start` on.
  func write(_ word: Span<UInt8>, to output: inout MutableSpan<UInt8>, at start: Int) -> Int {
    var end = start
    for byte in prefix {
      output[end] = byte
      end += 1
    }
    var range = 0..<word.count
    switch change {
    case .withoutFirst(let count): range = min(count, word.count)..<word.count
    case .withoutLast(let count): range = 0..<max(0, word.count - count)
    default: break
    }
    let first = end
    for index in range {
      output[end] = word[index]
      end += 1
    }
    switch change {
    case .raisedFirst: _ = BrotliTransform.raise(&output, first, end)
    case .raisedAll:
      var index = first
      while index < end { index = BrotliTransform.raise(&output, index, end) }
    default: break
    }
    for byte in suffix {
      output[end] = byte
      end += 1
    }
    return end - start
  }

  /// Changes the case of the character at an index, for ASCII and, roughly, for UTF-8. Returns the index of the next
  /// character.
  private static func raise(_ bytes: inout MutableSpan<UInt8>, _ index: Int, _ end: Int) -> Int {
    guard index < end else { return end }
    switch bytes[index] {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): bytes[index] ^= 32
    case 0xC0...0xDF:
      if index + 1 < end { bytes[index + 1] ^= 32 }
      return index + 2
    case 0xE0...:
      if index + 2 < end { bytes[index + 2] ^= 5 }
      return index + 3
    default: break
    }
    return index + 1
  }
}
