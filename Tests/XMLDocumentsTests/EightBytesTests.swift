// Eight bytes at a time, compared with one after the other.

import TestSupport
import Testing
import XMLDocuments

struct EightBytesTests {
  private static let alphabet = Array("0123456789.0123456789.0123456789..eE+-, \t\n<&\"mz\u{e9}".utf8)

  @Test func bytesAreFound() {
    var random = TestRandom(1)
    for _ in 0..<20_000 {
      let bytes = (0..<8).map { _ in UInt8(truncatingIfNeeded: random.next()) & (random.next() % 2 == 0 ? 255 : 15) }
      let span = bytes.span
      let word = EightBytes(span, at: 0)
      let wanted = UInt8(truncatingIfNeeded: random.next()) & 15
      #expect(word.contains(wanted) == bytes.contains(wanted))
      #expect(word.contains(lessThan: wanted) == bytes.contains { $0 < wanted })
    }
  }

  @Test func numbersAreThoseOfTheStandardLibrary() {
    var random = TestRandom(2)
    var count = 0
    for _ in 0..<200_000 {
      let bytes = (0..<8).map { _ in Self.alphabet[Int(random.next() % UInt64(Self.alphabet.count))] }
      let span = bytes.span
      let short = EightBytes(span, at: 0).shortDecimal
      #expect(short.map { "\($0.mantissa) \($0.fractionLength) \($0.length)" } == expected(bytes), "\(bytes)")
      count += short == nil ? 0 : 1
    }
    #expect(count > 20_000)
  }

  /// Reads byte by byte what ``EightBytes/shortDecimal`` is defined to be.
  private func expected(_ bytes: [UInt8]) -> String? {
    func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
    let whole = bytes.prefix(while: isDigit)
    var fraction: ArraySlice<UInt8> = []
    var length = whole.count
    if length < 8, bytes[length] == UInt8(ascii: ".") {
      fraction = bytes[(length + 1)...].prefix(while: isDigit)
      guard !fraction.isEmpty else { return nil }
      length += 1 + fraction.count
    }
    guard length > 0, length < 8, bytes[length] | 0x20 != UInt8(ascii: "e") else { return nil }
    let digits = String(decoding: whole + fraction, as: UTF8.self)
    return Int(digits).map { "\($0) \(fraction.count) \(length)" }
  }
}
