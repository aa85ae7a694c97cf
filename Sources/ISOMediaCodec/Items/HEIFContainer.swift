// The content of a HEIF file: the primary image, its alpha plane, thumbnails, metadata, and whether there is a
// sequence.

public import ImageCoding

/// The images and the metadata of a HEIF, HEIC or AVIF file, without pixels.
public struct HEIFContainer: Sendable {
  /// The brands of the file type box.
  public let brands: ISOBrands
  /// The image that the file is about, stated by its `pitm` box.
  public let primaryItem: HEIFItem
  /// The alpha plane of the primary image; `nil` if it is opaque.
  public let alphaItem: HEIFItem?
  /// The gain map of the primary image; `nil` if there is none.
  public let gainMap: GainMapReference?
  /// The auxiliary images of the primary image, such as alpha planes, depth maps and gain maps;
  /// ``HEIFItem/auxiliaryType`` tells which.
  public let auxiliaryItems: [HEIFItem]
  /// The item of type `tmap` with the metadata of the gain map; `nil` if there is none.
  let toneMapItemID: UInt32?
  /// The thumbnails of the primary image.
  public let thumbnails: [HEIFItem]
  /// The number of master images: images other than thumbnails, tiles and auxiliary images.
  public let imageCount: Int
  /// The grid of tiles of the primary image; `nil` if it is not a grid.
  public let grid: Grid?
  let table: ItemTable
  let type: AssetType

  /// An image that is composed of tiles.
  public struct Grid: Hashable, Sendable {
    /// The number of rows of tiles.
    public let rows: Int
    /// The number of columns of tiles.
    public let columns: Int
    /// The size of the image in pixels.
    public let size: PixelSize
  }

  /// Reads the meta box.
  ///
  /// - Parameters:
  ///   - bytes: the file, or a prefix that contains the whole meta box.
  ///   - limits: what reading may cost.
  /// - Throws: `CodecError.Kind.malformed`; `CodecError.Kind.truncated` with the needed byte count.
  public init(parsing bytes: Span<UInt8>, limits: DecodingLimits = .default) throws(CodecError) {
    var budget = ResourceBudget(limits)
    try self.init(parsing: bytes, budget: &budget)
  }

  /// - Parameter imageIndex: the image to use as primary image, as an index into ``ItemTable/masterImageIDs``; `nil`
  ///   for the one that the file states.
  init(
    parsing bytes: Span<UInt8>, imageIndex: Int? = nil, isStrict: Bool = false, budget: inout ResourceBudget
  ) throws(CodecError) {
    let type: AssetType
    if case .yes(let sniffed) = sniffISOBrands(bytes, isComplete: true) {
      type = sniffed
    } else {
      type = ISOMediaDecoder.heif
    }
    self.type = type
    brands = try ISOBrands(parsing: bytes)
    let meta = try topLevelBox("meta", of: bytes, type: type, budget: &budget)
    let table = try ItemTable(bytes, in: meta.fullPayload, type: type, isStrict: isStrict, budget: &budget)
    let masters = table.masterImageIDs
    try budget.chargeWork(count: table.items.count + table.references.count, unitsEach: 50)
    if let imageIndex, !masters.indices.contains(imageIndex) {
      throw CodecError(
        .invalidArgument, "there is no image \(imageIndex); the file has \(masters.count)", format: type)
    }
    guard var id = imageIndex.map({ masters[$0] }) ?? table.primaryItemID, table.items[id] != nil else {
      throw CodecError(.malformed, "there is no primary item", format: type, byteOffset: meta.payload.lowerBound)
    }
    // The first source of a tone-mapped image is the image for displays of standard range.
    if table.items[id]?.type == "tmap", let base = table.sources(of: id).first { id = base }
    self.table = table
    var primary = try HEIFItem(id, in: table, bytes, budget: &budget, keepsProfile: true)
    grid = primary.coding == "grid" ? Self.grid(of: id, in: table, bytes) : nil
    if primary.codedSize.width == 0, let grid { primary.codedSize = grid.size }
    guard primary.codedSize.width > 0, primary.codedSize.height > 0 else {
      throw CodecError(
        .malformed, "the primary item has no spatial extent (ispe)", format: type, byteOffset: meta.payload.lowerBound)
    }
    try Self.inheritFromTiles(&primary, in: table, bytes, budget: &budget)
    primaryItem = primary
    imageCount = masters.count
    thumbnails = try Self.items(of: table.items(referring: "thmb", to: id), in: table, bytes, budget: &budget)
    // In a grid, the tiles may have alpha planes instead.
    let planes = ([id] + primary.tileIDs.prefix(1)).flatMap { table.items(referring: "auxl", to: $0) }
    let auxiliaries = try Self.items(of: planes, in: table, bytes, budget: &budget)
    auxiliaryItems = auxiliaries
    alphaItem = auxiliaries.first { $0.isAlpha }
    let toneMap = Self.toneMap(of: id, in: table)
    toneMapItemID = toneMap?.from
    gainMap =
      toneMap.map { GainMapReference(standard: .iso21496, itemID: $0.to[1]) }
      ?? auxiliaries.first { $0.isAppleGainMap }.map { GainMapReference(standard: .apple, itemID: $0.id) }
  }

