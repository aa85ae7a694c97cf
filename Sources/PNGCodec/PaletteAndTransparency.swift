// PLTE and tRNS, PNG sections 11.2.2 and 11.3.1.1.

internal import ImageCore

/// The colours that palette indices stand for.
struct Palette: Hashable, Sendable {
  /// Red, green, blue of each entry, one after the other.
  private(set) var samples: [UInt8]
  var count: Int { samples.count / 3 }

  /// Reads PLTE.
  ///
  /// - Throws: ``DecodeError/Kind/malformed`` unless there are 1…256 whole entries.
  init(parsing reader: inout ByteReader) throws(DecodeError) {
    guard reader.remaining > 0, reader.remaining % 3 == 0, reader.remaining <= 768 else {
      throw reader.error(.malformed, "PLTE has \(reader.remaining) bytes")
    }
    samples = Array(copying: try reader.read(reader.remaining))
  }

  /// The whole entries of a damaged chunk, at most 256; `nil` when there is none.
  init?(salvaging bytes: [UInt8]) {
    samples = Array(bytes.prefix(min(768, bytes.count / 3 * 3)))
    if samples.isEmpty { return nil }
  }
}

/// Which pixels are transparent beside those with an alpha sample.
enum Transparency: Hashable, Sendable {
  /// The alpha of the first palette entries; the others are opaque.
  case paletteAlpha([UInt8])
  /// The one gray value that is transparent, at the image's depth.
  case gray(UInt16)
  /// The one colour that is transparent, at the image's depth.
  case rgb(UInt16, UInt16, UInt16)

  /// Reads tRNS.
  ///
  /// - Throws: ``DecodeError/Kind/malformed`` when its length does not fit the colour type, or there is alpha already.
  init(parsing reader: inout ByteReader, header: ImageHeader, palette: Palette?) throws(DecodeError) {
    switch header.colorType {
    case .palette:
      guard let palette else { throw reader.error(.malformed, "tRNS stands before PLTE") }
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
      throw reader.error(.malformed, "tRNS stands beside an alpha channel")
    }
  }
}
