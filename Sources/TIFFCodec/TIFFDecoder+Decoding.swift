// The stages of a TIFF: directory → layout → blocks → rows → pixels. The file is needed as a whole, because directories
// and blocks may be anywhere.

package import ImageCoding
internal import MetadataFormats

extension TIFFDecoder: WholeFileDecoder {
  package var selectsImage: Bool { true }
  package var selectsRegion: Bool { true }

  package func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> DecodingDetails {
    let image = try TIFFContainer(selecting: context.options, bytes, budget: &context.budget)
    return try decode(image, bytes, into: &bitmap, &context)
  }

  /// Decodes one image of a file.
  func decode(
    _ image: TIFFContainer, _ bytes: Span<UInt8>, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> DecodingDetails {
    let metadata = try image.metadata(bytes, budget: &context.budget)
    let info = image.info(iccProfile: metadata.colorSpace.iccProfile)
    let version = try image.version(for: context.options, bytes, budget: &context.budget)
    let layout = try ImageLayout(version, bytes, &context)
    let isDamaged = try decodePixels(layout, version, info.colorSpace, bytes, into: &bitmap, &context)
    if layout.sampleFormat == .integer, (9...15).contains(layout.maximumBits) {
      bitmap.significantBits = layout.maximumBits
    }
    bitmap.orientation = image.orientation
    return DecodingDetails(info: info, metadata: metadata, isComplete: !isDamaged)
  }

  /// Decodes the selected part of an image. Returns whether it is damaged.
  private func decodePixels(
    _ layout: ImageLayout, _ container: TIFFContainer, _ colorSpace: ColorSpace, _ bytes: Span<UInt8>,
    into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> Bool {
    let window = try layout.window(of: context.options)
    let values = DirectoryValues(container.directory, in: bytes, header: container.header)
    try context.checkSize(
      width: window.width, height: window.height, format: context.options.pixelFormat ?? .gray8, byteOffset: 0)
    context.budget.allowWork(forPixelCount: window.width * window.height)
    let embedded = try EmbeddedImageReader(
      layout, jpegDecoder: jpegDecoder, webPDecoder: webPDecoder, jpeg2000Decoder: jpeg2000Decoder,
      jpegXLDecoder: jpegXLDecoder, bytes,
      budget: &context.budget)
    var picture = try PageDecoder(
      layout, window: window, embedded: embedded, values, fileByteCount: bytes.count, &context)
    try context.prepareRows(
      of: &bitmap, size: PixelSize(width: window.width, height: window.height), natural: picture.naturalFormat,
      bandRowCount: picture.bandRowCount, colorSpace: colorSpace)
    try picture.decode(bytes, into: &bitmap, &context)
    return picture.isDamaged
  }
}
