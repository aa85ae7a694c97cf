// From the zlib stream of IDAT or fdAT chunks to pixels, PNG sections 7 to 10: inflate into a strip of whole rows,
// undo their filters, expand them into the bitmap. Rows come out as soon as their bytes are there.

internal import ByteCompression
internal import ImageCore

/// Decodes the image data of one image or frame.
struct ImageDataDecoder {
  enum Status: Hashable {
    /// More bytes are needed.
    case needsMore
    /// The image and the stream's checksum are complete.
    case finished
    /// The image is complete; its stream holds more than that.
    case excess
    /// The data breaks the format; rows before are sound.
    case damaged(reason: String)
  }

  /// Rows are inflated in strips of about this size: large enough for zlib's fast loop, small enough for the L2 cache.
  static let stripByteCount = 256 << 10

  private let header: ImageHeader
  private let passes: [InterlacePass]
  private var expansion: SampleExpansion
  private let inflater: InflateStream
  /// The last row of the strip before, then rows of a filter byte and samples each.
  private var strip: [UInt8]
  /// Where the rows start in `strip`.
  private let rowsStart: Int
  /// Bytes of rows in the strip: inflated, and of these the expanded ones.
  private var inflatedByteCount = 0
  private var expandedByteCount = 0
  /// Pixels of one row of an interlaced pass before they are spread out.
  private var passRow: [UInt8] = []
  private var isBitmapReady = false
  private var isDrained = false

  /// Index of the pass being decoded; the number of passes once all are complete.
  private(set) var passIndex = 0
  /// Rows of that pass that are in the bitmap.
  private(set) var passRowCount = 0

  /// Prepares for the image data of `header`; allocates about ``stripByteCount``.
  init(header: ImageHeader, expansion: SampleExpansion, isRaw: Bool) {
    self.header = header
    self.expansion = expansion
    passes = InterlacePass.passes(of: header)
    inflater = InflateStream(isRaw ? .raw : .zlib)
    let rowByteCount = header.rowByteCount(width: header.width)
    rowsStart = rowByteCount
    let imageByteCount = (rowByteCount + 1).multipliedReportingOverflow(by: header.height)
    let wanted = max(rowByteCount + 1, min(Self.stripByteCount, imageByteCount.overflow ? .max : imageByteCount.0))
    strip = [UInt8](repeating: 0, count: rowsStart + wanted)
    if header.isInterlaced {
      passRow = [UInt8](repeating: 0, count: header.width * expansion.target.bytesPerPixel)
    }
  }

  /// Whether every pixel is in the bitmap.
  var isImageComplete: Bool { passIndex == passes.count }
  /// The pass being decoded; `nil` once all are complete.
  var currentPass: InterlacePass? { isImageComplete ? nil : passes[passIndex] }
  /// Rows of the image that are final, from the top.
  var completedRowCount: Int {
    if isImageComplete { return header.height }
    return header.isInterlaced ? 0 : passRowCount
  }
  /// The format of the bitmap's pixels.
  var pixelFormat: PixelFormat { expansion.target }
  /// Whether a palette index was met that has no entry.
  var sawUnknownIndex: Bool { expansion.sawUnknownIndex }

  /// Whether any pixel is in the bitmap.
  var hasPixels: Bool { passIndex > 0 || passRowCount > 0 }
  /// The complete passes of an interlaced image, empty ones included.
  var completedPassCount: Int { header.isInterlaced ? currentPass?.index ?? 7 : 0 }

