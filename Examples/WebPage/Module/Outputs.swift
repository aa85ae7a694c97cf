// Files made from pictures and from other files.

import ImageCoding
import JPEGCodec
import PNGCodec
import Placeholders
import WebPCodec

/// The formats that pictures are encoded to, as numbers.
enum OutputFormat: Int32 {
  case jpeg, png, webP, losslessWebP
}

enum Outputs {
  /// Encodes straight RGBA.
  ///
  /// - Parameter quality: 1…100; lossless formats ignore it.
  static func encode(
    _ pixels: Span<UInt8>, width: Int, height: Int, format: Int32, quality: Int
  ) throws(CodecError) -> Answer {
    guard let format = OutputFormat(rawValue: format) else {
      throw CodecError(.invalidArgument, "there is no output format \(format)")
    }
    guard width > 0, height > 0, width <= Int(Int32.max) / 4 / height, pixels.count == width * height * 4 else {
      throw CodecError(.invalidArgument, "the pixels are not \(width) × \(height) of four bytes")
    }
    let bitmap = try Bitmap(width: width, height: height, format: .rgba8, limits: unsafe Pictures.options.limits) {
      (bytes: inout MutableSpan<UInt8>) in
      for index in bytes.indices { bytes[index] = pixels[index] }
    }
    return Answer(try encode(bitmap, format, quality: quality))
  }

  /// Decodes a file and encodes its picture in sRGB, without metadata.
  static func convert(_ file: Span<UInt8>, format: Int32, quality: Int) throws(CodecError) -> Answer {
    guard let format = OutputFormat(rawValue: format) else {
      throw CodecError(.invalidArgument, "there is no output format \(format)")
    }
    let (decoder, _) = try Formats.decoder(of: file)
    var picture = try decoder.decode(file, options: unsafe Pictures.options).bitmap
    _ = try Colors.convert(&picture)
    return Answer(try encode(picture, format, quality: quality))
  }

  private static func encode(_ bitmap: Bitmap, _ format: OutputFormat, quality: Int) throws(CodecError) -> [UInt8] {
    switch format {
    case .jpeg: try JPEGEncoder(options: JPEGEncoder.Options(quality: quality)).encode(bitmap)
    case .png: try PNGEncoder().encode(bitmap)
    case .webP: try WebPEncoder(options: WebPEncoder.Options(quality: quality)).encode(bitmap)
    case .losslessWebP: try WebPEncoder(options: WebPEncoder.Options(coding: .lossless)).encode(bitmap)
    }
  }

  /// Removes the metadata of a file; its coded picture is copied.
  static func strip(_ file: Span<UInt8>) throws(CodecError) -> Answer {
    let (decoder, type) = try Formats.decoder(of: file)
    guard var rewriter = decoder.metadataRewriter(of: type) else {
      throw CodecError(.unsupported, "metadata cannot be removed from files of this format", format: type)
    }
    rewriter.keepsUnknownParts = false
    var budget = ResourceBudget(unsafe Pictures.options.limits)
    return Answer(try rewriter.rewrite(file, metadata: ImageMetadata(), orientation: nil, budget: &budget))
  }

  /// The ThumbHash of a file.
  static func thumbHash(_ file: Span<UInt8>) throws(CodecError) -> Answer {
    let hash = try ThumbHash(try Pictures.thumbnail(file, side: 100))
    var text = JSONText()
    text.add("base64", hash.base64)
    return Answer(hash.bytes, text)
  }

  /// The blurred picture that a ThumbHash describes.
  static func picture(ofThumbHash bytes: Span<UInt8>) throws(CodecError) -> Answer {
    Answer(try ThumbHash(bytes: Array(copying: bytes)).makeBitmap())
  }
}
