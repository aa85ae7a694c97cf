import ImageCoding
import JXLCodec
import Testing

/// VarDCT files by a simple encoder, compared with samples by the definitions, and hostile ones.
@Suite struct VarDCTTests {
  private func pixels(_ file: VarDCTFile) throws -> [Int] {
    let options = DecodingOptions(pixelFormat: .rgb8, tolerance: .strict)
    return try JXLDecoder().decode(file.codestream, options: options).bitmap.packedPixels.map { Int($0) }
  }

  private func byte(_ sample: Double) -> Int { Int((min(max(sample, 0), 1) * 255 + 0.5).rounded(.down)) }

  /// The LF coefficients are the samples of flat blocks: multiples of 1/4096, 1/512 and 1/256, times two. B is relative
  /// to Y.
  @Test func flatBlocks() throws {
    let luma = [30, 100, 200, 250, 10, 0]
    let red = [100, 2000, 5, 300, 400, 1024]
    let blue = [0, -20, 30, -60, 7, 64]
    let blocks = [VarDCTFile.Block](repeating: VarDCTFile.Block(), count: 6)
    let file = VarDCTFile(width: 20, height: 13, lowFrequencies: [luma, red, blue], blocks: blocks)
    var expected: [Int] = []
    for y in 0..<13 {
      for x in 0..<20 {
        let index = y / 8 * 3 + x / 8
        let green = Double(luma[index]) / 256
        expected += [byte(Double(red[index]) / 2048), byte(green), byte(Double(blue[index]) / 128 + green)]
      }
    }
    #expect(try pixels(file) == expected)
  }

