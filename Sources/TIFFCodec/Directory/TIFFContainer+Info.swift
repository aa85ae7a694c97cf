// The facts in a directory other than the layout of the pixels: the properties common to all formats, and metadata.

internal import ImageCoding
internal import MetadataFormats

extension TIFFContainer {
  var colorModel: ImageInfo.StoredColorModel? {
    switch photometricInterpretation {
    case 0, 1: .gray
    case 2: .rgb
    case 3: .palette
    case 5: .cmyk
    case 6: .yCbCr
    default: nil
    }
  }

  /// Returns the properties that are common to all formats.
  func info(_ bytes: Span<UInt8>, budget: inout ResourceBudget) -> ImageInfo {
    info(iccProfile: block(34675, bytes, budget: &budget))
  }

  /// Returns the properties that are common to all formats, with a profile that has been read already.
  func info(iccProfile: [UInt8]?) -> ImageInfo {
    var info = ImageInfo(
      type: TIFFDecoder.type, width: size.width, height: size.height, bitDepth: bitsPerSample.first,
      colorModel: colorModel, hasAlpha: hasAlpha, orientation: orientation,
      colorSpace: iccProfile.map { .icc($0) } ?? .unspecified, coding: compressionName)
    info.imageCount = pageCount
    return info
  }

  /// Returns the bytes of a metadata field; `nil` if they are not in the input or exceed a limit.
  private func block(_ tag: UInt16, _ bytes: Span<UInt8>, budget: inout ResourceBudget) -> [UInt8]? {
    guard let values = blockRange(tag, bytes), budget.admitMetadata(values.count) else { return nil }
    return Array(copying: bytes.extracting(values))
  }

  private func blockRange(_ tag: UInt16, _ bytes: Span<UInt8>) -> Range<Int>? {
    guard let field = directory[tag], field.values.count > 4, field.isContained(in: bytes) else { return nil }
    return field.values
  }

  /// Returns the metadata of the first page.
  func metadata(_ bytes: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) -> ImageMetadata {
    var metadata = ImageMetadata()
    metadata.colorSpace.iccProfile = block(34675, bytes, budget: &budget)
    metadata.xmp = block(700, bytes, budget: &budget)
    metadata.iptc = block(33723, bytes, budget: &budget)
    if metadata.iptc == nil, let resources = blockRange(34377, bytes),
      let records = iptcRecords(inImageResources: bytes.extracting(resources)), budget.admitMetadata(records.count)
    {
      let start = resources.lowerBound + records.lowerBound
      metadata.iptc = Array(copying: bytes.extracting(start..<start + records.count))
    }
    metadata.exif = try exifBlock(ofTIFF: bytes, header: header, directory: directory, budget: &budget)
    metadata.density = density(bytes)
    return metadata
  }

  private func density(_ bytes: Span<UInt8>) -> ImageMetadata.PixelDensity? {
    func quotient(_ tag: UInt16) -> Double? {
      guard let field = directory[tag], field.type == .rational, field.isContained(in: bytes) else { return nil }
      var reader = ByteReader(bytes.extracting(field.values))
      guard let numerator = try? reader.readInteger(byteCount: 4, isBigEndian: isBigEndian),
        let denominator = try? reader.readInteger(byteCount: 4, isBigEndian: isBigEndian), denominator > 0
      else { return nil }
      return Double(numerator) / Double(denominator)
    }
    guard let x = quotient(282), let y = quotient(283), x > 0, y > 0 else { return nil }
    switch directory[296]?.integer(in: bytes, header: header) ?? 2 {
    case 1: return .init(x: x, y: y, unit: .aspectRatio)
    case 3: return .init(x: x * 100, y: y * 100, unit: .perMeter)
    default: return .init(x: x, y: y, unit: .perInch)
    }
  }
}
