import ImageCoding
import Testing

/// A decoder without a core that finds as many defects as the file has bytes.
private struct ComplainingDecoder: ImageFormatDecoder {
  let type: AssetType = "org.example.complaints"
  var types: [AssetType] { [type] }

  func probe(_ prefix: Span<UInt8>) -> ProbeResult { .yes(type) }

  func info(_ bytes: Span<UInt8>, options: InfoOptions) throws(CodecError) -> ImageInfo {
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

@Suite struct BufferedSessionTests {
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
