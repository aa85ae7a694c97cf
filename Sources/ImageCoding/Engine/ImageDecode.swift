// The engine that all decodes share, of whole files and of incremental input: the steps before, between and after
// the stages of a format.

package import ImageCore

/// A file that is read in parts.
package protocol PartedInput: ~Copyable {
  /// The current part; empty at the end of the file.
  var part: [UInt8] { get }

  /// Reads the next part.
  mutating func readNext() throws(CodecError)
}

/// The decode of one image by the core of its format.
package struct ImageDecode {
  /// The stages of the format.
  package let core: any DecodingCoreObject
  /// Input that must be presented to the core again.
  private var retained = RetainedInput()

  package init(_ core: any DecodingCoreObject) {
    self.core = core
  }

  /// Whether the core needs no more input.
  var isComplete: Bool { core.progress.isComplete }

  // MARK: Input

  /// Decodes the next part of the file.
  mutating func append(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    try checkOptions(context)
    if retained.isEmpty {
      // The common case, in which the core consumes all input: nothing is copied.
      let baseOffset = retained.endOffset
      try core.advance(InputWindow(bytes, baseOffset: baseOffset, isFinal: false), into: &bitmap, &context)
      let consumed = min(max(core.retainedOffset - baseOffset, 0), bytes.count)
      retained.skip(consumed)
      try retained.append(bytes.extracting(consumed..<bytes.count), &context.budget)
    } else {
      try retained.append(bytes, &context.budget)
      try advanceOverRetained(isFinal: false, into: &bitmap, &context)
      retained.drop(upTo: core.retainedOffset, &context.budget)
    }
  }

  /// Decodes what remains at the end of the file.
  mutating func end(into bitmap: inout Bitmap, _ context: inout DecodingContext) throws(CodecError) {
    guard !isComplete else { return }
    try checkOptions(context)
    try advanceOverRetained(isFinal: true, into: &bitmap, &context)
    retained.drop(upTo: .max, &context.budget)
  }

  /// Decodes a whole file.
  private mutating func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> DecodingDetails {
    try checkOptions(context)
    try core.advance(InputWindow(bytes), into: &bitmap, &context)
    return try finish(&bitmap, &context)
  }

  /// Frees the retained input after an error.
  mutating func releaseInput() {
    retained = RetainedInput()
  }

  private func checkOptions(_ context: borrowing DecodingContext) throws(CodecError) {
    if !core.selectsImage { try context.options.checkImageIndex(format: context.format) }
    if !core.selectsKeyFrame { try context.options.checkKeyFrame(format: context.format) }
  }

  private mutating func advanceOverRetained(
    isFinal: Bool, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    // Moved out of the property, so that the core can be mutated while the bytes are read.
    let bytes = retained.takeBytes()
    defer { retained.putBack(bytes) }
    try core.advance(
      InputWindow(bytes.span, baseOffset: retained.baseOffset, isFinal: isFinal), into: &bitmap, &context)
  }

  // MARK: Results

  /// Completes the image after the end of the input: applies pixel format, orientation and region, or passes the
  /// remaining rows to the sink.
  mutating func finish(
    _ bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> DecodingDetails {
    var details = try core.finish(into: &bitmap, &context)
    try present(&bitmap, &context)
    if !core.selectsRegion { try context.options.crop(&bitmap, budget: &context.budget) }
    details.diagnostics = context.allDiagnostics
    if context.delivery != nil {
      try context.finishRows(of: &bitmap)
      context.budget.bufferPool.recycle(&bitmap)
      bitmap = Bitmap()
    }
    core.recycleBuffers(context.budget.bufferPool)
    return details
  }

  /// Returns a preview of the image received so far. It may cost as much as a decode, in addition to the memory already
  /// held, and is not charged to the decode.
  mutating func makePreview(of bitmap: Bitmap, _ context: borrowing DecodingContext) throws(CodecError) -> Bitmap? {
    var preview = DecodingContext(context.options, format: context.format)
    preview.budget.settle(heldByteCount: context.budget.heldByteCount)
    // The size may be known before it has been checked.
    if let info = core.info, (try? preview.budget.checkSourceSize(width: info.width, height: info.height)) != nil {
      preview.budget.allowWork(forPixelCount: info.width * info.height)
    }
    // Moved out of the property, so that the core can be mutated while the bytes are read.
    let bytes = retained.takeBytes()
    defer { retained.putBack(bytes) }
    let input = InputWindow(bytes.span, baseOffset: retained.baseOffset, isFinal: false)
    guard var picture = try core.makePreview(of: bitmap, from: input, &preview) else { return nil }
    try present(&picture, &preview)
    return picture
  }

  /// Converts a picture to the requested format, unless its rows were converted as they were decoded, and turns it
  /// upright if that is requested.
  private func present(_ picture: inout Bitmap, _ context: inout DecodingContext) throws(CodecError) {
    if let format = context.options.pixelFormat { try picture.convert(to: format, budget: &context.budget) }
    try picture.applyOrientation(context.options.orientation, budget: &context.budget)
  }
}

// MARK: Whole files

extension DecodingContext {
  /// Runs stages of a decode that spend the caller's budget. Errors about limits name the format. After an error the
  /// budget holds what it held before.
  package static func spending<Result>(
    _ budget: inout ResourceBudget, _ options: DecodingOptions, format: AssetType,
    _ stages: (inout DecodingContext) throws(CodecError) -> Result
  ) throws(CodecError) -> Result {
    let outerFormat = budget.format
    let heldByteCount = budget.heldByteCount
    budget.format = format
    var context = DecodingContext(options, format: format, budget: budget)
    do throws(CodecError) {
      let result = try stages(&context)
      budget = context.takeBudget()
      budget.format = outerFormat
      return result
    } catch {
      budget = context.takeBudget()
      budget.format = outerFormat
      budget.settle(heldByteCount: heldByteCount)
      throw error
    }
  }
}

extension ImageDecode {
  /// Decodes a whole file into memory.
  ///
  /// On return the budget holds the bitmap and the metadata in addition to what it held before.
  /// - Parameter bitmap: receives the image; its allocation is reused if it fits. After an error its pixels are zero.
  package mutating func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    let heldByteCount = budget.heldByteCount
    do throws(CodecError) {
      return try DecodingContext.spending(&budget, options, format: core.format) { (context) throws(CodecError) in
        let details = try decode(bytes, into: &bitmap, &context)
        context.budget.settle(heldByteCount: heldByteCount + bitmap.byteCount + details.metadata.byteCount)
        return details
      }
    } catch {
      bitmap.zeroPixels(rows: 0..<bitmap.height)
      throw error
    }
  }

  /// Decodes a whole file whose rows go to a sink, as they are decoded if the format allows it.
  ///
  /// On return the budget holds the metadata and what the sink holds in addition to what it held before.
  package mutating func decode(
    _ bytes: Span<UInt8>, to sink: any ImageRowSink, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    try stream(to: sink, options, &budget) { (decode, bitmap, context) throws(CodecError) in
      try decode.decode(bytes, into: &bitmap, &context)
    }
  }

  /// Decodes a file while it is read. Its rows go to a sink as they are decoded.
  ///
  /// On return the budget holds the metadata and what the sink holds in addition to what it held before.
  package mutating func decode(
    _ file: inout some PartedInput & ~Copyable, to sink: any ImageRowSink, options: DecodingOptions,
    budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    try stream(to: sink, options, &budget) { (decode, bitmap, context) throws(CodecError) in
      while !file.part.isEmpty, !decode.isComplete {
        try decode.append(file.part.span, into: &bitmap, &context)
        if !decode.isComplete { try file.readNext() }
      }
      try decode.end(into: &bitmap, &context)
      return try decode.finish(&bitmap, &context)
    }
  }

  private mutating func stream(
    to sink: any ImageRowSink, _ options: DecodingOptions, _ budget: inout ResourceBudget,
    _ stages: (inout ImageDecode, inout Bitmap, inout DecodingContext) throws(CodecError) -> DecodingDetails
  ) throws(CodecError) -> DecodingDetails {
    var options = options
    options.orientation = .report
    let heldByteCount = budget.heldByteCount
    return try DecodingContext.spending(&budget, options, format: core.format) { (context) throws(CodecError) in
      context.stream(to: sink)
      var bitmap = Bitmap()
      defer { context.budget.bufferPool.recycle(&bitmap) }
      let details = try stages(&self, &bitmap, &context)
      let sinkByteCount = context.delivery?.sinkByteCount ?? 0
      context.budget.settle(heldByteCount: heldByteCount + details.metadata.byteCount + sinkByteCount)
      return details
    }
  }
}
