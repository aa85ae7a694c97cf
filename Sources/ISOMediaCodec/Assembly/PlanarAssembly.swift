// From coded pictures to planes: single items and grids (ISO/IEC 23008-12, 6.6.2.3).

internal import ImageCoding
internal import PixelPlanes

/// Decodes items that are coded as planes, with the given decoders.
struct PlanarAssembly {
  let container: HEIFContainer
  let decoders: ConfiguredDecoders
  /// The package traits that enable other decoders, by coding.
  let traits: [String: String]

  /// The work units for decoding an item, in addition to its bytes and samples.
  private static let workPerItem = 20_000

  /// Returns whether an item, or the tiles of which it is composed, is coded as planes.
  func canDecode(_ item: HEIFItem) -> Bool {
    decoders.canDecode(container.codingOfTiles(of: item))
  }

  /// Returns the planes of an item as coded: not rotated or converted. Their memory remains charged.
  ///
  /// - Parameter window: the part of the planes to return, whose left and top edges are even; `nil` for all of them. Of
  ///   a grid, only the tiles that the window touches are decoded.
  func picture(
    of item: HEIFItem, window: PixelRegion? = nil, _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) -> PlanarPicture {
    var picture = try codedPicture(of: item, window: window, bytes, &context)
    if let codePoints = item.codePoints {
      picture.coding.matrix = MatrixCoefficients(rawValue: codePoints.matrixCoefficients)
      picture.coding.range = codePoints.isFullRange ? .full : .limited
      picture.colorSpace = .codePoints(codePoints)
    }
    return picture
  }

  /// Returns the luma of an alpha item, or of a part of it, in full range. Its memory remains charged.
  func alphaPlane(
    of item: HEIFItem, window: PixelRegion? = nil, _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) -> SamplePlane {
    try codedPicture(of: item, window: window, bytes, &context)
      .alphaPlane(codedAs: container.codingOfTiles(of: item), budget: &context.budget)
  }

  /// Returns the planes of an item, interpreted as their bitstream says.
  private func codedPicture(
    of item: HEIFItem, window: PixelRegion?, _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) -> PlanarPicture {
    if item.coding == "grid" { return try grid(of: item, window: window, bytes, &context) }
    let decoder = try decoder(of: item.id, bytes, &context.budget)
    var picture = try coded(item, decoder, bytes, &context).picture
    if let window { try picture.crop(to: window, budget: &context.budget) }
    return picture
  }

  func unsupported(_ coding: String) -> CodecError {
    CodecError(.unsupported, unsupportedReason("images", coding, traits), format: container.type)
  }
}

// MARK: Coded items

extension PlanarAssembly {
  /// Returns the decoder of a coded item.
  ///
  /// - Throws: `CodecError.Kind.unsupported`, naming the coding, if there is none.
  func decoder(
    of id: UInt32, _ bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> AnyConfiguredPictureDecoder {
    let coding = container.table.items[id]?.type.description ?? ""
    let record = try container.configuration(ofItem: id, &budget)
    try container.checkEssentialProperties(ofItem: id)
    guard let decoder = try decoders.decoder(of: coding, configuredBy: record, in: bytes, &budget) else {
      throw unsupported(coding)
    }
    let layers = try container.layers(ofItem: id, bytes, &budget)
    return layers == LayerSelection() ? decoder : try decoder.selecting(layers)
  }

  /// Decodes one coded item. The planes remain charged.
  func coded(
    _ item: HEIFItem, _ decoder: AnyConfiguredPictureDecoder, _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) -> DecodedPlanes {
    try context.budget.chargeWork(Self.workPerItem)
    try container.checkConfiguration(of: item, &context)
    let data = try container.codedData(
      of: item.id, isPartial: !context.isStrict, in: bytes, budget: &context.budget)
    defer { context.budget.release(data.chargedByteCount) }
    let planes = try context.decodePart { (context) throws(CodecError) in
      try decoder.decode(data.span(in: bytes), context: &context)
    }
    try container.checkSize(
      PixelSize(width: planes.picture.width, height: planes.picture.height), of: item, &context)
    return planes
  }

  /// Reads the parameter sets of a coded item.
  func description(
    of id: UInt32, _ decoder: AnyConfiguredPictureDecoder, _ bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> CodedPictureDescription {
    try budget.chargeWork(Self.workPerItem)
    let data = try container.codedData(of: id, in: bytes, budget: &budget)
    defer { budget.release(data.chargedByteCount) }
    return try decoder.description(of: data.span(in: bytes), budget: &budget)
  }
}

// MARK: Tiles

extension PlanarAssembly: TileDecoder {
  var decodesInParallel: Bool { true }

  func canvas(
    _ size: PixelSize, like tile: CodedPictureDescription, _ budget: inout ResourceBudget
  ) throws(CodecError) -> PlanarPicture {
    var picture = try PlanarPicture(
      width: size.width, height: size.height, bitDepth: tile.bitDepth, chromaFormat: tile.chromaFormat,
      coding: tile.coding, budget: &budget)
    picture.colorSpace = tile.codePoints.map(ColorSpace.codePoints) ?? .unspecified
    return picture
  }

  func tile(
    _ item: HEIFItem, _ decoder: AnyConfiguredPictureDecoder, like first: CodedPictureDescription,
    _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) -> PlanarPicture? {
    // Compared before anything is allocated: a tile of another size may need more memory.
    let tile = try description(of: item.id, decoder, bytes, &context.budget)
    guard tile.size == first.size, tile.bitDepth == first.bitDepth, tile.chromaFormat == first.chromaFormat else {
      return nil
    }
    let picture = try coded(item, decoder, bytes, &context).picture
    let isEqual =
      PixelSize(width: picture.width, height: picture.height) == first.size
      && picture.bitDepth == first.bitDepth && picture.chromaFormat == first.chromaFormat
    return isEqual ? picture : nil
  }
}
