// Conversions to RGB against the published formulas: libwebp's in integers, H.273's in double precision.

import ImageCoding
import PixelPlanes
import TestSupport
import Testing

@Suite struct ConversionTests {
  /// libwebp's src/dsp/yuv.h, word for word.
  private func libwebp(_ y: Int, _ u: Int, _ v: Int) -> [UInt8] {
    func multHi(_ v: Int, _ coefficient: Int) -> Int { (v * coefficient) >> 8 }
    func clip8(_ v: Int) -> UInt8 { (v & ~((256 << 6) - 1)) == 0 ? UInt8(v >> 6) : v < 0 ? 0 : 255 }
    return [
      clip8(multHi(y, 19077) + multHi(v, 26149) - 14234),
      clip8(multHi(y, 19077) - multHi(u, 6419) - multHi(v, 13320) + 8708),
      clip8(multHi(y, 19077) + multHi(u, 33050) - 17685),
    ]
  }

  @Test func libwebpRowsAreItsFormulas() {
    for y in [0, 15, 16, 76, 128, 235, 255] {
      for u in stride(from: 0, to: 256, by: 3) {
        // 250 pixels: vectors and the rest.
        let luma = [UInt8](repeating: UInt8(y), count: 250)
        let us = [UInt8](repeating: UInt8(u), count: 250)
        let vs = (0..<250).map { UInt8(255 - $0) }
        for order in [FourByteOrder.rgba, .bgra] {
          var row = [UInt8](repeating: 0, count: 1000)
          var output = row.mutableSpan
          convertLibwebpRow(luma: luma.span, u: us.span, v: vs.span, pixelCount: 250, order: order, into: &output)
          let expected = vs.flatMap { v -> [UInt8] in
            let rgb = libwebp(y, u, Int(v))
            return (order == .rgba ? rgb : rgb.reversed()) + [255]
          }
          #expect(row == expected)
          var kept = [UInt8](repeating: 0, count: 1000)
          for pixel in 0..<250 { kept[pixel * 4 + 3] = UInt8(pixel) }
          var keptOutput = kept.mutableSpan
          convertLibwebpRow(
            luma: luma.span, u: us.span, v: vs.span, pixelCount: 250, order: order, keepsAlpha: true, into: &keptOutput)
          var expectedWithAlpha = expected
          for pixel in 0..<250 { expectedWithAlpha[pixel * 4 + 3] = UInt8(pixel) }
          #expect(kept == expectedWithAlpha)
        }
      }
    }
  }

  /// libwebp's src/dsp/upsampling.c for two rows of luma between two rows of chroma, as it is written there.
  private func upsampleLinePair(_ top: [Int], _ current: [Int], width: Int) -> (upper: [Int], lower: [Int]) {
    var (upper, lower) = ([Int](repeating: 0, count: width), [Int](repeating: 0, count: width))
    var (tl, l) = (top[0], current[0])
    upper[0] = (3 * tl + l + 2) >> 2
    lower[0] = (3 * l + tl + 2) >> 2
    let lastPair = (width - 1) >> 1
    for x in stride(from: 1, through: lastPair, by: 1) {
      let (t, c) = (top[x], current[x])
      let average = tl + t + l + c + 8
      let diagonal12 = (average + 2 * (t + l)) >> 3
      let diagonal03 = (average + 2 * (tl + c)) >> 3
      upper[2 * x - 1] = (diagonal12 + tl) >> 1
      upper[2 * x] = (diagonal03 + t) >> 1
      lower[2 * x - 1] = (diagonal03 + l) >> 1
      lower[2 * x] = (diagonal12 + c) >> 1
      (tl, l) = (t, c)
    }
    if width % 2 == 0 {
      upper[width - 1] = (3 * tl + l + 2) >> 2
      lower[width - 1] = (3 * l + tl + 2) >> 2
    }
    return (upper, lower)
  }

  @Test func libwebpUpsamplingIsItsLinePair() {
    var noise = TestRandom(11)
    for width in 1...90 {
      let count = (width + 1) / 2
      let top = (0..<count).map { _ in Int(noise.next() % 256) }
      let current = (0..<count).map { _ in Int(noise.next() % 256) }
      let expected = upsampleLinePair(top, current, width: width)
      let (topRow, currentRow) = (top.map { UInt8($0) }, current.map { UInt8($0) })
      for (near, far, row) in [(topRow, currentRow, expected.upper), (currentRow, topRow, expected.lower)] {
        var output = [UInt8](repeating: 0, count: width)
        var span = output.mutableSpan
        upsampleLibwebpRow(near: near.span, far: far.span, width: width, into: &span)
        #expect(output.map { Int($0) } == row, "\(width) columns")
      }
      var upper = [UInt8](repeating: 0, count: width)
      var lower = upper
      var upperSpan = upper.mutableSpan
      var lowerSpan = lower.mutableSpan
      upsampleLibwebpRows(
        near: topRow.span, far: currentRow.span, width: width, into: &upperSpan, and: &lowerSpan)
      #expect(upper.map { Int($0) } == expected.upper && lower.map { Int($0) } == expected.lower, "\(width) columns")
    }
  }

