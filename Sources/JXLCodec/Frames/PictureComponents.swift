// The order of the samples of a pixel.

internal import ImageCoding

/// The components of the pixels of an image: its colours, the fourth ink, opacity.
struct PictureComponents {
  /// The source of a component.
  enum Channel {
    case color(Int)
    case extra(Int)
  }

  let channels: [Channel]
  let colorModel: PixelFormat.ColorModel
  let alpha: PixelFormat.Alpha

  init(_ image: ImageHeader) {
    let colorCount = image.outputEncoding.channelCount
    channels =
      (0..<colorCount).map { .color($0) } + [image.blackIndex, image.alphaIndex].compactMap { $0.map { .extra($0) } }
    colorModel = colorCount == 1 ? .gray : image.blackIndex == nil ? .rgb : .cmyk
    if let index = image.alphaIndex, case .alpha(let isAssociated) = image.extraChannels[index].kind {
      alpha = isAssociated ? .premultiplied : .straight
    } else {
      alpha = .none
    }
  }
}
