// Auxiliary images of a HEIF file, decoded on request: gain maps, depth maps, mattes (ISO/IEC 23008-12, 6.5.8).

public import ImageCoding

/// A gain map and what is required to apply it.
package struct GainMapImage: Hashable, Sendable {
  /// The specification that applies, and the item that contains the map.
  package let reference: GainMapReference
  /// The map, upright; usually smaller than the image.
  package let bitmap: Bitmap
  /// The metadata of ISO 21496-1, from the item of type `tmap`; `nil` for Apple's maps.
  package let metadata: [UInt8]?
  /// The colour space of the image to which the map leads; unspecified for Apple's maps.
  package let alternateColorSpace: ColorSpace
}

extension ISOMediaDecoder {
  /// Decodes the gain map of the primary image, or of the one that ``DecodingOptions/imageIndex`` selects; `nil` if it
  /// has none.
  ///
  /// - Throws: `CodecError.Kind.unsupported` if there is no decoder for its coding.
  package func gainMap(
    _ bytes: Span<UInt8>, options: DecodingOptions = DecodingOptions()
  ) throws(CodecError) -> GainMapImage? {
    var budget = ResourceBudget(options)
    return try gainMap(bytes, options: options, budget: &budget)
  }

  /// Decodes the gain map, charging a budget.
  package func gainMap(
    _ bytes: Span<UInt8>, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> GainMapImage? {
    let type = try sniffedType(bytes)
    if isVideo(type) { return nil }
    return try DecodingContext.spending(&budget, options, format: type) { (context) throws(CodecError) in
      let container = try HEIFContainer(
        parsing: bytes, imageIndex: options.imageIndex, isStrict: context.isStrict, budget: &context.budget)
      return try gainMap(bytes, in: container, &context)
    }
  }

  private func gainMap(
    _ bytes: Span<UInt8>, in container: HEIFContainer, _ context: inout DecodingContext
  ) throws(CodecError) -> GainMapImage? {
    guard let reference = container.gainMap else { return nil }
    var metadata: [UInt8]?
    var colorSpace = ColorSpace()
    if let id = container.toneMapItemID {
      metadata = try container.metadata(inItem: id, of: bytes, budget: &context.budget)
      colorSpace = try HEIFItem(
        id, in: container.table, bytes, budget: &context.budget, keepsProfile: true
      ).colorSpace
    }
    return GainMapImage(
      reference: reference, bitmap: try image(reference.itemID, in: container, bytes, &context), metadata: metadata,
      alternateColorSpace: colorSpace)
  }

  /// Decodes one of ``HEIFContainer/auxiliaryItems``, such as a depth map, with its crop and orientation applied. Of
  /// the options, the target size and the region are ignored.
  ///
  /// - Throws: `CodecError.Kind.invalidArgument` if there is no such item; `CodecError.Kind.unsupported` if there
  ///   is no decoder for its coding.
  public func auxiliaryImage(
    _ itemID: UInt32, of bytes: Span<UInt8>, options: DecodingOptions = DecodingOptions()
  ) throws(CodecError) -> Bitmap {
    var context = DecodingContext(options, format: try sniffedType(bytes))
    let container = try HEIFContainer(
      parsing: bytes, imageIndex: options.imageIndex, isStrict: context.isStrict, budget: &context.budget)
    guard container.table.items[itemID] != nil else {
      throw CodecError(.invalidArgument, "there is no item \(itemID)", format: container.type)
    }
    return try image(itemID, in: container, bytes, &context)
  }

  private func image(
    _ id: UInt32, in container: HEIFContainer, _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap {
    let item = try HEIFItem(id, in: container.table, bytes, budget: &context.budget, keepsProfile: true)
    var bitmap = try assembly(container).thumbnail(item, bytes, &context)
    bitmap.colorSpace = item.colorSpace
    return bitmap
  }
}
