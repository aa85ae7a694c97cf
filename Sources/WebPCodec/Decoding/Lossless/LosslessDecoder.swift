// The stages of a VP8L image (RFC 9649, section 3): transforms, prefix codes, pixels, inverse transforms.

internal import ImageCoding

/// Decodes the image of a VP8L stream, or of an alpha chunk, as its bytes arrive.
struct LosslessDecoder {
  private enum Stage {
    case transforms
    case data(Purpose)
    case cacheSize
    case groups
    case codes
    case pixels
    case ended
  }

  /// The purpose of an image other than the picture.
  private enum Purpose {
    case predictor(blockBits: Int)
    case color(blockBits: Int)
    case palette(count: Int)
    case groups(blockBits: Int)
  }

  let width: Int
  let height: Int
  private var reader: LosslessBitReader
  /// The file offset of the window to which the reader's index is relative.
  private var windowOffset: Int
  private var stage = Stage.transforms
  private var inverse: InverseTransforms
  private var seenTransforms = 0
  /// The picture before its transforms are inverted.
  private var picture: CodedImage
  /// The data of a transform, or the entropy image.
  private var data = CodedImage(width: 1, height: 1)
  private var hasDataCodes = false
  /// The number of rows passed on so far.
  private(set) var emittedRowCount = 0
  /// The reason why the stream cannot be decoded any further.
  private(set) var damage: BitstreamDamage?

  /// The minimum number of coded pixels that are decoded before transforms are inverted again.
  private static let batchPixelCount = 8192

  /// - Parameter offset: the file offset of the stream after its header.
  init(width: Int, height: Int, offset: Int) {
    self.width = width
    self.height = height
    reader = LosslessBitReader(index: 0)
    windowOffset = offset
    inverse = InverseTransforms(width: width)
    picture = CodedImage(width: width, height: height)
  }

  var isEnded: Bool { if case .ended = stage { true } else { false } }

  /// The offset in the file of the next byte to read.
  var byteOffset: Int { windowOffset + reader.index }

  /// Decodes all complete rows of the window.
  ///
  /// - Parameters:
  ///   - window: the bytes of the stream from ``byteOffset`` or earlier on; may not extend beyond the stream.
  ///   - isFinal: whether the window contains the end of the stream.
  ///   - body: receives the complete rows in order, as alpha, red, green and blue from the most significant byte, and the
  ///     budget.
  mutating func advance(
    _ window: Span<UInt8>, offset: Int, isFinal: Bool, _ budget: inout ResourceBudget,
    _ body: (_ y: Int, _ row: Span<UInt32>, inout ResourceBudget) throws(CodecError) -> Void
  ) throws(CodecError) {
    reader.moveWindow(by: offset - windowOffset)
    windowOffset = offset
    while damage == nil, !isEnded {
      let before = reader
      switch try step(window, isFinal: isFinal, &budget, body) {
      case .done: break
      case .damaged(let reason): damage = reason
      case .suspended:
        // Only short steps end with a reader that has read past the end.
        if reader.isOverrun { reader = before }
        return
      }
    }
  }

  private mutating func step(
    _ bytes: Span<UInt8>, isFinal: Bool, _ budget: inout ResourceBudget,
    _ body: (Int, Span<UInt32>, inout ResourceBudget) throws(CodecError) -> Void
  ) throws(CodecError) -> LosslessStep {
    switch stage {
    case .transforms: return try readTransform(bytes, isFinal: isFinal, &budget)
    case .data(let purpose): return try readData(for: purpose, bytes, isFinal: isFinal, &budget)
    case .cacheSize:
      picture = CodedImage(width: inverse.codedWidth, height: height)
      return header(bytes, isFinal: isFinal, next: .groups) { (self, bytes) in
        self.picture.readCacheSize(&self.reader, bytes)
      }
    case .groups: return try readGroupsHeader(bytes, isFinal: isFinal, &budget)
    case .codes:
      let step = try picture.readCodes(&reader, bytes, isFinal: isFinal, &budget)
      guard case .done = step else { return step }
      try checkWork(&budget)
      try picture.allocate(isRing: true, &budget)
      try inverse.allocate(&budget)
      stage = .pixels
      return .done
    case .pixels: return try readPixels(bytes, isFinal: isFinal, &budget, body)
    case .ended: return .done
    }
  }

