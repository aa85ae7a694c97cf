// The stages of a TIFF: directory → layout → blocks → rows → pixels. The file is needed as a whole, because directories
// and blocks may be anywhere.

internal import ImageCore
internal import MetadataFormats

/// The decoder of one image of a file.
struct TIFFCore: DecodingCore {
  var format: AssetType { TIFFDecoder.type }
  private(set) var info: ImageInfo?
  private let decoder: TIFFDecoder
  /// The image to decode; `nil` for the one that the options select.
  private let image: TIFFContainer?
  private var metadata = ImageMetadata()
  private var orientation = ImageOrientation.up
  private var isDamaged = false
  private var isComplete = false

  init(_ decoder: TIFFDecoder, image: TIFFContainer? = nil) {
    self.decoder = decoder
    self.image = image
  }

  var retainedOffset: Int { 0 }
  var selectsImageAndRegion: Bool { true }
  var progress: DecodingProgress {
    DecodingProgress(
      isHeaderComplete: info != nil, completedRowCount: isComplete ? info?.height ?? 0 : 0, isComplete: isComplete)
  }

  mutating func advance(
    _ input: InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    guard input.isFinal, !isComplete else { return }
    let bytes = input.bytes
    let container: TIFFContainer
    if let image {
      container = image
    } else {
      container = try TIFFContainer(selecting: context.options, bytes, budget: &context.budget)
    }
    metadata = try container.metadata(bytes, budget: &context.budget)
    let info = container.info(iccProfile: metadata.iccProfile)
    self.info = info
    orientation = container.orientation
    let source = try container.version(for: context.options, bytes, budget: &context.budget)
    let layout = try ImageLayout(source, bytes, &context)
    let window = try layout.window(of: context.options)
    try decodePixels(layout, window: window, source, bytes, into: &bitmap, &context)
    bitmap.colorSpace = info.colorSpace
    if layout.sampleFormat == .integer, (9...15).contains(layout.maximumBits) {
      bitmap.significantBits = layout.maximumBits
    }
    isComplete = true
  }

  private mutating func decodePixels(
    _ layout: ImageLayout, window: PixelRegion, _ container: TIFFContainer, _ bytes: Span<UInt8>,
    into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    let values = DirectoryValues(container.directory, in: bytes, header: container.header)
    try context.checkSize(
      width: window.width, height: window.height, format: context.options.pixelFormat ?? .gray8, byteOffset: 0)
    context.budget.allowWork(forPixelCount: window.width * window.height)
    let embedded = try EmbeddedImageReader(
      layout, jpegDecoder: decoder.jpegDecoder, webPDecoder: decoder.webPDecoder, bytes, budget: &context.budget)
    var picture = try PictureDecoder(
      layout, window: window, embedded: embedded, values, fileByteCount: bytes.count, &context)
    try context.prepareRows(
      of: &bitmap, width: window.width, height: window.height, format: picture.format,
      bandRowCount: picture.bandRowCount, colorSpace: info?.colorSpace ?? .unspecified)
    try picture.decode(bytes, into: &bitmap, &context)
    isDamaged = picture.isDamaged
  }

  mutating func finish(
    into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> DecodingDetails {
    guard isComplete, let info else {
      throw CodecError(.truncated, "the input ends before the image is complete", format: TIFFDecoder.type)
    }
    bitmap.orientation = orientation
    try bitmap.handleOrientation(context.options.orientation, budget: &context.budget)
    return DecodingDetails(info: info, metadata: metadata, isComplete: !isDamaged)
  }

  mutating func makePreview(
    of bitmap: Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap? { nil }
}
