// The entropy decoding of a row of differences. ITU-T T.81, section H.1.2.2.

internal import ImageCoding

extension DifferenceLookup {
  /// Decodes the differences of a row, modulo 65,536.
  func decodeRow(
    _ reader: inout EntropyReader, _ bytes: Span<UInt8>, componentCount: Int, into row: inout MutableSpan<UInt16>
  ) {
    // A local copy stays in registers.
    var local = reader
    let words = words.span
    if isShared {
      let table = words.extracting(0..<Self.wordCount)
      for index in 0..<row.count { row[index] = Self.difference(&local, bytes, table) }
    } else {
      var component = 0
      for index in 0..<row.count {
        let start = component &* Self.wordCount
        row[index] = Self.difference(&local, bytes, words.extracting(start..<start &+ Self.wordCount))
        component = component &+ 1 == componentCount ? 0 : component &+ 1
      }
    }
    reader = local
  }

  @inline(__always)
  private static func difference(
    _ reader: inout EntropyReader, _ bytes: Span<UInt8>, _ table: Span<Int32>
  ) -> UInt16 {
    reader.refill(bytes)
    let word = table[reader.peek(bitCount)]
    if word & hasDifference != 0 {
      reader.skipCode(of: word)
      return UInt16(truncatingIfNeeded: word &>> 16)
    }
    var size: Int
    if word != 0 {
      reader.skipCode(of: word)
      size = Int((word &>> 6) & 31)
    } else {
      size = reader.readLongSymbol(table.extracting(1 << bitCount..<wordCount))
    }
    if size == 0 { return 0 }
    if size == 16 { return 0x8000 }
    size = min(size, 15)
    return UInt16(truncatingIfNeeded: reader.readExtended(size))
  }
}
