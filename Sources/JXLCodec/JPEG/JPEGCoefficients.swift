// The quantised coefficients of a VarDCT frame, as those of a JPEG file (ISO/IEC 18181-2).

internal import ImageCoding

/// The coefficients and quantisation tables of the components of a JPEG file.
struct JPEGCoefficients: Sendable {
  /// The channels that the components are coded as, X (or Cb), Y and B (or Cr): all of them, or Y alone.
  let channels: [Int]
  /// The sizes of the three channels in blocks.
  let columns: [Int]
  let rows: [Int]
  /// The sampling factors of the three channels.
  let horizontalFactors: [Int]
  let verticalFactors: [Int]
  /// The quantisation tables of the three channels in zigzag order.
  let tables: [[Int32]]
  /// The coefficients of the three channels, block by block, in zigzag order; empty for channels that are not used.
  private(set) var planes: [[Int16]]
  /// The differences of the DC coefficients from those that are stored.
  private let offsets: [Int32]
  /// The ratios of the steps of Y to those of each channel, in units of 1/2048 and zigzag order.
  private let ratios: [[Int32]]
  private let isCorrelated: Bool

  /// The places of the coefficients of a block in zigzag order. They are stored column by column.
  private static let places = CoefficientOrder.natural(0).map { ($0 % 8) * 8 + $0 / 8 }

  /// Allocates the coefficients.
  ///
  /// - Throws: `CodecError.Kind.malformed` if they are not those of a JPEG file.
  init(
    _ frame: VarDCTFrame, _ header: FrameHeader, channels: [Int], budget: inout ResourceBudget
  ) throws(CodecError) {
    guard frame.blocks.usedTransforms == 1 << UInt32(TransformKind.dct8.rawValue) else {
      throw Self.error("the frame has other transforms than those of JPEG")
    }
    guard let tables = frame.highFrequency.matrices.jpegTables,
      tables.allSatisfy({ $0.allSatisfy { 1...65535 ~= $0 } })
    else { throw Self.error("the quantisation matrices are not those of a JPEG file") }
    isCorrelated = channels.count == 3 && !frame.grid.isReduced
    guard channels.count == 1 || frame.correlation.isIntegral else {
      throw Self.error("the correlation of colours is not that of a JPEG file")
    }
    self.channels = channels
    self.tables = tables.map { table in Self.places.map { table[Int($0)] } }
    (columns, rows) = (frame.lowFrequency.columns, frame.lowFrequency.rows)
    horizontalFactors = header.horizontalSamplingShifts.map { 1 << $0 }
    verticalFactors = header.verticalSamplingShifts.map { 1 << $0 }
    // Without YCbCr, samples are not centred, so that the level shift of JPEG is in the DC coefficients.
    offsets = tables.map { header.isYCbCr ? 0 : 1024 / $0[0] }
    ratios = self.tables.map { [luma = self.tables[1]] table in zip(luma, table).map { 2048 * $0 / $1 } }
    planes = [[], [], []]
    for channel in channels {
      let blockCount = columns[channel] * rows[channel]
      try budget.allocate(count: blockCount, bytesEach: 128)
      try budget.chargeWork(count: blockCount, unitsEach: 8)
      planes[channel] = [Int16](repeating: 0, count: blockCount * 64)
    }
  }

  var byteCount: Int { planes.reduce(0) { $0 + $1.count * 2 } }

  /// Converts the coefficients of a group.
  ///
  /// - Parameter region: the blocks of the group.
  mutating func store(
    _ group: GroupCoefficients, _ region: PixelRegion, _ frame: VarDCTFrame, budget: inout ResourceBudget
  ) throws(CodecError) {
    for channel in channels {
      // Moved out of the list while in use, so that nothing is copied.
      var plane = planes[channel]
      planes[channel] = []
      defer { planes[channel] = plane }
      try store(channel, group, region, frame, into: &plane, &budget)
    }
  }

  private func store(
    _ channel: Int, _ group: GroupCoefficients, _ region: PixelRegion, _ frame: VarDCTFrame,
    into plane: inout [Int16], _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let (right, down) = (frame.grid.horizontalShifts[channel], frame.grid.verticalShifts[channel])
    let (width, height) = (region.width >> right, region.height >> down)
    let lowFrequencies = frame.lowFrequency.quantized[channel]
    let source = group.values.span.extracting(group.starts[channel]..<group.starts[channel + 1])
    let lumaSource = group.values.span.extracting(group.starts[1]..<group.starts[2])
    let (places, ratio) = (Self.places, ratios[channel])
    let (zigzag, steps) = (places.span, ratio.span)
    var target = plane.mutableSpan
    for y in 0..<height {
      try budget.chargeWork(count: width, unitsEach: 64 * 3)
      for x in 0..<width {
        let (block, start) = ((region.y >> down + y) * columns[channel] + region.x >> right + x, (y * width + x) * 64)
        var fits = Self.set(lowFrequencies[block] &- offsets[channel], at: block * 64, of: &target)
        let scale = isCorrelated && channel != 1 ? scale(channel, x: region.x + x, y: region.y + y, frame) : 0
        for index in 1..<64 {
          let place = start &+ Int(zigzag[index])
          var value = source[place]
          if scale != 0 {
            let factor = (steps[index] &* scale &+ 1024) >> 11
            value &+= (lumaSource[place] &* factor &+ 1024) >> 11
          }
          fits = Self.set(value, at: block &* 64 &+ index, of: &target) && fits
        }
        guard fits else { throw Self.error("a coefficient is out of the range of JPEG") }
      }
    }
  }

  /// Stores a coefficient, and returns whether it fits.
  @inline(__always)
  private static func set(_ value: Int32, at index: Int, of plane: inout MutableSpan<Int16>) -> Bool {
    plane[index] = Int16(truncatingIfNeeded: value)
    return Int32(plane[index]) == value
  }

  /// The factor of a block by which a channel is predicted from Y, in units of 1/2048.
  private func scale(_ channel: Int, x: Int, y: Int, _ frame: VarDCTFrame) -> Int32 {
    let blocks = frame.blocks
    let tile = (y >> BlockGrid.tileShift) * blocks.tileColumns + x >> BlockGrid.tileShift
    return (channel == 0 ? blocks.correlationsX[tile] : blocks.correlationsB[tile]) * 2048 / 84
  }

  private static func error(_ reason: String) -> CodecError {
    CodecError(malformed: "\(reason), which the file shall be reconstructed to")
  }
}
