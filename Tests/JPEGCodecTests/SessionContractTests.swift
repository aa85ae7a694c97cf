import JPEGCodec
import Testing

/// The contract of every session, on the images for which it is hardest to meet: rotated, truncated and long ones.
@Suite struct SessionContractTests {
  /// A picture of 53 × 67 pixels as stored 67 × 53, to be turned by 90 degrees.
  private static func rotatedFile() -> [UInt8] {
    let plain = ReferencePicture.named("standard-tables")
    let exif: [UInt8] =
      Array("Exif\0\0MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
    let length = exif.count + 2
    return Array(plain[..<2]) + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + exif + plain[2...]
  }

  @Test(arguments: [1.0, 0.6]) func finishingTwiceReturnsTheSameImage(share: Double) throws {
    let file = Self.rotatedFile()
    let part = Array(file.prefix(Int(Double(file.count) * share)))
    let session = JPEGDecoder().makeSession(options: DecodingOptions())
    try session.append(part.span)
    let first = try session.finish()
    let second = try session.finish()
    #expect(first.bitmap == second.bitmap && first.details == second.details)
    #expect(first.bitmap.width == 53 && first.bitmap.height == 67)
    #expect(session.makePreview() == first.bitmap)
    try session.append([0xFF, 0xD9].span)
    #expect(try session.finish().bitmap == first.bitmap)
  }

  @Test func aFailedFinishFailsAgainInTheSameWay() throws {
    let session = JPEGDecoder().makeSession(options: DecodingOptions())
    let start = Array(Self.rotatedFile().prefix(40))
    try session.append(start.span)
    let first = #expect(throws: CodecError.self) { try session.finish() }
    let second = #expect(throws: CodecError.self) { try session.finish() }
    #expect(first == second && first?.kind == .truncated)
    #expect(session.makePreview() == nil)
  }

  /// Bytes between the scans of a progressive image are retained until a scan is whole. That memory is charged.
  @Test func retainedInputIsCharged() throws {
    let file = ReferencePicture.named("preview-1x1/whole")
    let scan = try #require(file.indices.dropFirst().first { file[$0 - 1] == 0xFF && file[$0] == 0xDA })
    let padding = [UInt8](repeating: 0x55, count: 1400)
    let limits = DecodingLimits(maximumByteCount: 1 << 20)
    let session = JPEGDecoder().makeSession(options: DecodingOptions(limits: limits))
    // The scan header and its first bytes, then entropy-coded data that never ends.
    try session.append(file.span.extracting(0..<min(scan + 40, file.count)))
    let error = #expect(throws: CodecError.self) {
      for _ in 0..<2000 { try session.append(padding.span) }
    }
    #expect(error?.kind == .limitExceeded)
  }

  @Test func anyNumberOfThreadsMayBeAskedFor() throws {
    let file = try ParallelismTests.fileWithIntervals(57, halvesChroma: true)
    let serial = try JPEGDecoder().decode(file.span)
    for parallelism in [Int.max, 0, -1, Int.min] {
      let image = try JPEGDecoder().decode(file.span, options: DecodingOptions(parallelism: parallelism))
      #expect(image.bitmap == serial.bitmap)
    }
  }
}
