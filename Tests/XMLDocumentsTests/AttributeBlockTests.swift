// The scanning of attribute values by blocks, compared with the definition byte by byte.

import TestSupport
import Testing
import XMLDocuments

struct AttributeBlockTests {
  @Test func findings() {
    var random = TestRandom(3)
    let special = Array("\"'<&\t\n\r\u{b}\u{e}".utf8)
    var counts = [0, 0, 0, 0, 0]
    for _ in 0..<5_000 {
      var bytes = (0..<32).map { _ in UInt8(truncatingIfNeeded: random.next()) | 0x40 }
      for _ in 0..<random.next() % 3 {
        bytes[Int(random.next() % 32)] = special[Int(random.next() % UInt64(special.count))]
      }
      let quote = random.next() % 2 == 0 ? UInt8(ascii: "\"") : UInt8(ascii: "'")
      let span = bytes.span
      let block = AttributeBlock(span, quote: quote)
      let hasEnd = bytes.contains(quote) || bytes.contains(UInt8(ascii: "<"))
      let hasSpaces = bytes.contains(9) || bytes.contains(10)
      let expected: AttributeNormalization =
        bytes.contains(UInt8(ascii: "&")) ? .expansion : bytes.contains(13) ? .lineEnds : hasSpaces ? .spaces : .none
      #expect(block.hasEnd == hasEnd && block.normalization == expected, "\(bytes)")
      let kinds: [AttributeNormalization] = [.none, .spaces, .lineEnds, .expansion]
      counts[hasEnd ? 4 : kinds.firstIndex(of: expected) ?? 4] += 1
    }
    #expect(counts.allSatisfy { $0 > 100 })
  }
}
