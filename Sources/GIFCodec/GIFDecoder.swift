// The public face of the GIF decoder.

@_exported public import ImageCore

/// Reads GIF87a and GIF89a, stills and animations.
///
/// Pictures stand on the logical screen, which is transparent where no image is, whatever its background colour: as in
/// browsers. The natural format is always `rgba8`, because any image may leave pixels out.
/// ``ImageInfo/hasAlpha`` tells whether the first frame covers the screen and has no transparent colour. Images
/// without a delay are frames like others.
///
/// Lenient decoding lives with the following, as browsers do; what strict decoding throws for is marked so. The tests
/// of `LeniencyTests` show each of them.
///
/// - A missing trailer (strict: error), and anything behind the trailer.
/// - A byte that starts no block ends the file (strict: error).
/// - A missing first clear code; a missing end code (strict: error); codes that are read with a full table.
/// - Image data that ends early or has a code that stands for nothing: the pixels before are kept, the rest stays
///   transparent, and the frames behind are shown (strict: error). Image data that goes on behind the last pixel.
/// - Code sizes of 1 and of 9…11; others lose the image (strict: error).
/// - A logical screen without width or height takes the size of the first image (strict: error).
/// - No image at all: an empty screen (strict: error).
/// - No colour table: a ramp of grays, as Pillow and FFmpeg have it (strict: error). Indices behind the end of a table
///   are black (strict: error).
/// - Images that leave the logical screen are clipped; it does not grow.
/// - Several graphic control extensions: the last sound one holds. Disposal 4 is 3, unknown ones are 0.
/// - Several loop counts: the last one holds. Frames and extensions of 89a in a file that calls itself 87a.
public struct GIFDecoder: ImageFormatDecoder {
  /// `com.compuserve.gif`.
  public static let type: AssetType = "com.compuserve.gif"

  /// A decoder; it has no options of its own.
  public init() {}

  /// `com.compuserve.gif`.
  public var types: [AssetType] { [Self.type] }

  /// Looks at the six bytes of the signature.
  public func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    let count = min(prefix.count, 6)
    let isPossible = LogicalScreen.signatures.contains { signature in
      for index in 0..<count where prefix[index] != signature[index] { return false }
      return true
    }
    guard isPossible else { return .no }
    return count == 6 ? .yes(Self.type) : .needs(byteCount: 6)
  }

  /// Reads up to the first image's header.
  ///
  /// With `indexesFrames`, frames are counted and their delays summed by a walk over the whole file that decodes none.
  public func info(_ bytes: Span<UInt8>, options: InfoOptions) throws(DecodeError) -> ImageInfo {
    let session = GIFSession(
      options: DecodingOptions(limits: options.limits), extent: options.indexesFrames ? .index : .headers)
    try session.append(bytes)
    if session.info == nil || (options.indexesFrames && !session.progress.isComplete) { try session.endEarly() }
    guard let info = session.info else {
      throw DecodeError(.truncated, "the file ends before its image", format: Self.type, byteOffset: bytes.count)
    }
    return info
  }

  /// Decodes the first frame on its canvas.
  public func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions
  ) throws(DecodeError) -> DecodingDetails {
    var reused = Bitmap()
    swap(&reused, &bitmap)
    let session = GIFSession(options: options, reusing: reused)
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

  /// The first frame as it arrives, row by row or pass by pass, then the number of frames that are complete.
  public func makeSession(options: DecodingOptions) -> (any IncrementalImageDecoder)? {
    GIFSession(options: options)
  }

  /// The frames of an animation; `nil` for a still image.
  public func animation(
    _ bytes: [UInt8], options: DecodingOptions
  ) throws(DecodeError) -> (any AnimatedImageSource)? {
    guard let frames = try GIFAnimation(indexing: bytes, options: options) else { return nil }
    return ComposedAnimation(frames)
  }
}
