// The engine shared by all sessions: retained input, time accounting, decoder state and the result.

/// Drives a codec's core with incremental input.
package final class DecodingSession<Core: DecodingCore>: RowStreamingSession {
  private enum State {
    case running
    case failed(CodecError)
    case finished(DecodedImage)
  }

  private var core: Core
  private var context: DecodingContext
  private var state = State.running
  private var bitmap = Bitmap()
  /// Input that must be presented to the core again.
  private var retained = RetainedInput()

  package init(_ core: Core, options: DecodingOptions) {
    self.core = core
    context = DecodingContext(options, format: core.format)
    context.budget.pauseClock()
  }

  /// Creates a session whose rows go to a sink as they are decoded. Its bitmap is empty.
  package convenience init(
    _ core: Core, to sink: any ImageRowSink, options: DecodingOptions, budget: ResourceBudget
  ) {
    var options = options
    options.orientation = .report
    self.init(core, options: options)
    context = DecodingContext(options, format: core.format, budget: budget)
    context.budget.format = core.format
    context.budget.pauseClock()
    context.stream(to: sink)
  }

  package var info: ImageInfo? { core.info }
  package var budget: ResourceBudget { context.budget }

  @discardableResult
  package func append(_ bytes: Span<UInt8>) throws(CodecError) -> DecodingProgress {
    if case .failed(let error) = state { throw error }
    if case .running = state, !core.progress.isComplete {
      try running { (self) throws(CodecError) in try self.advance(bytes) }
    }
    return core.progress
  }

  package func makePreview() -> Bitmap? {
    switch state {
    case .failed: return nil
    case .finished(let image): return image.bitmap
    case .running:
      // A preview may cost as much as a decode, in addition to the memory already held, and is not charged to the
      // decode.
      var preview = DecodingContext(context.options, format: core.format)
      preview.budget.settle(heldByteCount: context.budget.heldByteCount)
      // The size may be known before it has been checked.
      if let info = core.info, (try? preview.budget.checkSourceSize(width: info.width, height: info.height)) != nil {
        preview.budget.allowWork(forPixelCount: info.width * info.height)
      }
      return try? core.makePreview(of: bitmap, &preview)
    }
  }

  package func finish() throws(CodecError) -> DecodedImage {
    switch state {
    case .failed(let error): throw error
    case .finished(let image): return image
    case .running: break
    }
    return try running { (self) throws(CodecError) in
      if !self.core.progress.isComplete { try self.advanceToEnd() }
      var details = try self.core.finish(into: &self.bitmap, &self.context)
      if !self.core.selectsImageAndRegion { try self.context.options.crop(&self.bitmap, budget: &self.context.budget) }
      details.diagnostics = self.context.allDiagnostics
      if self.context.delivery != nil {
        try self.context.finishRows(of: &self.bitmap)
        self.context.budget.bufferPool.recycle(&self.bitmap)
        self.bitmap = Bitmap()
      }
      self.core.recycleBuffers(self.context.budget.bufferPool)
      try self.context.budget.checkpoint()
      let image = DecodedImage(bitmap: self.bitmap, details: details)
      self.bitmap = Bitmap()
      self.state = .finished(image)
      return image
    }
  }

  /// Runs a part of the decode with the clock running. An error ends the session.
  private func running<Result>(
    _ body: (DecodingSession) throws(CodecError) -> Result
  ) throws(CodecError) -> Result {
    context.budget.resumeClock()
    defer { context.budget.pauseClock() }
    do throws(CodecError) {
      return try body(self)
    } catch {
      state = .failed(error)
      bitmap = Bitmap()
      retained = RetainedInput()
      throw error
    }
  }

  private func advance(_ bytes: Span<UInt8>) throws(CodecError) {
    try context.options.checkColorsAreKept(format: context.format)
    if !core.selectsImageAndRegion { try context.options.checkImageIndex(format: context.format) }
    if retained.isEmpty {
      // The common case, in which the core consumes all input: nothing is copied.
      let baseOffset = retained.endOffset
      try core.advance(InputWindow(bytes, baseOffset: baseOffset, isFinal: false), into: &bitmap, &context)
      let consumed = min(max(core.retainedOffset - baseOffset, 0), bytes.count)
      retained.skip(consumed)
      try retained.append(bytes.extracting(consumed..<bytes.count), &context.budget)
    } else {
      try retained.append(bytes, &context.budget)
      try advanceOverRetained(isFinal: false)
      retained.drop(upTo: core.retainedOffset, &context.budget)
    }
  }

  private func advanceToEnd() throws(CodecError) {
    try context.options.checkColorsAreKept(format: context.format)
    if !core.selectsImageAndRegion { try context.options.checkImageIndex(format: context.format) }
    try advanceOverRetained(isFinal: true)
    retained.drop(upTo: .max, &context.budget)
  }

  private func advanceOverRetained(isFinal: Bool) throws(CodecError) {
    // Moved out of the property, so that the core can be mutated while the bytes are read.
    let bytes = retained.takeBytes()
    defer { retained.putBack(bytes) }
    try core.advance(
      InputWindow(bytes.span, baseOffset: retained.baseOffset, isFinal: isFinal), into: &bitmap, &context)
  }
}
