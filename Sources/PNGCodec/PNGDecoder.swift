// The public face of the PNG decoder.

@_exported public import ImageCoding

/// Decodes PNG (3rd edition, W3C) with all colour types, APNG, and files optimised by Apple's tools (CgBI).
///
/// Pixels match those of libpng: palettes and tRNS are expanded, samples of less than 8 bits are scaled to 8, and
/// 16-bit samples are kept. Neither gamma nor colour management is applied; the colour space is attached instead. The
/// natural formats are `gray8`, `grayAlpha8`, `rgb8`, `rgba8` and their 16-bit counterparts.
///
/// Lenient decoding keeps the rows before damage in the image data, accepts wrong CRCs and a missing IEND, and skips
/// malformed ancillary chunks. Strict decoding throws on every violation in a critical chunk.
///
/// For an APNG the image is the default image, as in libpng, even if it is not one of the frames. Interlaced images are
/// previewed pass by pass.
public struct PNGDecoder: ImageFormatDecoder {
  /// The type identifier `public.png`.
  public static let type: AssetType = "public.png"

  /// Creates a decoder. All settings are in the options of each call.
  public init() {}

  /// Only `public.png`.
  public var types: [AssetType] { [Self.type] }

  /// Checks the eight bytes of the signature.
  public func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    let signature = ChunkReader.signature
    let count = min(prefix.count, signature.count)
    for index in 0..<count where prefix[index] != signature[index] { return .no }
    return count == signature.count ? .yes(Self.type) : .needs(byteCount: signature.count)
  }

  /// Reads the chunks before the image data.
  ///
  /// With `indexesFrames`, also counts the frames of an APNG and adds up their durations, by scanning the whole file
  /// without decoding pixels.
  public func info(
    _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageInfo {
    var info = try headerInfo(bytes, options, &budget)
    guard info.isAnimated, options.indexesFrames else { return info }
    let animation = try budget.reading(options.limits, as: Self.type) { (budget) throws(CodecError) in
      try budget.allocate(bytes.count)
      let frames = try PNGAnimation(
        indexing: Array(copying: bytes), options: DecodingOptions(limits: options.limits), budget: &budget)
      guard let frames else { return nil as ComposedAnimation? }
      return try ComposedAnimation(frames)
    }
    info.frameCount = animation?.frameCount ?? 1
    info.duration = animation?.duration(rule: .raw)
    if animation == nil { info.loopCount = nil }
    return info
  }

  /// Returns the frames of an APNG, or `nil` for other files.
  public func animation(
    _ bytes: [UInt8], options: DecodingOptions
  ) throws(CodecError) -> (any AnimatedImageSource)? {
    var budget = ResourceBudget(options, format: Self.type)
    guard let frames = try PNGAnimation(indexing: bytes, options: options, budget: &budget) else { return nil }
    return try ComposedAnimation(frames)
  }
}

extension PNGDecoder: CoreDecoder {
  package var readsFilesInParts: Bool { true }

  // The compiler of Swift 6.3.1 crashes if it inlines this in optimised Embedded code.
  @inline(never)
  package func makeCore(_ goal: DecodingGoal, _ options: DecodingOptions) -> any DecodingCoreObject {
    DecodingCoreBox(PNGCore(goal))
  }
}
