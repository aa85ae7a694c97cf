// tEXt, zTXt and iTXt, PNG section 11.3.3, pHYs, 11.3.4.3, and tIME, 11.3.6.1.

internal import ByteCompression
internal import ImageCore

extension ByteReader {
  /// A Latin-1 keyword of 1…79 characters and the NUL behind it.
  @_lifetime(self: copy self)
  mutating func readKeyword() throws(DecodeError) -> String {
    let keyword = latin1String(try readUntilNUL())
    guard !keyword.isEmpty, keyword.unicodeScalars.count <= 79 else {
      throw error(.malformed, "a keyword is not 1…79 characters long")
    }
    return keyword
  }

  /// The bytes before the next NUL, which is skipped.
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  mutating func readUntilNUL() throws(DecodeError) -> Span<UInt8> {
    var count = 0
    while count < remaining, bytes[position + count] != 0 { count += 1 }
    guard count < remaining else { throw error(.malformed, "a text field has no end") }
    let field = try read(count)
    try skip(1)
    return field
  }
}

/// ISO 8859-1 as a string.
func latin1String(_ bytes: Span<UInt8>) -> String {
  var text = String.UnicodeScalarView()
  for index in bytes.indices { text.append(Unicode.Scalar(bytes[index])) }
  return String(text)
}

extension ImageMetadata {
  /// The keyword under which XMP packets are stored.
  static let xmpKeyword = "XML:com.adobe.xmp"

  mutating func readText(_ reader: inout ByteReader) throws(DecodeError) {
    let keyword = try reader.readKeyword()
    texts.append(Text(keyword: keyword, value: latin1String(try reader.read(reader.remaining))))
  }

  mutating func readCompressedText(_ reader: inout ByteReader, limits: DecodingLimits) throws(DecodeError) {
    let keyword = try reader.readKeyword()
    guard try reader.readUInt8() == 0 else { throw reader.error(.malformed, "zTXt is compressed by unknown means") }
    let offset = reader.byteOffset
    let bytes = try ZlibBlock.decompress(
      try reader.read(reader.remaining), maximumByteCount: limits.maximumMetadataChunkByteCount,
      format: PNGDecoder.type, byteOffset: offset)
    texts.append(Text(keyword: keyword, value: latin1String(bytes.span)))
  }

  mutating func readInternationalText(_ reader: inout ByteReader, limits: DecodingLimits) throws(DecodeError) {
    let keyword = try reader.readKeyword()
    let isCompressed = try reader.readUInt8() == 1
    let method = try reader.readUInt8()
    guard !isCompressed || method == 0 else {
      throw reader.error(.malformed, "iTXt is compressed by unknown means")
    }
    let language = latin1String(try reader.readUntilNUL())
    let translatedKeyword = String(decoding: Array(copying: try reader.readUntilNUL()), as: UTF8.self)
    let offset = reader.byteOffset
    var bytes = Array(copying: try reader.read(reader.remaining))
    if isCompressed {
      bytes = try ZlibBlock.decompress(
        bytes.span, maximumByteCount: limits.maximumMetadataChunkByteCount, format: PNGDecoder.type,
        byteOffset: offset)
    }
    if keyword == Self.xmpKeyword {
      xmp = bytes
    } else {
      let value = String(decoding: bytes, as: UTF8.self)
      texts.append(Text(keyword: keyword, value: value, language: language, translatedKeyword: translatedKeyword))
    }
  }

  mutating func readPhysicalPixelDimensions(_ reader: inout ByteReader) throws(DecodeError) {
    let x = try reader.readUInt32BigEndian()
    let y = try reader.readUInt32BigEndian()
    let unit = try reader.readUInt8()
    guard unit <= 1 else { throw reader.error(.malformed, "pHYs states an unknown unit") }
    density = PixelDensity(x: Double(x), y: Double(y), unit: unit == 1 ? .perMeter : .aspectRatio)
  }

  mutating func readTime(_ reader: inout ByteReader) throws(DecodeError) {
    let time = Timestamp(
      year: Int(try reader.readUInt16BigEndian()), month: Int(try reader.readUInt8()),
      day: Int(try reader.readUInt8()), hour: Int(try reader.readUInt8()), minute: Int(try reader.readUInt8()),
      second: Int(try reader.readUInt8()))
    guard (1...12).contains(time.month), (1...31).contains(time.day), time.hour < 24, time.minute < 60,
      time.second <= 60
    else { throw reader.error(.malformed, "tIME states no time") }
    modificationTime = time
  }
}
