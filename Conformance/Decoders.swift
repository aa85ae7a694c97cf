// The formats that are decoded, and the choice among them by the first bytes.

import BMPCodec
import GIFCodec
import ISOMediaCodec
import ImageCore
import JPEGCodec
import PNGCodec
import SVGCodec
import TIFFCodec
import WebPCodec

/// The decoders under test.
enum Decoders {
  /// Each decoder with the short name that manifests and file extensions have for its format.
  static let all: [(name: String, decoder: any ImageFormatDecoder)] = [
    ("gif", GIFDecoder()),
    ("jpeg", JPEGDecoder()),
    ("png", PNGDecoder()),
    ("webp", WebPDecoder()),
    ("heif", ISOMediaDecoder()),
    ("heic", ISOMediaDecoder()),
    ("avif", ISOMediaDecoder()),
    ("tiff", TIFFDecoder()),
    ("tif", TIFFDecoder()),
    ("ico", IconDecoder()),
    ("cur", IconDecoder()),
    ("bmp", BMPDecoder()),
    ("svg", SVGDecoder()),
  ]

  /// Whether files of a format are decoded at all.
  static func decodes(_ format: String) -> Bool {
    all.contains { $0.name == format }
  }

  /// The decoder of a format by its short name.
  static func named(_ name: String) -> (any ImageFormatDecoder)? {
    all.first { $0.name == name }?.decoder
  }

  /// The first decoder that recognises the bytes.
  static func recognizing(_ bytes: [UInt8]) -> (any ImageFormatDecoder)? {
    all.first { entry in
      if case .yes = entry.decoder.probe(bytes.span) { true } else { false }
    }?.decoder
  }
}
