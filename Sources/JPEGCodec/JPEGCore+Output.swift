// Results: the info from the headers, the picture received so far, and the finished image.

internal import ImageCoding
internal import MetadataFormats

extension JPEGCore {
  /// Called when the headers are complete and the first scan follows.
  mutating func completeHeader(_ frame: FrameHeader) {
    metadata = collector.finish()
    let model = ImageInfo.StoredColorModel(
      frame: frame, hasJFIF: collector.hasJFIF, adobeTransform: collector.adobeTransform)
    info = ImageInfo(
      type: JPEGDecoder.type, width: frame.width, height: frame.height, bitDepth: frame.precision, colorModel: model,
      orientation: metadata.orientation, colorSpace: metadata.colorSpace,
      isProgressive: frame.process == .progressive, coding: frame.codingName)
  }

  /// The frame at the size to be rendered.
  var renderedFrame: FrameHeader? {
    guard let frame, let info else { return nil }
    let target = info.orientation.swapsAxes ? targetSize?.transposed : targetSize
    return frame.scaled(toEighths: frame.eighths(for: target), keepsSubsampling: rendersDCOnly)
  }

  /// Whether DC coefficients alone are decoded and rendered.
  var rendersDCOnly: Bool {
    guard approximatesEighths, let frame, let info, frame.process == .progressive, !frame.isArithmetic else {
      return false
    }
    return frame.eighths(for: info.orientation.swapsAxes ? targetSize?.transposed : targetSize) == 1
  }

  /// The number of rows from the top that will not change.
  var completedRowCount: Int {
    if let rows { return rows.reconstruction.writtenRowCount }
    return stage == .finished && buffered != nil ? renderedFrame?.height ?? 0 : 0
  }

