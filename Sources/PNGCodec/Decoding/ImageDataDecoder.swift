// Decodes the zlib stream of IDAT or fdAT chunks to pixels, PNG sections 7 to 10: inflates into a strip of whole rows,
// reverses their filters, and expands them into the bitmap. Rows are available as soon as their bytes are.

internal import ByteCompression
internal import ImageCoding

/// Decodes the image data of one image or frame.
struct ImageDataDecoder {
  /// The approximate size of a strip of inflated rows: large enough for zlib's fast loop, small enough for the L2
  /// cache.
  static let stripByteCount = 256 << 10

  private let header: ImageHeader
  private let passes: [InterlacePass]
  private var expansion: SampleExpansion
  private let inflater: InflateStream
  /// The last row of the previous strip, followed by rows of a filter byte and samples each.
  private var strip: [UInt8]
  /// The offset in `strip` of the first row.
  private let rowsStart: Int
  /// The number of bytes in the strip that are inflated, and of those already expanded.
  private var inflatedByteCount = 0
  private var expandedByteCount = 0
  /// The pixels of one row of an interlaced pass, before they are distributed over the image.
  private var passRow: [UInt8] = []
  /// Whether the bitmap has its size and format.
  var isBitmapReady = false
  private var end = ImageDataEnd()

  /// The index of the pass being decoded; the number of passes once all are complete.
  private(set) var passIndex = 0
  /// The number of rows of that pass in the bitmap.
  private(set) var passRowCount = 0
  /// Whether the decompressor may have more bytes without more input: a strip is full.
  private(set) var hasPendingBytes = false

  /// The memory used by the stream: its window and tables.
  static let inflaterByteCount = 96 << 10

  /// Prepares to decode the image data of `header`. Allocates and charges about ``stripByteCount``, or two rows if that
  /// is more.
  ///
  /// - Parameter isStreaming: whether a strip should have no more than ``stripByteCount`` bytes of pixels either,
  ///   because they are all that is held.
  init(
    header: ImageHeader, expansion: SampleExpansion, isRaw: Bool, isStreaming: Bool = false,
    budget: inout ResourceBudget
  ) throws(CodecError) {
    let rowByteCount = header.rowByteCount(width: header.width)
    let imageByteCount = (rowByteCount + 1).multipliedReportingOverflow(by: header.height)
    var wanted = max(rowByteCount + 1, min(Self.stripByteCount, imageByteCount.overflow ? .max : imageByteCount.0))
    if isStreaming {
      let pixelByteCount = max(1, header.width * expansion.target.bytesPerPixel)
      wanted = min(wanted, max(1, Self.stripByteCount / pixelByteCount) * (rowByteCount + 1))
    }
    try budget.allocate(Self.inflaterByteCount)
    try self.init(
      header: header, passes: InterlacePass.passes(of: header), expansion: expansion,
      inflater: InflateStream(isRaw ? .raw : .zlib), rowsByteCount: wanted, budget: &budget)
  }

  /// Prepares to decode one pass, whose rows are written in strips of `rowCount`. The bitmap must have its size and
  /// format.
  ///
  /// - Parameter inflater: decompresses the stream from the start of the pass. Its memory has been charged.
  init(
    _ pass: InterlacePass, of header: ImageHeader, expansion: SampleExpansion, inflater: InflateStream, rowCount: Int,
    budget: inout ResourceBudget
  ) throws(CodecError) {
    try self.init(
      header: header, passes: [pass], expansion: expansion, inflater: inflater,
      rowsByteCount: min(rowCount, pass.height) * (header.rowByteCount(width: pass.width) + 1), budget: &budget)
    isBitmapReady = true
  }

  private init(
    header: ImageHeader, passes: [InterlacePass], expansion: SampleExpansion, inflater: InflateStream,
    rowsByteCount: Int, budget: inout ResourceBudget
  ) throws(CodecError) {
    self.header = header
    self.passes = passes
    self.expansion = expansion
    self.inflater = inflater
    let width = passes.reduce(0) { max($0, $1.width) }
    rowsStart = header.rowByteCount(width: width)
    let passRowByteCount = header.isInterlaced ? width * expansion.target.bytesPerPixel : 0
    try budget.allocate(rowsStart + rowsByteCount + passRowByteCount)
    strip = budget.bufferPool.buffer(rowsStart + rowsByteCount)
    passRow = [UInt8](repeating: 0, count: passRowByteCount)
  }

