// The layout of the sensor data of a DNG (DNG 1.7, chapters 2 to 4).

internal import ImageCoding
internal import MetadataFormats

/// How the samples of a sensor are stored, and what they mean.
struct SensorLayout {
  /// The compression of blocks.
  enum Compression: Hashable {
    case stored
    case losslessJPEG
    case lossyJPEG
    case deflate
  }

  /// The size of the stored frame.
  let size: PixelSize
  let samplesPerPixel: Int
  let bits: Int
  let compression: Compression
  /// Whether samples are stored as differences from their left neighbours.
  let hasPredictor: Bool
  let isBigEndian: Bool
  /// The size of a strip or tile.
  let blockSize: PixelSize
  let isTiled: Bool
  /// The positions of blocks, row by row.
  private let offsets: TIFFField
  private let byteCounts: TIFFField?
  private let header: TIFFHeader
  /// The values of stored samples; empty if samples are linear.
  let linearization: [UInt16]
  /// The colours of the filters; `nil` if each pixel has all samples.
  let mosaic: Mosaic?
  /// The part of the frame that receives light.
  let activeArea: PixelRegion
  /// The picture, relative to the active area.
  let crop: PixelRegion
  let levels: SampleLevels

  /// The maximum width and height: the work of a row is done between two checkpoints.
  private static let maximumSide = 100_000

  /// Reads the layout, checking its sizes before anything is allocated.
  ///
  /// - Throws: `CodecError.Kind.unsupported`, which names the coding; `CodecError.Kind.malformed`.
  init(_ fields: borrowing RawFields, budget: inout ResourceBudget) throws(CodecError) {
    func error(_ kind: CodecError.Kind, _ reason: String) -> CodecError {
      CodecError(kind, reason, format: RawFormat.dng.type)
    }
    let size = PixelSize(width: fields.integer(.imageWidth) ?? 0, height: fields.integer(.imageLength) ?? 0)
    guard size.width > 0, size.height > 0 else { throw error(.malformed, "the sensor data have no width or height") }
    try budget.checkSourceSize(width: size.width, height: size.height)
    guard max(size.width, size.height) <= Self.maximumSide else {
      throw error(.unsupported, "sensors of more than \(Self.maximumSide) pixels in a row or column are not supported")
    }
    guard fields.integer(.sampleFormat) ?? 1 == 1 else {
      throw error(.unsupported, "floating-point sensor data are not supported")
    }
    guard fields.integer(.planarConfiguration) ?? 1 == 1 else {
      throw error(.unsupported, "sensor data in separate planes are not supported")
    }
    samplesPerPixel = fields.integer(.samplesPerPixel) ?? 1
    bits = fields.integer(.bitsPerSample) ?? 1
    compression = try Self.compression(fields)
    guard (8...16).contains(bits) else { throw error(.unsupported, "sensor data of \(bits) bits are not supported") }
    hasPredictor = compression == .deflate && fields.integer(.predictor) ?? 1 == 2
    if compression == .deflate, ![1, 2].contains(fields.integer(.predictor) ?? 1) || (hasPredictor && bits % 8 != 0) {
      throw error(.unsupported, "the predictor of the sensor data is not supported")
    }
    isBigEndian = fields.header.isBigEndian
    let isMosaic = fields.integer(.photometricInterpretation) == 32803
    guard samplesPerPixel == 1 || (samplesPerPixel == 3 && !isMosaic) else {
      throw error(.unsupported, "sensor data of \(samplesPerPixel) samples per pixel are not supported")
    }
    mosaic = isMosaic ? try Mosaic(fields) : nil
    let tileWidth = fields.integer(.tileWidth)
    isTiled = tileWidth != nil
    blockSize = PixelSize(
      width: tileWidth ?? size.width,
      height: isTiled
        ? fields.integer(.tileLength) ?? 0 : min(fields.integer(.rowsPerStrip) ?? size.height, size.height))
    let places = fields.directory[isTiled ? RawTag.tileOffsets.rawValue : RawTag.stripOffsets.rawValue]
    guard blockSize.width > 0, blockSize.height > 0, blockSize.width <= Self.maximumSide, let places else {
      throw error(.malformed, "the strips or tiles of the sensor data have no size or position")
    }
    try budget.checkSourceSize(width: blockSize.width, height: blockSize.height)
    offsets = places
    byteCounts = fields.directory[isTiled ? RawTag.tileByteCounts.rawValue : RawTag.stripByteCounts.rawValue]
    header = fields.header
    self.size = size
    activeArea = try Self.activeArea(fields, size)
    crop = Self.crop(fields, PixelSize(width: activeArea.width, height: activeArea.height))
    let tableCount = min(fields.count(.linearizationTable), 65_536)
    try budget.chargeWork(count: tableCount, unitsEach: 50)
    try budget.allocate(count: tableCount, bytesEach: 10)
    linearization = fields.integers(.linearizationTable, maximumCount: tableCount).map { UInt16(clamping: $0) }
    levels = try SampleLevels(
      fields, samplesPerPixel: samplesPerPixel, bits: bits,
      activeSize: PixelSize(width: activeArea.width, height: activeArea.height), budget: &budget)
  }

