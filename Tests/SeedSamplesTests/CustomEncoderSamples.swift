// Encoders and processors as users of Nuke write them.

import FoundationEssentials
import ImageLoading
import Testing

private struct RawEncoder: ImageEncoding {
  func encode(_ image: PlatformImage) -> Data? {
    image.isEmpty ? nil : Data(image.packedPixels)
  }
}

private struct Negative: ImageProcessing, Hashable {
  var identifier: String { "org.example.negative" }

  func process(_ image: PlatformImage) -> PlatformImage? {
    try? PlatformImage(
      width: image.width, height: image.height, format: image.format, pixels: image.packedPixels.map { 255 - $0 })
  }
}

@Suite struct CustomEncoderSamples {
  @Test func encodersSayWhyOrNothing() throws {
    let encoder: any ImageEncoding = RawEncoder()
    #expect(encoder.encode(PlatformImage()) == nil)
    #expect(throws: CodecError.self) { try encoder.encoded(PlatformImage()) }
    let image = try PlatformImage(width: 1, height: 1, format: .gray8, pixels: [7])
    #expect(try encoder.encoded(image) == Data([7]))
    #expect(ImageEncoders.ImageIO(type: .png).encode(image) != nil)
  }

  @Test func processorsChangeTheImageAndKeepTheRest() throws {
    let image = try PlatformImage(width: 1, height: 1, format: .gray8, pixels: [7])
    let request = ImageRequest(url: nil, processors: [Negative()])
    let container = ImageContainer(image: image, type: .png)
    let context = ImageProcessingContext(
      request: request, response: ImageResponse(container: container, request: request), isCompleted: true)
    let processed = try request.processors[0].process(container, context: context)
    #expect(processed.image.packedPixels == [248])
    #expect(processed.type == .png)
  }
}
