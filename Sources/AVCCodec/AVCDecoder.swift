// The decoder of H.264 still pictures as containers use it.

public import ImageCoding
public import PixelPlanes

/// Decodes intra-coded H.264 pictures (ITU-T H.264, AVC) into planes, exactly as the specification says.
///
/// All intra tools of the profiles from Baseline to High 4:4:4 Predictive and CAVLC 4:4:4 Intra are decoded, 4:0:0 to
/// 4:4:4, 8 to 14 bits, frames, pairs of fields and frames of both kinds of macroblocks. Pictures with P, B, SP or SI
/// slices, data partitioning, slice groups, or luma and chroma of different depths are
/// `CodecError.Kind.unsupported`. If only the first field of a frame is intra-coded, its rows are shown twice, which
/// is reported, unless decoding is strict.
///
/// Damage after the first macroblock is concealed and reported unless decoding is strict. Streams of x264 before build
/// 151 whose 4:4:4 pictures deviate from the specification are decoded as ffmpeg decodes them.
///
/// Pictures whose macroblocks exceed the work limit are refused before memory is allocated: by default, those with more
/// than 32 megapixels in 4:4:4, or 62 in 4:2:0. Photographs of usual quality have a third less.
public struct AVCDecoder: CodedPictureDecoder {
  /// Creates a decoder. It has no options.
  public init() {}

  /// `avc1` and `avc3`.
  public var sampleEntryTypes: [String] { ["avc1", "avc3"] }

  /// Reads the parameter sets of a decoder configuration record, the content of an `avcC` box, for pictures of
  /// length-prefixed NAL units. Without a record, pictures are byte streams with start codes.
  ///
  /// - Throws: `CodecError.Kind.truncated` if the record ends before the length of lengths; errors of the budget.
  ///   Parameter sets that cannot be read matter only if a picture refers to them, or if decoding is strict.
  public func configured(
    by record: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) -> AnyConfiguredPictureDecoder {
    let (format, heldByteCount) = (budget.format, budget.heldByteCount)
    do throws(CodecError) {
      return try ConfiguredAVCDecoder(configuredBy: record, &budget).erased
    } catch {
      budget.settle(heldByteCount: heldByteCount)
      throw error.inFormat(format)
    }
  }
}