  /// Returns the sources of a tone-mapped image (`tmap`, ISO 21496-1): an image and its gain map.
  private static func toneMap(of id: UInt32, in table: ItemTable) -> ItemTable.Reference? {
    table.references.first { reference in
      reference.type == "dimg" && reference.to.count == 2 && reference.to[0] == id
        && table.items[reference.from]?.type == "tmap"
    }
  }

  /// The colour space of the primary image.
  var colorSpace: ColorSpace {
    var space = primaryItem.colorSpace
    space.gainMap = gainMap
    return space
  }

  private static func items(
    of ids: [UInt32], in table: ItemTable, _ bytes: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) -> [HEIFItem] {
    var result: [HEIFItem] = []
    for id in ids {
      guard let item = try optional(id, in: table, bytes, budget: &budget) else { continue }
      try budget.allocate(MemoryLayout<HEIFItem>.stride)
      result.append(item)
    }
    return result
  }

  /// Returns an item that is not required for the image; `nil` if it is damaged.
  private static func optional(
    _ id: UInt32, in table: ItemTable, _ bytes: Span<UInt8>, budget: inout ResourceBudget, keepsProfile: Bool = false
  ) throws(CodecError) -> HEIFItem? {
    do throws(CodecError) {
      return try HEIFItem(id, in: table, bytes, budget: &budget, keepsProfile: keepsProfile)
    } catch {
      guard error.isDamage else { throw error }
      return nil
    }
  }

  /// Copies depth and colour properties that a derived image lacks from its sources.
  private static func inheritFromTiles(
    _ item: inout HEIFItem, in table: ItemTable, _ bytes: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) {
    guard let first = item.tileIDs.first, first != item.id,
      let tile = try optional(first, in: table, bytes, budget: &budget, keepsProfile: item.iccProfile == nil)
    else { return }
    if item.bitsPerChannel.isEmpty { item.bitsPerChannel = tile.bitsPerChannel }
    if item.codePoints == nil { item.codePoints = tile.codePoints }
    if item.iccProfile == nil { item.iccProfile = tile.iccProfile }
  }

  /// Reads a grid. ISO/IEC 23008-12, 6.6.2.3: version, flags, rows and columns minus one, width and height of 2 or 4
  /// bytes.
  static func grid(of id: UInt32, in table: ItemTable, _ bytes: Span<UInt8>) -> Grid? {
    guard let extent = table.extents(of: id, inputByteCount: bytes.count)?.first, extent.upperBound <= bytes.count
    else { return nil }
    var reader = ByteReader(bytes.extracting(extent))
    guard (try? reader.skip(1)) != nil, let flags = try? reader.readUInt8(), let rows = try? reader.readUInt8(),
      let columns = try? reader.readUInt8(),
      let width = try? reader.readInteger(byteCount: flags & 1 == 1 ? 4 : 2, isBigEndian: true),
      let height = try? reader.readInteger(byteCount: flags & 1 == 1 ? 4 : 2, isBigEndian: true)
    else { return nil }
    return Grid(
      rows: Int(rows) + 1, columns: Int(columns) + 1,
      size: PixelSize(width: Int(clamping: width), height: Int(clamping: height)))
  }

