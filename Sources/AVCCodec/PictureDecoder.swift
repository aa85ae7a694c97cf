// Decoding of a picture: macroblocks are read and reconstructed one after the other, and deblocked together.

internal import ImageCoding
internal import PixelPlanes

/// Decodes the slices of a frame, or of one or both of its fields, into planes.
///
/// A ``SliceDecoder`` reads the syntax of macroblocks, ``MacroblockReconstruction`` makes samples of them, and
/// ``DeblockingFilter`` filters the samples when all macroblocks are decoded, because prediction reads unfiltered ones.
struct PictureDecoder: ~Copyable {
  private let sequence: SequenceParameterSet
  private let format: PictureFormat
  private var layout: PictureLayout
  private var samples: SampleBuffer
  private var map: MacroblockMap
  private var slices: SliceDecoder
  private var reconstruction: MacroblockReconstruction
  private var writer: PlaneWriter
  private var filteredSlices: [FilteredSlice] = []
  /// The macroblocks of all fields that have been decoded.
  private(set) var decodedCount = 0
  private var fieldCount = 1
  /// See ``SliceDecoder/countsSmallBlocks``.
  var countsSmallBlocks = false

  /// - Throws: `CodecError.Kind.limitExceeded`, `CodecError.Kind.malformed`.
  init(
    _ sequence: SequenceParameterSet, _ structure: PictureStructure, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let format = PictureFormat(sequence)
    try Self.checkWork(sequence, format, &budget)
    let layout = PictureLayout(format, sequence, structure)
    let writer = try PlaneWriter(sequence, &budget)
    let samples = try SampleBuffer(format, &budget)
    let map = try MacroblockMap(count: layout.count * (format.hasSeparatePlanes ? 3 : 1), &budget)
    let slices = try SliceDecoder(format, layout, &budget)
    let reconstruction = try MacroblockReconstruction(format, &budget)
    (self.sequence, self.format, self.layout, self.writer) = (sequence, format, layout, writer)
    (self.samples, self.map, self.reconstruction) = (samples, map, reconstruction)
    self.slices = slices
  }

  /// The number of macroblocks of the frame, or of the field if there is one only.
  var count: Int { map.macroblocks.count * fieldCount }
  var isSecondField: Bool { fieldCount == 2 }

  /// Decodes a slice.
  ///
  /// - Parameters:
  ///   - bytes: the payload of its NAL unit and padding.
  ///   - byteCount: of the payload.
  /// - Throws: `CodecError.Kind.malformed` if decoding stops early; errors of the budget.
  mutating func decode(
    _ header: SliceHeader, _ picture: PictureParameterSet, _ bytes: Span<UInt8>, byteCount: Int,
    _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let first = header.firstAddress * (layout.hasPairs ? 2 : 1)
    guard first < layout.count else {
      throw CodecError(.malformed, "first_mb_in_slice is \(header.firstAddress)")
    }
    var work = SliceWork(position: header.dataBitIndex / 8, byteCount: byteCount, isCABAC: picture.isCABAC)
    try budget.requireWork(count: work.rest, unitsEach: 1)
    try budget.chargeWork(LevelScales.work)
    try budget.allocate(count: 1, bytesEach: MemoryLayout<FilteredSlice>.stride)
    filteredSlices.append(
      FilteredSlice(deblocking: header.deblocking, cbOffset: picture.cbOffset, crOffset: picture.crOffset))
    reconstruction.start(picture, plane: header.plane)
    slices.countsSmallBlocks = countsSmallBlocks
    slices.start(header, picture, slice: Int32(filteredSlices.count - 1), bytes, byteCount: byteCount)
    let reason = try decodeMacroblocks(from: first, plane: header.plane, bytes, &work, &budget)
    // The bytes that were not read, because the slice is damaged.
    try budget.chargeWorkInParts(count: work.rest, unitsEach: 1)
    if let reason { throw CodecError(.malformed, "\(reason)") }
  }

  /// - Returns: the reason for which decoding stopped early; `nil` if it did not.
  private mutating func decodeMacroblocks(
    from first: Int, plane: Int, _ bytes: Span<UInt8>, _ work: inout SliceWork, _ budget: inout ResourceBudget
  ) throws(CodecError) -> StaticString? {
    let workEach = Self.workPerMacroblock(format)
    let planeStart = plane * layout.count
    for address in first..<layout.count {
      try budget.chargeWork(workEach &+ work.units(upTo: slices.byteIndex) &+ Self.workPerBin &* slices.takeBinCount())
      if map.macroblocks[planeStart + address].isDecoded { return "a slice overlaps another one" }
      slices.readMacroblock(address, &map, bytes)
      if slices.damage == nil, !reconstruct(address, plane: plane) {
        slices.damage = "a prediction mode needs samples that are not available"
      }
      if let damage = slices.damage {
        discard(address, planeStart: planeStart, plane: plane)
        return damage
      }
      decodedCount += 1
      if slices.readEnd(address, bytes) { return nil }
    }
    return "a slice exceeds the picture"
  }

