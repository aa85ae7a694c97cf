// PLTE and tRNS, PNG sections 11.2.2 and 11.3.1.1.

internal import ImageCoding

/// The colours that palette indices refer to.
struct Palette: Hashable, Sendable {
  /// The red, green and blue samples of all entries, interleaved.
  private(set) var samples: [UInt8]
  var count: Int { samples.count / 3 }

  /// Parses PLTE.
  ///
  /// - Throws: `CodecError.Kind.malformed` unless the chunk has 1…256 whole entries.
  init(parsing reader: inout ByteReader) throws(CodecError) {
    guard reader.remaining > 0, reader.remaining % 3 == 0, reader.remaining <= 768 else {
      throw reader.error(.malformed, "PLTE is \(reader.remaining) bytes long")
    }
    samples = Array(copying: try reader.read(reader.remaining))
  }

  /// Recovers the whole entries of a damaged chunk, at most 256; `nil` if there are none.
  init?(salvaging bytes: [UInt8]) {
    samples = Array(bytes.prefix(min(768, bytes.count / 3 * 3)))
    if samples.isEmpty { return nil }
  }
}

/// Transparency stored apart from an alpha sample.
enum Transparency: Hashable, Sendable {
  /// The alpha of the first palette entries; the others are opaque.
  case paletteAlpha([UInt8])
  /// The gray value that is transparent, at the image's bit depth.
  case gray(UInt16)
  /// The colour that is transparent, at the image's bit depth.
  case rgb(UInt16, UInt16, UInt16)

  /// Parses tRNS.
  ///
  /// - Throws: `CodecError.Kind.malformed` if the length does not match the colour type, or if the image has an alpha
  ///   channel.
  init(parsing reader: inout ByteReader, header: ImageHeader, palette: Palette?) throws(CodecError) {
    switch header.colorType {
    case .palette:
      guard let palette else { throw reader.error(.malformed, "tRNS precedes PLTE") }
      guard reader.remaining > 0, reader.remaining <= palette.count else {
        throw reader.error(.malformed, "tRNS has more entries than PLTE")
      }
      self = .paletteAlpha(Array(copying: try reader.read(reader.remaining)))
    case .gray:
      guard reader.remaining == 2 else { throw reader.error(.malformed, "tRNS is not 2 bytes long") }
      self = .gray(try reader.readUInt16BigEndian())
    case .rgb:
      guard reader.remaining == 6 else { throw reader.error(.malformed, "tRNS is not 6 bytes long") }
      self = .rgb(
        try reader.readUInt16BigEndian(), try reader.readUInt16BigEndian(), try reader.readUInt16BigEndian())
    case .grayAlpha, .rgba:
      throw reader.error(.malformed, "tRNS is present in an image with an alpha channel")
    }
  }
}
