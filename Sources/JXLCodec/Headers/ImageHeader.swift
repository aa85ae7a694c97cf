// The headers of a codestream, up to its first frame (ISO/IEC 18181-1, annex A).

internal import ImageCoding

/// `SizeHeader`, `ImageMetadata` and `CustomTransformData`.
struct ImageHeader: Hashable, Sendable {
  /// The size as stored, before orientation is applied.
  let size: PixelSize
  private(set) var orientation = ImageOrientation.up
  /// The size at which the image should be displayed, if it is not that of the pixels.
  private(set) var intrinsicSize: PixelSize?
  /// The size of the preview frame, if there is one.
  private(set) var previewSize: PixelSize?
  private(set) var animation: AnimationHeader?
  private(set) var bitDepth = BitDepth()
  /// Whether the samples of Modular streams fit in 16 bits.
  private(set) var uses16BitBuffers = true
  private(set) var extraChannels: [ExtraChannel] = []
  /// Whether frames are coded in the XYB colour space, unless they state otherwise.
  private(set) var isXYB = true
  private(set) var colorEncoding = ColorEncoding()
  private(set) var toneMapping = ToneMapping()
  private(set) var transform = CustomTransform()

  /// The maximum number of extra channels, of level 10.
  private static let maximumExtraChannelCount = 256
  static let signature: [UInt8] = [0xFF, 0x0A]

  init(parsing bits: inout BitReader) throws(CodecError) {
    guard try bits.readBits(16) == 0x0AFF else {
      throw CodecError(.malformed, "the codestream has no signature", format: JXLDecoder.type, byteOffset: 0)
    }
    size = try PixelSize(parsingSize: &bits)
    if try !bits.readFlag() { try readMetadata(&bits) }
    transform = try CustomTransform(parsing: &bits, isXYB: isXYB)
  }

  private mutating func readMetadata(_ bits: inout BitReader) throws(CodecError) {
    let hasExtraFields = try bits.readFlag()
    if hasExtraFields {
      orientation = ImageOrientation(rawValue: UInt8(1 + (try bits.readInt(3)))) ?? .up
      if try bits.readFlag() { intrinsicSize = try PixelSize(parsingSize: &bits) }
      if try bits.readFlag() { previewSize = try PixelSize(parsingPreviewSize: &bits) }
      if try bits.readFlag() { animation = try AnimationHeader(parsing: &bits) }
    }
    bitDepth = try BitDepth(parsing: &bits)
    uses16BitBuffers = try bits.readFlag()
    let count = try bits.readInt(.value(0), .value(1), .bits(4, offset: 2), .bits(12, offset: 1))
    guard count <= Self.maximumExtraChannelCount else {
      throw bits.error(.malformed, "the image has \(count) extra channels")
    }
    for _ in 0..<count { extraChannels.append(try ExtraChannel(parsing: &bits)) }
    isXYB = try bits.readFlag()
    colorEncoding = try ColorEncoding(parsing: &bits)
    if hasExtraFields { toneMapping = try ToneMapping(parsing: &bits) }
    try bits.skipExtensions()
  }

  /// The index of the extra channel that is the fourth ink of CMYK, if the colours are the other three.
  private(set) var blackIndex: Int?

  /// Takes the colours for inks if the embedded profile is one for CMYK and there is a channel of black.
  mutating func apply(_ profile: Span<UInt8>) {
    guard FourCharacterCode(deviceSpaceOf: profile) == "CMYK", !isXYB, colorEncoding.model != .gray else { return }
    blackIndex = extraChannels.firstIndex { $0.kind == .black }
  }

  /// The index of the extra channel that is the opacity of the image.
  var alphaIndex: Int? { extraChannels.firstIndex { $0.isAlpha } }
}
