import HEVCCodec
import ImageCoding
import PixelPlanes
import TestSupport
import Testing

private let limits = DecodingLimits(maximumPixelCount: 1 << 20, maximumByteCount: 16 << 20)
private let names = ["format/72x56-420-8", "rows/128x96-420", "slices/96x128-420-8-photo-slices=3", "skip/64x48-444"]

private func kind(_ stream: [UInt8], _ limits: DecodingLimits) -> CodecError.Kind? {
  do throws(CodecError) {
    _ = try decode(stream, limits: limits)
    return nil
  } catch {
    return error.kind
  }
}

@Suite struct DamageTests {
  @Test(arguments: names)
  func prefixesKeepWhatIsIntact(_ name: String) throws {
    let reference = ReferencePicture.named(name)
    let whole = try decode(reference.stream).picture
    for count in stride(from: 0, to: reference.stream.count, by: max(1, reference.stream.count / 400)) {
      let prefix = Array(reference.stream.prefix(count))
      #expect(throws: CodecError.self) { try decode(prefix, limits: limits) }
      _ = try? describe(prefix)
      guard let partial = try? decode(prefix, tolerance: .lenient, limits: limits) else { continue }
      #expect(!partial.isComplete && !partial.diagnostics.isEmpty)
      // The first samples of the first tree block, which no later block changes.
      if !whole.luma.isWide {
        for x in 0..<4 { #expect(partial.picture.luma[x, 0] == whole.luma[x, 0]) }
      }
    }
  }

  @Test(arguments: names + ["lossless/40x32-420", "deltas/128x64-422", "lists/64x48-444", "format/72x56-422-12"])
  func flippedBitsComeBack(_ name: String) throws {
    let stream = ReferencePicture.named(name).stream
    for bit in stride(from: 0, to: stream.count * 8, by: max(1, stream.count * 8 / 300)) {
      var bytes = stream
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      for tolerance in [DecodingOptions.Tolerance.lenient, .strict] {
        guard let decoded = try? decode(bytes, tolerance: tolerance, limits: limits) else { continue }
        #expect(tolerance == .lenient || decoded.diagnostics.isEmpty && decoded.isComplete)
      }
      _ = try? describe(bytes)
    }
  }

  @Test func noiseComesBack() {
    var noise = TestRandom(3)
    let stream = ReferencePicture.named("format/72x56-420-8").stream
    for _ in 0..<300 {
      var bytes = stream
      let start = Int.random(in: 60..<bytes.count, using: &noise)
      for index in start..<min(bytes.count, start + 30) { bytes[index] = UInt8.random(in: 0...255, using: &noise) }
      _ = try? decode(bytes, tolerance: .lenient, limits: limits)
    }
  }

  @Test(arguments: ["format/72x56-422-10", "lossless/64x48-422", "rows/128x96-420", "format/72x56-400-8"])
  func memoryIsALimitOfTheWholeDecode(_ name: String) throws {
    let reference = ReferencePicture.named(name)
    let decoded = try decode(reference.stream)
    let peak = decoded.peakByteCount
    #expect(decoded.heldByteCount == decoded.picture.rawPlanesByteCount)
    #expect(kind(reference.stream, DecodingLimits(maximumByteCount: peak)) == nil)
    #expect(kind(reference.stream, DecodingLimits(maximumByteCount: peak - 1)) == .limitExceeded)
  }

  @Test func pixelsAreALimit() throws {
    let reference = ReferencePicture.named("quantizer/64x48")
    #expect(kind(reference.stream, DecodingLimits(maximumPixelCount: 64 * 48)) == nil)
    #expect(kind(reference.stream, DecodingLimits(maximumPixelCount: 64 * 48 - 1)) == .limitExceeded)
  }

  @Test func workIsALimit() throws {
    let reference = ReferencePicture.named("rows/128x96-420")
    let work = try decode(reference.stream).work
    #expect(work >= 128 * 96 * 10)
    #expect(kind(reference.stream, DecodingLimits(maximumWork: work, maximumWorkPerPixel: 0)) == nil)
    let limits = DecodingLimits(maximumWork: work - 1, maximumWorkPerPixel: 0)
    #expect(kind(reference.stream, limits) == .limitExceeded)
    let error = #expect(throws: CodecError.self) { try decode(reference.stream, limits: limits) }
    #expect(error?.limit == .work && error?.byteOffset != nil)
  }

  @Test func cancellationIsNotTolerated() throws {
    let reference = ReferencePicture.named("rows/128x96-420")
    let error = #expect(throws: CodecError.self) {
      try decode(reference.stream, tolerance: .lenient, shouldCancel: { true })
    }
    #expect(error?.kind == .cancelled && error?.format == "public.heic")
  }
}
