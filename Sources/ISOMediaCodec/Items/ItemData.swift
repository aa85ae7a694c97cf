// The bytes of an item: in place if they are contiguous, otherwise joined.

internal import ImageCoding
internal import PixelPlanes

/// The data of an item.
struct ItemData {
  /// The position in the file; used if nothing was joined.
  private let range: Range<Int>
  /// The pieces of the item, joined; empty if there is only one.
  private let joined: [UInt8]
  /// The bytes charged to the budget, which the user of the data must credit.
  var chargedByteCount: Int { joined.count }

  init(range: Range<Int>) {
    self.range = range
    joined = []
  }

  init(joined: [UInt8]) {
    range = 0..<0
    self.joined = joined
  }

  /// Returns the bytes.
  @_lifetime(borrow self, copy file)
  func span(in file: Span<UInt8>) -> Span<UInt8> {
    if joined.isEmpty { return file.extracting(range) }
    return joined.span
  }
}

extension HEIFContainer {
  /// Returns the data of an item, with its extents joined after `prefix`.
  ///
  /// - Parameter isPartial: whether data that is cut off by the end of the input is returned up to there.
  /// - Throws: `CodecError.Kind.truncated` with the needed byte count if the data is not in the input.
  func codedData(
    of id: UInt32, prefix: Range<Int> = 0..<0, isPartial: Bool = false, in bytes: Span<UInt8>,
    budget: inout ResourceBudget
  ) throws(CodecError) -> ItemData {
    var found = try extents(of: id, in: bytes, budget: &budget)
    if found == nil, isPartial { found = presentExtents(of: id, in: bytes) }
    guard let (extents, byteCount) = found else {
      throw CodecError(
        .truncated, "the data of item \(id) is not in the file", format: type, byteOffset: bytes.count,
        neededByteCount: neededByteCount(for: id))
    }
    // Skipped bytes take time, too.
    try budget.chargeWork(byteCount)
    if prefix.isEmpty, extents.count == 1, let extent = extents.first { return ItemData(range: extent) }
    try budget.allocate(prefix.count + byteCount)
    var data = Array(copying: bytes.extracting(prefix))
    data.reserveCapacity(prefix.count + byteCount)
    for extent in extents { data.append(copying: bytes.extracting(extent)) }
    return ItemData(joined: data)
  }

  /// Returns the ranges of an item's data up to the end of the input, which is in one of them; `nil` if it is not.
  private func presentExtents(of id: UInt32, in bytes: Span<UInt8>) -> (ranges: [Range<Int>], byteCount: Int)? {
    guard let extents = table.extents(of: id, inputByteCount: bytes.count) else { return nil }
    var present: [Range<Int>] = []
    var byteCount = 0
    for extent in extents {
      let part = extent.clamped(to: 0..<bytes.count)
      guard !part.isEmpty, part.count <= bytes.count - byteCount else { break }
      present.append(part)
      byteCount += part.count
      if part != extent { break }
    }
    return present.isEmpty ? nil : (present, byteCount)
  }

  /// Returns the configuration and the data of all distinct coded items of which the primary image is composed.
  ///
  /// - Throws: `CodecError.Kind.truncated`, `CodecError.Kind.limitExceeded`.
  package func codedPictures(
    in bytes: Span<UInt8>
  ) throws(CodecError) -> [(configuration: [UInt8], payload: [UInt8])] {
    var budget = ResourceBudget(.unlimited, format: type)
    var pictures: [(configuration: [UInt8], payload: [UInt8])] = []
    let ids = primaryItem.coding == "grid" ? primaryItem.tileIDs : [primaryItem.id]
    for (id, _) in distinctItems(ids) {
      let data = try codedData(of: id, in: bytes, budget: &budget)
      let record = try configuration(ofItem: id, &budget)
      pictures.append((Array(copying: bytes.extracting(record)), Array(copying: data.span(in: bytes))))
    }
    return pictures
  }

