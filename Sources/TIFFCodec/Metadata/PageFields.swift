// Which fields of a page stay when its metadata is replaced, and how many of their values have a meaning.

internal import ImageCoding
internal import MetadataFormats

/// The fields of a page, as they are copied.
struct PageFields: ~Escapable {
  private let values: DirectoryValues
  private let keepsUnknown: Bool
  private let samplesPerPixel: Int
  private let bitsPerSample: Int

  @_lifetime(copy values)
  init(_ values: consuming DirectoryValues, keepsUnknown: Bool) {
    self.keepsUnknown = keepsUnknown
    samplesPerPixel = max(1, values.integer(.samplesPerPixel) ?? 1)
    bitsPerSample = values.integer(.bitsPerSample) ?? 1
    self.values = values
  }

  /// Returns the fields that stay: those of the pixels, the colour profile, the orientation and the white point; unless
  /// stripping, also those with unknown meaning.
  func copies(_ budget: inout ResourceBudget) throws(CodecError) -> [OutputField] {
    var fields: [OutputField] = []
    // The first field with a tag counts.
    var seen: Set<UInt16> = []
    for field in values.directory.fields where keeps(field.tag) && field.isContained(in: values.bytes) {
      guard seen.insert(field.tag).inserted else { continue }
      try budget.allocate(field.values.count + MemoryLayout<OutputField>.stride)
      try budget.chargeWork(TIFFDirectory.workPerField + field.values.count)
      if let copy = keepsUnknown ? copy(field, count: field.count) : meaningfulPart(of: field) { fields.append(copy) }
    }
    return fields
  }

  private func keeps(_ tag: UInt16) -> Bool {
    switch tag {
    // Positions, which are replaced, and fields that are only valid with their own positions.
    case 273, 279, 288, 289, 324, 325, 330, 513, 514: false
    // Metadata that is replaced.
    case 700, 33723, 34377, 34665, 34853, 37724: false
    // The tables of old-style JPEG, which are outside of the strips.
    case 512, 515...521: keepsUnknown
    case 274, 301, 318, 319, 529, 530, 531, 532, 34675: true
    case _ where isPixelLayoutTag(tag): true
    // Descriptive tags of TIFF 6.0 and EXIF.
    case 269...272, 282, 283, 285...287, 296, 297, 305, 306, 315, 316, 33432: false
    case 32768...: keepsUnknown
    default: false
    }
  }

  private func copy(_ field: TIFFField, count: Int) -> OutputField? {
    let start = field.values.lowerBound
    return OutputField(
      tag: field.tag, type: field.type, count: count,
      values: Array(copying: values.bytes.extracting(start..<start + count * field.type.byteCount)))
  }

  /// Returns a field with the values that decoders use; `nil` if they use none.
  private func meaningfulPart(of field: TIFFField) -> OutputField? {
    switch field.tag {
    case Tag.iccProfile.rawValue, Tag.jpegTables.rawValue: return copy(field, count: field.count)
    // One value per sample.
    case 258, 280, 281, 338, 339, 340, 341: return copy(field, count: min(field.count, samplesPerPixel))
    case Tag.colorMap.rawValue: return colorMap(field)
    // Curves with an entry for each value of a sample.
    case 291, 301:
      guard bitsPerSample <= 16, field.count == 1 << bitsPerSample || field.count == 3 << bitsPerSample else {
        return nil
      }
      return copy(field, count: field.count)
    // Chromaticities and ranges, which are ignored if there is another number of them.
    case 318: return field.count == 2 ? copy(field, count: 2) : nil
    case 529: return field.count == 3 ? copy(field, count: 3) : nil
    case 319, 532: return field.count == 6 ? copy(field, count: 6) : nil
    case 321, 530: return copy(field, count: min(field.count, 2))
    default: return copy(field, count: min(field.count, 1))
    }
  }

  /// Returns a colour map with the entries that indices can refer to: the first ones of each third.
  private func colorMap(_ field: TIFFField) -> OutputField? {
    guard (1...16).contains(bitsPerSample), field.type == .short, field.count >= 3 << bitsPerSample else { return nil }
    let (count, stored) = (1 << bitsPerSample, field.count / 3)
    var entries: [UInt8] = []
    for channel in 0..<3 {
      let start = field.values.lowerBound + 2 * channel * stored
      entries.append(copying: values.bytes.extracting(start..<start + 2 * count))
    }
    return OutputField(tag: field.tag, type: field.type, count: 3 * count, values: entries)
  }
}