  /// Reads a few bits, and continues unless the input ends within them.
  private mutating func header(
    _ bytes: Span<UInt8>, isFinal: Bool, next: Stage, _ read: (inout LosslessDecoder, Span<UInt8>) -> String?
  ) -> LosslessStep {
    let failure = read(&self, bytes)
    if reader.isOverrun { return isFinal ? .damaged(.earlyEnd("the image data ends in its header")) : .suspended }
    if let failure { return .damaged(.violation(failure)) }
    stage = next
    return .done
  }

  // MARK: Transforms

  private mutating func readTransform(
    _ bytes: Span<UInt8>, isFinal: Bool, _ budget: inout ResourceBudget
  ) throws(CodecError) -> LosslessStep {
    guard reader.readFlag(bytes) else {
      return header(bytes, isFinal: isFinal, next: .cacheSize) { _, _ in nil }
    }
    let type = reader.read(2, bytes)
    let size = type == 2 ? 0 : reader.read(type == 3 ? 8 : 3, bytes)
    if reader.isOverrun { return isFinal ? .damaged(.earlyEnd("the image data ends in its header")) : .suspended }
    guard seenTransforms & 1 << type == 0 else { return .damaged(.violation("a transform is repeated")) }
    seenTransforms |= 1 << type
    let width = inverse.codedWidth
    switch type {
    case 0, 1:
      let blockBits = size + 2
      data = CodedImage(
        width: InverseTransforms.blockCount(width, bits: blockBits),
        height: InverseTransforms.blockCount(height, bits: blockBits))
      stage = .data(type == 0 ? .predictor(blockBits: blockBits) : .color(blockBits: blockBits))
    case 2: inverse.append(.subtractGreen)
    default:
      data = CodedImage(width: size + 1, height: 1)
      stage = .data(.palette(count: size + 1))
    }
    hasDataCodes = false
    return .done
  }

  private mutating func readData(
    for purpose: Purpose, _ bytes: Span<UInt8>, isFinal: Bool, _ budget: inout ResourceBudget
  ) throws(CodecError) -> LosslessStep {
    if !hasDataCodes {
      let step = header(bytes, isFinal: isFinal, next: .data(purpose)) { (self, bytes) in
        self.data.readCacheSize(&self.reader, bytes)
      }
      guard case .done = step else { return step }
      try data.allocate(isRing: false, &budget)
      hasDataCodes = true
    }
    let codes = try data.readCodes(&reader, bytes, isFinal: isFinal, &budget)
    guard case .done = codes else { return codes }
    while !data.isComplete {
      let target = min(data.pixelCount, data.position + 65536)
      let before = data.position
      let step = data.readPixels(upTo: target, &reader, bytes, isFinal: isFinal)
      try budget.chargeWork(count: data.position - before, unitsEach: data.workPerPixel)
      guard case .done = step else { return step }
    }
    try use(data, for: purpose, &budget)
    data.deallocate(&budget)
    return .done
  }

  private mutating func use(
    _ data: CodedImage, for purpose: Purpose, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let pixels = data.pixels.span
    switch purpose {
    case .predictor(let blockBits):
      try budget.allocate(pixels.count)
      var modes = [UInt8](repeating: 0, count: pixels.count)
      for index in pixels.indices { modes[index] = UInt8(truncatingIfNeeded: pixels[index] &>> 8) }
      inverse.append(.predictor(modes: modes, blockBits: blockBits))
      stage = .transforms
    case .color(let blockBits):
      // The array outlives the image, whose charge is credited.
      try budget.allocate(count: pixels.count, bytesEach: 4)
      inverse.append(.color(factors: data.pixels, blockBits: blockBits))
      stage = .transforms
    case .palette(let count):
      let packingBits = count > 16 ? 0 : count > 4 ? 1 : count > 2 ? 2 : 3
      var colors = [UInt32](repeating: 0, count: 1 << (8 >> packingBits))
      var color: UInt32 = 0
      for index in 0..<count {
        color = addPixels(color, pixels[index])
        colors[index] = color
      }
      if packingBits > 0 {
        try budget.allocate(count: 256 << packingBits, bytesEach: 4)
        colors = colorsOfPackedIndices(colors.span, packingBits: packingBits)
      }
      inverse.append(.palette(colors: colors, packingBits: packingBits))
      stage = .transforms
    case .groups(let blockBits):
      try budget.allocate(count: pixels.count, bytesEach: 2)
      picture.setGroups(GroupMap(pixels, blocksPerRow: data.width, blockBits: blockBits))
      stage = .codes
    }
  }

