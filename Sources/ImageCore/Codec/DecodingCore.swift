// What a codec implements: the decoding stages of its format. The shared engine does the rest.

/// The decoder of one image, driven either by ``DecodingSession`` with incremental input or by
/// ``decode(_:into:options:budget:)`` with the whole file.
package protocol DecodingCore {
  /// The format that errors refer to.
  var format: AssetType { get }

  /// The facts from the headers, once they are complete.
  var info: ImageInfo? { get }
  /// The progress of the decode.
  var progress: DecodingProgress { get }
  /// The file offset of the first byte that must be presented again together with more input.
  var retainedOffset: Int { get }

  /// Whether the core handles ``DecodingOptions/imageIndex`` and ``DecodingOptions/region``. The default is `false`: the
  /// file has one image, and the engine reduces it to the region.
  var selectsImageAndRegion: Bool { get }

  /// Decodes as far as the input allows.
  ///
  /// - Parameters:
  ///   - input: the file starting at ``retainedOffset`` or earlier. The last window of a file is final.
  ///   - bitmap: receives rows as they are decoded; the same bitmap in every call.
  mutating func advance(
    _ input: InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError)

  /// Completes the image after the final window: fills in missing pixels, applies the orientation, and attaches colour
  /// space and metadata. Called once. The details need no diagnostics.
  mutating func finish(
    into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> DecodingDetails

  /// Returns a preview of the image received so far; `nil` before the first pixels.
  mutating func makePreview(
    of bitmap: Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap?

  /// Returns the buffers of a finished decode to the pool. By default they are freed.
  mutating func recycleBuffers(_ pool: BufferPool?)
}

extension DecodingCore {
  package var selectsImageAndRegion: Bool { false }

  package mutating func recycleBuffers(_ pool: BufferPool?) {}

  /// Reads a file or a prefix of it with a core that stops before the pixels.
  package mutating func readHeaders(
    _ bytes: Span<UInt8>, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) {
    var unused = Bitmap()
    try DecodingContext.spending(&budget, options, format: format) { (context) throws(CodecError) in
      try advance(InputWindow(bytes), into: &unused, &context)
    }
  }

  /// Decodes a whole file.
  ///
  /// On return the budget holds the bitmap and the metadata. After an error it holds what it held before.
  ///
  /// - Parameter bitmap: receives the image; its allocation is reused if it fits. After an error its pixels are zero.
  package mutating func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    try DecodingContext.decode(
      into: &bitmap, options, format: format, budget: &budget
    ) { (bitmap, context) throws(CodecError) in
      try decode(bytes, into: &bitmap, &context)
    }
  }

  /// Decodes a whole file, whose rows go to a sink, as they are decoded if the format allows it.
  ///
  /// On return the budget holds the metadata and what the sink holds, after an error what it held before.
  package mutating func decode(
    _ bytes: Span<UInt8>, to sink: any ImageRowSink, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    var options = options
    options.orientation = .report
    let heldByteCount = budget.heldByteCount
    return try DecodingContext.spending(&budget, options, format: format) { (context) throws(CodecError) in
      try options.checkColorsAreKept(format: format)
      context.stream(to: sink)
      var bitmap = Bitmap()
      defer { context.budget.bufferPool.recycle(&bitmap) }
      var details = try decode(bytes, into: &bitmap, &context)
      try context.finishRows(of: &bitmap)
      details.diagnostics = context.allDiagnostics
      let sinkByteCount = context.delivery?.sinkByteCount ?? 0
      context.budget.settle(heldByteCount: heldByteCount + details.metadata.byteCount + sinkByteCount)
      return details
    }
  }

  private mutating func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> DecodingDetails {
    if !selectsImageAndRegion { try context.options.checkImageIndex(format: context.format) }
    try advance(InputWindow(bytes), into: &bitmap, &context)
    let details = try finish(into: &bitmap, &context)
    if !selectsImageAndRegion { try context.options.crop(&bitmap, budget: &context.budget) }
    recycleBuffers(context.budget.bufferPool)
    return details
  }
}