  private mutating func reconstruct(_ address: Int, plane: Int) -> Bool {
    var positions = InlineArray<3, SamplePosition>(repeating: SamplePosition(index: 0, stride: 0))
    let isField = slices.data.isField && layout.hasPairs
    for component in 0..<(format.hasSeparatePlanes ? 1 : format.planeCount) {
      positions[component] = layout.position(
        address, isField: isField, plane: plane + component, format, samples)
    }
    let (data, neighbours) = (slices.data, slices.neighbours)
    return reconstruction.reconstruct(
      data, &slices.levels.values, dc: &slices.levels.dc, neighbours, positions, &samples)
  }

  /// Discards a macroblock that cannot be decoded, and makes its samples those of a missing one.
  private mutating func discard(_ address: Int, planeStart: Int, plane: Int) {
    let isField = map.macroblocks[planeStart + address].isField
    map.macroblocks[planeStart + address] = Macroblock()
    for component in 0..<(format.hasSeparatePlanes ? 1 : format.planeCount) {
      let position = layout.position(address, isField: isField, plane: plane + component, format, samples)
      let missing = plane + component == 0 ? 0 : UInt16(1) << UInt16(format.bitDepth - 1)
      for y in 0..<format.macroblockHeight(component) {
        for x in 0..<format.macroblockWidth(component) {
          samples.values[position.index + y * position.stride + x] = missing
        }
      }
    }
  }

  // MARK: Fields

  /// Completes the first field, and starts the second one.
  mutating func startSecondField(_ structure: PictureStructure, _ budget: inout ResourceBudget) throws(CodecError) {
    try deblock(budget)
    map.clear()
    filteredSlices = []
    fieldCount = 2
    layout = PictureLayout(format, sequence, structure)
    slices = try SliceDecoder(format, layout, &budget)
  }

  /// Filters all that is left, and returns the planes. The work is part of that of decoding. The rows of a single field
  /// are repeated in place of the other one.
  consuming func finish(_ budget: borrowing ResourceBudget) throws(CodecError) -> PlanarPicture {
    try deblock(budget)
    try writer.write(
      samples, format, doubling: layout.isField && fieldCount == 1 ? layout.structure : nil, budget)
    return writer.planes
  }

  /// Whether only one field of a frame has been decoded.
  var isSingleField: Bool { layout.isField && fieldCount == 1 }

  private mutating func deblock(_ budget: borrowing ResourceBudget) throws(CodecError) {
    for plane in 0..<(format.hasSeparatePlanes ? 3 : 1) {
      let filter = DeblockingFilter(
        format: format, layout: layout, planeStart: plane * layout.count, plane: plane)
      for row in 0..<filter.rowCount {
        try budget.checkpoint()
        filter.filterRow(row, map, filteredSlices, &samples)
      }
    }
  }
}

// MARK: Work

extension PictureDecoder {
  /// The work for the bytes of a slice, in addition to that for its macroblocks. It is charged as they are read.
  private struct SliceWork {
    private(set) var rest: Int
    /// The number of bytes that have been charged.
    private var position: Int

    private let workPerByte: Int

    init(position: Int, byteCount: Int, isCABAC: Bool) {
      // Bins are charged in addition to bytes.
      workPerByte = isCABAC ? 60 : 40
      rest = max(0, byteCount - position) * workPerByte
      self.position = position
    }

    mutating func units(upTo position: Int) -> Int {
      let units = min(rest, max(0, position &- self.position) &* workPerByte)
      self.position = max(self.position, position)
      rest &-= units
      return units
    }
  }

  /// The work of a bin of a residual block in arithmetic coding. There may be some hundred in a byte.
  private static let workPerBin = 7

  /// The work of a macroblock: that of each luma sample, which grows with the samples of chroma.
  private static func workPerMacroblock(_ format: PictureFormat) -> Int {
    let workPerSample =
      switch format.chromaType {
      case 0: 25
      case 1: 32
      case 2: 40
      default: 60
      }
    return 256 * workPerSample
  }

  /// Raises the work limit for a picture, and refuses one whose macroblocks are known to exceed it.
  private static func checkWork(
    _ sequence: SequenceParameterSet, _ format: PictureFormat, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    budget.allowWork(
      forPixelCount: try budget.limits.checkedByteCount(
        width: sequence.width, height: sequence.height, bytesPerPixel: 1, format: budget.format))
    let count = format.macroblockCount * (format.hasSeparatePlanes ? 3 : 1)
    try budget.requireWork(Int64(count) * Int64(workPerMacroblock(format)))
  }
}
