// The meta box of HEIF: which items there are, where their data lies, how they refer to each other and which properties
// they have (ISO/IEC 14496-12, 8.11; ISO/IEC 23008-12, 9.3).

internal import ImageCore

/// The parsed tables of a meta box.
struct ItemTable {
  /// Bounds on what any of the tables may hold; far more than any encoder writes.
  static let maximumItemCount = 20_000
  static let maximumEntryCount = 200_000

  /// An entry of the item information box.
  struct Item {
    let type: FourCharacterCode
    let isHidden: Bool
    /// The MIME type of an item of type `mime`.
    let contentType: String
  }

  /// Where an item's data lies.
  struct Location {
    /// 0 in the file, 1 in the item data box, 2 in another item.
    let constructionMethod: Int
    let extents: [Range<Int>]
  }

  /// A reference from one item to others.
  struct Reference {
    let type: FourCharacterCode
    let from: UInt32
    let to: [UInt32]
  }

  private(set) var primaryItemID: UInt32?
  /// The primary item comes first where several items share an identifier.
  private(set) var items: [UInt32: Item] = [:]
  private(set) var locations: [UInt32: Location] = [:]
  private(set) var references: [Reference] = []
  private(set) var properties: [ISOBox] = []
  /// Properties counted from 1, in the order of application.
  private(set) var associations: [UInt32: [Int]] = [:]
  private(set) var dataRange: Range<Int>?
  private var entryCount = 0

  /// Reads a meta box, all of which has arrived.
  ///
  /// - Throws: ``DecodeError/Kind/malformed`` for what cannot be read; a table that only thumbnails and metadata need
  ///   is left out instead.
  init(_ bytes: Span<UInt8>, in range: Range<Int>) throws(DecodeError) {
    var boxes = ISOBoxIterator(bytes, in: range)
    while let box = boxes.next() {
      let payload = bytes.extracting(box.payload)
      var reader = ByteReader(payload, baseOffset: box.payload.lowerBound, format: ISOMediaDecoder.heif)
      do throws(DecodeError) {
        switch box.type {
        case "pitm": try readPrimaryItem(&reader)
        case "iinf": try readItems(bytes, in: box, &reader)
        case "iloc": try readLocations(&reader)
        case "iref": try readReferences(bytes, in: box, &reader)
        case "iprp": try readProperties(bytes, in: box.payload)
        case "idat": dataRange = box.payload
        default: break
        }
      } catch {
        // The box is complete: what it lacks will not come.
        if error.kind != .truncated { throw error }
        if box.type == "pitm" || box.type == "iprp" {
          throw DecodeError(
            .malformed, "box '\(box.type)' ends inside of an entry", format: ISOMediaDecoder.heif,
            byteOffset: box.payload.upperBound)
        }
      }
    }
  }

  private mutating func countEntry(_ reader: borrowing ByteReader) throws(DecodeError) {
    entryCount += 1
    guard entryCount <= Self.maximumEntryCount else {
      throw DecodeError(
        .limitExceeded, "the item tables have more than \(Self.maximumEntryCount) entries",
        format: ISOMediaDecoder.heif, byteOffset: reader.byteOffset)
    }
  }

  private mutating func readPrimaryItem(_ reader: inout ByteReader) throws(DecodeError) {
    let version = try reader.readUInt8()
    try reader.skip(3)
    primaryItemID = UInt32(try reader.readInteger(byteCount: version == 0 ? 2 : 4, isBigEndian: true))
  }

  private mutating func readItems(
    _ bytes: Span<UInt8>, in box: ISOBox, _ reader: inout ByteReader
  ) throws(DecodeError) {
    let version = try reader.readUInt8()
    try reader.skip(version == 0 ? 5 : 7)
    var entries = ISOBoxIterator(bytes, in: reader.byteOffset..<box.payload.upperBound)
    while let entry = entries.next() {
      guard entry.type == "infe", items.count < Self.maximumItemCount else { continue }
      var reader = ByteReader(bytes.extracting(entry.payload), baseOffset: entry.payload.lowerBound)
      let version = try reader.readUInt8()
      guard version >= 2 else { continue }
      let flags = try reader.readInteger(byteCount: 3, isBigEndian: true)
      let id = UInt32(try reader.readInteger(byteCount: version == 2 ? 2 : 4, isBigEndian: true))
      try reader.skip(2)
      let type = FourCharacterCode(rawValue: try reader.readUInt32BigEndian())
      var contentType = ""
      if type == "mime" {
        _ = readText(&reader)
        contentType = readText(&reader)
      }
      if items[id] == nil { items[id] = Item(type: type, isHidden: flags & 1 == 1, contentType: contentType) }
    }
  }

