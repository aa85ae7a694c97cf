// The meta box of HEIF: items, the positions of their data, their references and their properties (ISO/IEC 14496-12,
// 8.11; ISO/IEC 23008-12, 9.3).

internal import ImageCoding

/// The parsed tables of a meta box.
struct ItemTable {
  /// An entry of the item information box.
  struct Item {
    let type: FourCharacterCode
    let isHidden: Bool
    /// The MIME type of an item of type `mime`.
    let contentType: String
    /// The position of the entry, from its version on.
    let entry: Range<Int>
  }

  /// The position of an item's data.
  struct Location {
    /// 0: offsets in the file; 1: in the item data box; 2: in another item.
    let constructionMethod: Int
    /// The file that contains the data; 0 for this one.
    let dataReference: UInt16
    let extents: [Range<Int>]
    /// The index of each extent; empty if not stated.
    let extentIndices: [UInt64]
  }

  /// A property of an item.
  struct Association {
    /// The index of the property, starting at 1.
    let index: Int
    let isEssential: Bool
  }

  /// A reference from one item to others.
  struct Reference {
    let type: FourCharacterCode
    let from: UInt32
    let to: [UInt32]
  }

  private(set) var primaryItemID: UInt32?
  /// If several items share an identifier, the primary item takes precedence.
  private(set) var items: [UInt32: Item] = [:]
  private(set) var locations: [UInt32: Location] = [:]
  private(set) var references: [Reference] = []
  /// The index of an item's first derivation reference.
  private var derivations: [UInt32: Int] = [:]
  private(set) var properties: [ISOBox] = []
  /// The properties of items, in the order of application.
  private(set) var associations: [UInt32: [Association]] = [:]
  private(set) var dataRange: Range<Int>?
  /// The violations of the format that a lenient reader tolerates, once for each reason.
  private(set) var violations: [ImageDiagnostic] = []
  private let type: AssetType
  private let isStrict: Bool

  /// The maximum work units for reading and storing an entry of any table.
  private static let workPerEntry = 100
  private static let byteCountPerEntry = 64
  private static let workPerViolation = 3_000
  /// The number of violations that are kept; further ones would add nothing new.
  private static let maximumViolationCount = 16

  /// Reads a meta box, which must be complete.
  ///
  /// - Parameters:
  ///   - type: the format that errors refer to.
  ///   - budget: the budget to which every entry is charged.
  /// - Throws: `CodecError.Kind.malformed` for unreadable tables, except, unless reading is strict, those that only
  ///   thumbnails and metadata need, which are left out; errors of `budget`.
  init(
    _ bytes: Span<UInt8>, in range: Range<Int>, type: AssetType, isStrict: Bool, budget: inout ResourceBudget
  ) throws(CodecError) {
    (self.type, self.isStrict) = (type, isStrict)
    var hasHandler = false
    var boxes = ISOBoxIterator(bytes, in: range)
    while let box = boxes.next() {
      try budget.chargeWork(Self.workPerEntry)
      try check(box, inside: range, &budget)
      if box.type == "hdlr", !hasHandler {
        hasHandler = true
        try checkHandler(box, bytes, &budget)
      }
      try read(box, bytes, &budget)
    }
    if !hasHandler { try tolerate("the meta box has no handler", byteOffset: range.lowerBound, &budget) }
  }

  /// Reads a child of the meta box.
  private mutating func read(
    _ box: ISOBox, _ bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    var reader = ByteReader(bytes.extracting(box.payload), baseOffset: box.payload.lowerBound, format: type)
    do throws(CodecError) {
      switch box.type {
      case "pitm": try readPrimaryItem(&reader)
      case "iinf": try readItems(bytes, in: box, &reader, &budget)
      case "iloc": try readLocations(&reader, &budget)
      case "iref": try readReferences(bytes, in: box, &reader, &budget)
      case "iprp": try readProperties(bytes, in: box.payload, &budget)
      case "idat": dataRange = box.payload
      default: break
      }
    } catch {
      // The box is complete, so that missing bytes are damage.
      if error.kind != .truncated { throw error }
      let reason = "box '\(box.type)' ends inside of an entry"
      guard box.type != "pitm", box.type != "iprp" else { throw malformed(reason, byteOffset: box.payload.upperBound) }
      try tolerate(reason, byteOffset: box.payload.upperBound, &budget)
    }
  }

  /// Checks that the meta box describes images (ISO/IEC 23008-12, 6.2).
  private mutating func checkHandler(
    _ box: ISOBox, _ bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let start = box.payload.lowerBound + 8
    guard box.payload.count >= 12, let handler = FourCharacterCode(bytes, at: start) else {
      return try tolerate("box 'hdlr' is cut off", byteOffset: box.payload.upperBound, &budget)
    }
    guard handler != "pict" else { return }
    try tolerate("the handler of the meta box is '\(handler)', not 'pict'", byteOffset: start, &budget)
  }

