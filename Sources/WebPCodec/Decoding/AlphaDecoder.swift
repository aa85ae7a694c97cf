// The alpha plane of a lossy image: raw or stored as the green samples of a VP8L image, and filtered (RFC 9649, section
// 2.7.1.2). The preprocessing announced in the header is not reversed, which is also libwebp's default.

internal import ImageCoding

/// Decodes an ALPH chunk as its bytes arrive.
struct AlphaDecoder {
  private enum Filter: UInt8 {
    case none
    case horizontal
    case vertical
    case gradient
  }

  /// The work of inverting the filter, in addition to that of decoding.
  private static let workPerSample = 2

  private let width: Int
  private let height: Int
  private let filter: Filter
  private var lossless: LosslessDecoder?
  /// The file offset of the next raw row.
  private var rawOffset: Int
  /// The previous row, replaced by the current one.
  private var row: [UInt8]
  /// The number of complete rows.
  private(set) var completedRowCount = 0
  /// The reason why the plane cannot be decoded any further.
  private(set) var damage: BitstreamDamage?

  /// - Parameters:
  ///   - header: the first byte of the chunk.
  ///   - offset: the file offset of the data.
  init(header: UInt8, width: Int, height: Int, offset: Int, _ budget: inout ResourceBudget) throws(CodecError) {
    self.width = width
    self.height = height
    rawOffset = offset
    filter = Filter(rawValue: header >> 2 & 3) ?? .none
    try budget.allocate(width)
    row = [UInt8](repeating: 0, count: width)
    switch header & 3 {
    case 0: break
    case 1: lossless = LosslessDecoder(width: width, height: height, offset: offset)
    default: damage = .violation("the alpha plane is compressed by an unknown method")
    }
    if header >> 4 & 3 > 1 { damage = .violation("the alpha plane is preprocessed in an unknown way") }
    if header >> 6 > 1 { damage = .violation("reserved bits of the alpha plane are set") }
  }

  var isComplete: Bool { completedRowCount == height }

  /// The file offset of the next byte to read.
  var byteOffset: Int { lossless?.byteOffset ?? rawOffset }

  /// Decodes all complete rows of the window.
  ///
  /// - Parameter body: receives the complete rows in order.
  mutating func advance(
    _ window: Span<UInt8>, offset: Int, isFinal: Bool, _ budget: inout ResourceBudget,
    _ body: (_ y: Int, _ alpha: Span<UInt8>) -> Void
  ) throws(CodecError) {
    guard damage == nil else { return }
    if lossless == nil {
      try readRawRows(window, offset: offset, isFinal: isFinal, &budget, body)
    } else {
      var (row, count) = (row, completedRowCount)
      self.row = []
      let (width, filter) = (width, filter)
      try lossless?.advance(window, offset: offset, isFinal: isFinal, &budget) { y, pixels, _ in
        var samples = row.mutableSpan
        Self.invert(filter, &samples, isFirstRow: y == 0, width: width) { UInt8(truncatingIfNeeded: pixels[$0] &>> 8) }
        body(y, samples.span)
        count += 1
      }
      let rowCount = count - completedRowCount
      (self.row, completedRowCount) = (row, count)
      // The rows have been decoded, with a checkpoint for each batch of them.
      try budget.chargeWorkInParts(count: rowCount * width, unitsEach: Self.workPerSample)
      damage = lossless?.damage
    }
  }

  private mutating func readRawRows(
    _ window: Span<UInt8>, offset: Int, isFinal: Bool, _ budget: inout ResourceBudget,
    _ body: (Int, Span<UInt8>) -> Void
  ) throws(CodecError) {
    while !isComplete, rawOffset - offset + width <= window.count {
      try budget.chargeWork(width)
      let differences = window.extracting(rawOffset - offset..<rawOffset - offset + width)
      let (filter, width, y) = (filter, width, completedRowCount)
      var samples = row.mutableSpan
      Self.invert(filter, &samples, isFirstRow: y == 0, width: width) { differences[$0] }
      body(y, samples.span)
      completedRowCount += 1
      rawOffset += width
    }
    if isFinal, !isComplete { damage = .earlyEnd("the alpha plane ends early") }
  }

  /// Inverts the filter of a row.
  ///
  /// - Parameters:
  ///   - row: the previous row; replaced by the current one.
  ///   - difference: returns the stored sample of a column.
  @inline(__always)
  private static func invert(
    _ filter: Filter, _ row: inout MutableSpan<UInt8>, isFirstRow: Bool, width: Int,
    _ difference: (Int) -> UInt8
  ) {
    switch filter {
    case .none: for x in 0..<width { row[x] = difference(x) }
    case .vertical where !isFirstRow: for x in 0..<width { row[x] = row[x] &+ difference(x) }
    case .gradient where !isFirstRow:
      var (left, topLeft) = (row[0], row[0])
      for x in 0..<width {
        let top = row[x]
        let prediction = Int32(left) &+ Int32(top) &- Int32(topLeft)
        left = UInt8(truncatingIfNeeded: min(max(prediction, 0), 255)) &+ difference(x)
        topLeft = top
        row[x] = left
      }
    case .horizontal, .vertical, .gradient:
      var left: UInt8 = isFirstRow ? 0 : row[0]
      for x in 0..<width {
        left = left &+ difference(x)
        row[x] = left
      }
    }
  }
}

extension Bitmap {
  /// Replaces the alpha samples in a row of a region of an RGBA bitmap.
  mutating func storeAlpha(_ samples: Span<UInt8>, y: Int, _ region: PixelRegion) {
    var row = mutableRow(region.y + y)
    var part = row._mutatingExtracting(region.x * 4..<(region.x + samples.count) * 4)
    replaceFourthBytes(of: &part, with: samples)
  }

  /// Makes rows of a region of an RGBA bitmap opaque.
  mutating func makeOpaque(rows: Range<Int>, _ region: PixelRegion) {
    for y in rows {
      var row = mutableRow(region.y + y)
      for x in region.x..<region.x + region.width { row[x * 4 + 3] = 255 }
    }
  }
}
