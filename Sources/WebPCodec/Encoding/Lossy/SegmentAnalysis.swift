// Which macroblocks are alike: how well each can be predicted tells how much its quantizer may be coarsened.

internal import ImageCoding

/// The segments of a picture's macroblocks.
struct SegmentAnalysis: Sendable {
  /// The segment of each macroblock.
  private(set) var segments: [UInt8]
  private(set) var textures: [SegmentTexture]
  /// The average susceptibility of chroma.
  private(set) var chromaSusceptibility = 0

  private static let workPerMacroblock = 4_000
  private static let greatest = 255

  /// Examines all macroblocks, rows of them on several threads.
  init(
    _ source: LossySource, segmentCount: Int, parallelism: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let (columns, rowCount) = (source.columns, source.rows)
    let rows = try parallelResults(count: rowCount, parallelism: parallelism, &budget) {
      row, budget throws(CodecError) in
      try budget.chargeWork(count: columns, unitsEach: Self.workPerMacroblock)
      var analyzer = MacroblockAnalyzer()
      var values: [UInt8] = []
      var chroma = 0
      for column in 0..<columns {
        let (luma, uv) = analyzer.susceptibilities(source, column: column, row: row)
        values.append(UInt8(min(max(Self.greatest - (3 * luma + uv + 2) >> 2, 0), Self.greatest)))
        chroma += uv
      }
      return (values: values, chroma: chroma)
    }
    let values = rows.flatMap { $0.values }
    chromaSusceptibility = rows.reduce(0) { $0 + $1.chroma } / values.count
    var histogram = [Int](repeating: 0, count: 256)
    for value in values { histogram[Int(value)] += 1 }
    let clusters = Self.clusters(histogram, count: segmentCount)
    segments = values.map { clusters.assignment[Int($0)] }
    let (low, high) = (clusters.centers.min() ?? 0, clusters.centers.max() ?? 0)
    let range = max(1, high - low)
    textures = clusters.centers.map { center in
      SegmentTexture(
        susceptibility: min(max(255 * (center - clusters.average) / range, -127), 127),
        complexity: min(max(255 * (center - low) / range, 0), 255))
    }
  }

  /// Divides values into clusters by k-means.
  private static func clusters(
    _ histogram: [Int], count: Int
  ) -> (assignment: [UInt8], centers: [Int], average: Int) {
    let low = histogram.firstIndex { $0 > 0 } ?? 0
    let high = histogram.lastIndex { $0 > 0 } ?? 0
    var centers = (0..<count).map { low + (2 * $0 + 1) * (high - low) / (2 * count) }
    var assignment = [UInt8](repeating: 0, count: 256)
    var average = 0
    for _ in 0..<6 {
      var sums = [Int](repeating: 0, count: count)
      var counts = sums
      var cluster = 0
      for value in low...high where histogram[value] > 0 {
        while cluster + 1 < count, abs(value - centers[cluster + 1]) < abs(value - centers[cluster]) { cluster += 1 }
        assignment[value] = UInt8(cluster)
        sums[cluster] += value * histogram[value]
        counts[cluster] += histogram[value]
      }
      var displacement = 0
      var (weighted, total) = (0, 0)
      for cluster in 0..<count where counts[cluster] > 0 {
        let center = (sums[cluster] + counts[cluster] / 2) / counts[cluster]
        displacement += abs(centers[cluster] - center)
        centers[cluster] = center
        weighted += center * counts[cluster]
        total += counts[cluster]
      }
      average = total > 0 ? (weighted + total / 2) / total : 0
      if displacement < 5 { break }
    }
    return (assignment, centers, average)
  }
}

/// Examines macroblocks as if all others were coded without loss.
private struct MacroblockAnalyzer {
  private var samples = [UInt8](repeating: 0, count: MacroblockLayout.byteCount)
  private var source = [UInt8](repeating: 0, count: MacroblockLayout.byteCount)
  private var magnitudes = [Int16](repeating: 0, count: 32)
  private let noCoefficients = [Int16](repeating: 0, count: 256)
  private static let modes = [PredictionMode.dc, PredictionMode.trueMotion]

