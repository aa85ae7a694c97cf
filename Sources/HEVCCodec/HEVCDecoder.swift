// The decoder of HEVC still pictures as containers use it.

public import ImageCoding
public import PixelPlanes

/// Decodes intra-coded HEVC pictures (ITU-T H.265) into planes, exactly as the specification says.
///
/// All intra tools of the Main, Main 10, Main Still Picture and format range extension profiles are decoded, 4:0:0 to
/// 4:4:4, 8 to 16 bits. Pictures with P or B slices, extended-precision processing, separate colour planes, or luma and
/// chroma of different depths are `CodecError.Kind.unsupported`. The licence of this library covers no patents; see
/// PATENTS.md.
///
/// If the options request several threads and the entropy coding is synchronized for each row of coding tree blocks
/// (CTBs), as x265 does by default, rows are decoded in parallel. The result is the same. Damage after the first CTB is
/// concealed and reported unless decoding is strict.
///
/// Samples of more than 12 bits cost about four times as much as others. Pictures whose blocks exceed the work limit
/// are refused before memory is allocated: by default, those of 16 bits with more than 27 megapixels in 4:4:4, or 50 in
/// 4:2:0.
public struct HEVCDecoder: CodedPictureDecoder {
  /// The number of luma samples from which on several threads are used if the options request them.
  package var minimumParallelSampleCount = 1 << 17

  /// Creates a decoder. It has no options.
  public init() {}

  /// `hvc1` and `hev1`.
  public var sampleEntryTypes: [String] { ["hvc1", "hev1"] }

  /// Reads the parameter sets of a decoder configuration record, the content of an `hvcC` box, for pictures of
  /// length-prefixed NAL units. Without a record, pictures are byte streams with start codes.
  ///
  /// - Throws: `CodecError.Kind.truncated` if the record ends before the length of lengths; errors of the budget.
  ///   Parameter sets that cannot be read matter only if a picture refers to them, or if decoding is strict.
  public func configured(
    by record: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) -> AnyConfiguredPictureDecoder {
    let (format, heldByteCount) = (budget.format, budget.heldByteCount)
    do throws(CodecError) {
      return try ConfiguredHEVCDecoder(
        configuredBy: record, minimumParallelSampleCount: minimumParallelSampleCount, &budget
      ).erased
    } catch {
      budget.settle(heldByteCount: heldByteCount)
      throw error.inFormat(format)
    }
  }
}
