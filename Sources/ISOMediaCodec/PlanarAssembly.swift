// From coded pictures to planes: single items and grids (ISO/IEC 23008-12, 6.6.2.3).

internal import ImageCore
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
    var picture: PlanarPicture
    if item.coding == "grid" {
      picture = try grid(of: item, window: window, bytes, &context)
    } else {
      let decoder = try decoder(of: item.id, bytes, &context.budget)
      let decoded = try coded(item, decoder, bytes, options: context.options, &context.budget)
      context.note(decoded.diagnostics.map { ImageDiagnostic($0.severity, $0.reason) })
      picture = decoded.picture
      if let window { try picture.crop(to: window, budget: &context.budget) }
    }
    if let codePoints = item.codePoints {
      picture.coding.matrix = MatrixCoefficients(rawValue: codePoints.matrixCoefficients)
      picture.coding.range = codePoints.isFullRange ? .full : .limited
    }
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
  /// - Throws: ``CodecError/Kind/unsupported``, naming the coding, if there is none.
  func decoder(
    of id: UInt32, _ bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> any ConfiguredPictureDecoder {
    let coding = container.table.items[id]?.type.description ?? ""
    let record = try container.configuration(ofItem: id, &budget)
    guard let decoder = try decoders.decoder(of: coding, configuredBy: record, in: bytes, &budget) else {
      throw unsupported(coding)
    }
    return decoder
  }

  /// Decodes one coded item. The planes remain charged.
  func coded(
    _ item: HEIFItem, _ decoder: any ConfiguredPictureDecoder, _ bytes: Span<UInt8>, options: DecodingOptions,
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> DecodedPlanes {
    try budget.chargeWork(Self.workPerItem)
    let data = try container.codedData(
      of: item.id, isPartial: options.tolerance == .lenient, in: bytes, budget: &budget)
    defer { budget.release(data.chargedByteCount) }
    return try decoder.decode(data.span(in: bytes), options: options, budget: &budget)
  }

  /// Reads the parameter sets of a coded item.
  func description(
    of item: HEIFItem, _ decoder: any ConfiguredPictureDecoder, _ bytes: Span<UInt8>,
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> CodedPictureDescription {
    try budget.chargeWork(Self.workPerItem)
    let data = try container.codedData(of: item.id, in: bytes, budget: &budget)
    defer { budget.release(data.chargedByteCount) }
    return try decoder.description(of: data.span(in: bytes), budget: &budget)
  }
}