  /// Takes the next bytes of the stream and writes the rows that are complete into `bitmap`.
  ///
  /// The bitmap takes the header's size and ``pixelFormat`` with the first row; before that nothing is allocated.
  /// - Returns: where the stream is now, and how many of the bytes were read until then; `nil` where a row is wrong and
  ///   no single byte of the stream, so that the answer does not depend on how the input was cut.
  mutating func consume(
    _ input: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions
  ) throws(DecodeError) -> (status: Status, consumedCount: Int?) {
    var position = 0
    while !isImageComplete {
      let pass = passes[passIndex]
      let stride = header.rowByteCount(width: pass.width) + 1
      let capacity = (strip.count - rowsStart) / stride * stride
      let wanted = min(capacity, (pass.height - passRowCount) * stride + expandedByteCount)
      let progress = inflate(input, from: &position, upTo: wanted)
      let isSound = try expandRows(of: pass, stride: stride, into: &bitmap, limits: options.limits)
      guard isSound else { return (.damaged(reason: "a row has an unknown filter type"), nil) }
      if isImageComplete { break }
      switch progress {
      case .damaged(let reason): return (.damaged(reason: reason), position)
      case .finished: return (.damaged(reason: "the image data ends before the image does"), position)
      case .needsMore: if position == input.count, inflatedByteCount < wanted { return (.needsMore, position) }
      }
      try options.checkCancellation(format: PNGDecoder.type)
    }
    let status = drain(input, from: &position)
    return (status, position)
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

  /// Unfilters and expands the whole rows that were inflated since the last call. Answers `false` at a row with an
  /// unknown filter.
  private mutating func expandRows(
    of pass: InterlacePass, stride: Int, into bitmap: inout Bitmap, limits: DecodingLimits
  ) throws(DecodeError) -> Bool {
    let rowCount = (inflatedByteCount - expandedByteCount) / stride
    guard rowCount > 0 else { return true }
    if !isBitmapReady { try prepare(&bitmap, limits: limits) }
    let rows = FilteredRows(byteCount: stride - 1, distance: header.filterDistance)
    let start = rowsStart + expandedByteCount
    // The row above is the one before in the strip, or was put right before the strip's start.
    let prior = expandedByteCount == 0 ? rowsStart - (stride - 1) : start - (stride - 1)
    var bytes = strip.mutableSpan
    let soundCount = rows.unfilter(&bytes, start: start, prior: prior, rowCount: rowCount)
    writeRows(soundCount, from: start + 1, stride: stride, of: pass, into: &bitmap)
    expandedByteCount += soundCount * stride
    advance(pass: pass, stride: stride)
    return soundCount == rowCount
  }

  /// Expands unfiltered rows that stand `stride` apart in the strip.
  private mutating func writeRows(
    _ rowCount: Int, from start: Int, stride: Int, of pass: InterlacePass, into bitmap: inout Bitmap
  ) {
    // Local references, so that the rows stay readable while this value changes.
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

  private mutating func prepare(_ bitmap: inout Bitmap, limits: DecodingLimits) throws(DecodeError) {
    try bitmap.reset(
      width: header.width, height: header.height, format: pixelFormat, limits: limits, type: PNGDecoder.type)
    // Passes leave gaps; rows of a plain image are zeroed at the end where they are missing.
    if header.isInterlaced { bitmap.zeroPixels(rows: 0..<header.height) }
    isBitmapReady = true
  }

  /// Goes on to the next strip or pass when the current one is used up.
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

  /// Reads on behind the image to the stream's end and its checksum.
  private mutating func drain(_ input: Span<UInt8>, from position: inout Int) -> Status {
    if isDrained { return .finished }
    var surplus: [UInt8] = [0]
    var space = surplus.mutableSpan
    let progress = inflater.inflate(input.extracting(position..<input.count), into: &space)
    position += progress.consumedCount
    isDrained = progress.status != .needsMore || progress.producedCount > 0
    if progress.producedCount > 0 { return .excess }
    switch progress.status {
    case .needsMore: return .needsMore
    case .finished: return .finished
    case .damaged(let reason): return .damaged(reason: reason)
    }
  }
}

/// Spreads the pixels of a pass over a row of the image.
private func spread(_ pixels: Span<UInt8>, of pass: InterlacePass, into bitmap: inout Bitmap, row y: Int) {
  let bytesPerPixel = bitmap.format.bytesPerPixel
  let step = pass.columnStep * bytesPerPixel
  var row = bitmap.mutableRow(y)
  var to = pass.firstColumn * bytesPerPixel
  var from = 0
  for _ in 0..<pass.width {
    for byte in 0..<bytesPerPixel { row[to &+ byte] = pixels[from &+ byte] }
    from &+= bytesPerPixel
    to &+= step
  }
}
