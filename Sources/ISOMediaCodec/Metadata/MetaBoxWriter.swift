// The meta box of a rewritten file (ISO/IEC 14496-12, 8.11; ISO/IEC 23008-12, 9.3).

internal import ImageCoding

/// Writes a meta box with the selected items.
struct MetaBoxWriter {
  let items: ItemSelection
  let data: MediaData
  /// The number of bytes of positions and lengths: 4 or 8.
  let offsetByteCount: Int
  let keepsUnknown: Bool

  /// Returns the box.
  ///
  /// - Parameter dataStart: the position of the content of the media data box in the file.
  func box(_ meta: ISOBox, _ bytes: Span<UInt8>, dataStart: Int) throws(CodecError) -> [UInt8] {
    var content = ByteWriter(.bigEndian, after: [0, 0, 0, 0])
    var written: Set<FourCharacterCode> = []
    var boxes = ISOBoxIterator(bytes, in: meta.fullPayload)
    while let box = boxes.next() {
      let isFirst = written.insert(box.type).inserted
      switch box.type {
      case "iinf": if isFirst { content.append("iinf", entries(bytes)) }
      case "iloc": if isFirst { content.append("iloc", try locations(dataStart: dataStart)) }
      case "iref": if isFirst, let references = references() { content.append("iref", references) }
      case "iprp": if isFirst { content.append("iprp", properties(bytes)) }
      case "pitm": if isFirst, let primary = primaryItem() { content.append("pitm", primary) }
      case "idat": if isFirst { appendItemData(bytes, to: &content) }
      case "grpl": content.append("grpl", groups(box, bytes))
      case "hdlr": content.append("hdlr", keepsUnknown ? Array(copying: bytes.extracting(box.payload)) : handler)
      // All data is in the file.
      case "dinf" where !keepsUnknown: break
      case "ipro" where !keepsUnknown && !hasProtection(bytes): break
      case "dinf", "ipro": content.append(box.type, copying: bytes.extracting(box.payload))
      case "free", "skip", "xml ", "bxml": break
      case "uuid" where bytes.isXMP(box): break
      default: if keepsUnknown { content.append(box.type, copying: bytes.extracting(box.payload)) }
      }
    }
    if !written.contains("iref"), let references = references() { content.append("iref", references) }
    if !written.contains("iloc") { content.append("iloc", try locations(dataStart: dataStart)) }
    var output = ByteWriter(.bigEndian)
    output.append("meta", content.bytes)
    return output.bytes
  }

  /// Whether an item that stays is protected by an entry of `ipro`.
  private func hasProtection(_ bytes: Span<UInt8>) -> Bool {
    items.kept.contains { id in
      guard let entry = items.table.items[id]?.entry else { return false }
      let position = entry.lowerBound + (bytes[entry.lowerBound] > 2 ? 8 : 6)
      return bytes[position] | bytes[position + 1] != 0
    }
  }

  /// The handler of images, without a name.
  private var handler: [UInt8] {
    [0, 0, 0, 0, 0, 0, 0, 0] + Array("pict".utf8) + [UInt8](repeating: 0, count: 13)
  }

  private func primaryItem() -> [UInt8]? {
    guard let id = items.table.primaryItemID else { return nil }
    var content = ByteWriter(.bigEndian, after: [id > 0xFFFF ? 1 : 0, 0, 0, 0])
    content.append(UInt64(id), byteCount: id > 0xFFFF ? 4 : 2)
    return content.bytes
  }

  private func appendItemData(_ bytes: Span<UInt8>, to content: inout ByteWriter) {
    guard data.keptItemData.byteCount > 0 else { return }
    content.append(UInt32(truncatingIfNeeded: data.keptItemData.byteCount + 8))
    content.append(("idat" as FourCharacterCode).rawValue)
    for range in data.keptItemData.ranges { content.append(copying: bytes.extracting(range)) }
  }

  // MARK: Items