  private func picture(
    _ format: ChromaFormat, depth: Int, coding: PlanarPicture.Coding, width: Int, height: Int, seed: UInt64
  ) throws -> PlanarPicture {
    var noise = TestRandom(seed)
    func plane(_ width: Int, _ height: Int) throws -> SamplePlane {
      let samples = (0..<width * height).map { _ in UInt16(noise.next() % UInt64(1 << depth)) }
      return depth == 8
        ? try SamplePlane(width: width, height: height, samples: samples.map { UInt8($0) })
        : try SamplePlane(width: width, height: height, bitDepth: depth, samples: samples)
    }
    let luma = try plane(width, height)
    if format == .monochrome { return try PlanarPicture(chromaFormat: format, coding: coding, luma: luma) }
    let size = (format.chromaWidth(width), format.chromaHeight(height))
    return try PlanarPicture(
      chromaFormat: format, coding: coding, luma: luma, cb: plane(size.0, size.1), cr: plane(size.0, size.1))
  }

  /// The chroma number at a pixel: linear interpolation at the position that the siting implies, in luma columns.
  private func chroma(_ plane: SamplePlane, _ format: ChromaFormat, _ siting: ChromaSiting, _ x: Int, _ y: Int)
    -> Double
  {
    func taps(_ position: Int, _ ratio: Int, _ offset: Double, _ count: Int) -> [(Int, Double)] {
      if ratio != 2 { return [(position / ratio, 1)] }
      let exact = (Double(position) - offset) / 2
      let first = exact.rounded(.down)
      func clamp(_ index: Double) -> Int { min(max(Int(index), 0), count - 1) }
      return [(clamp(first), 1 - (exact - first)), (clamp(first + 1), exact - first)]
    }
    let offsets: [ChromaSiting: (Double, Double)] = [
      .left: (0, 0.5), .center: (0.5, 0.5), .topLeft: (0, 0), .top: (0.5, 0), .bottomLeft: (0, 1), .bottom: (0.5, 1),
    ]
    let offset = offsets[siting] ?? (0, 0)
    var sum = 0.0
    for (column, columnWeight) in taps(x, format.horizontalRatio, offset.0, plane.width) {
      for (row, rowWeight) in taps(y, format.verticalRatio, offset.1, plane.height) {
        sum += columnWeight * rowWeight * Double(plane[column, row])
      }
    }
    return sum
  }

