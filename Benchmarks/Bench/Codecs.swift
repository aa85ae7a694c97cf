// The codecs that are timed, by the short names of their formats.

import GIFCodec
import ImageCore
import JPEGCodec
import PNGCodec
import WebPCodec

/// The codecs of this package.
enum Codecs {
  /// The short names of all formats that are timed.
  static let formats = ["gif", "jpg", "png", "svg", "webp"]

  /// The decoder of a format.
  static func decoder(_ format: String) -> (any ImageFormatDecoder)? {
    switch format {
    case "gif": GIFDecoder()
    case "jpg": JPEGDecoder()
    case "png": PNGDecoder()
    case "webp": WebPDecoder()
    default: nil
    }
  }

  /// The encoder of a format at an effort of 0…9 as zlib counts it. Colours are written as they are given, as peers
  /// write them.
  static func encoder(_ format: String, effort: Int) -> (any ImageFormatEncoder)? {
    format == "png" ? PNGEncoder(options: .init(compressionLevel: effort, reducesColors: false)) : nil
  }
}
