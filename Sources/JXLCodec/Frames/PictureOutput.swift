// The pixels of a composed picture, in the natural format of the image.

internal import ImageCoding

/// Writes rows of pixels.
struct PictureOutput: Sendable {
  private let samples: SampleOutput
  private let rendered: RenderedOutput

  init(_ image: ImageHeader) {
    samples = SampleOutput(image)
    rendered = RenderedOutput(image, samples.natural)
  }

  var natural: PixelFormat { samples.natural }
  var unitsPerPixel: Int { 2 * natural.samplesPerPixel }

  func write(_ picture: FrameSequence.Picture, row y: Int, into pixels: inout MutableSpan<UInt8>) {
    switch picture {
    case .samples(let frame): samples.write(frame, row: y, into: &pixels)
    case .rendered(let frame): rendered.write(frame, row: y, into: &pixels)
    }
  }
}