  /// Returns how well luma and chroma are predicted by the better of two modes; the higher, the worse.
  mutating func susceptibilities(_ picture: LossySource, column: Int, row: Int) -> (luma: Int, chroma: Int) {
    picture.copyMacroblock(column: column, row: row, to: &source)
    picture.copyBorders(column: column, row: row, to: &samples)
    let edges = MacroblockEdges(hasAbove: row > 0, hasLeft: column > 0)
    var (luma, chroma) = (-1, -1)
    let zeros = noCoefficients
    for mode in Self.modes {
      var span = samples.mutableSpan
      reconstructLuma(&span, mode: mode, edges: edges, coefficients: zeros.span, codes: 0)
      reconstructChroma(&span, mode: mode, edges: edges, coefficients: zeros.span, codes: 0)
      luma = max(luma, spread(blocks: MacroblockBlocks.luma))
      chroma = max(chroma, spread(blocks: MacroblockBlocks.chroma))
    }
    return (luma, chroma)
  }

  /// Returns the ratio of the largest magnitude of coefficients to how many have the most frequent magnitude.
  private mutating func spread(blocks: [Int]) -> Int {
    // Two histograms, because most magnitudes are equal, and incrementing a counter again waits for the last time.
    var counts = [64 of Int32](repeating: 0)
    var index = 0
    while index < blocks.count {
      let (first, second) = (blocks[index], blocks[index + 1])
      let transformed =
        (loadBlocks(source.span, first, second) - loadBlocks(samples.span, first, second)).forwardTransformed()
      var output = magnitudes.mutableSpan
      storeCoefficients(transformed.coarseMagnitudes, &output, at: 0)
      var place = 0
      while place < 32 {
        counts[Int(output[place] & 31)] &+= 1
        counts[Int(output[place &+ 1] & 31) &+ 32] &+= 1
        place &+= 2
      }
      index += 2
    }
    var (largestCount, last) = (0, 1)
    for magnitude in 0..<32 {
      let count = Int(counts[magnitude] &+ counts[magnitude &+ 32])
      guard count > 0 else { continue }
      largestCount = max(largestCount, count)
      last = magnitude
    }
    return largestCount > 1 ? 510 * last / largestCount : 0
  }
}

/// The offsets of the blocks of a macroblock in a buffer in the layout of ``MacroblockLayout``.
enum MacroblockBlocks {
  /// The sixteen blocks of luma in raster order.
  static let luma = (0..<16).map { MacroblockLayout.luma + ($0 >> 2) * 4 * MacroblockLayout.stride + ($0 & 3) * 4 }
  /// The four blocks of U, followed by those of V.
  static let chroma = (0..<8).map {
    ($0 < 4 ? MacroblockLayout.u : MacroblockLayout.v) + ($0 >> 1 & 1) * 4 * MacroblockLayout.stride + ($0 & 1) * 4
  }
}

extension LossySource {
  /// Copies the samples of a macroblock to a buffer in the layout of ``MacroblockLayout``.
  func copyMacroblock(column: Int, row: Int, to buffer: inout [UInt8]) {
    var output = buffer.mutableSpan
    for line in 0..<16 {
      copySixteen(
        luma.span, from: (row &* 16 &+ line) &* lumaStride &+ column &* 16, to: &output,
        at: MacroblockLayout.luma &+ line &* MacroblockLayout.stride)
    }
    for line in 0..<8 {
      let start = (row &* 8 &+ line) &* chromaStride &+ column &* 8
      let place = line &* MacroblockLayout.stride
      copyEight(u.span, from: start, to: &output, at: MacroblockLayout.u &+ place)
      copyEight(v.span, from: start, to: &output, at: MacroblockLayout.v &+ place)
    }
  }

  /// Copies the neighbours of a macroblock, without those above and to the right.
  func copyBorders(column: Int, row: Int, to buffer: inout [UInt8]) {
    var output = buffer.mutableSpan
    Self.copyBorder(luma.span, lumaStride, column * 16, row * 16, 16, &output, MacroblockLayout.luma)
    Self.copyBorder(u.span, chromaStride, column * 8, row * 8, 8, &output, MacroblockLayout.u)
    Self.copyBorder(v.span, chromaStride, column * 8, row * 8, 8, &output, MacroblockLayout.v)
  }

  private static func copyBorder(
    _ plane: Span<UInt8>, _ stride: Int, _ x: Int, _ y: Int, _ size: Int, _ output: inout MutableSpan<UInt8>,
    _ target: Int
  ) {
    let above = target - MacroblockLayout.stride
    for index in 0..<size { output[above &+ index] = y > 0 ? plane[(y &- 1) &* stride &+ x &+ index] : 127 }
    for line in 0..<size {
      output[target &+ line &* MacroblockLayout.stride &- 1] = x > 0 ? plane[(y &+ line) &* stride &+ x &- 1] : 129
    }
    output[above &- 1] = y == 0 ? 127 : x == 0 ? 129 : plane[(y &- 1) &* stride &+ x &- 1]
  }
}
