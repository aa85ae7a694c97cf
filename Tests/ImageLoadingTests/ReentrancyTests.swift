// Decoders and closures of callers that use the decoder that called them: nothing is locked meanwhile.

import FoundationEssentials
import ImageLoading
import TestSupport
import Testing
import Threading

@Suite struct ReentrancyTests {
  /// A closure to call from within a decode, set after the decoder was made.
  private final class Callback: Sendable {
    private let action = Mutex<(@Sendable () -> Void)?>(nil)
    private let calls = Mutex(0)

    func set(_ action: @escaping @Sendable () -> Void) { self.action.withLock { $0 = action } }
    var callCount: Int { calls.withLock { $0 } }

    func run() {
      calls.withLock { $0 += 1 }
      let action = action.withLock { $0 }
      // Once: the action may lead here again.
      self.action.withLock { $0 = nil }
      action?()
    }
  }

  /// The toy format, with a callback in every decode and session.
  private struct CallingDecoder: ImageFormatDecoder {
    let base = ToyDecoder()
    let callback: Callback
    var types: [AssetType] { base.types }

    func probe(_ prefix: Span<UInt8>) -> ProbeResult { base.probe(prefix) }

    func info(
      _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
    ) throws(CodecError) -> ImageInfo {
      callback.run()
      return try base.info(bytes, options: options)
    }

    func decode(
      _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions, budget: inout ResourceBudget
    ) throws(CodecError) -> DecodingDetails {
      callback.run()
      return try base.decode(bytes, into: &bitmap, options: options, budget: &budget)
    }

    func makeSession(options: DecodingOptions) -> any IncrementalImageDecoder {
      callback.run()
      return base.makeSession(options: options)
    }
  }

  @Test func aFormatDecoderMayUseTheDecoderThatCalledIt() throws {
    let callback = Callback()
    let formats = ImageFormatRegistry()
    formats.register(CallingDecoder(callback: callback))
    let decoder = ImageDecoders.Default(formats: formats)
    let data = Data(ToyDecoder.file(width: 4, height: 4))
    let inner = Mutex<Int?>(nil)
    callback.set {
      #expect(decoder.decodePartiallyDownloadedData(data.prefix(9)) == nil)
      let width = (try? decoder.decode(data))?.image.width
      inner.withLock { $0 = width }
    }
    #expect(try decoder.decode(data).image.width == 4)
    #expect(inner.withLock { $0 } == 4 && callback.callCount > 1)
  }

  @Test func aPreviewOfAnEarlierImageIsNotContinued() throws {
    let callback = Callback()
    let formats = ImageFormatRegistry()
    formats.register(CallingDecoder(callback: callback))
    let decoder = ImageDecoders.Default(formats: formats)
    let first = Data(ToyDecoder.file(width: 4, height: 4))
    let second = Data(ToyDecoder.file(width: 2, height: 2))
    // While a preview is made, another image is decoded: the preview's session must not come back.
    callback.set { _ = try? decoder.decode(second) }
    _ = decoder.decodePartiallyDownloadedData(first.prefix(11))
    #expect(try decoder.decode(second).image.packedPixels == ToyDecoder.pixels(width: 2, height: 2))
  }

  @Test func thePreviewClosureOfAVideoMayUseItsDecoder() throws {
    let data = Data(SampleFiles.fileType("isom"))
    let picture = try Bitmap(width: 1, height: 1, format: .gray8, pixels: [7])
    let callback = Callback()
    let context = ImageDecodingContext(request: ImageRequest(url: nil), data: data, isCompleted: false)
    let decoder = try #require(
      ImageDecoders.Video(context: context) { _ in
        callback.run()
        return picture
      })
    callback.set { #expect(decoder.decodePartiallyDownloadedData(data) == nil) }
    #expect(decoder.decodePartiallyDownloadedData(data)?.image == picture)
    #expect(callback.callCount == 1)
    #expect(decoder.decodePartiallyDownloadedData(data) == nil)
  }
}
