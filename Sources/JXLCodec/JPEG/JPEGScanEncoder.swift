// The order of the blocks of a scan, and its restart intervals (ITU-T T.81, A.2 and E.1.4).

internal import ImageCoding

/// Passes the blocks of a scan to an encoder.
struct JPEGScanEncoder {
  /// The manner in which blocks are coded.
  private enum Coding {
    case sequential
    case first
    case refinement
  }

  /// A component of the scan.
  private struct Component {
    /// The channel of its coefficients.
    let channel: Int
    /// The size in blocks of its part of an MCU.
    let columns: Int
    let rows: Int
    let tables: JPEGBlockEncoder.Tables
  }

  private let scan: JPEGScan
  private let coefficients: JPEGCoefficients
  private let components: [Component]
  private let coding: Coding
  /// The size of the scan in MCUs.
  private let columns: Int
  private let rows: Int
  /// The number of MCUs between restart markers; 0 if there are none.
  private let restartInterval: Int

  /// - Parameter size: the size of the image in pixels.
  /// - Throws: `CodecError.Kind.malformed` if the coefficients have fewer blocks than the scan.
  init(
    _ scan: JPEGScan, _ coefficients: JPEGCoefficients, _ size: PixelSize, isProgressive: Bool, restartInterval: Int
  ) throws(CodecError) {
    (self.scan, self.coefficients, self.restartInterval) = (scan, coefficients, restartInterval)
    let isWhole = scan.start == 0 && scan.end == 63 && scan.low == 0 && scan.high == 0
    coding = !isProgressive || isWhole ? .sequential : scan.high == 0 ? .first : .refinement
    let isInterleaved = scan.components.count > 1
    components = scan.components.map {
      let channel = coefficients.channels[$0.index]
      return Component(
        channel: channel, columns: isInterleaved ? coefficients.horizontalFactors[channel] : 1,
        rows: isInterleaved ? coefficients.verticalFactors[channel] : 1,
        tables: JPEGBlockEncoder.Tables(dc: $0.dcTable << 8, ac: (4 + $0.acTable) << 8))
    }
    // The MCU of a scan of one component is one block, and the others are those of the image.
    let single = isInterleaved ? nil : components.first?.channel
    columns = Self.count(size.width, coefficients.horizontalFactors, coefficients.channels, single)
    rows = Self.count(size.height, coefficients.verticalFactors, coefficients.channels, single)
    for component in components {
      guard columns * component.columns <= coefficients.columns[component.channel],
        rows * component.rows <= coefficients.rows[component.channel]
      else {
        throw CodecError(malformed: "the sampling factors of the frame are not those of the JPEG file")
      }
    }
  }

  /// Returns the number of MCUs along a side of the image.
  private static func count(_ length: Int, _ factors: [Int], _ channels: [Int], _ single: Int?) -> Int {
    let maximum = channels.reduce(1) { max($0, factors[$1]) }
    return (length * (single.map { factors[$0] } ?? 1) - 1) / (8 * maximum) + 1
  }

  /// Codes all blocks.
  func encode(
    to encoder: inout JPEGBlockEncoder, _ padding: inout JPEGPadding?, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    var state = State(scan, componentCount: components.count)
    let blocksPerRow = components.reduce(0) { $0 + $1.columns * $1.rows } * columns
    var (remaining, marker) = (restartInterval, 0 as UInt8)
    for row in 0..<rows {
      try budget.chargeWork(count: blocksPerRow, unitsEach: 200)
      for column in 0..<columns {
        if restartInterval > 0 {
          if remaining == 0 {
            try end(&encoder, &padding)
            encoder.output.append(0xFF)
            encoder.output.append(0xD0 + marker)
            marker = (marker + 1) % 8
            remaining = restartInterval
            for index in state.predictors.indices { state.predictors[index] = 0 }
          }
          remaining -= 1
        }
        for index in components.indices { try encode(index, column, row, to: &encoder, &state, &budget) }
      }
      guard !encoder.isInvalid else {
        throw CodecError(malformed: "a coefficient has no Huffman code in the JPEG file")
      }
    }
    try end(&encoder, &padding)
  }

  /// The progress of a scan.
  private struct State {
    /// The number of blocks so far.
    var block: UInt32 = 0
    /// The previous DC coefficients of the components.
    var predictors: [Int32]
    private var resetPoints: ArraySlice<UInt32>
    private var extraZeroRuns: ArraySlice<JPEGScan.ExtraZeroRuns>

    init(_ scan: JPEGScan, componentCount: Int) {
      predictors = [Int32](repeating: 0, count: componentCount)
      (resetPoints, extraZeroRuns) = (scan.resetPoints[...], scan.extraZeroRuns[...])
    }

    /// Whether a run of bands ends before the current block.
    mutating func isReset() -> Bool {
      guard resetPoints.first == block else { return false }
      resetPoints.removeFirst()
      return true
    }

    /// The number of additional codes for zeros in the current block.
    mutating func zeroRuns() -> Int {
      guard let runs = extraZeroRuns.first, runs.block == block else { return 0 }
      extraZeroRuns.removeFirst()
      return runs.count
    }
  }

  /// Codes the blocks of a component in an MCU.
  private func encode(
    _ index: Int, _ column: Int, _ row: Int, to encoder: inout JPEGBlockEncoder, _ state: inout State,
    _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let component = components[index]
    let plane = coefficients.planes[component.channel]
    for y in row * component.rows..<(row + 1) * component.rows {
      for x in column * component.columns..<(column + 1) * component.columns {
        let start = (y * coefficients.columns[component.channel] + x) * 64
        let block = plane.span.extracting(start..<start + 64)
        if state.isReset() { encoder.endRun() }
        let zeroRuns = state.zeroRuns()
        try encoder.makeRoom(zeroRuns: zeroRuns, &budget)
        switch coding {
        case .sequential:
          encoder.appendSequential(
            block, component.tables, zeroRuns: zeroRuns, predictor: &state.predictors[index])
        case .first:
          encoder.appendFirst(
            block, component.tables, scan, zeroRuns: zeroRuns, predictor: &state.predictors[index])
        case .refinement: encoder.appendRefinement(block, component.tables, scan)
        }
        state.block += 1
      }
    }
  }

  /// Ends a restart interval.
  private func end(_ encoder: inout JPEGBlockEncoder, _ padding: inout JPEGPadding?) throws(CodecError) {
    encoder.endRun()
    guard encoder.output.align(&padding) else { throw CodecError(malformed: "there are too few padding bits") }
  }
}
