// Requirements of the format that only strict decoding checks, of the items that it decodes.

internal import ImageCoding

extension HEIFContainer {
  /// The decoder configuration property of each coding that must have one.
  private static let configurations: [String: FourCharacterCode] = ["hvc1": "hvcC", "av01": "av1C", "avc1": "avcC"]

  /// Checks that an item has a decoder configuration (ISO/IEC 23008-12, B.2.3.1; AV1 in HEIF, 2.2.1). Lenient decoding
  /// takes the parameters from the item itself.
  ///
  /// - Throws: `CodecError.Kind.malformed` if decoding is strict.
  func checkConfiguration(of item: HEIFItem, _ context: inout DecodingContext) throws(CodecError) {
    guard let required = Self.configurations[item.coding],
      try configuration(ofItem: item.id, &context.budget).isEmpty
    else { return }
    let error = CodecError(
      .malformed, "an image coded as '\(item.coding)' has no property '\(required)'", format: type,
      byteOffset: table.items[item.id]?.entry.lowerBound)
    try context.tolerateOnce(error, as: .warning)
  }

  /// Checks that a picture has the size that the property `ispe` states (ISO/IEC 23008-12, 6.5.3.1). Lenient decoding
  /// shows the picture as coded, as libheif does.
  ///
  /// - Throws: `CodecError.Kind.malformed` if decoding is strict.
  func checkSize(
    _ size: PixelSize, of item: HEIFItem, _ context: inout DecodingContext
  ) throws(CodecError) {
    guard item.codedSize != size, let extent = table.properties(of: item.id).last(where: { $0.type == "ispe" }) else {
      return
    }
    let stated = item.codedSize
    let error = CodecError(
      .malformed,
      "an image of \(size.width) × \(size.height) pixels states \(stated.width) × \(stated.height)", format: type,
      byteOffset: extent.payload.lowerBound)
    try context.tolerateOnce(error, as: .warning)
  }
}