  /// Returns the position of an item's decoder configuration record; empty if it has none.
  func configuration(ofItem id: UInt32, _ budget: inout ResourceBudget) throws(CodecError) -> Range<Int> {
    let properties = table.properties(of: id)
    try budget.chargeWork(count: properties.count, unitsEach: 10)
    for property in properties {
      if property.type == "hvcC" || property.type == "av1C" || property.type == "avcC" { return property.payload }
    }
    return 0..<0
  }

  /// Returns the layers of an item to decode: those of its `a1op` and `lsel` properties (AV1 in HEIF, 2.3; ISO/IEC
  /// 23008-12, 6.5.11). All layers (65535) are the steps of a progressive picture, of which the last one is shown.
  func layers(
    ofItem id: UInt32, _ bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> LayerSelection {
    let properties = table.properties(of: id)
    try budget.chargeWork(count: properties.count, unitsEach: 10)
    var layers = LayerSelection()
    for property in properties {
      var reader = ByteReader(
        bytes.extracting(property.payload), baseOffset: property.payload.lowerBound, format: type)
      switch property.type {
      case "a1op": layers.operatingPoint = Int(try reader.readUInt8())
      case "lsel":
        let layer = Int(try reader.readUInt16BigEndian())
        layers.spatialLayer = layer == 0xFFFF ? nil : layer
      default: continue
      }
    }
    return layers
  }

  /// The properties that are applied to an item, and those without which it looks the same.
  private static let knownProperties: Set<FourCharacterCode> = [
    "ispe", "pixi", "irot", "imir", "clap", "colr", "pasp", "auxC", "mdcv", "clli", "cclv", "amve", "hvcC", "av1C",
    "avcC", "jpgC", "a1op", "a1lx", "lsel", "rloc", "udes", "altt", "crtt", "mdft", "rref",
  ]

  /// Checks that all properties are known without which an item must not be shown (ISO/IEC 23008-12, 9.3).
  ///
  /// - Throws: `CodecError.Kind.unsupported`, naming the property.
  func checkEssentialProperties(ofItem id: UInt32) throws(CodecError) {
    let essential = table.properties(of: id, onlyEssential: true)
    guard let unknown = essential.first(where: { !Self.knownProperties.contains($0.type) }) else { return }
    throw CodecError(.unsupported, "the essential property '\(unknown.type)' of an image is not known", format: type)
  }

  /// Returns the coding of an item's samples: its own, or that of its first tile.
  func codingOfTiles(of item: HEIFItem) -> String {
    guard item.coding == "grid", let tile = item.tileIDs.first else { return item.coding }
    return table.items[tile]?.type.description ?? ""
  }

  /// Returns the grid of a derived image.
  ///
  /// - Throws: `CodecError.Kind.malformed` unless it has the number of tiles that it states.
  func validGrid(of item: HEIFItem, _ bytes: Span<UInt8>) throws(CodecError) -> Grid {
    guard let grid = Self.grid(of: item.id, in: table, bytes), grid.rows * grid.columns == item.tileIDs.count else {
      throw CodecError(.malformed, "a grid does not have as many tiles as it states", format: type)
    }
    return grid
  }
}

/// Groups a list of items by identifier, in order of first occurrence, each with all of its positions.
func distinctItems(_ ids: [UInt32]) -> [(id: UInt32, places: [Int])] {
  var result: [(id: UInt32, places: [Int])] = []
  var indices: [UInt32: Int] = [:]
  for (place, id) in ids.enumerated() {
    if let index = indices[id] {
      result[index].places.append(place)
    } else {
      indices[id] = result.count
      result.append((id, [place]))
    }
  }
  return result
}

extension HEIFContainer.Grid {
  /// Returns whether tiles of a size cover the picture and each of them covers a part of it: decoding a tile outside
  /// the picture would be wasted.
  func isCovered(byTilesOf tile: PixelSize) -> Bool {
    func isCovered(_ count: Int, _ side: Int, _ whole: Int) -> Bool {
      let (covered, overflow) = count.multipliedReportingOverflow(by: side)
      return side > 0 && !overflow && covered >= whole && covered - side < whole
    }
    return isCovered(columns, tile.width, size.width) && isCovered(rows, tile.height, size.height)
  }
}
