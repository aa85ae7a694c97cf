// HEIF, HEIC and AVIF: the properties of the primary item (ISO/IEC 23008-12, 6.5; ISO/IEC 14496-12, 8.11).

internal import ImageCore

/// Measures still images of the HEIF family.
struct HEIFHeaderProbe: HeaderProbe {
  let types: [AssetType] = [.heic, .heif, .avif]

  func info(_ bytes: Span<UInt8>, options: InfoOptions) throws(DecodeError) -> ImageInfo {
    let type = AssetType(bytes) ?? .heif
    var boxes = ISOBoxIterator(bytes, in: 0..<bytes.count)
    guard let meta = boxes.first("meta") else {
      throw DecodeError(.truncated, "no meta box", format: type, byteOffset: bytes.count)
    }
    // A full box: version and flags come first.
    let content = min(meta.payload.lowerBound + 4, meta.payload.upperBound)..<meta.payload.upperBound
    var items = HEIFPrimaryItem()
    var children = ISOBoxIterator(bytes, in: content)
    while let box = children.next() {
      switch box.type {
      case "pitm": try items.readPrimaryItem(bytes, in: box.payload)
      case "iinf": try? items.readItemTypes(bytes, in: box.payload)
      case "iprp": try items.readProperties(bytes, in: box.payload)
      default: break
      }
    }
    return try items.makeInfo(bytes, type: type, byteOffset: meta.payload.lowerBound)
  }
}

/// The primary item and the properties that are associated with it.
private struct HEIFPrimaryItem {
  /// Far more than any encoder writes; bounds the work of a walk.
  static let maximumCount = 65_536

  var itemID: UInt64 = 0
  /// Pairs of an item and its type, for naming the coding.
  var itemTypes: [(itemID: UInt64, type: FourCharacterCode)] = []
  var properties: [ISOBox] = []
  /// Pairs of an item and a property, counted from 1, in the order of application.
  var associations: [(itemID: UInt64, property: Int)] = []

  mutating func readPrimaryItem(_ bytes: Span<UInt8>, in range: Range<Int>) throws(DecodeError) {
    var reader = ByteReader(bytes.extracting(range), baseOffset: range.lowerBound)
    let version = try reader.readUInt8()
    try reader.skip(3)
    itemID = try reader.readInteger(byteCount: version == 0 ? 2 : 4, isBigEndian: true)
  }

  mutating func readItemTypes(_ bytes: Span<UInt8>, in range: Range<Int>) throws(DecodeError) {
    guard range.count > 6 else { return }
    let start = range.lowerBound + (bytes[range.lowerBound] == 0 ? 6 : 8)
    var entries = ISOBoxIterator(bytes, in: min(start, range.upperBound)..<range.upperBound)
    while let entry = entries.next(), itemTypes.count < Self.maximumCount {
      var reader = ByteReader(bytes.extracting(entry.payload))
      let version = try reader.readUInt8()
      guard entry.type == "infe", version >= 2 else { continue }
      try reader.skip(3)
      let id = try reader.readInteger(byteCount: version == 2 ? 2 : 4, isBigEndian: true)
      try reader.skip(2)
      itemTypes.append((id, FourCharacterCode(rawValue: try reader.readUInt32BigEndian())))
    }
  }

  mutating func readProperties(_ bytes: Span<UInt8>, in range: Range<Int>) throws(DecodeError) {
    var boxes = ISOBoxIterator(bytes, in: range)
    while let box = boxes.next() {
      if box.type == "ipco" {
        var container = ISOBoxIterator(bytes, in: box.payload)
        while let property = container.next(), properties.count < Self.maximumCount { properties.append(property) }
      }
      if box.type == "ipma" { try readAssociations(bytes, in: box.payload) }
    }
  }

  private mutating func readAssociations(_ bytes: Span<UInt8>, in range: Range<Int>) throws(DecodeError) {
    var reader = ByteReader(bytes.extracting(range), baseOffset: range.lowerBound)
    let version = try reader.readUInt8()
    let flags = try reader.readInteger(byteCount: 3, isBigEndian: true)
    let entryCount = try reader.readUInt32BigEndian()
    for _ in 0..<entryCount {
      let id = try reader.readInteger(byteCount: version == 0 ? 2 : 4, isBigEndian: true)
      for _ in 0..<(try reader.readUInt8()) {
        // The top bit says whether the property is essential.
        let isWide = flags & 1 == 1
        let index = Int(try reader.readInteger(byteCount: isWide ? 2 : 1, isBigEndian: true)) & (isWide ? 0x7FFF : 0x7F)
        if associations.count < Self.maximumCount { associations.append((id, index)) }
      }
    }
  }

  func makeInfo(_ bytes: Span<UInt8>, type: AssetType, byteOffset: Int) throws(DecodeError) -> ImageInfo {
    var info = ImageInfo(type: type, width: 0, height: 0)
    var turns: UInt8 = 0
    var mirrorAxis: UInt8?
    for association in associations where association.itemID == itemID {
      guard association.property >= 1, association.property <= properties.count else { continue }
      let property = properties[association.property - 1]
      let payload = bytes.extracting(property.payload)
      switch property.type {
      case "ispe" where payload.count >= 12:
        info.width = Int(FourCharacterCode(payload, at: 4)?.rawValue ?? 0)
        info.height = Int(FourCharacterCode(payload, at: 8)?.rawValue ?? 0)
      case "pixi" where payload.count >= 6:
        info.bitDepth = Int(payload[5])
        info.colorModel = payload[4] == 1 ? .gray : nil
      case "irot" where payload.count >= 1: turns = payload[0] & 3
      case "imir" where payload.count >= 1: mirrorAxis = payload[0] & 1
      default: break
      }
    }
    guard info.width > 0, info.height > 0 else {
      throw DecodeError(
        .malformed, "the primary item has no spatial extent (ispe)", format: type, byteOffset: byteOffset)
    }
    info.hasAlpha = hasAlphaAuxiliary(bytes)
    info.orientation = orientation(quarterTurns: turns, mirrorAxis: mirrorAxis)
    info.coding = itemTypes.first { $0.itemID == itemID }?.type.description
    return info
  }

  /// Whether any auxiliary image is an alpha plane. In practice it belongs to the primary item.
  private func hasAlphaAuxiliary(_ bytes: Span<UInt8>) -> Bool {
    properties.contains { property in
      guard property.type == "auxC", property.payload.count > 4, property.payload.count < 256 else { return false }
      var name: [UInt8] = []
      for index in property.payload.dropFirst(4) where bytes[index] != 0 { name.append(bytes[index]) }
      let urn = String(decoding: name, as: UTF8.self)
      return urn.hasPrefix("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha") || urn.hasPrefix("urn:mpeg:hevc:2015:auxid:1")
    }
  }

  /// Quarter turns are counter-clockwise and come before the mirror; axis 0 is the vertical one.
  private func orientation(quarterTurns: UInt8, mirrorAxis: UInt8?) -> ImageOrientation {
    let table: [ImageOrientation] =
      switch mirrorAxis {
      case nil: [.up, .left, .down, .right]
      case 0?: [.upMirrored, .rightMirrored, .downMirrored, .leftMirrored]
      default: [.downMirrored, .leftMirrored, .upMirrored, .rightMirrored]
      }
    return table[Int(quarterTurns)]
  }
}
