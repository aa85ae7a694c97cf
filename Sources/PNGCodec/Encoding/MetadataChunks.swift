// Writes metadata as chunks in the order that PNG section 5.6 requires: colour first, then PLTE and tRNS, then the
// rest.

internal import ByteCompression
internal import ImageCoding
internal import MetadataFormats

extension ChunkWriter {
  /// Texts of at least this size are compressed.
  private static let compressedTextByteCount = 1024

  /// Appends all chunks between IHDR and the image data.
  mutating func appendMetadata(
    _ metadata: ImageMetadata?, of bitmap: Bitmap, layout: EncodingLayout
  ) throws(CodecError) {
    var metadata = metadata ?? ImageMetadata()
    metadata.colorSpace = metadata.colorSpace(for: bitmap.colorSpace)
    try appendColorSpace(metadata, layout: layout)
    appendSignificantBits(metadata, layout: layout)
    appendPalette(layout)
    appendBackground(metadata, layout: layout)
    appendDensity(metadata.density)
    try appendDescriptiveMetadata(metadata, orientation: bitmap.orientation)
  }

  /// Appends the metadata that does not concern samples: EXIF, time, texts and XMP.
  mutating func appendDescriptiveMetadata(
    _ metadata: ImageMetadata, orientation: ImageOrientation
  ) throws(CodecError) {
    appendEXIF(metadata.exif, orientation: orientation)
    appendTime(metadata.modificationTime)
    try appendTexts(metadata)
  }

  private mutating func appendColorSpace(_ metadata: ImageMetadata, layout: EncodingLayout) throws(CodecError) {
    if let codePoints = metadata.colorSpace.codePoints, codePoints.isSpecified {
      append(
        .codePoints,
        [codePoints.colorPrimaries, codePoints.transferFunction, 0, codePoints.isFullRange ? 1 : 0])
    }
    appendDynamicRange(metadata)
    let isGray = layout.colorType == .gray || layout.colorType == .grayAlpha
    if let profile = metadata.colorSpace.iccProfile(for: isGray ? .gray : .rgb) {
      guard let data = ZlibBlock.compress(profile.span) else {
        throw CodecError(.encodingFailed, "zlib cannot compress the ICC profile", format: PNGDecoder.type)
      }
      let name = metadata.iccProfileName.flatMap(keywordBytes) ?? Array("ICC profile".utf8)
      append(.iccProfile, name + [0, 0] + data)
    } else if metadata.colorSpace.isMarkedAsSRGB {
      append(.standardRGB, [metadata.sRGBRenderingIntent ?? 0])
    }
    if let gamma = metadata.colorSpace.calibration?.gamma {
      var data = ByteWriter(.bigEndian)
      data.append(hundredThousandths(gamma))
      append(.gamma, data.bytes)
    }
    if let chromaticities = metadata.colorSpace.calibration?.chromaticities {
      var data = ByteWriter(.bigEndian)
      for point in [chromaticities.white, chromaticities.red, chromaticities.green, chromaticities.blue] {
        data.append(hundredThousandths(point.x))
        data.append(hundredThousandths(point.y))
      }
      append(.chromaticities, data.bytes)
    }
  }

  private mutating func appendDynamicRange(_ metadata: ImageMetadata) {
    if let display = metadata.colorSpace.masteringDisplay {
      let points = [
        display.chromaticities.red, display.chromaticities.green, display.chromaticities.blue,
        display.chromaticities.white,
      ]
      var data = ByteWriter(.bigEndian)
      for point in points {
        data.append(UInt16(clamping: wholeNumber(point.x * 50_000)))
        data.append(UInt16(clamping: wholeNumber(point.y * 50_000)))
      }
      data.append(wholeNumber(display.maximumLuminance * 10_000))
      data.append(wholeNumber(display.minimumLuminance * 10_000))
      append(.masteringDisplay, data.bytes)
    }
    if let levels = metadata.colorSpace.contentLightLevel {
      var data = ByteWriter(.bigEndian)
      data.append(wholeNumber(levels.maximum * 10_000))
      data.append(wholeNumber(levels.maximumFrameAverage * 10_000))
      append(.contentLightLevel, data.bytes)
    }
  }

  private mutating func appendSignificantBits(_ metadata: ImageMetadata, layout: EncodingLayout) {
    let count = layout.colorType == .palette ? 3 : layout.colorType.sampleCount
    let depth = layout.colorType == .palette ? 8 : layout.bitDepth
    guard let bits = metadata.significantBits, bits.count == count, bits.allSatisfy({ $0 > 0 && $0 <= depth })
    else { return }
    append(.significantBits, bits)
  }

