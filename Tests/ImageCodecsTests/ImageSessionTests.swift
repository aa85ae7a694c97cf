// Images of any format that arrive in parts: the selection of the decoder, refusals, and that the result is that of the
// whole file.

import ImageCodecs
import TestSupport
import Testing

@Suite struct ImageSessionTests {
  private static let drawing = Array(#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="7"/>"#.utf8)

  private func finish(_ session: ImageSession, _ bytes: [UInt8], stride: Int) throws -> DecodedImage {
    for start in Swift.stride(from: 0, to: bytes.count, by: stride) {
      try session.append(bytes.span.extracting(start..<min(start + stride, bytes.count)))
    }
    return try session.finish()
  }

  @Test(arguments: [1, 5, 1 << 20]) func partsEqualTheWhole(stride: Int) throws {
    for (name, bytes) in try SmallFiles.ofRasterFormats() + [("SVG", Self.drawing)] {
      let whole = try ImageFile(bytes).decode()
      let session = ImageSession()
      let image = try finish(session, bytes, stride: stride)
      #expect(image.bitmap == whole.bitmap && image.details == whole.details, "\(name)")
      #expect(session.type == whole.info.type && session.progress.isComplete, "\(name)")
      #expect(session.makePreview() == whole.bitmap, "\(name)")
      #expect(try session.finish().bitmap == whole.bitmap, "\(name)")
    }
  }

  @Test func otherTypesAreRefusedAtOnce() throws {
    let file = try Bitmap(width: 100, height: 100, format: .gray8).encoded(as: .png)
    let accepting = ImageSession(accepting: [.png, .jpeg])
    #expect(try finish(accepting, file, stride: 7).info.width == 100)
    let refusing = ImageSession(accepting: [.jpeg])
    let error = #expect(throws: CodecError.self) {
      for byte in file.prefix(8) { try refusing.append([byte].span) }
    }
    #expect(error?.kind == .unsupported && error?.format == .png && refusing.type == .png)
    let again = #expect(throws: CodecError.self) { try refusing.append(file.span) }
    let atEnd = #expect(throws: CodecError.self) { try refusing.finish() }
    #expect(again == error && atEnd == error)
    #expect(refusing.makePreview() == nil && refusing.info == nil)
  }

  @Test func unknownBytesEndTheSession() {
    let session = ImageSession()
    let error = #expect(throws: CodecError.self) {
      for _ in 0..<1000 { try session.append([0x55].span) }
    }
    #expect(error?.kind == .unrecognizedFormat)
    let atEnd = #expect(throws: CodecError.self) { try session.finish() }
    #expect(atEnd == error)
    let empty = #expect(throws: CodecError.self) { try ImageSession().finish() }
    #expect(empty?.kind == .unrecognizedFormat)
  }

  /// Of a file that ends within its signature, the whole and the parts say how many bytes are needed.
  @Test func signaturesThatAreCutOffAreNotKnown() throws {
    for (name, bytes) in try SmallFiles.ofRasterFormats() {
      let session = ImageSession()
      let parts = #expect(throws: CodecError.self) { try finish(session, [bytes[0]], stride: 1) }
      let whole = #expect(throws: CodecError.self) { try Bitmap(decoding: [bytes[0]]) }
      #expect(parts == whole, "\(name)")
      #expect(whole?.kind == .unrecognizedFormat && whole?.neededByteCount != nil, "\(name)")
    }
  }

  @Test func previewsAreNewRows() throws {
    let picture = try ThumbnailPictures.photo(width: 64, height: 64)
    let file = try picture.encoded(as: .png(.init(level: .fastest)))
    let session = ImageSession()
    var count = 0
    for byte in file {
      try session.append([byte].span)
      guard let preview = session.nextPreview() else { continue }
      count += 1
      #expect(session.nextPreview() == nil && preview.pixelSize == picture.pixelSize)
    }
    #expect(count > 1 && count <= 64)
  }

  /// Bytes that tell no format are not kept beyond the limit of memory.
  @Test func undecidedBytesAreLimited() throws {
    struct Undecided: ImageFormatDecoder {
      var types: [AssetType] { ["org.example.undecided"] }
      func probe(_ prefix: Span<UInt8>) -> ProbeResult { .needs(byteCount: prefix.count + 1) }
      func info(
        _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
      ) throws(CodecError) -> ImageInfo {
        throw CodecError(.unsupported, "nothing is known")
      }
      func decode(
        _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions, budget: inout ResourceBudget
      ) throws(CodecError) -> DecodingDetails { throw CodecError(.unsupported, "nothing is known") }
    }
    let formats = ImageFormatRegistry(decoders: [Undecided()])
    let session = ImageSession(
      options: DecodingOptions(limits: DecodingLimits(maximumByteCount: 1000)), formats: formats)
    let error = #expect(throws: CodecError.self) {
      for _ in 0..<20 { try session.append([UInt8](repeating: 0, count: 100).span) }
    }
    #expect(error?.kind == .limitExceeded)
  }
}
