// What every decode of a whole file has in common: how it spends the budget of its caller, the format of errors, and what
// remains after an error.

extension DecodingContext {
  /// Runs stages of a decode that spend the caller's budget. Errors about limits name the format. After an error the
  /// budget holds what it held before.
  package static func spending<Result>(
    _ budget: inout ResourceBudget, _ options: DecodingOptions, format: AssetType,
    _ stages: (inout DecodingContext) throws(CodecError) -> Result
  ) throws(CodecError) -> Result {
    let outerFormat = budget.format
    let heldByteCount = budget.heldByteCount
    var context = DecodingContext(options, format: format, budget: budget)
    context.budget.format = format
    defer {
      budget = context.budget
      budget.format = outerFormat
    }
    do throws(CodecError) {
      return try stages(&context)
    } catch {
      context.budget.settle(heldByteCount: heldByteCount)
      throw error
    }
  }

  /// Decodes a file into memory.
  ///
  /// On return the budget holds the bitmap and the metadata in addition to what it held before.
  /// - Parameters:
  ///   - bitmap: receives the image; its allocation is reused if it fits. After an error its pixels are zero.
  ///   - stages: decode the image. The details need no diagnostics.
  package static func decode(
    into bitmap: inout Bitmap, _ options: DecodingOptions, format: AssetType, budget: inout ResourceBudget,
    _ stages: (inout Bitmap, inout DecodingContext) throws(CodecError) -> DecodingDetails
  ) throws(CodecError) -> DecodingDetails {
    let heldByteCount = budget.heldByteCount
    do throws(CodecError) {
      return try spending(&budget, options, format: format) { (context) throws(CodecError) -> DecodingDetails in
        try options.checkColorsAreKept(format: format)
        var details = try stages(&bitmap, &context)
        details.diagnostics = context.allDiagnostics
        context.budget.settle(heldByteCount: heldByteCount + bitmap.byteCount + details.metadata.byteCount)
        return details
      }
    } catch {
      bitmap.zeroPixels(rows: 0..<bitmap.height)
      throw error
    }
  }
}
