// tEXt, zTXt and iTXt, PNG section 11.3.3, pHYs, 11.3.4.3, and tIME, 11.3.6.1.

internal import ByteCompression
internal import ImageCoding

extension ByteReader {
  /// Reads a Latin-1 keyword of 1…79 characters and its NUL.
  @_lifetime(self: copy self)
  mutating func readKeyword() throws(CodecError) -> String {
    let keyword = String(latin1: try readUntilNUL())
    guard !keyword.isEmpty, keyword.unicodeScalars.count <= 79 else {
      throw error(.malformed, "a keyword is not 1…79 characters long")
    }
    return keyword
  }

  /// Reads up to the next NUL, which is skipped.
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  mutating func readUntilNUL() throws(CodecError) -> Span<UInt8> {
    let field = bytes.extracting(position..<bytes.count).upToNUL()
    guard field.count < remaining else { throw error(.malformed, "a text field has no terminator") }
    try skip(field.count)
    try skip(1)
    return field
  }
}

extension ImageMetadata {
  /// The keyword for XMP packets.
  static let xmpKeyword = "XML:com.adobe.xmp"

  mutating func readText(_ reader: inout ByteReader) throws(CodecError) {
    let keyword = try reader.readKeyword()
    texts.append(Text(keyword: keyword, value: String(latin1: try reader.read(reader.remaining))))
  }

  mutating func readCompressedText(_ reader: inout ByteReader, budget: inout ResourceBudget) throws(CodecError) {
    let keyword = try reader.readKeyword()
    guard try reader.readUInt8() == 0 else { throw reader.error(.malformed, "zTXt has an unknown compression method") }
    let offset = reader.byteOffset
    let bytes = try ZlibBlock.decompressMetadata(
      try reader.read(reader.remaining), budget: &budget, byteOffset: offset)
    texts.append(Text(keyword: keyword, value: String(latin1: bytes.span)))
  }

  mutating func readInternationalText(_ reader: inout ByteReader, budget: inout ResourceBudget) throws(CodecError) {
    let keyword = try reader.readKeyword()
    let isCompressed = try reader.readUInt8() == 1
    let method = try reader.readUInt8()
    guard !isCompressed || method == 0 else {
      throw reader.error(.malformed, "iTXt has an unknown compression method")
    }
    let language = String(latin1: try reader.readUntilNUL())
    let translatedKeyword = String(decoding: Array(copying: try reader.readUntilNUL()), as: UTF8.self)
    let offset = reader.byteOffset
    var bytes = Array(copying: try reader.read(reader.remaining))
    if isCompressed {
      bytes = try ZlibBlock.decompressMetadata(bytes.span, budget: &budget, byteOffset: offset)
    }
    if keyword == Self.xmpKeyword {
      xmp = bytes
    } else {
      let value = String(decoding: bytes, as: UTF8.self)
      texts.append(Text(keyword: keyword, value: value, language: language, translatedKeyword: translatedKeyword))
    }
  }

  mutating func readPhysicalPixelDimensions(_ reader: inout ByteReader) throws(CodecError) {
    let x = try reader.readUInt32BigEndian()
    let y = try reader.readUInt32BigEndian()
    let unit = try reader.readUInt8()
    guard unit <= 1 else { throw reader.error(.malformed, "pHYs has an unknown unit") }
    density = PixelDensity(x: Double(x), y: Double(y), unit: unit == 1 ? .perMeter : .aspectRatio)
  }

  mutating func readTime(_ reader: inout ByteReader) throws(CodecError) {
    let time = Timestamp(
      year: Int(try reader.readUInt16BigEndian()), month: Int(try reader.readUInt8()),
      day: Int(try reader.readUInt8()), hour: Int(try reader.readUInt8()), minute: Int(try reader.readUInt8()),
      second: Int(try reader.readUInt8()))
    guard (1...12).contains(time.month), (1...31).contains(time.day), time.hour < 24, time.minute < 60,
      time.second <= 60
    else { throw reader.error(.malformed, "tIME is not a valid time") }
    modificationTime = time
  }
}
