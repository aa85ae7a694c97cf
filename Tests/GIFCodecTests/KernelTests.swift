import GIFCodec
import TestSupport
import Testing

@Suite struct KernelTests {
  @Test(arguments: [nil, 0, 3, 255] as [UInt8?])
  func rowsOfIndicesAreWhatALoopMakesOfThem(transparentIndex: UInt8?) {
    var random = TestRandom(5)
    let colors = (0..<256).map { _ in UInt32.random(in: 0...UInt32.max, using: &random) }
    for count in Array(0..<40) + [100, 1000] {
      for kind in 0..<3 {
        // TestRandom, mostly transparent, all transparent.
        let indices = (0..<count).map { _ -> UInt8 in
          let isKept = kind == 0 || (kind == 1 && random.next() % 9 == 0)
          return isKept ? UInt8.random(in: 0...255, using: &random) : transparentIndex ?? 7
        }
        let before = (0..<count * 4).map { UInt8($0 * 31 & 255) }
        var row = before
        var span = row.mutableSpan
        drawIndices(indices.span, colors: colors.span, transparentIndex: transparentIndex, onto: &span)
        var expected = before
        for (position, index) in indices.enumerated() where index != transparentIndex {
          let color = UInt32(littleEndian: colors[Int(index)])
          for byte in 0..<4 { expected[position * 4 + byte] = UInt8(color >> UInt32(byte * 8) & 255) }
        }
        expectSame(row, expected)
      }
    }
  }
}