  /// A varblock with coefficients of Y, by sums over the dequantised coefficients.
  @Test(arguments: TransformKind.allCases.filter { $0.isFullCosine && $0.blockCount <= 16 })
  func coefficients(_ kind: TransformKind) throws {
    let (width, height, count) = (8 * kind.columns, 8 * kind.rows, kind.blockCount)
    let coded = [3, 0, -1, 0, 0, 7, 1]
    let file = VarDCTFile(
      width: width, height: height,
      lowFrequencies: [
        [Int](repeating: 128, count: count), .init(repeating: 0, count: count), .init(repeating: 0, count: count),
      ],
      blocks: [VarDCTFile.Block(transform: Int(kind.rawValue), multiplier: 2, coefficients: [coded, [], []])])
    let order = CoefficientOrder.natural(kind.order)
    let size = TransformKind.storedSize(matrix: kind.matrix)
    let matrix = try #require(
      MatrixWeights.multipliers(DefaultMatrices.encoding(kind.matrix), channel: 1, size: size))
    let scale = 65536.0 / Double(VarDCTFile.globalScale) / 2
    let stride = max(width, height)
    func basis(_ frequency: Int, _ index: Int, _ count: Int) -> Double {
      let angle = Double.pi * Double(frequency * (2 * index + 1)) / Double(2 * count)
      return ElementaryFunctions.cosine(angle) * (frequency == 0 ? 1 : 2.0.squareRoot())
    }
    let result = try pixels(file)
    for y in 0..<height {
      for x in 0..<width {
        var sample = 0.5
        for (index, value) in coded.enumerated() where value != 0 {
          let place = Int(order[count + index])
          let (row, column) = place.quotientAndRemainder(dividingBy: stride)
          let (horizontal, vertical) = width > height ? (column, row) : (row, column)
          let adjusted =
            abs(value) == 1 ? Double(value) * (1 - 0.07005449891748593) : Double(value) - 0.145 / Double(value)
          sample +=
            adjusted * Double(matrix[place]) * scale * basis(horizontal, x, width) * basis(vertical, y, height)
        }
        #expect(abs(result[3 * (y * width + x) + 1] - byte(sample)) <= 1)
        // Red is zero, and blue follows green.
        #expect(result[3 * (y * width + x)] == 0)
      }
    }
  }

  // MARK: Hostile files

  private static func file(
    _ blocks: [VarDCTFile.Block], width: Int = 16, height: Int = 16, blockCount: Int? = nil
  ) -> VarDCTFile {
    let count = ((width + 7) / 8) * ((height + 7) / 8)
    return VarDCTFile(
      width: width, height: height, lowFrequencies: .init(repeating: .init(repeating: 9, count: count), count: 3),
      blocks: blocks, blockCount: blockCount)
  }

  private func expectMalformed(_ file: VarDCTFile, _ reason: String) {
    let error = #expect(throws: CodecError.self) { try pixels(file) }
    #expect(error?.kind == .malformed)
    #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "none")")
  }

  @Test func varblocksThatDoNotFit() {
    let small = VarDCTFile.Block()
    let wide = VarDCTFile.Block(transform: Int(TransformKind.dct8x16.rawValue))
    let large = VarDCTFile.Block(transform: Int(TransformKind.dct32.rawValue))
    // The second one exceeds the frame, a wide one overlaps a tall one, and blocks remain.
    expectMalformed(Self.file([small, wide, small, small]), "overlaps another one or the border")
    let tall = VarDCTFile.Block(transform: Int(TransformKind.dct16x8.rawValue))
    expectMalformed(Self.file([small, tall, wide]), "overlaps another one or the border")
    expectMalformed(Self.file([large]), "overlaps another one or the border")
    expectMalformed(Self.file([small, small, small]), "have no transform")
    expectMalformed(Self.file([VarDCTFile.Block(transform: 27), small, small, small]), "does not exist")
    expectMalformed(Self.file([VarDCTFile.Block(transform: -1), small, small, small]), "does not exist")
  }

  /// Varblocks that fit in the frame, but cross the border of a group.
  @Test func varblockAcrossGroups() throws {
    var map = try {
      var budget = ResourceBudget(.unlimited)
      return try BlockMap(columns: 40, rows: 40, budget: &budget)
    }()
    let region = PixelRegion(x: 0, y: 0, width: 40, height: 40)
    let places: [(TransformKind, Int, Int)] = [
      (.dct16, 31, 0), (.dct16, 0, 31), (.dct16, 30, 30), (.dct8, 31, 31), (.dct64, 32, 32), (.dct8, 40, 0),
    ]
    let results = places.map { map.place($0.0, multiplier: 1, x: $0.1, y: $0.2, in: region) }
    #expect(results == [false, false, true, false, true, false])
  }

  @Test func sharpnessOutOfRange() {
    var file = Self.file(.init(repeating: VarDCTFile.Block(), count: 4))
    file.sharpness = 8
    expectMalformed(file, "sharpness")
  }

  @Test func countsOfCoefficients() {
    var block = VarDCTFile.Block(counts: [64, 0, 0])
    expectMalformed(Self.file([block, block, block, block]), "too many coefficients")
    // More nonzero coefficients than places are left.
    block = VarDCTFile.Block(coefficients: [[0] + .init(repeating: 1, count: 62), [], []], counts: [63, 0, 0])
    expectMalformed(Self.file([block, block, block, block]), "too many coefficients")
  }

  /// Damaged files are rejected or decoded, and never trap.
  @Test func everyFlippedBitAndPrefix() {
    let kinds = [TransformKind.dct8, .corner2, .hornuss, .dct4x8]
    let file = Self.file(
      kinds.map { VarDCTFile.Block(transform: Int($0.rawValue), coefficients: [[5, 0, -1], [1], [-300]]) })
    let bytes = file.codestream
    let limits = DecodingLimits(
      maximumPixelCount: 1 << 16, maximumByteCount: 16 << 20, maximumWork: 20_000_000, maximumWorkPerPixel: 0)
    let options = DecodingOptions(limits: limits)
    var strict = options
    strict.tolerance = .strict
    for count in 0..<bytes.count {
      #expect(throws: CodecError.self) { try JXLDecoder().decode(Array(bytes[..<count]), options: strict) }
      _ = try? JXLDecoder().decode(Array(bytes[..<count]), options: options)
    }
    for bit in 0..<bytes.count * 8 {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      _ = try? JXLDecoder().decode(damaged, options: options)
    }
  }
}