  private static func compression(_ fields: borrowing RawFields) throws(CodecError) -> Compression {
    switch fields.integer(.compression) ?? 1 {
    case 1: return .stored
    case 7: return .losslessJPEG
    case 8, 32946: return .deflate
    case 34892: return .lossyJPEG
    case let code:
      let names = [9: "VC-5", 34713: "Nikon's compression", 52546: "JPEG XL"]
      throw CodecError(
        .unsupported, "sensor data compressed by \(names[code] ?? "compression \(code)") are not supported",
        format: RawFormat.dng.type)
    }
  }

  private static func activeArea(_ fields: borrowing RawFields, _ size: PixelSize) throws(CodecError) -> PixelRegion {
    guard fields.contains(.activeArea) else { return PixelRegion(x: 0, y: 0, width: size.width, height: size.height) }
    let edges = fields.integers(.activeArea, maximumCount: 4)
    guard edges.count == 4, edges[0] >= 0, edges[1] >= 0, edges[0] < edges[2], edges[1] < edges[3],
      edges[2] <= size.height, edges[3] <= size.width
    else {
      throw CodecError(.malformed, "the active area is empty or outside of the sensor", format: RawFormat.dng.type)
    }
    return PixelRegion(x: edges[1], y: edges[0], width: edges[3] - edges[1], height: edges[2] - edges[0])
  }

  /// Returns the default crop, or the whole active area if the crop is not inside it.
  private static func crop(_ fields: borrowing RawFields, _ size: PixelSize) -> PixelRegion {
    let whole = PixelRegion(x: 0, y: 0, width: size.width, height: size.height)
    guard let extent = fields.numbers(.defaultCropSize, count: 2) else { return whole }
    let origin = fields.numbers(.defaultCropOrigin, count: 2) ?? [0, 0]
    let edges = (origin + extent).map { Int(clamping: Int64(min(max($0.rounded(), -1), 1e9))) }
    let region = PixelRegion(x: edges[0], y: edges[1], width: edges[2], height: edges[3])
    return region.x >= 0 && region.y >= 0 && region.width > 0 && region.height > 0 && region.fits(in: size)
      ? region : whole
  }

  /// The number of blocks from left to right.
  var columnCount: Int { (size.width - 1) / blockSize.width + 1 }

  /// Returns whether one of the blocks from an index on starts in the file.
  func hasBlock(from index: Int, in bytes: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) -> Bool {
    let rowCount = (size.height - 1) / blockSize.height + 1
    let (expected, overflow) = columnCount.multipliedReportingOverflow(by: rowCount)
    let end = min(offsets.count, overflow ? .max : expected)
    for index in index..<max(index, end) {
      try budget.chargeWork(50)
      // The rest of the positions is not in the file either.
      guard let offset = offsets.integer(at: index, in: bytes, header: header) else { return false }
      if offset > 0, offset < bytes.count { return true }
    }
    return false
  }

  /// Returns the position of a block, cut off at the end of the file.
  ///
  /// - Throws: `CodecError.Kind.truncated` if it does not start in the file.
  func range(ofBlock index: Int, in bytes: Span<UInt8>) throws(CodecError) -> Range<Int> {
    guard let offset = offsets.integer(at: index, in: bytes, header: header), offset > 0, offset < bytes.count else {
      throw CodecError(
        .truncated, "strip or tile \(index) of the sensor data is not in the file", format: RawFormat.dng.type,
        byteOffset: bytes.count)
    }
    let stated = byteCounts?.integer(at: index, in: bytes, header: header) ?? 0
    let count = stated > 0 ? min(stated, bytes.count - offset) : bytes.count - offset
    return offset..<offset + count
  }

  /// The name of the coding.
  var codingName: String {
    let name =
      switch compression {
      case .stored: "uncompressed"
      case .losslessJPEG: "lossless JPEG"
      case .lossyJPEG: "lossy JPEG"
      case .deflate: "Deflate"
      }
    return (mosaic == nil ? "linear, " : "mosaic, ") + name
  }
}
