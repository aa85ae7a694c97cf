// Memory for pixels, small and so large that huge pages are requested for it.

import ImageCore
import Testing

@Suite struct PixelMemoryTests {
  @Test(arguments: [0, 1, 4097, (4 << 20) - 1, 4 << 20, (9 << 20) + 5])
  func bytesAreZeroInUsedMemory(_ count: Int) {
    for _ in 0..<3 {
      var bytes = makeZeroedBytes(count)
      #expect(bytes.count == count)
      #expect(bytes.allSatisfy { $0 == 0 })
      // Freed, and likely to be the memory of the next array.
      var span = bytes.mutableSpan
      for index in span.indices { span[index] = 0xA5 }
    }
  }

  @Test(arguments: [0, 1, 4097, 4 << 20, (9 << 20) + 5])
  func arbitraryBytesCanBeWritten(_ count: Int) {
    var bytes = makeArbitraryBytes(count)
    #expect(bytes.count == count)
    var span = bytes.mutableSpan
    for index in span.indices { span[index] = UInt8(truncatingIfNeeded: index) }
    let isKept = (0..<count).allSatisfy { bytes[$0] == UInt8(truncatingIfNeeded: $0) }
    #expect(isKept)
  }
}