  /// Returns the buffers to the pool.
  mutating func recycleBuffers(_ pool: BufferPool?) {
    pool.recycle(&strip)
  }

  var isInterlaced: Bool { header.isInterlaced }
  /// The maximum number of rows written at a time.
  var stripRowCount: Int { (strip.count - rowsStart) / (rowsStart + 1) }
  /// Whether all pixels are in the bitmap.
  var isImageComplete: Bool { passIndex == passes.count }
  /// The pass being decoded; `nil` once all are complete.
  var currentPass: InterlacePass? { isImageComplete ? nil : passes[passIndex] }
  /// The number of final rows of the image, counted from the top.
  var completedRowCount: Int {
    if isImageComplete { return header.height }
    return header.isInterlaced ? 0 : passRowCount
  }
  /// The format of the bitmap's pixels.
  var pixelFormat: PixelFormat { expansion.target }
  /// Whether a palette index without an entry was found.
  var sawUnknownIndex: Bool { expansion.sawUnknownIndex }

  /// Whether any pixels are in the bitmap.
  var hasPixels: Bool { passIndex > 0 || passRowCount > 0 }
  /// The number of complete passes of an interlaced image, including empty ones.
  var completedPassCount: Int { header.isInterlaced ? currentPass?.index ?? 7 : 0 }

  /// Consumes the next bytes of the stream and writes complete rows to `bitmap`.
  ///
  /// The bitmap is set to the header's size and ``pixelFormat`` at the first row; nothing is allocated before.
  mutating func consume(
    _ input: Span<UInt8>, into bitmap: inout Bitmap, budget: inout ResourceBudget
  ) throws(CodecError) -> (status: ImageDataStatus, consumedCount: Int) {
    var position = 0
    while true {
      let status = try consumeStrip(input, from: &position, into: &bitmap, budget: &budget)
      guard status == .needsMore, position < input.count || hasPendingBytes else { return (status, position) }
    }
  }

