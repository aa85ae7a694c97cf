// The codecs to measure, by the short names of their formats.

import BMPCodec
import CodecPeers
import GIFCodec
import ICNSCodec
import ICOCodec
import ISOMediaCodec
import ImageCoding
import JPEG2000Codec
import JPEGCodec
import PNGCodec
import PixelPlanes
import QOICodec
import RawCodec
import TIFFCodec
import WebPCodec

#if HEVC
  import HEVCCodec
#endif
#if AV1
  import AV1Codec
#endif
#if AVC
  import AVCCodec
#endif
#if JPEGXL
  import JXLCodec
#endif

/// The codecs of this package.
enum Codecs {
  /// The short names of all measured formats.
  static let formats = [
    "avci", "avif", "bmp", "dng", "gif", "heic", "icns", "ico", "jp2", "jpg", "jxl", "png", "qoi", "svg", "tiff",
    "webp",
  ]

  /// The formats that are decoded on several threads on request.
  static let formatsUsingThreads: Set<String> = ["avif", "heic", "jp2", "jpg", "jxl", "webp"]

  /// Returns the decoder of a format.
  static func decoder(_ format: String) -> (any ImageFormatDecoder)? {
    switch format {
    case "avci", "avif", "heic": pictureDecoder(format).map { ISOMediaDecoder(pictureDecoders: [$0]) }
    case "bmp": BMPDecoder()
    case "dng": RawDecoder(jpegDecoder: JPEGDecoder(), losslessJPEGDecoder: JPEGDecoder())
    case "gif": GIFDecoder()
    case "icns": ICNSDecoder(pngDecoder: PNGDecoder(), jpeg2000Decoder: JPEG2000Decoder())
    case "ico": IconDecoder(pngDecoder: PNGDecoder())
    case "jp2": JPEG2000Decoder()
    case "jpg": JPEGDecoder()
    #if JPEGXL
      case "jxl": JXLDecoder()
    #endif
    case "png": PNGDecoder()
    case "qoi": QOIDecoder()
    case "tiff": TIFFDecoder(jpegDecoder: JPEGDecoder(), webPDecoder: WebPDecoder())
    case "webp": WebPDecoder()
    default: nil
    }
  }

  /// Returns the decoder of the pictures of a format, without the container.
  static func pictureDecoder(_ format: String) -> (any CodedPictureDecoder)? {
    switch format {
    #if AV1
      case "avif": AV1Decoder()
    #endif
    #if AVC
      case "avci": AVCDecoder()
    #endif
    #if HEVC
      case "heic": HEVCDecoder()
    #endif
    default: nil
    }
  }

  /// Returns the encoder of a format with the settings of its peer, or `nil` if the peer does not encode. PNG colours
  /// are not reduced, because peers do not reduce them.
  static func encoder(_ format: String, _ settings: PeerSettings) -> (any ImageFormatEncoder)? {
    switch format {
    case "jpg": JPEGEncoder(options: .init(quality: settings.quality, isProgressive: settings.isProgressive))
    case "png" where !settings.isProgressive:
      PNGEncoder(options: .init(compressionLevel: settings.effort, reducesColors: false))
    case "webp" where !settings.isProgressive:
      WebPEncoder(
        options: .init(
          coding: settings.isLossless ? .lossless : .lossy, quality: settings.quality, keepsInvisibleColors: true))
    default: nil
    }
  }
}
