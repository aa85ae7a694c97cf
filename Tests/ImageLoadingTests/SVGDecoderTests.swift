// Drawings through the decoders: found by content, name or MIME type, drawn at the size that a request asks for.

import Foundation
import ImageLoading
import TestSupport
import Testing

struct SVGDecoderTests {
  /// 60 × 30: a red left half, a transparent right half.
  private static let data = Data(
    "<?xml version=\"1.0\"?><!-- two halves --><svg xmlns='http://www.w3.org/2000/svg' width='60' height='30'>"
      .appending("<path fill='red' d='M0 0h30v30H0z'/></svg>").utf8)

  private static func context(
    _ data: Data = data, thumbnail: ImageRequest.ThumbnailOptions? = nil, target: ImageSize? = nil,
    response: ImageURLResponse? = nil, isCompleted: Bool = true
  ) -> ImageDecodingContext {
    var request = ImageRequest(url: nil)
    request.thumbnail = thumbnail
    if let target { request.userInfo[.svgTargetSizeKey] = target }
    return ImageDecodingContext(request: request, data: data, isCompleted: isCompleted, urlResponse: response)
  }

  private static func isTwoHalves(_ image: Bitmap) -> Bool {
    let (left, right) = (image[image.width / 2 - 1, image.height / 2], image[image.width / 2, image.height - 1])
    return left == RGBA8(red: 255, green: 0, blue: 0) && right.alpha == 0
  }

  @Test func drawsAtItsOwnSize() throws {
    let decoder = try #require(ImageDecoders.VectorImage(context: Self.context()))
    let container = try decoder.decode(Self.data)
    #expect(container.type == .svg && container.image.pixelSize == PixelSize(width: 60, height: 30))
    #expect(Self.isTwoHalves(container.image))
  }

  /// Fitting, filling, by the longer side; from the request's dictionary before its thumbnail; larger than its own
  /// size.
  @Test(arguments: [true, false]) func drawsAtTheSizeOfTheRequest(usesDefault: Bool) throws {
    let square = ImageSize(width: 120, height: 120)
    let sizes: [(ImageRequest.ThumbnailOptions, PixelSize)] = [
      (.init(size: square, contentMode: .aspectFit), PixelSize(width: 120, height: 60)),
      (.init(size: square, contentMode: .aspectFill), PixelSize(width: 240, height: 120)),
      (.init(maxPixelSize: 20), PixelSize(width: 20, height: 10)),
      (.init(maxPixelSize: 7), PixelSize(width: 7, height: 4)),
    ]
    for (thumbnail, expected) in sizes {
      let context = Self.context(thumbnail: thumbnail)
      let decoder: any ImageDecoding =
        usesDefault
        ? try #require(ImageDecoders.Default(context: context))
        : try #require(ImageDecoders.VectorImage(context: context))
      let image = try decoder.decode(Self.data).image
      #expect(image.pixelSize == expected)
      // Drawn again, not resized: the border stays sharp.
      if expected.width % 2 == 0 { #expect(Self.isTwoHalves(image)) }
    }
    let both = Self.context(thumbnail: .init(maxPixelSize: 20), target: square)
    #expect(
      try ImageDecoders.VectorImage(context: both)?.decode(Self.data).image.pixelSize
        == PixelSize(width: 120, height: 60))
  }

  /// The letter A of the font is a square.
  @Test func fontsComeFromTheRequest() throws {
    let text = Data(
      "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'><text y='30' font-size='40' font-family='Boxes'>AA</text></svg>"
        .utf8)
    let fonts = FontProvider(data: [RectangleFont.squares("A").bytes])
    func covered(_ decoder: ImageDecoders.VectorImage?) throws -> (Bool, hasDiagnostics: Bool) {
      let container = try #require(decoder).decode(text)
      let pixels = container.image.packedPixels
      return (pixels.contains { $0 != 0 }, container.userInfo[.diagnosticsKey] != nil)
    }
    var request = ImageRequest(url: nil)
    request.userInfo[.svgFontsKey] = fonts
    #expect(
      try covered(ImageDecoders.VectorImage(context: ImageDecodingContext(request: request, data: text))) == (
        true, false
      ))
    #expect(try covered(ImageDecoders.VectorImage(fonts: fonts)) == (true, false))
    // Text that is left out is said to be.
    #expect(try covered(ImageDecoders.VectorImage()) == (false, true))
  }

  @Test func isFoundByContentTypeOrName() throws {
    func response(_ type: String?, _ url: String) -> ImageURLResponse {
      ImageURLResponse(url: URL(string: url), mimeType: type)
    }
    let opaque = Data("no drawing".utf8)
    #expect(ImageDecoders.VectorImage(context: Self.context(opaque)) == nil)
    #expect(ImageDecoders.VectorImage(context: Self.context(isCompleted: false)) == nil)
    let typed = Self.context(opaque, response: response("image/svg+xml; charset=utf-8", "https://example.com/a"))
    let named = Self.context(opaque, response: response(nil, "https://example.com/a.svg"))
    let other = Self.context(opaque, response: response("image/webp", "https://example.com/a.svg"))
    #expect(ImageDecoders.VectorImage(context: typed) != nil)
    #expect(ImageDecoders.VectorImage(context: named) != nil)
    #expect(ImageDecoders.VectorImage(context: other) == nil)
    #expect(throws: ImageDecodingError.self) {
      _ = try ImageDecoders.VectorImage(context: typed)?.decode(opaque)
    }
  }

  /// A JPEG need not be decoded whole for a thumbnail: its codec is told the size.
  @Test func codecsAreToldTheSizeOfTheThumbnail() throws {
    let token = ImageFormatRegistry.shared.register(SizeRecorder())
    defer { ImageFormatRegistry.shared.unregister(token) }
    let data = Data("SIZE".utf8)
    let context = Self.context(data, thumbnail: .init(maxPixelSize: 100))
    let image = try #require(ImageDecoders.Default(context: context)).decode(data).image
    #expect(image.pixelSize == PixelSize(width: 100, height: 50))
    #expect(image[0, 0] == RGBA8(red: 100, green: 50, blue: 0))
  }
}

/// A format of 400 × 200 pixels whose colour is the size that it is to be decoded to.
private struct SizeRecorder: ImageFormatDecoder {
  var types: [AssetType] { ["org.example.size"] }

  func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    prefix.count == 4 && prefix[0] == UInt8(ascii: "S") ? .yes(types[0]) : .no
  }

  func info(
    _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageInfo {
    ImageInfo(type: types[0], width: 400, height: 200, bitDepth: 8, colorModel: .rgb)
  }

  func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    let target = options.targetSize ?? PixelSize(width: 0, height: 0)
    let pixel = [UInt8(target.width), UInt8(target.height), 0]
    let pixels = (0..<400 * 200).flatMap { _ in pixel }
    bitmap = try Bitmap(width: 400, height: 200, format: .rgb8, pixels: pixels)
    return DecodingDetails(info: try info(bytes, options: InfoOptions()))
  }
}