  /// ISO/IEC 14496-12, 8.11.3: fields of 0, 4 or 8 bytes, as the header says.
  private mutating func readLocations(_ reader: inout ByteReader) throws(DecodeError) {
    let version = try reader.readUInt8()
    try reader.skip(3)
    let sizes = Int(try reader.readUInt16BigEndian())
    let offsetByteCount = sizes >> 12
    let lengthByteCount = sizes >> 8 & 15
    let baseByteCount = sizes >> 4 & 15
    let indexByteCount = version == 0 ? 0 : sizes & 15
    guard
      [offsetByteCount, lengthByteCount, baseByteCount, indexByteCount].allSatisfy({ $0 == 0 || $0 == 4 || $0 == 8 })
    else { throw reader.error(.malformed, "fields of 'iloc' have neither 0, 4 nor 8 bytes") }
    func field(_ byteCount: Int, _ reader: inout ByteReader) throws(DecodeError) -> Int {
      byteCount == 0 ? 0 : Int(clamping: try reader.readInteger(byteCount: byteCount, isBigEndian: true))
    }
    let itemCount = try reader.readInteger(byteCount: version < 2 ? 2 : 4, isBigEndian: true)
    for _ in 0..<itemCount {
      let id = UInt32(try reader.readInteger(byteCount: version < 2 ? 2 : 4, isBigEndian: true))
      let method = version == 0 ? 0 : Int(try reader.readUInt16BigEndian()) & 15
      try reader.skip(2)
      let base = try field(baseByteCount, &reader)
      var extents: [Range<Int>] = []
      for _ in 0..<(try reader.readUInt16BigEndian()) {
        try countEntry(reader)
        try reader.skip(indexByteCount)
        let (start, startOverflow) = base.addingReportingOverflow(try field(offsetByteCount, &reader))
        let byteCount = try field(lengthByteCount, &reader)
        let (end, endOverflow) = start.addingReportingOverflow(byteCount)
        guard !startOverflow, !endOverflow, lengthByteCount > 0 else { continue }
        extents.append(start..<end)
      }
      try countEntry(reader)
      locations[id] = Location(constructionMethod: method, extents: extents)
    }
  }

  private mutating func readReferences(
    _ bytes: Span<UInt8>, in box: ISOBox, _ reader: inout ByteReader
  ) throws(DecodeError) {
    let idByteCount = try reader.readUInt8() == 0 ? 2 : 4
    var boxes = ISOBoxIterator(bytes, in: box.fullPayload)
    while let entry = boxes.next() {
      var reader = ByteReader(bytes.extracting(entry.payload), baseOffset: entry.payload.lowerBound)
      let from = UInt32(try reader.readInteger(byteCount: idByteCount, isBigEndian: true))
      var to: [UInt32] = []
      for _ in 0..<(try reader.readUInt16BigEndian()) {
        try countEntry(reader)
        to.append(UInt32(try reader.readInteger(byteCount: idByteCount, isBigEndian: true)))
      }
      try countEntry(reader)
      references.append(Reference(type: entry.type, from: from, to: to))
    }
  }

  private mutating func readProperties(_ bytes: Span<UInt8>, in range: Range<Int>) throws(DecodeError) {
    var boxes = ISOBoxIterator(bytes, in: range)
    while let box = boxes.next() {
      if box.type == "ipco" {
        var container = ISOBoxIterator(bytes, in: box.payload)
        while let property = container.next(), properties.count < Self.maximumItemCount { properties.append(property) }
      }
      if box.type == "ipma" {
        var reader = ByteReader(bytes.extracting(box.payload), baseOffset: box.payload.lowerBound)
        try readAssociations(&reader)
      }
    }
  }

  private mutating func readAssociations(_ reader: inout ByteReader) throws(DecodeError) {
    let version = try reader.readUInt8()
    let isWide = try reader.readInteger(byteCount: 3, isBigEndian: true) & 1 == 1
    for _ in 0..<(try reader.readUInt32BigEndian()) {
      let id = UInt32(try reader.readInteger(byteCount: version == 0 ? 2 : 4, isBigEndian: true))
      for _ in 0..<(try reader.readUInt8()) {
        try countEntry(reader)
        // The top bit says whether the property is essential.
        let index = Int(try reader.readInteger(byteCount: isWide ? 2 : 1, isBigEndian: true))
        associations[id, default: []].append(index & (isWide ? 0x7FFF : 0x7F))
      }
      try countEntry(reader)
    }
  }

  /// The items that a reference of a type leads to, or that lead to an item by one.
  func items(referredBy type: FourCharacterCode, from id: UInt32) -> [UInt32] {
    references.first { $0.type == type && $0.from == id }?.to ?? []
  }

  func items(referring type: FourCharacterCode, to id: UInt32) -> [UInt32] {
    references.filter { $0.type == type && $0.to.contains(id) }.map(\.from)
  }

  /// Where an item's data lies in the input; `nil` where it does not.
  func extents(of id: UInt32, inputByteCount: Int) -> [Range<Int>]? {
    guard let location = locations[id] else { return nil }
    switch location.constructionMethod {
    case 0: return location.extents
    case 1:
      guard let dataRange else { return nil }
      var extents: [Range<Int>] = []
      for extent in location.extents {
        guard extent.upperBound <= dataRange.count else { return nil }
        extents.append(dataRange.lowerBound + extent.lowerBound..<dataRange.lowerBound + extent.upperBound)
      }
      return extents
    default: return nil
    }
  }
}

/// Text up to its NUL, or to the end.
private func readText(_ reader: inout ByteReader) -> String {
  var text: [UInt8] = []
  while let byte = try? reader.readUInt8(), byte != 0 { text.append(byte) }
  return String(decoding: text, as: UTF8.self)
}
