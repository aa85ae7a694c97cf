// The OBUs of one picture (a temporal unit): its frames, of which one is shown. Damaged ones are concealed.

internal import ImageCoding
internal import PixelPlanes

/// Decodes the OBUs of one picture.
struct TemporalUnitDecoder: ~Copyable {
  private var sequence: SequenceHeader?
  /// The sequence header among the OBUs.
  private var ownSequence: SequenceHeader?
  private let layers: LayerSelection
  private var frame: FrameDecoder?
  /// The frames of the reference slots that were not shown.
  private var slots = [PlanarPicture?](repeating: nil, count: FrameHeader.slotCount)
  private var shown: PlanarPicture?
  /// The spatial layer of ``shown``.
  private var shownLayer = 0
  private var isComplete = true
  private var firstError: CodecError?

  private static let workPerUnit = 200
  private static let workPerHeader = 20_000

  init(_ sequence: SequenceHeader?, _ layers: LayerSelection) {
    self.sequence = sequence
    self.layers = layers
  }

  mutating func decode(_ bytes: Span<UInt8>, _ context: inout DecodingContext) throws(CodecError) -> DecodedPlanes {
    var reader = OBUReader()
    do throws(CodecError) {
      while !isFinished {
        try context.budget.chargeWork(Self.workPerUnit)
        guard let unit = try reader.next(bytes, isStrict: context.isStrict) else { break }
        if unit.type == .temporalDelimiter, shown != nil { break }
        try read(unit, bytes, &context)
      }
    } catch {
      try report(error, &context)
    }
    if reader.isTruncated, shown == nil || frame != nil {
      try report(CodecError(.truncated, "the last OBU is cut off", byteOffset: bytes.count), &context)
    }
    try finishFrame(layer: 0, bytes, &context)
    guard let shown else {
      let reason = layers.spatialLayer.map { "there is no frame of layer \($0)" } ?? "there is no frame"
      throw firstError ?? CodecError(.malformed, reason)
    }
    return DecodedPlanes(picture: shown, isComplete: isComplete)
  }

  /// The operating point that is decoded. The first one if there is none of the number, as in dav1d.
  private var operatingPoint: SequenceHeader.OperatingPoint {
    guard let points = sequence?.operatingPoints, let first = points.first else {
      return SequenceHeader.OperatingPoint()
    }
    return points.indices.contains(layers.operatingPoint) ? points[layers.operatingPoint] : first
  }

  /// Whether the selected layer is shown, or the highest one of the operating point.
  private var isFinished: Bool {
    guard shown != nil else { return false }
    if layers.spatialLayer != nil { return true }
    let spatialLayers = operatingPoint.layers >> 8
    return spatialLayers >> (shownLayer + 1) == 0
  }

  private mutating func read(
    _ unit: OpenBitstreamUnit, _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) {
    guard let type = unit.type else { return }
    if type == .sequenceHeader {
      try context.budget.chargeWork(Self.workPerHeader)
      let new = try located(unit.start) { () throws(CodecError) in
        try SequenceHeader(bytes.extracting(unit.payload))
      }
      // The size that was described before memory was allocated is that of the first one.
      if let own = ownSequence, own != new {
        throw CodecError(.malformed, "the sequence headers of a picture differ", byteOffset: unit.start)
      }
      (ownSequence, sequence) = (new, new)
      return
    }
    let layer = unit.layer ?? (temporal: 0, spatial: 0)
    if unit.layer != nil, !operatingPoint.contains(temporal: layer.temporal, spatial: layer.spatial) { return }
    switch type {
    case .frameHeader, .redundantFrameHeader:
      if frame == nil { _ = try readHeader(unit, layer, bytes, &context) }
    case .frame:
      guard let start = try readHeader(unit, layer, bytes, &context) else { return }
      try decodeTiles(start: start, unit, layer.spatial, bytes, &context)
    case .tileGroup:
      try decodeTiles(start: unit.payload.lowerBound, unit, layer.spatial, bytes, &context)
    case .tileList: throw CodecError(.unsupported, "tile lists are not supported", byteOffset: unit.start)
    case .sequenceHeader, .temporalDelimiter, .metadata, .padding: return
    }
  }

  /// Adds the place of an OBU to an error.
  private func located<Result>(_ start: Int, _ body: () throws(CodecError) -> Result) throws(CodecError) -> Result {
    do throws(CodecError) {
      return try body()
    } catch {
      throw error.located(at: error.byteOffset ?? start, in: error.format)
    }
  }