  /// Consumes bytes of the stream up to the end of a strip of rows, which are written to `bitmap`.
  ///
  /// - Parameter position: the position in `input`. The status is ``ImageDataStatus/needsMore`` before the end of the
  ///   input, if there may be more strips in it.
  mutating func consumeStrip(
    _ input: Span<UInt8>, from position: inout Int, into bitmap: inout Bitmap, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageDataStatus {
    guard !isImageComplete else { return end.read(input, from: &position, inflater) }
    let pass = passes[passIndex]
    let stride = header.rowByteCount(width: pass.width) + 1
    let capacity = (strip.count - rowsStart) / stride
    let wanted = min(capacity, pass.height - passRowCount + expandedByteCount / stride) * stride
    let (consumedBefore, inflatedBefore) = (position, inflatedByteCount)
    let progress = inflate(input, from: &position, upTo: wanted)
    // Inflating, unfiltering and expanding take 2 to 3 ns per byte together. Incompressible pictures with four 16-bit
    // samples per pixel remain below the default work per pixel.
    try budget.chargeWork(position - consumedBefore + 2 * (inflatedByteCount - inflatedBefore))
    let isFull = inflatedByteCount == wanted
    let isValid = try expandRows(of: pass, stride: stride, into: &bitmap, budget: &budget)
    guard isValid else { return .unknownFilter }
    hasPendingBytes = isFull && !isImageComplete
    return isImageComplete ? end.read(input, from: &position, inflater) : ImageDataStatus(beforeLastRow: progress)
  }

  private mutating func inflate(
    _ input: Span<UInt8>, from position: inout Int, upTo wanted: Int
  ) -> InflateStream.Status {
    let free = rowsStart + inflatedByteCount..<rowsStart + max(wanted, inflatedByteCount)
    let inflater = self.inflater
    var output = strip.mutableSpan
    var space = output._mutatingExtracting(free)
    let progress = inflater.inflate(input.extracting(position..<input.count), into: &space)
    position += progress.consumedCount
    inflatedByteCount += progress.producedCount
    return progress.status
  }

  /// Unfilters and expands the whole rows inflated since the last call. Returns `false` at a row with an unknown filter
  /// type.
  private mutating func expandRows(
    of pass: InterlacePass, stride: Int, into bitmap: inout Bitmap, budget: inout ResourceBudget
  ) throws(CodecError) -> Bool {
    let rowCount = (inflatedByteCount - expandedByteCount) / stride
    guard rowCount > 0 else { return true }
    if !isBitmapReady { try prepare(&bitmap, budget: &budget) }
    let rows = FilteredRows(byteCount: stride - 1, distance: header.filterDistance)
    let start = rowsStart + expandedByteCount
    // The row above is either the previous one in the strip or was copied to just before the first one.
    let prior = expandedByteCount == 0 ? rowsStart - (stride - 1) : start - (stride - 1)
    var bytes = strip.mutableSpan
    let validRowCount = rows.unfilter(&bytes, start: start, prior: prior, rowCount: rowCount)
    writeRows(validRowCount, from: start + 1, stride: stride, of: pass, into: &bitmap)
    expandedByteCount += validRowCount * stride
    advance(pass: pass, stride: stride)
    return validRowCount == rowCount
  }

  /// Expands unfiltered rows, `stride` bytes apart in the strip.
  private mutating func writeRows(
    _ rowCount: Int, from start: Int, stride: Int, of pass: InterlacePass, into bitmap: inout Bitmap
  ) {
    // Local copies of the references, so that the rows stay readable while this value is mutated.
    let bytes = strip
    var pixels = passRow
    passRow = []
    for row in 0..<rowCount {
      let offset = start + row * stride
      let samples = bytes.span.extracting(offset..<offset + stride - 1)
      let y = pass.firstRow + passRowCount * pass.rowStep
      if header.isInterlaced {
        var output = pixels.mutableSpan
        expansion.expand(samples, pixelCount: pass.width, into: &output)
        spread(pixels.span, of: pass, into: &bitmap, row: y)
      } else {
        var output = bitmap.mutableRow(y)
        expansion.expand(samples, pixelCount: pass.width, into: &output)
      }
      passRowCount += 1
    }
    passRow = pixels
  }

  private mutating func prepare(_ bitmap: inout Bitmap, budget: inout ResourceBudget) throws(CodecError) {
    try bitmap.reset(width: header.width, height: header.height, format: pixelFormat, budget: &budget)
    // Passes leave gaps. In an image that is not interlaced, missing rows are zeroed at the end.
    if header.isInterlaced { bitmap.zeroPixels(rows: 0..<header.height) }
    isBitmapReady = true
  }

  /// Moves to the next strip or pass once the current one is finished.
  private mutating func advance(pass: InterlacePass, stride: Int) {
    if passRowCount == pass.height {
      passIndex += 1
      passRowCount = 0
      inflatedByteCount = 0
      expandedByteCount = 0
      guard !isImageComplete else { return }
      for index in 0..<rowsStart { strip[index] = 0 }
    } else if expandedByteCount == (strip.count - rowsStart) / stride * stride {
      let last = rowsStart + expandedByteCount - (stride - 1)
      for index in 0..<stride - 1 { strip[rowsStart - (stride - 1) + index] = strip[last + index] }
      inflatedByteCount = 0
      expandedByteCount = 0
    }
  }
}

/// Distributes the pixels of a pass over a row of the image.
private func spread(_ pixels: Span<UInt8>, of pass: InterlacePass, into bitmap: inout Bitmap, row y: Int) {
  let bytesPerPixel = bitmap.format.bytesPerPixel
  var row = bitmap.mutableRow(y)
  spreadPixels(
    pixels, count: pass.width, bytesPerPixel: bytesPerPixel, into: &row, from: pass.firstColumn * bytesPerPixel,
    step: pass.columnStep * bytesPerPixel)
}
