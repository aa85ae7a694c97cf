// The engine of sessions: time accounting, and the state and the result of a decode.

package import ImageCore

/// Decodes incremental input.
package final class DecodingSession: IncrementalImageDecoder {
  private enum State {
    case running
    case failed(CodecError)
    case finished(DecodedImage)
  }

  private var decode: ImageDecode
  private var context: DecodingContext
  private var state = State.running
  private var bitmap = Bitmap()

  package convenience init(_ core: any DecodingCoreObject, options: DecodingOptions) {
    self.init(core, options, ResourceBudget(options, format: core.format))
  }

  private init(_ core: any DecodingCoreObject, _ options: DecodingOptions, _ budget: consuming ResourceBudget) {
    decode = ImageDecode(core)
    context = DecodingContext(options, format: core.format, budget: budget)
    context.budget.pauseClock()
  }

  /// Creates a session that passes rows to a sink as they become final. Its image has no pixels.
  ///
  /// - Parameter budget: charged for all resources that the session uses; ``spendRest(_:)`` gives access to it.
  package convenience init(
    _ core: any DecodingCoreObject, to sink: any ImageRowSink, options: DecodingOptions,
    budget: consuming ResourceBudget
  ) {
    var options = options
    options.orientation = .report
    self.init(core, options, budget)
    context.stream(to: sink)
  }

  /// Runs stages that follow the decode, with the session's budget.
  package func spendRest<Result>(
    _ stages: (inout ResourceBudget) throws(CodecError) -> Result
  ) throws(CodecError) -> Result {
    try running { (self) throws(CodecError) in try stages(&self.context.budget) }
  }

  package var info: ImageInfo? { decode.core.info }

  @discardableResult
  package func append(_ bytes: Span<UInt8>) throws(CodecError) -> DecodingProgress {
    if case .failed(let error) = state { throw error }
    if case .running = state, !decode.isComplete {
      try running { (self) throws(CodecError) in
        try self.decode.append(bytes, into: &self.bitmap, &self.context)
      }
    }
    return decode.core.progress
  }

  package func makePreview() -> Bitmap? {
    switch state {
    case .failed: nil
    case .finished(let image): image.bitmap
    case .running: try? decode.makePreview(of: bitmap, context)
    }
  }

  package func finish() throws(CodecError) -> DecodedImage {
    switch state {
    case .failed(let error): throw error
    case .finished(let image): return image
    case .running: break
    }
    return try running { (self) throws(CodecError) in
      try self.decode.end(into: &self.bitmap, &self.context)
      let details = try self.decode.finish(&self.bitmap, &self.context)
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
      decode.releaseInput()
      throw error
    }
  }
}
