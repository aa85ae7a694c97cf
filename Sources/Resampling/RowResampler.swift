// Chooses the arithmetic for an image, and checks what it is given.

internal import ImageCore

/// The part of an image that is scaled, in pixels of the image; its edges may be within pixels.
package struct SourcePart: Hashable, Sendable {
  package var columns: ClosedRange<Double>
  package var rows: ClosedRange<Double>

  package init(columns: ClosedRange<Double>, rows: ClosedRange<Double>) {
    (self.columns, self.rows) = (columns, rows)
  }

  /// Whether the part is not empty and in an image.
  fileprivate func fits(in size: PixelSize) -> Bool {
    columns.lowerBound >= 0 && columns.lowerBound < columns.upperBound && columns.upperBound <= Double(size.width)
      && rows.lowerBound >= 0 && rows.lowerBound < rows.upperBound && rows.upperBound <= Double(size.height)
  }
}

/// Resamples an image row by row: source rows in, target rows out as soon as they are complete.
struct RowResampler {
  let source: StreamedImage
  let target: PixelSize
  private var nearest: NearestResampler?
  private var bytes: ByteResampler?
  private var floats: FloatResampler?
  private var receivedRowCount = 0

  /// Whether all rows have been received.
  var isComplete: Bool { receivedRowCount == source.height }
  /// The number of rows that have been received.
  var rowCount: Int { receivedRowCount }

  init(
    from source: StreamedImage, part: SourcePart? = nil, to target: PixelSize, filter: ResamplingFilter,
    light: ResamplingLight, budget: inout ResourceBudget
  ) throws(CodecError) {
    guard target.width > 0, target.height > 0 else {
      throw CodecError(.invalidArgument, "the target size \(target) is not positive")
    }
    guard source.width > 0, source.height > 0 else {
      throw CodecError(.invalidArgument, "the image to resize has no pixels")
    }
    let size = PixelSize(width: source.width, height: source.height)
    guard part?.fits(in: size) ?? true else {
      throw CodecError(.invalidArgument, "the part to resize is outside the image")
    }
    try budget.checkSourceSize(width: source.width, height: source.height)
    // The target may be streamed too, but its size is the caller's choice and bounds the buffers.
    _ = try budget.limits.checkedByteCount(
      width: target.width, height: target.height, bytesPerPixel: source.format.bytesPerPixel)
    // No buffer has more bytes for each pixel of a row.
    guard max(source.width, target.width) <= Int.max / 256 else {
      throw CodecError(.limitExceeded, "a row of \(max(source.width, target.width)) pixels exceeds the address space")
    }
    budget.allowWork(forPixelCount: max(source.width * source.height, target.width * target.height))
    self.source = source
    self.target = target
    if part == nil, target == size { return }
    if filter == .nearest {
      nearest = try NearestResampler(from: source, part: part, to: target, budget: &budget)
    } else if source.format.sampleType == .uint8, light == .encoded || source.format.colorModel == .cmyk {
      bytes = try ByteResampler(from: source, part: part, to: target, filter: filter, budget: &budget)
    } else {
      floats = try FloatResampler(
        from: source, part: part, to: target, filter: filter, light: light, budget: &budget)
    }
  }

  /// Returns the buffers to a pool.
  mutating func recycleBuffers(_ pool: BufferPool?) {
    bytes?.recycleBuffers(pool)
    floats?.recycleBuffers(pool)
  }

  /// Receives the next source row, and passes on the target rows that are complete.
  mutating func append(
    _ row: Span<UInt8>, budget: inout ResourceBudget,
    emit: (Span<UInt8>, inout ResourceBudget) throws(CodecError) -> Void
  ) throws(CodecError) {
    guard !isComplete else {
      throw CodecError(.invalidArgument, "the image has more rows than its height of \(source.height)")
    }
    guard row.count == source.width * source.format.bytesPerPixel else {
      throw CodecError(
        .invalidArgument, "the row has \(row.count) bytes, not \(source.width * source.format.bytesPerPixel)")
    }
    receivedRowCount += 1
    if nearest != nil {
      try nearest?.append(row, budget: &budget, emit: emit)
    } else if bytes != nil {
      try bytes?.append(row, budget: &budget, emit: emit)
    } else if floats != nil {
      try floats?.append(row, budget: &budget, emit: emit)
    } else {
      try budget.chargeWork(row.count / 8)
      try emit(row, &budget)
    }
  }
}
