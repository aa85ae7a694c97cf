// The static dictionary that all Brotli streams can refer to (RFC 7932, section 8 and appendix A).

internal import ImageCore

/// The words of the static dictionary.
struct BrotliDictionary: Sendable {
  /// The dictionary.
  static let shared = BrotliDictionary()

  /// The lengths of words in bytes.
  static let wordLengths = 4...24
  /// The number of bits of the index of a word, by length from 4 on.
  private static let indexBitCounts: [Int] = [
    10, 10, 11, 11, 10, 10, 10, 10, 10, 9, 9, 8, 7, 7, 8, 7, 7, 6, 6, 5, 5,
  ]

  /// All words without separators, the shortest ones first.
  let bytes: [UInt8]
  /// For each length from 4 on, the index of the first word in ``bytes``.
  private let starts: [Int]

  private init() {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(122_784)
    var starts: [Int] = []
    for text in BrotliDictionary.encodedWords {
      starts.append(bytes.count)
      let encoded = Array(text.utf8)
      bytes += Base64.decode(encoded.span) ?? []
    }
    self.bytes = bytes
    self.starts = starts
  }

  /// Returns the range of a word in ``bytes`` and its transform; `nil` if there is no such word or transform.
  ///
  /// - Parameter number: the number of the word among those of its length, together with the number of the transform.
  func word(length: Int, number: Int) -> (range: Range<Int>, transform: BrotliTransform)? {
    guard BrotliDictionary.wordLengths.contains(length) else { return nil }
    let bitCount = BrotliDictionary.indexBitCounts[length - 4]
    let transforms = BrotliTransform.all
    guard number >= 0, number >> bitCount < transforms.count else { return nil }
    let start = starts[length - 4] + (number & (1 << bitCount - 1)) * length
    guard start + length <= bytes.count else { return nil }
    return (start..<start + length, transforms[number >> bitCount])
  }
}