  /// Checks that a box fits into the one that contains it.
  private mutating func check(
    _ box: ISOBox, inside range: Range<Int>, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    guard let reason = box.violation(inside: range) else { return }
    try tolerate(reason, byteOffset: max(range.lowerBound, box.payload.lowerBound - 8), &budget)
  }

  /// Throws a violation of the format if reading is strict; otherwise keeps it.
  private mutating func tolerate(
    _ reason: String, byteOffset: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    try budget.chargeWork(Self.workPerViolation, byteOffset: byteOffset)
    if isStrict { throw malformed(reason, byteOffset: byteOffset) }
    guard violations.count < Self.maximumViolationCount, !violations.contains(where: { $0.reason == reason }) else {
      return
    }
    violations.append(ImageDiagnostic(.warning, reason, byteOffset: byteOffset))
  }

  private func malformed(_ reason: String, byteOffset: Int) -> CodecError {
    CodecError(.malformed, reason, format: type, byteOffset: byteOffset)
  }

  private func chargeEntry(_ budget: inout ResourceBudget, at byteOffset: Int) throws(CodecError) {
    try budget.chargeWork(Self.workPerEntry, byteOffset: byteOffset)
    try budget.allocate(Self.byteCountPerEntry, byteOffset: byteOffset)
  }

  private mutating func readPrimaryItem(_ reader: inout ByteReader) throws(CodecError) {
    let version = try reader.readUInt8()
    try reader.skip(3)
    primaryItemID = UInt32(try reader.readInteger(byteCount: version == 0 ? 2 : 4, isBigEndian: true))
  }

  private mutating func readItems(
    _ bytes: Span<UInt8>, in box: ISOBox, _ reader: inout ByteReader, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let version = try reader.readUInt8()
    try reader.skip(version == 0 ? 5 : 7)
    var entries = ISOBoxIterator(bytes, in: reader.byteOffset..<box.payload.upperBound)
    while let entry = entries.next() {
      try chargeEntry(&budget, at: entry.payload.lowerBound)
      try check(entry, inside: box.payload, &budget)
      guard entry.type == "infe" else { continue }
      var reader = ByteReader(bytes.extracting(entry.payload), baseOffset: entry.payload.lowerBound)
      let version = try reader.readUInt8()
      guard version >= 2 else { continue }
      let flags = try reader.readInteger(byteCount: 3, isBigEndian: true)
      let id = UInt32(try reader.readInteger(byteCount: version == 2 ? 2 : 4, isBigEndian: true))
      try reader.skip(2)
      let type = FourCharacterCode(rawValue: try reader.readUInt32BigEndian())
      var contentType = ""
      if type == "mime" {
        try budget.chargeWork(reader.remaining)
        try reader.skipText()
        contentType = try reader.readText()
        try budget.allocate(contentType.utf8.count)
      }
      if items[id] == nil {
        items[id] = Item(type: type, isHidden: flags & 1 == 1, contentType: contentType, entry: entry.payload)
      }
    }
  }

  /// ISO/IEC 14496-12, 8.11.3: fields of 0, 4 or 8 bytes, as stated in the header.
  private mutating func readLocations(
    _ reader: inout ByteReader, _ budget: inout ResourceBudget
  ) throws(CodecError) {
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
    func field(_ byteCount: Int, _ reader: inout ByteReader) throws(CodecError) -> Int {
      byteCount == 0 ? 0 : Int(clamping: try reader.readInteger(byteCount: byteCount, isBigEndian: true))
    }
    let itemCount = try reader.readInteger(byteCount: version < 2 ? 2 : 4, isBigEndian: true)
    for _ in 0..<itemCount {
      let id = UInt32(try reader.readInteger(byteCount: version < 2 ? 2 : 4, isBigEndian: true))
      let method = version == 0 ? 0 : Int(try reader.readUInt16BigEndian()) & 15
      let dataReference = try reader.readUInt16BigEndian()
      let base = try field(baseByteCount, &reader)
      var extents: [Range<Int>] = []
      var indices: [UInt64] = []
      for _ in 0..<(try reader.readUInt16BigEndian()) {
        try chargeEntry(&budget, at: reader.byteOffset)
        let index = indexByteCount == 0 ? 0 : try reader.readInteger(byteCount: indexByteCount, isBigEndian: true)
        let (start, startOverflow) = base.addingReportingOverflow(try field(offsetByteCount, &reader))
        let byteCount = try field(lengthByteCount, &reader)
        let (end, endOverflow) = start.addingReportingOverflow(byteCount)
        guard !startOverflow, !endOverflow, lengthByteCount > 0 else { continue }
        extents.append(start..<end)
        if indexByteCount > 0 { indices.append(index) }
      }
      try chargeEntry(&budget, at: reader.byteOffset)
      locations[id] = Location(
        constructionMethod: method, dataReference: dataReference, extents: extents, extentIndices: indices)
    }
  }

