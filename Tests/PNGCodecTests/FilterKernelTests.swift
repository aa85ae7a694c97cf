// The filter kernels against the specification's definition, byte by byte.

import PNGCodec
import TestSupport
import Testing

@Suite struct FilterKernelTests {
  /// The predictor of PNG section 9.2.
  private func prediction(_ code: Int, _ a: Int, _ b: Int, _ c: Int) -> Int {
    switch code {
    case 1: return a
    case 2: return b
    case 3: return (a + b) / 2
    case 4:
      let p = a + b - c
      let (pa, pb, pc) = (abs(p - a), abs(p - b), abs(p - c))
      return pa <= pb && pa <= pc ? a : pb <= pc ? b : c
    default: return 0
    }
  }

  @Test(arguments: [1, 2, 3, 4, 6, 8])
  func filtersAreThoseOfTheSpecification(distance: Int) {
    var random = TestRandom(UInt64(distance))
    for count in [0, 1, 7, 16, 17, 31, 40, 64, 250, 2_300] {
      for isExtreme in [false, true] {
        func bytes() -> [UInt8] {
          (0..<count).map { _ in
            isExtreme
              ? [0, 1, 127, 128, 255][Int.random(in: 0..<5, using: &random)] : .random(in: 0...255, using: &random)
          }
        }
        let (row, above) = (bytes(), bytes())
        for code in 0...4 {
          var output = [UInt8](repeating: 7, count: count)
          var span = output.mutableSpan
          let sum = applyFilter(UInt8(code), to: row.span, above: above.span, distance: distance, into: &span)
          let expected = (0..<count).map { index -> UInt8 in
            let left = index < distance ? 0 : Int(row[index - distance])
            let corner = index < distance ? 0 : Int(above[index - distance])
            return row[index] &- UInt8(prediction(code, left, Int(above[index]), corner))
          }
          #expect(output == expected, "filter \(code)")
          #expect(sum == expected.reduce(0) { $0 + Int(Int8(bitPattern: $1).magnitude) })
        }
      }
    }
  }
}
