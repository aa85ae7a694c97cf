// The fuzz targets, by name.

import AV1Codec
import AVCCodec
import BMPCodec
import GIFCodec
import HEVCCodec
import ICNSCodec
import ICOCodec
import ISOMediaCodec
import ImageCoding
import JPEG2000Codec
import JPEGCodec
import JXLCodec
import PNGCodec
import PNMCodec
import QOICodec
import RawCodec
import TGACodec
import TIFFCodec
import WebPCodec
import XBMCodec

/// A reader or writer that must not trap for any input.
enum FuzzTarget: String, CaseIterable {
  case png, jpeg, gif, svg, fonts
  case inflate, deflate, brotli, woff, woff2
  case webp, vp8, vp8l, vp8alpha
  case heif, avif, avci, mp4, tiff, bmp, ico, icns
  case xbm, pnm, tga, qoi
  case hevc, av1, avc
  case jxl
  case jxlProfile = "jxl-icc"
  case jp2, j2k
  case dng, cr2, cr3, crw, mrw, raf, x3f
  case losslessJPEG = "lossless-jpeg"
  case packets = "jp2-packets"
  case block = "jp2-block"
  case highThroughputBlock = "jp2-ht-block"
  case exif, icc, iptc, xmp
  case iccTransform = "icc-transform"
  case rewriters, encoders
  case resize, thumbnails

  /// Tests one input. Traps if an error is found.
  func run(_ bytes: [UInt8]) {
    switch self {
    case .png: DecoderFuzzing(PNGDecoder()).run(PNGRepair.repaired(bytes))
    case .jpeg: fuzzJPEG(bytes)
    case .gif: DecoderFuzzing(GIFDecoder()).run(bytes)
    case .webp: DecoderFuzzing(WebPDecoder()).run(bytes)
    case .vp8: DecoderFuzzing(WebPDecoder()).run(WebPBitstream.lossy.file(bytes))
    case .vp8l: DecoderFuzzing(WebPDecoder()).run(WebPBitstream.lossless.file(bytes))
    case .vp8alpha: DecoderFuzzing(WebPDecoder()).run(WebPBitstream.alpha.file(bytes))
    case .heif: fuzzContainer(ISOMediaDecoder(jpegDecoder: JPEGDecoder()), bytes)
    case .avif: fuzzContainer(ISOMediaDecoder(jpegDecoder: JPEGDecoder(), pictureDecoders: [AV1Decoder()]), bytes)
    case .avci, .mp4:
      fuzzContainer(ISOMediaDecoder(jpegDecoder: JPEGDecoder(), pictureDecoders: [AVCDecoder()]), bytes)
    case .tiff:
      DecoderFuzzing(
        TIFFDecoder(
          jpegDecoder: JPEGDecoder(), webPDecoder: WebPDecoder(), jpeg2000Decoder: JPEG2000Decoder(),
          jpegXLDecoder: JXLDecoder())
      ).run(bytes)
    case .bmp: DecoderFuzzing(BMPDecoder(jpegDecoder: JPEGDecoder(), pngDecoder: PNGDecoder())).run(bytes)
    case .ico: DecoderFuzzing(IconDecoder(pngDecoder: PNGDecoder())).run(bytes)
    case .icns:
      DecoderFuzzing(ICNSDecoder(pngDecoder: PNGDecoder(), jpeg2000Decoder: JPEG2000Decoder())).run(bytes)
    case .xbm: DecoderFuzzing(XBMDecoder()).run(bytes)
    case .pnm: DecoderFuzzing(PNMDecoder()).run(bytes)
    case .tga: DecoderFuzzing(TGADecoder()).run(bytes)
    case .qoi: DecoderFuzzing(QOIDecoder()).run(bytes)
    case .hevc: fuzzNALUnits(HEVCDecoder(), bytes)
    case .avc: fuzzNALUnits(AVCDecoder(), bytes)
    case .av1: fuzzAV1(bytes)
    case .jxl:
      DecoderFuzzing(JXLDecoder()).run(bytes)
      fuzzExtraChannels(bytes)
      fuzzJPEGReconstruction(bytes)
    case .jxlProfile: fuzzProfileCommands(bytes)
    case .jp2, .j2k: DecoderFuzzing(JPEG2000Decoder()).run(bytes)
    case .dng, .cr2, .cr3, .crw, .mrw, .raf, .x3f: fuzzRaw(bytes)
    case .losslessJPEG: fuzzRaw(losslessJPEGFile(bytes))
    case .packets: fuzzJPEG2000(JPEG2000Bitstream.packets.codestream(bytes))
    case .block: fuzzJPEG2000(JPEG2000Bitstream.block.codestream(bytes))
    case .highThroughputBlock: fuzzJPEG2000(JPEG2000Bitstream.highThroughputBlock.codestream(bytes))
    case .svg: fuzzDrawing(bytes)
    case .fonts: fuzzFont(bytes)
    case .brotli: fuzzBrotli(bytes)
    case .woff: fuzzFont(CompressedFont.woff(bytes))
    case .woff2: fuzzFont(CompressedFont.woff2(bytes))
    case .exif: fuzzEXIF(bytes)
    case .icc: fuzzProfile(bytes)
    case .iccTransform: fuzzColorTransform(bytes)
    case .iptc: fuzzIPTC(bytes)
    case .xmp: fuzzXMP(bytes)
    case .rewriters: fuzzRewriters(bytes)
    case .resize: fuzzResizing(bytes)
    case .inflate: fuzzDecompression(bytes)
    case .deflate: fuzzCompression(bytes)
    case .thumbnails: fuzzThumbnails(bytes)
    case .encoders:
      var fuzzing = EncoderFuzzing(bytes)
      fuzzing.run()
    }
  }
}
