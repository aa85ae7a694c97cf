import ImageCoding
import JXLCodec
import Testing

/// Orders, matrices and contexts compared with their definitions.
@Suite struct VarDCTTableTests {
  /// The order by sorting all places: by diagonal of the square, then along it in alternating directions.
  @Test(arguments: 0..<TransformKind.orderCount)
  func naturalOrder(_ order: Int) {
    let size = TransformKind.storedSize(order: order)
    let (width, height) = (8 * size.columns, 8 * size.rows)
    let ratio = width / height
    struct Place {
      var x: Int
      var y: Int
      var diagonal: Int
      var isLow: Bool
    }
    var places: [Place] = []
    for y in 0..<height {
      for x in 0..<width {
        places.append(Place(x: x, y: y, diagonal: x + y * ratio, isLow: x < size.columns && y < size.rows))
      }
    }
    places.sort { a, b in
      if a.isLow || b.isLow { return a.isLow && (!b.isLow || (a.y, a.x) < (b.y, b.x)) }
      if a.diagonal != b.diagonal { return a.diagonal < b.diagonal }
      return a.diagonal % 2 == 0 ? a.x < b.x : a.x > b.x
    }
    #expect(CoefficientOrder.natural(order) == places.map { Int32($0.y * width + $0.x) })
  }

  /// The start of the zigzag order of 8 × 8 coefficients, as JPEG's, but transposed.
  @Test func naturalOrderOfABlock() {
    #expect(CoefficientOrder.natural(0).prefix(10) == [0, 1, 8, 16, 9, 2, 3, 10, 17, 24])
  }

  @Test func shapesOfTransforms() {
    #expect(TransformKind.allCases.count == 27)
    for kind in TransformKind.allCases {
      let order = TransformKind.storedSize(order: kind.order)
      let matrix = TransformKind.storedSize(matrix: kind.matrix)
      #expect(order == (max(kind.columns, kind.rows), min(kind.columns, kind.rows)))
      #expect(order == matrix)
      #expect(1 << kind.blockCountShift == kind.blockCount)
    }
  }

  /// All default matrices are valid, and that of DCT8 has the first band at the lowest and the last one near the highest
  /// frequency.
  @Test func defaultMatrices() throws {
    for matrix in 0..<TransformKind.matrixCount {
      let size = TransformKind.storedSize(matrix: matrix)
      for channel in 0..<3 {
        let values = MatrixWeights.multipliers(DefaultMatrices.encoding(matrix), channel: channel, size: size)
        #expect(values?.count == 64 * size.columns * size.rows)
      }
    }
    let values = try #require(MatrixWeights.multipliers(DefaultMatrices.encoding(0), channel: 1, size: (1, 1)))
    #expect(abs(values[0] - 1 / 560) < 1e-7)
    // Four divisions by 1.3.
    let last = 1 / (560 / (1.3 * 1.3 * 1.3 * 1.3)) as Float
    #expect(abs(values[63] / last - 1) < 1e-3)
  }

  @Test func invalidMatrices() {
    #expect(MatrixWeights.multipliers(.bands([[-1]]), channel: 0, size: (1, 1)) == nil)
    #expect(MatrixWeights.multipliers(.bands([[.nan]]), channel: 0, size: (1, 1)) == nil)
    #expect(MatrixWeights.multipliers(.bands([[1, -3e38, -3e38]]), channel: 0, size: (2, 2)) == nil)
    let zeros = MatrixEncoding.raw([[Int32](repeating: 0, count: 64)], denominator: 1)
    #expect(MatrixWeights.multipliers(zeros, channel: 0, size: (1, 1)) == nil)
    #expect(MatrixWeights.multipliers(.dct4([[0, 1]], bands: [[1]]), channel: 0, size: (1, 1))?.isEmpty != false)
  }
}