  /// Reads a frame header.
  ///
  /// - Returns: the index of the first byte after it; `nil` if it has no tiles.
  private mutating func readHeader(
    _ unit: OpenBitstreamUnit, _ layer: (temporal: Int, spatial: Int), _ bytes: Span<UInt8>,
    _ context: inout DecodingContext
  ) throws(CodecError) -> Int? {
    guard let sequence else {
      throw CodecError(.malformed, "a frame precedes the sequence header", byteOffset: unit.start)
    }
    try finishFrame(layer: layer.spatial, bytes, &context)
    try context.budget.chargeWork(Self.workPerHeader)
    var reader = BitReader(bytes.extracting(unit.payload))
    let content: FrameHeader.Content
    do throws(CodecError) {
      content = try FrameHeader.parse(&reader, sequence, layer: layer)
    } catch {
      throw error.located(at: unit.start, in: error.format)
    }
    switch content {
    case .existing(let slot):
      guard let picture = slots[slot] else {
        throw CodecError(.malformed, "a frame that was not decoded is shown", byteOffset: unit.start)
      }
      show(picture, layer: layer.spatial)
      return nil
    case .frame(let header):
      frame = try FrameDecoder(
        header, sequence, parallelism: context.options.parallelism, &context.budget)
      return unit.payload.lowerBound + reader.alignedIndex
    }
  }

  private mutating func decodeTiles(
    start: Int, _ unit: OpenBitstreamUnit, _ layer: Int, _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) {
    guard var current = frame.take() else {
      throw CodecError(.malformed, "a tile group precedes its frame header", byteOffset: unit.start)
    }
    var failure: CodecError?
    do throws(CodecError) {
      let group = try TileGroup(
        bytes, start: start, end: unit.payload.upperBound, current.header.tiles, nextTile: current.tileCount)
      failure = group.failure
      for range in group.ranges { try current.addTile(range, &context.budget) }
    } catch {
      guard error.kind == .malformed || error.kind == .truncated else { throw error }
      failure = error
    }
    // Tiles that follow missing ones cannot be told apart.
    let damage = try current.decodeTiles(
      bytes, includesPartOfRow: failure != nil, stopsAtDamage: context.isStrict, &context.budget)
    if let damage, damage.byteOffset < failure?.byteOffset ?? .max {
      failure = CodecError(.malformed, "\(damage.reason)", byteOffset: damage.byteOffset)
    }
    let hasAllTiles = current.hasAllTiles
    let hasSamples = current.superblockCount > 0
    frame = consume current
    if let failure {
      if !hasSamples { frame = nil }
      try report(failure, &context)
    }
    if hasAllTiles { try finishFrame(layer: layer, bytes, &context) }
  }

  /// Filters the current frame, and shows or stores it.
  private mutating func finishFrame(
    layer: Int, _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) {
    guard var current = frame.take() else { return }
    let missingCount = current.header.tiles.count - current.tileCount
    _ = try current.decodeTiles(bytes, includesPartOfRow: true, stopsAtDamage: context.isStrict, &context.budget)
    guard current.superblockCount > 0 else { return }
    if missingCount > 0 { try report(CodecError(.truncated, "\(missingCount) tiles are missing"), &context) }
    let isFrameComplete = current.isComplete && current.hasAllTiles
    let (isShown, slotMask) = (current.header.isShown, current.header.refreshedSlots)
    let picture = try current.finish(&context.budget)
    if isShown {
      show(picture, layer: layer)
      isComplete = isFrameComplete
      return
    }
    for slot in slots.indices where slotMask >> slot & 1 != 0 { slots[slot] = picture }
  }

  private mutating func show(_ picture: PlanarPicture, layer: Int) {
    if let wanted = layers.spatialLayer, layer != wanted { return }
    guard shown == nil || layer >= shownLayer else { return }
    (shown, shownLayer) = (picture, layer)
  }

  /// Throws an error if decoding is strict, or if it is no damage and nothing is shown; otherwise keeps it as a
  /// diagnostic.
  private mutating func report(_ error: CodecError, _ context: inout DecodingContext) throws(CodecError) {
    let isDamage = error.kind == .malformed || error.kind == .truncated
    guard isDamage || (error.kind == .unsupported && shown != nil) else { throw error }
    try context.tolerate(error, as: .damage)
    firstError = firstError ?? error
  }
}