  private mutating func appendPalette(_ layout: EncodingLayout) {
    guard !layout.palette.isEmpty else { return }
    append(
      .palette,
      layout.palette.flatMap { [24, 16, 8].map { [color = $0] shift in UInt8(truncatingIfNeeded: color >> shift) } })
    let alphas = layout.palette.map { UInt8(truncatingIfNeeded: $0) }.prefix { $0 != 255 }
    if !alphas.isEmpty { append(.transparency, Array(alphas)) }
  }

  private mutating func appendBackground(_ metadata: ImageMetadata, layout: EncodingLayout) {
    guard let samples = metadata.background?.samples else { return }
    let isSingle = layout.colorType == .gray || layout.colorType == .grayAlpha
    let maximum = layout.bitDepth == 16 ? 65535 : 1 << layout.bitDepth - 1
    if layout.colorType == .palette {
      guard samples.count == 3, samples.allSatisfy({ $0 <= 255 }) else { return }
      let color = samples.reduce(0) { $0 << 8 | UInt32($1) }
      guard let index = layout.palette.firstIndex(where: { $0 >> 8 == color }) else { return }
      append(.background, [UInt8(truncatingIfNeeded: index)])
    } else if samples.count == (isSingle ? 1 : 3), samples.allSatisfy({ Int($0) <= maximum }) {
      var data = ByteWriter(.bigEndian)
      for sample in samples { data.append(sample) }
      append(.background, data.bytes)
    }
  }

  private mutating func appendDensity(_ density: ImageMetadata.PixelDensity?) {
    guard let density else { return }
    let factor = density.unit == .perInch ? 1 / 0.0254 : 1
    var data = ByteWriter(.bigEndian)
    data.append(wholeNumber(density.x * factor))
    data.append(wholeNumber(density.y * factor))
    data.append(density.unit == .aspectRatio ? 0 as UInt8 : 1)
    append(.physicalPixelDimensions, data.bytes)
  }

  /// Appends the EXIF block with the bitmap's own orientation, so that upright pixels are not rotated again.
  private mutating func appendEXIF(_ exif: [UInt8]?, orientation: ImageOrientation) {
    if let exif {
      append(.exif, exifBlock(exif, settingOrientation: orientation))
    } else if orientation != .up {
      append(.exif, exifBlock(orientation: orientation))
    }
  }

  private mutating func appendTime(_ time: ImageMetadata.Timestamp?) {
    guard let time else { return }
    var data = ByteWriter(.bigEndian)
    data.append(UInt16(clamping: time.year))
    data.append([time.month, time.day, time.hour, time.minute, time.second].map { UInt8(clamping: $0) })
    append(.time, data.bytes)
  }

  private mutating func appendTexts(_ metadata: ImageMetadata) throws(CodecError) {
    for text in metadata.texts { try appendText(text) }
    for comment in metadata.comments { try appendText(ImageMetadata.Text(keyword: "Comment", value: comment)) }
    if let xmp = metadata.xmp {
      append(.internationalText, Array(ImageMetadata.xmpKeyword.utf8) + [0, 0, 0, 0, 0] + xmp)
    }
  }

  private mutating func appendText(_ text: ImageMetadata.Text) throws(CodecError) {
    guard let keyword = keywordBytes(text.keyword) else {
      throw CodecError(
        .encodingFailed, "the keyword of a text is not 1…79 Latin-1 characters", format: PNGDecoder.type)
    }
    let isPlain = text.language.isEmpty && text.translatedKeyword.isEmpty
    if isPlain, let value = latin1Bytes(text.value), !value.contains(0) {
      if value.count >= Self.compressedTextByteCount, let data = ZlibBlock.compress(value.span) {
        append(.compressedText, keyword + [0, 0] + data)
      } else {
        append(.text, keyword + [0] + value)
      }
      return
    }
    let value = Array(text.value.utf8)
    let isCompressed = value.count >= Self.compressedTextByteCount
    let stored = isCompressed ? ZlibBlock.compress(value.span) ?? value : value
    let language = Array(text.language.utf8.filter { $0 != 0 }) + [0]
    let translated = Array(text.translatedKeyword.utf8.filter { $0 != 0 }) + [0]
    append(.internationalText, keyword + [0, isCompressed ? 1 : 0, 0] + language + translated + stored)
  }
}

private func latin1Bytes(_ text: String) -> [UInt8]? {
  var bytes: [UInt8] = []
  for scalar in text.unicodeScalars {
    guard let byte = UInt8(exactly: scalar.value) else { return nil }
    bytes.append(byte)
  }
  return bytes
}

private func keywordBytes(_ keyword: String) -> [UInt8]? {
  guard let bytes = latin1Bytes(keyword), (1...79).contains(bytes.count), !bytes.contains(0) else { return nil }
  return bytes
}

private func hundredThousandths(_ value: Double) -> UInt32 {
  wholeNumber(value * 100_000)
}

private func wholeNumber(_ value: Double) -> UInt32 {
  value.isFinite ? UInt32(min(max(value.rounded(), 0), Double(0x7FFF_FFFF))) : 0
}