  /// Returns the smallest thumbnail that is at least as large as the target of a decode and has the aspect ratio of the
  /// image.
  func thumbnail(for options: DecodingOptions) -> HEIFItem? {
    guard let target = options.targetSize, options.region == nil else { return nil }
    let size = primaryItem.size
    return thumbnails.filter { item in
      item.size.width >= target.width && item.size.height >= target.height && item.size.isReduction(of: size)
    }.min { $0.size.width < $1.size.width }
  }

  /// The coding of the pixels; in a derived image, that of its sources.
  public var coding: String {
    guard let tile = primaryItem.tileIDs.first, let item = table.items[tile] else { return primaryItem.coding }
    return "\(primaryItem.coding) of \(item.type)"
  }

  /// The properties that are common to all formats. Rotations and crops are properties of the image and are applied to
  /// its size, unlike the orientation in EXIF.
  var info: ImageInfo {
    let size = primaryItem.size
    let bits = primaryItem.bitsPerChannel
    var info = ImageInfo(
      type: type, width: size.width, height: size.height, bitDepth: bits.first,
      colorModel: bits.count == 1 ? .gray : bits.isEmpty ? nil : .yCbCr, hasAlpha: alphaItem != nil,
      colorSpace: colorSpace, coding: coding)
    info.imageCount = imageCount
    return info
  }

  /// Returns the ranges and the byte count of an item's data; `nil` if they are not all in the input or exceed its
  /// size, since overlapping extents could add up to any size.
  func extents(
    of id: UInt32, in bytes: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) -> (ranges: [Range<Int>], byteCount: Int)? {
    guard let extents = table.extents(of: id, inputByteCount: bytes.count) else { return nil }
    try budget.chargeWork(count: extents.count, unitsEach: 10)
    var byteCount = 0
    for extent in extents {
      guard extent.upperBound <= bytes.count, extent.count <= bytes.count - byteCount else { return nil }
      byteCount += extent.count
    }
    return (extents, byteCount)
  }

  /// Returns the metadata in an item; `nil` if it is not all in the input or exceeds a limit.
  func metadata(
    inItem id: UInt32, of bytes: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8]? {
    guard let (extents, byteCount) = try extents(of: id, in: bytes, budget: &budget),
      budget.admitMetadata(byteCount)
    else { return nil }
    var data: [UInt8] = []
    data.reserveCapacity(byteCount)
    for extent in extents { data.append(copying: bytes.extracting(extent)) }
    return data
  }

  /// Returns the number of bytes from the start of the file to the end of an item's data; `nil` if the data is not in
  /// the file.
  func neededByteCount(for id: UInt32) -> Int? {
    table.extents(of: id, inputByteCount: .max)?.map { $0.upperBound }.max()
  }
}

/// Returns the first top-level box of a type. It must be complete.
///
/// - Throws: `CodecError.Kind.truncated` with the byte count needed to continue, `CodecError.Kind.unsupported` for a
///   minimised image box, which replaces the meta box.
func topLevelBox(
  _ wanted: FourCharacterCode, of bytes: Span<UInt8>, type: AssetType, budget: inout ResourceBudget
) throws(CodecError) -> ISOBox {
  var boxes = ISOBoxIterator(bytes, in: 0..<bytes.count)
  while let box = boxes.next() {
    try budget.chargeWork(ISOBoxIterator.workPerBox, byteOffset: box.payload.lowerBound)
    if wanted == "meta", box.type == "mini" {
      throw CodecError(
        .unsupported, "minimised image boxes ('mini') are not supported", format: type,
        byteOffset: box.payload.lowerBound - 8)
    }
    guard box.type == wanted else { continue }
    try box.requireComplete(type)
    return box
  }
  throw CodecError(
    .truncated, "no box '\(wanted)'", format: type, byteOffset: bytes.count,
    neededByteCount: boxes.position > Int.max - 8 ? nil : boxes.position + 8)
}
