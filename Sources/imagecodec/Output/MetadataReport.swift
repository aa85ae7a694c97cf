// The output of `metadata show`: groups of names and values.

internal import ImageCodecs

/// The metadata of one image, ready to be printed.
struct MetadataReport {
  private struct Value {
    let group: String
    let name: String
    let text: String
  }

  private var values: [Value] = []

  init(_ metadata: ImageMetadata) {
    addEXIF(metadata)
    addIPTC(metadata)
    addXMP(metadata)
    addProfile(metadata)
    if let density = metadata.density { add("image", "Density", "\(density.x) x \(density.y) \(density.unit)") }
    for text in metadata.texts { add("text", text.keyword, text.value) }
    for comment in metadata.comments { add("text", "Comment", comment) }
    if let time = metadata.modificationTime { add("image", "ModificationTime", Self.text(of: time)) }
  }

  /// A line for each value. Control characters are escaped.
  var lines: [String] {
    values.map { value in
      [value.group, value.name, value.text].map { TerminalText.escaped($0) }.joined(separator: "\t")
    }
  }

  /// Returns an object with a member for each value, named by group and name. If names repeat, the first value is kept.
  func json(file: String) -> String {
    var object = JSONLine()
    object.add("file", name: file)
    var seen: Set<String> = []
    for value in values {
      let key = "\(value.group):\(value.name)"
      if seen.insert(key).inserted { object.add(key, value.text) }
    }
    return object.text
  }

  private mutating func add(_ group: String, _ name: String, _ text: String) {
    values.append(Value(group: group, name: name, text: text))
  }

  private mutating func addEXIF(_ metadata: ImageMetadata) {
    guard let exif = metadata.exifTags else { return }
    for entry in exif.entries {
      guard let value = exif.value(of: entry) else { continue }
      let hex = String(entry.tag.rawValue, radix: 16, uppercase: true)
      let name = entry.tag.name(in: entry.directory) ?? "0x" + String(repeating: "0", count: 4 - hex.count) + hex
      add(entry.directory.rawValue, name, value.description)
    }
    if let place = exif.location { add("gps", "Degrees", "\(place.latitude) \(place.longitude)") }
    if let range = exif.thumbnailRange { add("thumbnail", "ByteCount", "\(range.count)") }
  }

  private mutating func addIPTC(_ metadata: ImageMetadata) {
    guard let records = metadata.iptcRecords else { return }
    for set in records.dataSets where set.record == 2 && set.number != 0 {
      let name = IPTCRecords.name(of: set.number) ?? "2:\(set.number)"
      add("iptc", name, String(decoding: set.bytes, as: UTF8.self))
    }
  }

  private mutating func addXMP(_ metadata: ImageMetadata) {
    if let packet = metadata.xmpPacket { add("xmp", "Packet", packet.text) }
  }

  private mutating func addProfile(_ metadata: ImageMetadata) {
    guard let profile = metadata.colorSpace.iccProfile else { return }
    guard let header = metadata.iccProfileHeader else { return add("icc", "ByteCount", "\(profile.count)") }
    add("icc", "Description", header.profileDescription ?? "unnamed")
    add("icc", "ColorSpace", header.dataColorSpace)
    add("icc", "Class", header.profileClass)
    add("icc", "Version", "\(header.majorVersion).\(header.minorVersion)")
  }

  private static func text(of time: ImageMetadata.Timestamp) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let date = "\(time.year)-\(two(time.month))-\(two(time.day))"
    return "\(date) \(two(time.hour)):\(two(time.minute)):\(two(time.second))"
  }
}
