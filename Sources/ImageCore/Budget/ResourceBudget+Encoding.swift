// The budgets of encoders, and the work that the bytes of a converted file allow them.

extension ResourceBudget {
  /// Creates the budget of an encoder that is called without one: what the pixels are worth. A bitmap is in memory
  /// already, so its size is the caller's choice, but the memory and the work of an encoder are in proportion to it.
  ///
  /// - Parameter pixelCount: the number of pixels of all pictures.
  package init(encoding pixelCount: Int, format: AssetType, shouldCancel: (@Sendable () -> Bool)? = nil) {
    var limits = DecodingLimits.default
    func scaled(_ each: Int) -> Int {
      let (product, overflow) = max(0, pixelCount).multipliedReportingOverflow(by: each)
      return overflow ? .max : product
    }
    limits.maximumPixelCount = .max
    limits.maximumByteCount = max(limits.maximumByteCount, scaled(Self.encodingBytesPerPixel))
    limits.maximumWork = max(limits.maximumWork, Int64(clamping: scaled(Self.encodingWorkPerPixel)))
    self.init(limits, format: format, shouldCancel: shouldCancel)
  }

  /// More than any encoder needs for a pixel, with its output.
  private static let encodingBytesPerPixel = 160
  /// More than any encoder spends for a pixel. Searches for a size encode the picture up to eight times.
  private static let encodingWorkPerPixel = 20_000

  /// Allows encoders additional work for a file of this many bytes, as ``DecodingLimits/maximumEncodingWorkPerByte``
  /// states. Only ``encoding(_:)`` spends it. The frames of an animation may use more work too, as
  /// ``DecodingLimits/maximumAnimationWorkPerByte`` states.
  public mutating func allowEncoding(ofByteCount count: Int) {
    inputByteCount = max(0, count)
    encodingAllowance = paidWork(limits.maximumEncodingWorkPerByte)
  }

  /// The additional work that encoders may still do. All bytes of a file pay for it, but no more than one byte for each
  /// pixel does, so that long tails pay for nothing.
  private var availableEncodingAllowance: Int64 {
    let (units, overflow) = Int64(pixelCount).multipliedReportingOverflow(by: limits.maximumEncodingWorkPerByte)
    let spent = paidWork(limits.maximumEncodingWorkPerByte) - encodingAllowance
    return overflow ? encodingAllowance : min(encodingAllowance, max(0, units - spent))
  }

  /// Runs an encoder, which may spend the additional work that ``allowEncoding(ofByteCount:)`` allows. Decoding may
  /// not.
  public mutating func encoding<Result>(
    _ encode: (inout ResourceBudget) throws(CodecError) -> Result
  ) throws(CodecError) -> Result {
    let (total, limit, workBefore) = (encodingAllowance, allowedWork, work)
    let allowance = availableEncodingAllowance
    let (raised, overflow) = limit.addingReportingOverflow(allowance)
    (allowedWork, encodingAllowance) = (overflow ? .max : raised, 0)
    defer {
      let spent = max(0, min(work &- workBefore, allowance))
      let (remaining, overflow) = limit.addingReportingOverflow(spent)
      (allowedWork, encodingAllowance) = (overflow ? .max : remaining, total - spent)
      nextCheckpoint = min(nextCheckpoint, work)
    }
    return try encode(&self)
  }
}