  private func entries(_ bytes: Span<UInt8>) -> [UInt8] {
    let count = items.kept.count + items.additions.count
    let isLong = count > 0xFFFF
    var content = ByteWriter(.bigEndian, after: [isLong ? 1 : 0, 0, 0, 0])
    content.append(UInt64(count), byteCount: isLong ? 4 : 2)
    for id in items.kept {
      guard let item = items.table.items[id] else { continue }
      let entry = item.entry
      // Version and flags, the identifier, a protection index, the type; then texts.
      let isWide = bytes[entry.lowerBound] > 2
      let rest = bytes.extracting(entry).extracting((isWide ? 8 : 6)...)
      var payload = entryStart(id, flags: item.isHidden ? 1 : 0)
      payload.append(copying: rest.extracting(..<(keepsUnknown ? rest.count : 6)))
      if !keepsUnknown {
        payload.append(0 as UInt8)
        if item.type == "mime" { payload.append(Array(item.contentType.utf8) + [0]) }
      }
      content.append("infe", payload.bytes)
    }
    for item in items.additions {
      var payload = entryStart(item.id, flags: 0)
      payload.append(0 as UInt16)
      payload.append(item.type.rawValue)
      payload.append(0 as UInt8)
      if item.type == "mime" { payload.append(Array(item.contentType.utf8) + [0]) }
      content.append("infe", payload.bytes)
    }
    return content.bytes
  }

  private func entryStart(_ id: UInt32, flags: UInt8) -> ByteWriter {
    var payload = ByteWriter(.bigEndian, after: [id > 0xFFFF ? 3 : 2, 0, 0, flags])
    payload.append(UInt64(id), byteCount: id > 0xFFFF ? 4 : 2)
    return payload
  }

  // MARK: Positions

  private func locations(dataStart: Int) throws(CodecError) -> [UInt8] {
    let kept = items.kept.filter { items.table.locations[$0] != nil || items.replacements[$0] != nil }
    let hasIndices = kept.contains { !(items.table.locations[$0]?.extentIndices.isEmpty ?? true) }
    let hasMethods = hasIndices || kept.contains { items.table.locations[$0]?.constructionMethod != 0 }
    let version: UInt8 = items.isWide ? 2 : hasMethods ? 1 : 0
    var content = ByteWriter(.bigEndian, after: [version, 0, 0, 0])
    content.append(UInt8(offsetByteCount * 17))
    content.append(UInt8(hasIndices ? 8 : 0))
    content.append(UInt64(kept.count + items.additions.count), byteCount: version == 2 ? 4 : 2)
    func start(_ id: UInt32, method: Int, dataReference: UInt16, extentCount: Int) {
      content.append(UInt64(id), byteCount: version == 2 ? 4 : 2)
      if version > 0 { content.append(UInt16(method)) }
      content.append(dataReference)
      content.append(UInt16(truncatingIfNeeded: extentCount))
    }
    func append(_ extent: Range<Int>, index: UInt64) {
      if hasIndices { content.append(index, byteCount: 8) }
      content.append(UInt64(extent.lowerBound), byteCount: offsetByteCount)
      content.append(UInt64(extent.count), byteCount: offsetByteCount)
    }
    func appendNew(_ id: UInt32) {
      guard let range = data.newPositions[id] else { return }
      start(id, method: 0, dataReference: 0, extentCount: 1)
      append(dataStart + range.lowerBound..<dataStart + range.upperBound, index: 0)
    }
    for id in kept {
      guard let location = items.table.locations[id], items.replacements[id] == nil else {
        appendNew(id)
        continue
      }
      let extents = location.extents
      start(id, method: location.constructionMethod, dataReference: 0, extentCount: extents.count)
      for (place, extent) in extents.enumerated() {
        let index = place < location.extentIndices.count ? location.extentIndices[place] : 0
        append(try moved(extent, of: location, dataStart: dataStart), index: index)
      }
    }
    for addition in items.additions { appendNew(addition.id) }
    return content.bytes
  }

  /// Returns the position of an extent in the rewritten file.
  private func moved(
    _ extent: Range<Int>, of location: ItemTable.Location, dataStart: Int
  ) throws(CodecError) -> Range<Int> {
    guard location.constructionMethod < 2, !extent.isEmpty else { return extent }
    let itemData = items.table.dataRange?.lowerBound ?? 0
    let start =
      location.constructionMethod == 0
      ? data.kept.position(of: extent.lowerBound).map { $0 + dataStart }
      : data.keptItemData.position(of: itemData + extent.lowerBound)
    guard let start else {
      throw CodecError(.malformed, "the data of an item is not in the file", format: ISOMediaDecoder.heif)
    }
    return start..<start + extent.count
  }

  // MARK: References