  @Test(arguments: ChromaFormat.allCases, [8, 10, 12, 16])
  func exactPixelsAreThoseOfH273(format: ChromaFormat, depth: Int) throws {
    let matrices: [(MatrixCoefficients, Double, Double)] = [
      (.bt601, 0.299, 0.114), (.bt709, 0.2126, 0.0722), (.bt2020, 0.2627, 0.0593),
    ]
    var seed: UInt64 = 1
    for (matrix, kr, kb) in matrices {
      for range in [SampleRange.full, .limited] {
        for siting in ChromaSiting.allCases {
          seed += 1
          let coding = PlanarPicture.Coding(matrix: matrix, range: range, siting: siting)
          let picture = try picture(format, depth: depth, coding: coding, width: 7, height: 5, seed: seed)
          let isWide = seed % 2 == 0
          var budget = ResourceBudget(.default)
          let bitmap = try picture.bitmap(format: isWide ? .rgba16 : .rgba8, interpolation: .sited, budget: &budget)
          let step = Double(1 << (depth - 8))
          let full = Double(1 << depth - 1)
          let maximum = isWide ? 65535.0 : 255.0
          for y in 0..<5 {
            for x in 0..<7 {
              let luma =
                range == .full
                ? Double(picture.luma[x, y]) / full : (Double(picture.luma[x, y]) - 16 * step) / (219 * step)
              func number(_ plane: SamplePlane?) -> Double {
                guard let plane else { return 0 }
                return (chroma(plane, format, siting, x, y) - 128 * step) / (range == .full ? full : 224 * step)
              }
              let (cb, cr) = (number(picture.cb), number(picture.cr))
              let red = luma + 2 * (1 - kr) * cr
              let blue = luma + 2 * (1 - kb) * cb
              let green = (luma - kr * red - kb * blue) / (1 - kr - kb)
              let expected = [red, green, blue, 1].map { min(max($0, 0), 1) * maximum }
              let pixel = (0..<4).map { channel -> Double in
                isWide
                  ? Double(bitmap.row16(y)[x * 4 + channel]) : Double(bitmap.row(y)[x * 4 + channel])
              }
              for (value, exact) in zip(pixel, expected) { #expect(abs(value - exact) <= 0.52) }
            }
          }
        }
      }
    }
  }

  @Test func primariesOfBT709() throws {
    // ITU-T H.273 colour bars at full amplitude, 8 bits, limited range: red, green, blue, white, black.
    let samples: [(UInt8, UInt8, UInt8)] = [
      (63, 102, 240), (173, 42, 26), (32, 240, 118), (235, 128, 128), (16, 128, 128),
    ]
    let picture = try PlanarPicture(
      chromaFormat: .yuv444, coding: PlanarPicture.Coding(matrix: .bt709, range: .limited, siting: .left),
      luma: SamplePlane(width: 5, height: 1, samples: samples.map(\.0)),
      cb: SamplePlane(width: 5, height: 1, samples: samples.map(\.1)),
      cr: SamplePlane(width: 5, height: 1, samples: samples.map(\.2)))
    var budget = ResourceBudget(.default)
    let bitmap = try picture.bitmap(budget: &budget)
    let expected: [[Int]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255], [0, 0, 0]]
    for (x, color) in expected.enumerated() {
      for channel in 0..<3 { #expect(abs(Int(bitmap.row(0)[x * 3 + channel]) - color[channel]) <= 2) }
    }
  }

  @Test func identityAndYCgCoAreExact() throws {
    let first: [UInt8] = [10, 200, 128]
    let second: [UInt8] = [20, 128, 128]
    let third: [UInt8] = [30, 140, 100]
    func bitmap(_ matrix: MatrixCoefficients) throws -> [UInt8] {
      let picture = try PlanarPicture(
        chromaFormat: .yuv444, coding: PlanarPicture.Coding(matrix: matrix, range: .full, siting: .left),
        luma: SamplePlane(width: 3, height: 1, samples: first), cb: SamplePlane(width: 3, height: 1, samples: second),
        cr: SamplePlane(width: 3, height: 1, samples: third))
      var budget = ResourceBudget(.default)
      return try picture.bitmap(budget: &budget).packedPixels
    }
    #expect(try bitmap(.identity) == [30, 10, 20, 140, 200, 128, 100, 128, 128])
    // t = Y − Cg; R = t + Co, G = Y + Cg, B = t − Co.
    #expect(try bitmap(.yCgCo) == [20, 0, 216, 212, 200, 188, 100, 128, 156])
    #expect(throws: CodecError.self) { try bitmap(MatrixCoefficients(rawValue: 14)) }
  }

  @Test func alphaIsScaledAndUnpremultiplied() throws {
    let luma = try SamplePlane(width: 3, height: 1, samples: [100, 100, 0])
    let alpha = try SamplePlane(width: 3, height: 1, bitDepth: 10, samples: [1023, 512, 0])
    var picture = try PlanarPicture(
      chromaFormat: .monochrome, coding: .jfif, luma: luma, alpha: alpha)
    var budget = ResourceBudget(.default)
    #expect(try picture.bitmap(budget: &budget).packedPixels == [100, 255, 100, 128, 0, 0])
    picture.isPremultiplied = true
    // 100 · 255 / 128 = 199.2.
    #expect(try picture.bitmap(budget: &budget).packedPixels == [100, 255, 199, 128, 0, 0])
  }

  @Test(arguments: ChromaFormat.allCases)
  func libjpegPixelsAreTheTriangleFiltersAndTheScalarSums(format: ChromaFormat) throws {
    let picture = try picture(format, depth: 8, coding: .jfif, width: 23, height: 6, seed: 5)
    var budget = ResourceBudget(.default)
    let bitmap = try picture.bitmap(format: .rgb8, arithmetic: .libjpeg, budget: &budget)
    func sample(_ plane: SamplePlane?, _ x: Int, _ y: Int) -> UInt8 {
      guard let plane else { return 128 }
      func at(_ column: Int, _ row: Int) -> Int {
        Int(plane[min(max(column, 0), plane.width - 1), min(max(row, 0), plane.height - 1)])
      }
      let (column, row) = (x / 2, y / 2)
      let (nextColumn, nextRow) = (x % 2 == 0 ? column - 1 : column + 1, y % 2 == 0 ? row - 1 : row + 1)
      switch format {
      case .yuv422: return UInt8((3 * at(column, y) + at(nextColumn, y) + (x % 2 == 0 ? 1 : 2)) >> 2)
      case .yuv440: return UInt8((3 * at(x, row) + at(x, nextRow) + (y % 2 == 0 ? 1 : 2)) >> 2)
      case .yuv420:
        let this = 3 * at(column, row) + at(column, nextRow)
        let other = 3 * at(nextColumn, row) + at(nextColumn, nextRow)
        return UInt8((3 * this + other + (x % 2 == 0 ? 8 : 7)) >> 4)
      default: return UInt8(at(x / format.horizontalRatio, y))
      }
    }
    for y in 0..<6 {
      for x in 0..<23 {
        let color = JFIFConversion.rgb(
          y: UInt8(picture.luma[x, y]), cb: sample(picture.cb, x, y), cr: sample(picture.cr, x, y))
        #expect(
          Array(bitmap.packedPixels[(y * 23 + x) * 3..<(y * 23 + x) * 3 + 3]) == [color.red, color.green, color.blue])
      }
    }
  }

