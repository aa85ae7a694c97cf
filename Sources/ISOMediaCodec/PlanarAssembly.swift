// From coded pictures to planes: single items and grids (ISO/IEC 23008-12, 6.6.2.3).

internal import ImageCore
internal import PixelPlanes

/// Decodes items that are coded as planes, with the given decoders.
struct PlanarAssembly {
  let container: HEIFContainer
  let decoders: [any CodedPictureDecoder]
  /// The package traits that enable other decoders, by coding.
  let traits: [String: String]

  /// The work units for decoding an item, in addition to its bytes and samples.
  private static let workPerItem = 20_000

  /// Returns whether an item, or the tiles of which it is composed, is coded as planes.
  func canDecode(_ item: HEIFItem) -> Bool {
    decoder(of: container.codingOfTiles(of: item)) != nil
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
      let decoded = try coded(item, bytes, options: context.options, &context.budget)
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

  func decoder(of coding: String) -> (any CodedPictureDecoder)? {
    decoders.first { $0.sampleEntryTypes.contains(coding) }
  }
}

// MARK: Coded items

extension PlanarAssembly {
  /// Decodes one coded item. The planes remain charged.
  func coded(
    _ item: HEIFItem, _ bytes: Span<UInt8>, options: DecodingOptions, _ budget: inout ResourceBudget
  ) throws(CodecError) -> DecodedPlanes {
    guard let decoder = decoder(of: item.coding) else { throw unsupported(item.coding) }
    try budget.chargeWork(Self.workPerItem)
    let data = try container.codedData(
      of: item.id, isPartial: options.tolerance == .lenient, in: bytes, budget: &budget)
    defer { budget.release(data.chargedByteCount) }
    let configuration = container.configuration(of: item)
    let held = budget.heldByteCount
    let decoded = try decoder.decode(
      CodedPicture(configuration: bytes.extracting(configuration), payload: data.span(in: bytes)),
      options: options, budget: &budget)
    budget.settle(heldByteCount: held + decoded.picture.rawPlanesByteCount)
    return decoded
  }

  /// Reads the parameter sets of a coded item.
  func description(
    of item: HEIFItem, _ bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> CodedPictureDescription {
    guard let decoder = decoder(of: item.coding) else { throw unsupported(item.coding) }
    try budget.chargeWork(Self.workPerItem)
    let data = try container.codedData(of: item.id, in: bytes, budget: &budget)
    defer { budget.release(data.chargedByteCount) }
    return try decoder.description(
      of: CodedPicture(
        configuration: bytes.extracting(container.configuration(of: item)), payload: data.span(in: bytes)))
  }
}