  private mutating func readReferences(
    _ bytes: Span<UInt8>, in box: ISOBox, _ reader: inout ByteReader, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let idByteCount = try reader.readUInt8() == 0 ? 2 : 4
    var boxes = ISOBoxIterator(bytes, in: box.fullPayload)
    while let entry = boxes.next() {
      try check(entry, inside: box.payload, &budget)
      var reader = ByteReader(bytes.extracting(entry.payload), baseOffset: entry.payload.lowerBound)
      let from = UInt32(try reader.readInteger(byteCount: idByteCount, isBigEndian: true))
      var to: [UInt32] = []
      for _ in 0..<(try reader.readUInt16BigEndian()) {
        try chargeEntry(&budget, at: reader.byteOffset)
        to.append(UInt32(try reader.readInteger(byteCount: idByteCount, isBigEndian: true)))
      }
      try chargeEntry(&budget, at: reader.byteOffset)
      if entry.type == "dimg", derivations[from] == nil { derivations[from] = references.count }
      references.append(Reference(type: entry.type, from: from, to: to))
    }
  }

  private mutating func readProperties(
    _ bytes: Span<UInt8>, in range: Range<Int>, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    var highest: (index: Int, byteOffset: Int) = (0, range.lowerBound)
    var boxes = ISOBoxIterator(bytes, in: range)
    while let box = boxes.next() {
      try check(box, inside: range, &budget)
      if box.type == "ipco" {
        var container = ISOBoxIterator(bytes, in: box.payload)
        while let property = container.next() {
          try chargeEntry(&budget, at: property.payload.lowerBound)
          try check(property, inside: box.payload, &budget)
          properties.append(property)
        }
      }
      if box.type == "ipma" {
        var reader = ByteReader(bytes.extracting(box.payload), baseOffset: box.payload.lowerBound)
        try readAssociations(&reader, highest: &highest, &budget)
      }
    }
    if highest.index > properties.count {
      try tolerate(
        "an item refers to property \(highest.index) of \(properties.count)", byteOffset: highest.byteOffset, &budget)
    }
  }

  /// - Parameter highest: the largest index of a property, and its position.
  private mutating func readAssociations(
    _ reader: inout ByteReader, highest: inout (index: Int, byteOffset: Int), _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let version = try reader.readUInt8()
    let isWide = try reader.readInteger(byteCount: 3, isBigEndian: true) & 1 == 1
    for _ in 0..<(try reader.readUInt32BigEndian()) {
      let id = UInt32(try reader.readInteger(byteCount: version == 0 ? 2 : 4, isBigEndian: true))
      for _ in 0..<(try reader.readUInt8()) {
        let start = reader.byteOffset
        try chargeEntry(&budget, at: start)
        // The top bit is the flag.
        let value = Int(try reader.readInteger(byteCount: isWide ? 2 : 1, isBigEndian: true))
        let mask = isWide ? 0x7FFF : 0x7F
        let association = Association(index: value & mask, isEssential: value > mask)
        if association.index > highest.index { highest = (association.index, start) }
        associations[id, default: []].append(association)
      }
      try chargeEntry(&budget, at: reader.byteOffset)
    }
  }

  /// Returns the properties of an item, in the order of application.
  ///
  /// - Parameter onlyEssential: whether those are left out that a reader need not know in order to show the item.
  func properties(of id: UInt32, onlyEssential: Bool = false) -> [ISOBox] {
    (associations[id] ?? []).compactMap { association in
      guard association.isEssential || !onlyEssential, association.index >= 1, association.index <= properties.count
      else { return nil }
      return properties[association.index - 1]
    }
  }

  /// The master images, ordered by identifier. A tone-mapped image is another rendition of its source.
  var masterImageIDs: [UInt32] {
    var parts: Set<UInt32> = []
    for reference in references {
      switch reference.type {
      case "thmb", "auxl", "cdsc": parts.insert(reference.from)
      default: break
      }
    }
    return items.filter { id, item in
      !item.isHidden && item.type != "Exif" && item.type != "mime" && item.type != "uri " && item.type != "tmap"
        && !parts.contains(id)
    }.keys.sorted()
  }

  /// Returns the items from which an item is derived, in order (reference type `dimg`).
  func sources(of id: UInt32) -> [UInt32] {
    derivations[id].map { references[$0].to } ?? []
  }

  /// Returns the items that refer to an item with a reference of a type, without duplicates.
  func items(referring type: FourCharacterCode, to id: UInt32) -> [UInt32] {
    var seen: Set<UInt32> = []
    return references.filter { $0.type == type && $0.to.contains(id) && seen.insert($0.from).inserted }.map { $0.from }
  }

  /// Returns the ranges of an item's data in the input; `nil` if it is elsewhere.
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

extension ByteReader {
  /// Reads text up to its NUL or the end.
  @_lifetime(self: copy self)
  fileprivate mutating func readText() throws(CodecError) -> String {
    let text = bytes.extracting(position..<bytes.count).upToNUL()
    try skip(min(text.count + 1, remaining))
    return String(utf8: text)
  }

  /// Skips text and its NUL.
  @_lifetime(self: copy self)
  fileprivate mutating func skipText() throws(CodecError) {
    try skip(min(bytes.extracting(position..<bytes.count).upToNUL().count + 1, remaining))
  }
}