  @Test func conversionsAreChargedAndCancelled() throws {
    let picture = try picture(.yuv420, depth: 8, coding: .webP, width: 40, height: 40, seed: 6)
    var small = ResourceBudget(DecodingLimits(maximumByteCount: 4_000))
    #expect(throws: CodecError.self) { try picture.bitmap(budget: &small) }
    var cancelled = ResourceBudget(.default, shouldCancel: { true })
    #expect(throws: CodecError.self) { try picture.bitmap(budget: &cancelled) }
    var budget = ResourceBudget(.default)
    #expect(throws: CodecError.self) {
      try self.picture(.yuv422, depth: 8, coding: .webP, width: 4, height: 4, seed: 1)
        .bitmap(arithmetic: .libwebp, budget: &budget)
    }
    #expect(try picture.bitmap(arithmetic: .libwebp, budget: &budget).format == .rgb8)
  }

  /// The fixed-point arithmetics have one matrix and one range.
  @Test func otherMatricesAndRangesNeedExactArithmetic() throws {
    var budget = ResourceBudget(.default)
    for (coding, libjpeg, libwebp) in [
      (PlanarPicture.Coding.jfif, true, false), (.webP, false, true), (.init(), false, true),
      (.init(matrix: .bt709, range: .full), false, false), (.init(matrix: .bt709, range: .limited), false, false),
      (.init(matrix: .bt470BG, range: .full), true, false),
    ] {
      let picture = try picture(.yuv420, depth: 8, coding: coding, width: 4, height: 4, seed: 3)
      _ = try picture.bitmap(budget: &budget)
      for (arithmetic, isSupported) in [(PlanarArithmetic.libjpeg, libjpeg), (.libwebp, libwebp)] {
        if isSupported {
          _ = try picture.bitmap(arithmetic: arithmetic, budget: &budget)
        } else {
          let error = #expect(throws: CodecError.self) { try picture.bitmap(arithmetic: arithmetic, budget: &budget) }
          #expect(error?.kind == .unsupported)
        }
      }
    }
  }

  @Test func pixelsDoNotDependOnTheNumberOfThreads() throws {
    for format in [ChromaFormat.yuv420, .yuv444, .monochrome] {
      for bitDepth in [8, 10] {
        let picture = try picture(
          format, depth: bitDepth, coding: PlanarPicture.Coding(matrix: .bt709, range: .limited), width: 601,
          height: 503, seed: 4)
        var budget = ResourceBudget(DecodingLimits.default)
        let whole = try picture.bitmap(budget: &budget)
        var parallel = ResourceBudget(DecodingLimits.default)
        #expect(try picture.bitmap(parallelism: 3, budget: &parallel) == whole)
        #expect(parallel.work == budget.work && parallel.heldByteCount == budget.heldByteCount)
      }
    }
  }

  /// The vector code, compared with the interpolation of single columns.
  @Test func columnPairsAreInterpolatedAsSingleColumns() {
    var noise = TestRandom(12)
    for width in [1, 2, 3, 8, 9, 10, 11, 12, 13, 19, 20, 64, 65] {
      let count = (width + 1) / 2
      let near = (0..<count).map { _ in Float(noise.next() % 256) / 255 - 0.5 }
      let far = (0..<count).map { _ in Float(noise.next() % 256) / 255 - 0.5 }
      for taps in [InterpolationTaps.nearest, .centered, .even, .odd] {
        for nearWeight in [Float(1), 0.75, 0.5] {
          var expected = [Float](repeating: 9, count: width)
          var result = expected
          var target = expected.mutableSpan
          interpolateColumns(
            0..<width, near: near.span, far: far.span, nearWeight: nearWeight, taps, ratio: 2, width: width,
            into: &target)
          var output = result.mutableSpan
          interpolateRow(
            near: near.span, far: far.span, nearWeight: nearWeight, columns: taps, ratio: 2, width: width,
            into: &output)
          #expect(result == expected, "\(width) columns")
        }
      }
    }
  }
}
