// The budgets of encoders, and the work that the bytes of a converted file allow them.

extension ResourceBudget {
  /// Creates the budget of an encoder that is called without one: what the pixels are worth. A bitmap is in memory
  /// already, so its size is the caller's choice, but the memory and the work of an encoder are in proportion to it.
  ///
  /// - Parameter sizes: the sizes of all pictures, which may share their memory.
  package init(encoding sizes: [PixelSize], format: AssetType, shouldCancel: (@Sendable () -> Bool)? = nil) {
    let pixelCount = sizes.reduce(Int64(0)) { total, size in
      let (count, isHuge) = Int64(size.width).multipliedReportingOverflow(by: Int64(size.height))
      let (sum, overflow) = total.addingReportingOverflow(count)
      return isHuge || overflow ? .max : sum
    }
    func scaled(_ each: Int64) -> Int64 {
      let (product, overflow) = pixelCount.multipliedReportingOverflow(by: each)
      return overflow ? .max : product
    }
    var limits = DecodingLimits.default
    limits.maximumPixelCount = .max
    limits.maximumByteCount = max(limits.maximumByteCount, Int(clamping: scaled(Self.encodingBytesPerPixel)))
    limits.maximumWork = max(limits.maximumWork, scaled(Self.encodingWorkPerPixel))
    self.init(limits, format: format, shouldCancel: shouldCancel)
  }

  /// More than any encoder needs for a pixel, with its output.
  private static let encodingBytesPerPixel: Int64 = 160
  /// More than any encoder spends for a pixel. Searches for a size encode the picture up to eight times.
  private static let encodingWorkPerPixel: Int64 = 20_000

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
