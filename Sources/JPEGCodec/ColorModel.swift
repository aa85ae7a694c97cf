// What the components of a frame mean. JFIF (ITU-T T.871) and Adobe (Technical Note 5116) say it; where they do not, the
// identifiers of the components do, in the order of precedence that libjpeg has.

internal import ImageCore

extension ImageInfo.ColorModel {
  /// The meaning of a frame's components.
  ///
  /// - Parameter adobeTransform: the transform code of an Adobe segment, if there is one.
  init(frame: FrameHeader, hasJFIF: Bool, adobeTransform: UInt8?) {
    let identifiers = frame.components.map(\.identifier)
    switch identifiers.count {
    case 1:
      self = .gray
    case 3:
      if hasJFIF {
        self = .yCbCr
      } else if let adobeTransform {
        self = adobeTransform == 0 ? .rgb : .yCbCr
      } else {
        // The letters R, G, B.
        self = identifiers == [0x52, 0x47, 0x42] ? .rgb : .yCbCr
      }
    default:
      // Adobe writes inverted samples, and so does everybody else who writes four components.
      self = (adobeTransform ?? 0) == 0 ? .cmyk : .ycck
    }
  }

  /// The pixel format that needs no conversion.
  ///
  /// Four inks are kept as `cmyk8`; asked for RGB they are converted without a profile, as `(255 − ink)(255 − black)`.
  var naturalFormat: PixelFormat {
    switch self {
    case .gray: .gray8
    case .cmyk, .ycck: .cmyk8
    default: .rgb8
    }
  }
}
