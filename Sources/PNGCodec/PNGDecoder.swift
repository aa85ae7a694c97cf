// The public face of the PNG decoder.

@_exported public import ImageCore

/// Reads PNG (3rd edition, W3C) with all colour types, APNG, and files that Apple's tools rewrote (CgBI).
///
/// Pixels are those of libpng: palettes and tRNS are expanded, samples below 8 bits scaled to 8, samples of 16 bits
/// kept; no gamma and no colour management is applied, the colour space is attached instead. The natural formats are
/// `gray8`, `grayAlpha8`, `rgb8`, `rgba8` and their 16-bit forms.
///
/// Lenient decoding keeps the rows before damaged image data, accepts wrong CRCs and a missing IEND, and skips what is
/// wrong with ancillary chunks. Strict decoding throws for every violation in a critical chunk.
public struct PNGDecoder: ImageFormatDecoder {
  /// `public.png`.
  public static let type: AssetType = "public.png"

  /// A decoder; it has no options of its own.
  public init() {}

  /// `public.png`.
  public var types: [AssetType] { [Self.type] }

  /// Looks at the eight bytes of the signature.
  public func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    let signature = ChunkReader.signature
    let count = min(prefix.count, signature.count)
    for index in 0..<count where prefix[index] != signature[index] { return .no }
    return count == signature.count ? .yes(Self.type) : .needs(byteCount: signature.count)
  }

  /// Reads the chunks before the image data.
  ///
  /// With `indexesFrames`, the frames of an APNG are counted and their durations summed by a walk over the whole file.
  public func info(_ bytes: Span<UInt8>, options: InfoOptions) throws(DecodeError) -> ImageInfo {
    let decodingOptions = DecodingOptions(limits: options.limits)
    let session = PNGSession(options: decodingOptions, readsHeadersOnly: true)
    try session.append(bytes)
    guard var info = session.info else {
      throw DecodeError(
        .truncated, "the file ends before the image data", format: Self.type, byteOffset: bytes.count)
    }
    if info.isAnimated, options.indexesFrames {
      let animation = try animation(Array(copying: bytes), options: decodingOptions)
      info.frameCount = animation?.frameCount ?? 1
      info.duration = animation?.duration(rule: .raw)
      if animation == nil { info.loopCount = nil }
    }
    return info
  }

  /// Decodes the image; of an APNG the default image, which may be none of its frames, as libpng does.
  public func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions
  ) throws(DecodeError) -> DecodingDetails {
    var reused = Bitmap()
    swap(&reused, &bitmap)
    let session = PNGSession(options: options, reusing: reused)
    reused = Bitmap()
    do throws(DecodeError) {
      try session.append(bytes)
      let image = try session.finish()
      bitmap = image.bitmap
      return image.details
    } catch {
      bitmap = session.takeBitmap()
      throw error
    }
  }

  /// Rows as they arrive; of an interlaced image, previews pass by pass.
  public func makeSession(options: DecodingOptions) -> (any IncrementalImageDecoder)? {
    PNGSession(options: options)
  }

  /// The frames of an APNG; `nil` for other files.
  public func animation(
    _ bytes: [UInt8], options: DecodingOptions
  ) throws(DecodeError) -> (any AnimatedImageSource)? {
    guard let frames = try PNGAnimation(indexing: bytes, options: options) else { return nil }
    return ComposedAnimation(frames)
  }
}
