// Typed access to the values of a directory's fields.

internal import ImageCoding
internal import MetadataFormats

/// The fields of one directory together with the file that contains their values.
struct DirectoryValues: ~Escapable {
  let bytes: Span<UInt8>
  let header: TIFFHeader
  let directory: TIFFDirectory

  @_lifetime(copy bytes)
  init(_ directory: TIFFDirectory, in bytes: Span<UInt8>, header: TIFFHeader) {
    self.bytes = bytes
    self.header = header
    self.directory = directory
  }

  /// Returns a value as an integer; `nil` if it is absent, not an integer or outside the file.
  func integer(_ tag: Tag, at index: Int = 0) -> Int? {
    directory[tag.rawValue]?.integer(at: index, in: bytes, header: header)
  }

  /// Returns the integers of a field, at most `maximumCount` of them, as far as they are in the file.
  func integers(_ tag: Tag, maximumCount: Int) -> [Int] {
    guard let field = directory[tag.rawValue] else { return [] }
    return (0..<min(field.count, maximumCount)).compactMap { field.integer(at: $0, in: bytes, header: header) }
  }

  /// Returns the range of a field's values in the file; `nil` if the field is absent or not contained in the file.
  func range(_ tag: Tag) -> Range<Int>? {
    guard let field = directory[tag.rawValue], field.isContained(in: bytes) else { return nil }
    return field.values
  }

  /// Returns the fractions of a field; empty unless it has exactly `count` of them.
  func fractions(_ tag: Tag, count: Int) -> [Float] {
    guard let field = directory[tag.rawValue], field.count == count, field.isContained(in: bytes) else { return [] }
    if field.type != .rational {
      let values = integers(tag, maximumCount: count)
      return values.count == count ? values.map { Float($0) } : []
    }
    var result: [Float] = []
    var reader = ByteReader(bytes.extracting(field.values))
    for _ in 0..<count {
      guard let numerator = try? reader.readInteger(byteCount: 4, isBigEndian: header.isBigEndian),
        let denominator = try? reader.readInteger(byteCount: 4, isBigEndian: header.isBigEndian), denominator > 0
      else { return [] }
      result.append(Float(numerator) / Float(denominator))
    }
    return result
  }
}

/// The tags that describe the pixels of an image (TIFF 6.0 and its technical notes).
enum Tag: UInt16 {
  case newSubfileType = 254
  case imageWidth = 256
  case imageLength = 257
  case bitsPerSample = 258
  case compression = 259
  case photometricInterpretation = 262
  case fillOrder = 266
  case stripOffsets = 273
  case orientation = 274
  case samplesPerPixel = 277
  case rowsPerStrip = 278
  case stripByteCounts = 279
  case xResolution = 282
  case yResolution = 283
  case planarConfiguration = 284
  case group3Options = 292
  case group4Options = 293
  case resolutionUnit = 296
  case predictor = 317
  case whitePoint = 318
  case colorMap = 320
  case tileWidth = 322
  case tileLength = 323
  case tileOffsets = 324
  case tileByteCounts = 325
  case subDirectories = 330
  case inkSet = 332
  case extraSamples = 338
  case sampleFormat = 339
  case jpegTables = 347
  case thumbnailOffset = 513
  case thumbnailByteCount = 514
  case yCbCrCoefficients = 529
  case yCbCrSubsampling = 530
  case referenceBlackWhite = 532
  case xmp = 700
  case iptc = 33723
  case imageResources = 34377
  case exifDirectory = 34665
  case iccProfile = 34675
  case gpsDirectory = 34853
  case dngVersion = 50706
}