  /// Completes the pixels once the input has ended.
  mutating func finish(
    into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> DecodingDetails {
    guard let frame = renderedFrame, let info else {
      throw error(.truncated, "the input ends before the first scan")
    }
    let isComplete: Bool
    if let rows {
      bitmap.zeroPixels(rows: rows.reconstruction.writtenRowCount..<frame.height)
      bitmap.clear(rows.lost, in: frame, rows: 0..<frame.height)
      isComplete = rows.lost.ranges.isEmpty && rows.reconstruction.writtenRowCount == frame.height
    } else {
      if !isRendered { try renderStored(into: &bitmap, &context) }
      isComplete = buffered?.lost.ranges.isEmpty ?? false
    }
    bitmap.orientation = info.orientation
    return DecodingDetails(info: info, metadata: metadata, isComplete: isComplete)
  }

  mutating func makePreview(
    of bitmap: Bitmap, from input: InputWindow, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap? {
    guard let info else { return nil }
    var preview: Bitmap
    if rows != nil || isRendered {
      guard completedRowCount > 0 else { return nil }
      preview = bitmap
    } else {
      guard completedScanCount > 0 else { return nil }
      preview = Bitmap()
      try renderStored(into: &preview, &context)
    }
    preview.orientation = info.orientation
    return preview
  }

  mutating func recycleBuffers(_ pool: BufferPool?) {
    rows?.reconstruction.bands.recycleBuffers(pool)
    if var buffered {
      self.buffered = nil
      pool.recycle(&buffered.planes.coefficients)
      self.buffered = buffered
    }
  }

  /// Sets the size and the colour space of the bitmap to those of the rendered frame.
  ///
  /// - Parameter bandRowCount: the number of rows that are written at a time if they are streamed; by default those of
  ///   two bands.
  func prepareRows(
    of bitmap: inout Bitmap, _ rendered: FrameHeader, _ model: ImageInfo.StoredColorModel,
    bandRowCount: Int? = nil, _ context: inout DecodingContext
  ) throws(CodecError) {
    try context.prepareRows(
      of: &bitmap, size: PixelSize(width: rendered.width, height: rendered.height), natural: model.naturalFormat,
      bandRowCount: bandRowCount ?? 2 * rendered.mcuHeight, colorSpace: info?.colorSpace ?? .unspecified,
      byteOffset: offset)
  }

  /// Renders the coefficients received so far. If rows are streamed, they are passed on band by band.
  private func renderStored(into bitmap: inout Bitmap, _ context: inout DecodingContext) throws(CodecError) {
    guard let buffered, let original = frame, let frame = renderedFrame, let model = info?.colorModel else {
      throw error(.truncated, "the input ends before the first scan")
    }
    try prepareRows(of: &bitmap, frame, model, &context)
    try context.budget.allocate(SampleBands.byteCount(for: frame))
    let renderer = makeRenderer(buffered, frame: original)
    var bands = SampleBands(frame: frame, pool: context.budget.bufferPool)
    defer { bands.recycleBuffers(context.budget.bufferPool) }
    var writer = RowWriter(frame: frame, model: model, format: bitmap.format)
    var written = 0
    for band in 0..<frame.mcuRowCount {
      try context.budget.chargeWork(
        count: original.blocksPerMCU * frame.mcusPerRow, unitsEach: BufferedDecoding.workPerRenderedBlock)
      renderer.render(band: band, of: buffered.planes, into: &bands)
      let end = writer.rowCount(ofBands: band + 1)
      writer.write(rows: written..<end, from: &bands, to: &bitmap)
      if bitmap.isWindow {
        clear(buffered.lost, of: buffered.lostScan, in: frame, rows: written..<end, &bitmap)
        try context.deliverRows(of: &bitmap, upTo: end)
      }
      written = end
    }
    if bitmap.isWindow { return }
    clear(buffered.lost, of: buffered.lostScan, in: frame, rows: 0..<frame.height, &bitmap)
  }

  /// Returns a renderer of the scans so far.
  func makeRenderer(_ buffered: borrowing BufferedDecoding, frame: FrameHeader) -> BufferedRenderer {
    BufferedRenderer(
      buffered, frame: frame,
      smoothsBlocks: smoothsIncompleteScans && frame.process == .progressive && !rendersDCOnly)
  }

  /// Zeroes the pixels in a range of rows that a scan could not decode.
  ///
  /// - Parameter frame: the frame at the size to be rendered.
  func clear(
    _ lost: LostUnits, of scan: ScanHeader?, in frame: FrameHeader, rows: Range<Int>, _ bitmap: inout Bitmap
  ) {
    guard let scan, let component = self.frame?.components.first else { return }
    let isInterleaved = scan.components.count > 1
    // A scan of one component counts blocks. The more the component is subsampled, the larger the area that a block
    // covers.
    bitmap.clear(
      lost,
      columnsPerUnit: isInterleaved ? frame.mcuWidth : frame.mcuWidth / component.horizontalFactor,
      rowsPerUnit: isInterleaved ? frame.mcuHeight : frame.mcuHeight / component.verticalFactor, in: frame,
      rows: rows)
  }
}

extension FrameHeader {
  /// The coding process in the specification's terms.
  var codingName: String {
    let name =
      switch marker.rawValue {
      case 0xC0: "baseline"
      case 0xC1, 0xC9: "extended sequential"
      default: "progressive"
      }
    return name + (isArithmetic ? ", arithmetic" : "")
  }
}

extension JPEGCore {
  /// Reads the coefficients of a file, for uses that cannot represent damage.
  ///
  /// - Throws: `CodecError`, also for damage that a decoder would tolerate.
  init(readingCoefficientsOf bytes: Span<UInt8>, _ context: inout DecodingContext) throws(CodecError) {
    self.init(.coefficients, options: context.options)
    var noPixels = Bitmap()
    try advance(InputWindow(bytes), into: &noPixels, &context)
    if let damage = context.allDiagnostics.first(where: { $0.severity == .damage }) {
      throw CodecError(.malformed, damage.reason, format: format, byteOffset: damage.byteOffset)
    }
  }

  /// Ends the headers at an error. The size and the coding process are known once the frame header is, and damage
  /// further on does not affect the metadata before it.
  mutating func endHeaders(_ error: CodecError) throws(CodecError) {
    metadata = collector.finish()
    guard error.kind == .truncated, let frame, frame.height > 0 else { throw error }
    completeHeader(frame)
    stage = .finished
  }
}
