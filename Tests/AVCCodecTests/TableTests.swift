import AVCCodec
import TestSupport
import Testing

@Suite struct TableTests {
  /// The code words of a table as strings of bits.
  private func words(_ table: CodeWords) -> [String] {
    zip(table.lengths, table.values).filter { $0.0 > 0 }.map { length, value in
      let digits = String(value, radix: 2)
      return String(repeating: "0", count: max(0, Int(length) - digits.count)) + digits
    }
  }

  @Test func noCodeWordStartsAnother() {
    #expect(coefficientTokens.count == 5 && totalZeros.count == 25 && runsBefore.count == 7)
    for table in coefficientTokens + totalZeros + runsBefore {
      #expect(table.lengths.count == table.values.count)
      let words = words(table)
      for (length, word) in zip(table.lengths.filter { $0 > 0 }, words) { #expect(word.count == length) }
      for (index, word) in words.enumerated() {
        for (other, longer) in words.enumerated() where other != index { #expect(!longer.hasPrefix(word)) }
      }
    }
  }

  /// Tables of zeros and runs leave no code unused, but for one of a table of many.
  @Test func codesOfZerosAndRunsAreComplete() {
    for (index, table) in (totalZeros + runsBefore).enumerated() {
      let sum = table.lengths.reduce(0) { $0 + (1 << (16 - Int($1))) }
      let isWithoutZeroCode = index == 0 || index == totalZeros.count + 6
      #expect(isWithoutZeroCode ? sum < 1 << 16 : sum == 1 << 16, "table \(index)")
    }
  }

  @Test func symbolsAreThoseOfTheirBlocks() {
    for (index, table) in totalZeros.enumerated() {
      // With one more coefficient, one zero less is possible.
      let expected = index < 15 ? 16 - index : index < 18 ? 4 - (index - 15) : 8 - (index - 18)
      #expect(table.lengths.count == expected)
    }
    for (table, count) in zip(coefficientTokens, [17, 17, 17, 5, 9]) {
      #expect(table.lengths.count == 4 * count)
      for symbol in table.lengths.indices {
        let (coefficients, ones) = (symbol / 4, symbol % 4)
        #expect((table.lengths[symbol] > 0) == (ones <= coefficients))
      }
    }
    #expect(codedBlockPatterns.sorted() == Array(0..<48))
    #expect(codedBlockPatternsWithoutChroma.sorted() == Array(0..<16))
  }

  @Test func scansVisitAllPlaces() {
    func places(_ span: Span<UInt8>) -> [Int] { span.indices.map { Int(span[$0]) } }
    let scans = [
      places(CoefficientScan.frame4x4.span), places(CoefficientScan.field4x4.span),
      places(CoefficientScan.frame8x8.span), places(CoefficientScan.field8x8.span),
      places(CoefficientScan.chromaDC422.span),
    ]
    for scan in scans { #expect(scan.sorted() == Array(scan.indices)) }
    // A zigzag scan goes through diagonals in turn.
    for (scan, width) in [(scans[0], 4), (scans[2], 8)] {
      let zigzag = (0..<width * width).sorted {
        let (a, b) = ($0 % width + $0 / width, $1 % width + $1 / width)
        return a != b ? a < b : a % 2 == 0 ? $0 > $1 : $0 < $1
      }
      #expect(scan == zigzag)
    }
  }

  /// The hash of the table with which hundreds of pictures are decoded as ffmpeg decodes them.
  @Test func tablesAreUnchanged() {
    #expect(fnv1a(initialContextValues.map { UInt8(bitPattern: $0) }) == 17_756_459_951_921_072_723)
  }
}
