// From coded pictures to planes: single items and grids (ISO/IEC 23008-12, 6.6.2.3).

internal import ImageCore
internal import PixelPlanes

/// Decodes items that are coded as planes, with the given decoders.
struct PlanarAssembly {
  let container: HEIFContainer
  let decoders: [any CodedPictureDecoder]

  /// The work units for decoding an item, in addition to its bytes and samples.
  private static let workPerItem = 20_000

  /// Returns whether an item, or the tiles of which it is composed, is coded as planes.
  func canDecode(_ item: HEIFItem) -> Bool {
    decoder(of: container.codingOfTiles(of: item)) != nil
  }

  /// Returns the planes of an item as coded: not cropped, rotated or converted. Their memory remains charged.
  func picture(
    of item: HEIFItem, _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) -> PlanarPicture {
    var picture =
      try item.coding == "grid"
      ? grid(of: item, bytes, &context) : coded(item, bytes, &context)
    if let codePoints = item.codePoints {
      picture.coding.matrix = MatrixCoefficients(rawValue: codePoints.matrixCoefficients)
      picture.coding.range = codePoints.isFullRange ? .full : .limited
    }
    return picture
  }

  private func decoder(of coding: String) -> (any CodedPictureDecoder)? {
    decoders.first { $0.sampleEntryTypes.contains(coding) }
  }

  // MARK: Coded items

  private func coded(
    _ item: HEIFItem, _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) -> PlanarPicture {
    guard let decoder = decoder(of: item.coding) else {
      throw error(.unsupported, "images coded as '\(item.coding)' are identified but not decoded")
    }
    try context.budget.chargeWork(Self.workPerItem)
    let data = try container.codedData(of: item.id, in: bytes, budget: &context.budget)
    defer { context.budget.release(data.chargedByteCount) }
    let configuration = container.configuration(of: item)
    let held = context.budget.heldByteCount
    let decoded = try decoder.decode(
      CodedPicture(configuration: bytes.extracting(configuration), payload: data.span(in: bytes)),
      options: context.options, budget: &context.budget)
    context.budget.settle(heldByteCount: held + decoded.picture.rawPlanesByteCount)
    context.note(decoded.diagnostics.map { ImageDiagnostic($0.severity, $0.reason) })
    return decoded.picture
  }

  // MARK: Grids

  /// Decodes each distinct tile once and copies it to all of its positions. A lenient decode leaves out damaged tiles.
  private func grid(
    of item: HEIFItem, _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) -> PlanarPicture {
    let grid = try container.validGrid(of: item, bytes)
    var canvas: PlanarPicture?
    var tileSize = PixelSize(width: 0, height: 0)
    var firstError: CodecError?
    for (id, places) in distinctItems(item.tileIDs) {
      let tile: PlanarPicture
      do throws(CodecError) {
        let tileItem = try HEIFItem(id, in: container.table, bytes, budget: &context.budget)
        tile = try coded(tileItem, bytes, &context)
      } catch {
        guard error.kind == .malformed || error.kind == .truncated, !context.isStrict else { throw error }
        firstError = firstError ?? error
        context.noteOnce(.damage, "a tile cannot be decoded: \(error.reason)", byteOffset: error.byteOffset)
        continue
      }
      if canvas == nil {
        tileSize = PixelSize(width: tile.width, height: tile.height)
        guard grid.isCovered(byTilesOf: tileSize) else {
          throw error(.malformed, "the tiles of a grid do not cover it")
        }
        context.budget.allowWork(forPixelCount: grid.size.width * grid.size.height)
        canvas = try PlanarPicture(
          width: grid.size.width, height: grid.size.height, bitDepth: tile.bitDepth, chromaFormat: tile.chromaFormat,
          coding: tile.coding, budget: &context.budget)
      }
      guard tile.width == tileSize.width, tile.height == tileSize.height, tile.bitDepth == canvas?.bitDepth,
        tile.chromaFormat == canvas?.chromaFormat
      else { throw error(.malformed, "the tiles of a grid differ in size or coding") }
      try context.budget.chargeWork(count: places.count, unitsEach: tile.rawPlanesByteCount)
      for place in places {
        canvas?.paste(tile, x: place % grid.columns * tile.width, y: place / grid.columns * tile.height)
      }
      context.budget.release(tile.rawPlanesByteCount)
    }
    guard let canvas else { throw firstError ?? error(.malformed, "a grid has no tiles") }
    return canvas
  }

  private func error(_ kind: CodecError.Kind, _ reason: String) -> CodecError {
    CodecError(kind, reason, format: container.type)
  }
}

extension PlanarPicture {
  /// Copies a picture of the same coding into this one. The position is a multiple of the chroma subsampling, or odd
  /// after tiles of odd size, whose chroma is rounded up. Samples beyond an edge are dropped.
  fileprivate mutating func paste(_ tile: PlanarPicture, x: Int, y: Int) {
    for component in Component.allCases {
      guard let source = tile.plane(component) else { continue }
      let isChroma = component == .cb || component == .cr
      let (left, top) = isChroma ? (chromaFormat.chromaWidth(x), chromaFormat.chromaHeight(y)) : (x, y)
      withMutablePlane(component) { $0.paste(source, x: left, y: top) }
    }
  }
}

extension SamplePlane {
  /// Copies a plane of the same depth into this one. Samples beyond an edge are dropped.
  fileprivate mutating func paste(_ source: SamplePlane, x: Int, y: Int) {
    guard x < width else { return }
    let count = min(source.width, width - x)
    for row in 0..<max(0, min(source.height, height - y)) {
      if isWide {
        let samples = source.wideRow(row)
        var target = mutableWideRow(y + row)
        for index in 0..<count { target[x &+ index] = samples[index] }
      } else {
        let samples = source.narrowRow(row)
        var target = mutableNarrowRow(y + row)
        for index in 0..<count { target[x &+ index] = samples[index] }
      }
    }
  }
}
