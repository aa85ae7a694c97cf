import ImageCoding
import Testing

/// A decoder without a core that finds as many defects as the file has bytes.
private struct ComplainingDecoder: ImageFormatDecoder {
  let type: AssetType = "org.example.complaints"
  var types: [AssetType] { [type] }

  func probe(_ prefix: Span<UInt8>) -> ProbeResult { .yes(type) }

  func info(
    _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageInfo {
    ImageInfo(type: type, width: 1, height: 1, bitDepth: 8, colorModel: .gray)
  }

  func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    try DecodingContext.spending(&budget, options, format: type) { (context) throws(CodecError) in
      try bitmap.reset(width: 1, height: 1, format: .gray8, budget: &context.budget)
      for offset in bytes.indices { context.note(.warning, "a defect", byteOffset: offset) }
      return DecodingDetails(
        info: try info(bytes, options: InfoOptions()), metadata: ImageMetadata(), diagnostics: context.allDiagnostics)
    }
  }
}

/// A decoder without a core whose headers are 100 bytes. Reading them and decoding cost 1,000 units of work each.
private struct CostlyDecoder: ImageFormatDecoder {
  static let workPerCall = 1000
  let type: AssetType = "org.example.costs"
  var types: [AssetType] { [type] }

  func probe(_ prefix: Span<UInt8>) -> ProbeResult { .yes(type) }

  func info(
    _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageInfo {
    try budget.chargeWork(Self.workPerCall)
    if bytes.count < 100 { throw CodecError(.truncated, "no header", format: type, byteOffset: bytes.count) }
    return ImageInfo(type: type, width: 1, height: 1, bitDepth: 8, colorModel: .gray)
  }

  func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    try budget.chargeWork(Self.workPerCall)
    try bitmap.reset(width: 1, height: 1, format: .gray8, budget: &budget)
    return DecodingDetails(info: ImageInfo(type: type, width: 1, height: 1, bitDepth: 8, colorModel: .gray))
  }
}

@Suite struct BufferedSessionTests {
  /// The headers are read with 1, 2, 4 … 128 bytes: eight times.
  @Test(arguments: [8, 9]) func attemptsToReadTheHeadersSpendTheBudgetOfTheSession(callCount: Int) throws {
    let limits = DecodingLimits(maximumWork: Int64(callCount * CostlyDecoder.workPerCall))
    let session = CostlyDecoder().makeSession(options: DecodingOptions(limits: limits))
    let file = [UInt8](repeating: 0, count: 200)
    for index in file.indices { try session.append(file.span.extracting(index..<index + 1)) }
    #expect(session.info != nil)
    if callCount == 9 {
      #expect(try session.finish().bitmap.width == 1)
    } else {
      let error = #expect(throws: CodecError.self) { try session.finish() }
      #expect(error?.kind == .limitExceeded && error?.limit == .work)
    }
  }

  @Test(arguments: [1, 100, 101, 160]) func diagnosticsAreThoseOfTheWholeFile(defectCount: Int) throws {
    let file = [UInt8](repeating: 0, count: defectCount)
    let whole = try ComplainingDecoder().decode(file.span)
    let session = ComplainingDecoder().makeSession(options: DecodingOptions())
    for index in file.indices { try session.append(file.span.extracting(index..<index + 1)) }
    let image = try session.finish()
    #expect(image.diagnostics == whole.diagnostics)
    #expect(image.diagnostics.count == min(defectCount, 101))
    if defectCount > 100 {
      #expect(image.diagnostics.last?.reason == "\(defectCount - 100) more diagnostics were dropped")
    }
  }
}