  // MARK: Picture

  private mutating func readGroupsHeader(
    _ bytes: Span<UInt8>, isFinal: Bool, _ budget: inout ResourceBudget
  ) throws(CodecError) -> LosslessStep {
    let hasGroups = reader.readFlag(bytes)
    let blockBits = hasGroups ? reader.read(3, bytes) + 2 : 0
    if reader.isOverrun { return isFinal ? .damaged(.earlyEnd("the image data ends in its header")) : .suspended }
    guard hasGroups else {
      stage = .codes
      return .done
    }
    data = CodedImage(
      width: InverseTransforms.blockCount(picture.width, bits: blockBits),
      height: InverseTransforms.blockCount(height, bits: blockBits))
    hasDataCodes = false
    stage = .data(.groups(blockBits: blockBits))
    return .done
  }

  private mutating func readPixels(
    _ bytes: Span<UInt8>, isFinal: Bool, _ budget: inout ResourceBudget,
    _ body: (Int, Span<UInt32>, inout ResourceBudget) throws(CodecError) -> Void
  ) throws(CodecError) -> LosslessStep {
    let rows = max(1, Self.batchPixelCount / picture.width)
    let target = min(height, picture.completedRowCount + rows) * picture.width
    let before = picture.position
    let step = picture.readPixels(upTo: target, &reader, bytes, isFinal: isFinal)
    try budget.chargeWork(count: picture.position - before, unitsEach: picture.workPerPixel)
    try emitRows(&budget, body)
    if picture.isComplete, case .done = step {
      stage = .ended
      picture.deallocate(&budget)
    }
    return step
  }

  /// Refuses a picture that is too large to be held and whose pixels cost more than those of the largest picture that
  /// can be held. A few bytes can code such a picture, whose rows are streamed.
  private func checkWork(_ budget: inout ResourceBudget) throws(CodecError) {
    let limits = budget.limits
    guard picture.pixelCount > limits.maximumPixelCount else { return }
    let work =
      Int64(picture.workPerPixel) * Int64(picture.pixelCount)
      + Int64(inverse.workPerPixel) * Int64(width) * Int64(height)
    let (allowed, overflow) = limits.maximumWorkPerPixel.multipliedReportingOverflow(
      by: Int64(limits.maximumPixelCount))
    guard overflow || work <= max(allowed, limits.maximumWork) else {
      throw CodecError(
        .limitExceeded, "decoding \(width) × \(height) pixels takes \(work) units of work", format: budget.format,
        limit: .work)
    }
  }

  /// Inverts the transforms of all complete rows.
  private mutating func emitRows(
    _ budget: inout ResourceBudget, _ body: (Int, Span<UInt32>, inout ResourceBudget) throws(CodecError) -> Void
  ) throws(CodecError) {
    let rows = emittedRowCount..<max(emittedRowCount, picture.completedRowCount)
    try budget.chargeWork(count: rows.count * width, unitsEach: inverse.workPerPixel)
    try Self.emit(rows, of: picture, &inverse, &budget, body)
    emittedRowCount = rows.upperBound
  }

  private static func emit(
    _ rows: Range<Int>, of picture: CodedImage, _ inverse: inout InverseTransforms, _ budget: inout ResourceBudget,
    _ body: (Int, Span<UInt32>, inout ResourceBudget) throws(CodecError) -> Void
  ) throws(CodecError) {
    for y in rows {
      try inverse.invert(picture.pixels.span, start: y * picture.width, mask: picture.ringMask, y: y) {
        (row) throws(CodecError) in
        try body(y, row, &budget)
      }
    }
  }
}
