// The formats that the module decodes, and which of them a file has.

import BMPCodec
import GIFCodec
import ICOCodec
import ImageCoding
import JPEGCodec
import PNGCodec
import PNMCodec
import QOICodec
import TGACodec
import TIFFCodec
import WebPCodec

#if HEVC || AV1
  import ISOMediaCodec
  import PixelPlanes
#endif
#if HEVC
  import HEVCCodec
#endif
#if AV1
  import AV1Codec
#endif

enum Formats {
  private static let jpeg = AnyImageFormatDecoder(JPEGDecoder())
  private static let png = AnyImageFormatDecoder(PNGDecoder())
  private static let webP = AnyImageFormatDecoder(WebPDecoder())

  /// All decoders. That of TGA is the last one, because the format has no signature.
  static let decoders: [AnyImageFormatDecoder] =
    [
      jpeg, png, AnyImageFormatDecoder(GIFDecoder()), webP,
      AnyImageFormatDecoder(TIFFDecoder(jpegDecoder: jpeg, webPDecoder: webP)),
      AnyImageFormatDecoder(IconDecoder(pngDecoder: png)),
      AnyImageFormatDecoder(BMPDecoder(jpegDecoder: jpeg, pngDecoder: png)), AnyImageFormatDecoder(QOIDecoder()),
      AnyImageFormatDecoder(PNMDecoder()),
    ] + boxedDecoders + [AnyImageFormatDecoder(TGADecoder())]

  /// The decoder of HEIC and AVIF, if the module is built with one of them.
  private static var boxedDecoders: [AnyImageFormatDecoder] {
    #if HEVC || AV1
      var codings: [AnyCodedPictureDecoder] = []
      var missing: [String: String] = [:]
      #if HEVC
        codings.append(AnyCodedPictureDecoder(HEVCDecoder()))
      #else
        (missing["hvc1"], missing["hev1"]) = ("HEVC", "HEVC")
      #endif
      #if AV1
        codings.append(AnyCodedPictureDecoder(AV1Decoder()))
      #else
        missing["av01"] = "AV1"
      #endif
      return [
        AnyImageFormatDecoder(
          ISOMediaDecoder(
            jpegDecoder: jpeg, pngDecoder: png, pictureDecoders: codings, traitsOfMissingCodings: missing))
      ]
    #else
      return []
    #endif
  }

  /// The result of examining the start of a file.
  enum Match {
    case found(AnyImageFormatDecoder, AssetType)
    case needs(byteCount: Int)
    case none
  }

  /// Returns the first decoder that does not decline. One that needs more bytes blocks those after it.
  static func match(_ prefix: Span<UInt8>) -> Match {
    for decoder in decoders {
      switch decoder.probe(prefix) {
      case .no: continue
      case .yes(let type): return .found(decoder, type)
      case .needs(let byteCount): return .needs(byteCount: byteCount)
      }
    }
    return .none
  }

  /// Returns the decoder and the type of a complete file.
  ///
  /// - Throws: `CodecError.Kind.unrecognizedFormat`.
  static func decoder(of file: Span<UInt8>) throws(CodecError) -> (AnyImageFormatDecoder, AssetType) {
    for decoder in decoders {
      if case .yes(let type) = decoder.probe(file) { return (decoder, type) }
    }
    guard !file.isEmpty else { throw CodecError(.unrecognizedFormat, "the input is empty", byteOffset: 0) }
    if case .needs(let byteCount) = match(file) {
      throw CodecError(
        .unrecognizedFormat, "the input ends before its format is known", byteOffset: file.count,
        neededByteCount: byteCount)
    }
    throw CodecError(.unrecognizedFormat, "the format of the bytes is not known", byteOffset: 0)
  }
}