  private func references() -> [UInt8]? {
    let byteCount = items.idByteCount
    var content = ByteWriter(.bigEndian, after: [items.isWide ? 1 : 0, 0, 0, 0])
    func append(_ type: FourCharacterCode, from: UInt32, to: [UInt32]) {
      var payload = ByteWriter(.bigEndian)
      payload.append(UInt64(from), byteCount: byteCount)
      payload.append(UInt16(truncatingIfNeeded: to.count))
      for id in to { payload.append(UInt64(id), byteCount: byteCount) }
      content.append(type, payload.bytes)
    }
    for reference in items.table.references where items.isKept(reference.from) {
      let targets = reference.to.filter(items.isKept)
      if !targets.isEmpty { append(reference.type, from: reference.from, to: targets) }
    }
    if let primary = items.table.primaryItemID {
      for addition in items.additions { append("cdsc", from: addition.id, to: [primary]) }
    }
    return content.count > 4 ? content.bytes : nil
  }

  /// Removes the identifiers of removed items from entity groups.
  private func groups(_ box: ISOBox, _ bytes: Span<UInt8>) -> [UInt8] {
    var content = ByteWriter(.bigEndian)
    var boxes = ISOBoxIterator(bytes, in: box.payload)
    while let group = boxes.next() {
      var reader = ByteReader(bytes.extracting(group.payload))
      guard let start = try? reader.readInteger(byteCount: 8, isBigEndian: true),
        let count = try? reader.readUInt32BigEndian()
      else { continue }
      var kept: [UInt32] = []
      for _ in 0..<count {
        guard let id = try? reader.readUInt32BigEndian() else { break }
        if items.table.items[id] == nil || items.isKept(id) { kept.append(id) }
      }
      var payload = ByteWriter(.bigEndian)
      payload.append(start, byteCount: 8)
      payload.append(UInt32(truncatingIfNeeded: kept.count))
      for id in kept { payload.append(id) }
      if keepsUnknown { payload.append(copying: bytes.extracting(group.payload).extracting(reader.position...)) }
      content.append(group.type, payload.bytes)
    }
    return content.bytes
  }

  // MARK: Properties

  private func properties(_ bytes: Span<UInt8>) -> [UInt8] {
    let table = items.table
    var associated: Set<Int> = []
    var essential: Set<Int> = []
    for id in items.kept {
      for association in table.associations[id] ?? [] {
        associated.insert(association.index)
        if association.isEssential { essential.insert(association.index) }
      }
    }
    let isKept = table.properties.indices.map { index in
      keepsUnknown
        || (associated.contains(index + 1)
          && PropertyContent.stays(table.properties[index].type, isEssential: essential.contains(index + 1)))
    }
    var container = ByteWriter(.bigEndian)
    for (property, isKept) in zip(table.properties, isKept) {
      let payload = bytes.extracting(property.payload)
      if !isKept {
        // A placeholder keeps the numbers of those after it.
        container.append("free", [])
      } else if keepsUnknown {
        container.append(property.type, copying: payload)
      } else {
        container.append(property.type, PropertyContent.meaningfulPart(of: property.type, payload))
      }
    }
    var content = ByteWriter(.bigEndian)
    content.append("ipco", container.bytes)
    content.append("ipma", associations(isKept))
    return content.bytes
  }

  private func associations(_ isKept: [Bool]) -> [UInt8] {
    let isWide = isKept.count > 0x7F
    var entries = ByteWriter(.bigEndian)
    var count: UInt32 = 0
    for id in items.kept {
      let associations = (items.table.associations[id] ?? []).filter { association in
        association.index >= 1 && association.index <= isKept.count && isKept[association.index - 1]
      }
      // An entry has a count of one byte.
      for start in stride(from: 0, to: associations.count, by: 255) {
        let part = associations[start..<min(start + 255, associations.count)]
        entries.append(UInt64(id), byteCount: items.idByteCount)
        entries.append(UInt8(part.count))
        for association in part {
          let flag = association.isEssential ? isWide ? 0x8000 : 0x80 : 0
          entries.append(UInt64(association.index | flag), byteCount: isWide ? 2 : 1)
        }
        count += 1
      }
    }
    var content = ByteWriter(.bigEndian, after: [items.isWide ? 1 : 0, 0, 0, isWide ? 1 : 0])
    content.append(count)
    content.append(entries.bytes)
    return content.bytes
  }
}
