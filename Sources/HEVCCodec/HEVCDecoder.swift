// The decoder of HEVC still pictures as containers use it.

public import ImageCore
public import PixelPlanes
internal import Threading

/// Decodes intra-coded HEVC pictures (ITU-T H.265) into planes, exactly as the specification says.
///
/// All intra tools of the Main, Main 10, Main Still Picture and format range extension profiles are decoded, 4:0:0 to
/// 4:4:4, 8 to 16 bits. Pictures with P or B slices, extended-precision processing, separate colour planes, or luma and
/// chroma of different depths are ``CodecError/Kind/unsupported``. The licence of this library covers no patents; see
/// PATENTS.md.
public struct HEVCDecoder: CodedPictureDecoder {
  /// The number of luma samples from which on several threads are used if the options request them.
  package var minimumParallelSampleCount = 1 << 17

  /// Creates a decoder. It has no options.
  public init() {}

  /// `hvc1` and `hev1`.
  public var sampleEntryTypes: [String] { ["hvc1", "hev1"] }

  /// Reads the parameter sets of a picture: those of the configuration record and those before its first slice.
  ///
  /// - Throws: ``CodecError/Kind/malformed``, ``CodecError/Kind/truncated``, ``CodecError/Kind/unsupported``.
  public func description(of picture: borrowing CodedPicture) throws(CodecError) -> CodedPictureDescription {
    let stream = try CodedStream(picture)
    return try stream.description(picture)
  }

  /// Decodes a picture, cropped to its conformance window.
  ///
  /// If the options request several threads and the entropy coding is synchronized for each row of tree blocks, as x265
  /// does by default, rows are decoded in parallel. The result is the same.
  ///
  /// - Parameters:
  ///   - picture: its configuration is a decoder configuration record (the content of an `hvcC` box) and its payload
  ///     length-prefixed NAL units. Without a configuration, the payload is a byte stream with start codes.
  /// - Throws: ``CodecError``. Damage after the first tree block is concealed and reported unless decoding is strict.
  public func decode(
    _ picture: borrowing CodedPicture, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodedPlanes {
    let (format, heldByteCount) = (budget.format, budget.heldByteCount)
    do {
      let stream = try CodedStream(picture)
      return try stream.decode(
        picture, isStrict: options.tolerance == .strict, threadCount: ParallelRows.threadCount(options.parallelism),
        minimumParallelSampleCount: minimumParallelSampleCount, &budget)
    } catch {
      budget.settle(heldByteCount: heldByteCount)
      throw CodecError(
        error.kind, error.reason, format: error.format ?? format, byteOffset: error.byteOffset,
        neededByteCount: error.neededByteCount)
    }
  }
}
