// The decoder of AV1 still pictures as containers use it.

public import ImageCoding
public import PixelPlanes

/// Decodes key frames and intra-only frames of AV1 into planes, exactly as the specification says.
///
/// All intra tools of the Main, High and Professional profiles are decoded, 4:0:0 to 4:4:4, 8 to 12 bits, with
/// super-resolution and film grain. Inter-coded frames are `CodecError.Kind.unsupported`. Of a layered picture, the
/// highest layer that is not inter-coded is decoded, which is reported unless decoding is strict. Damage after the
/// first row of superblocks is concealed and reported unless decoding is strict.
public struct AV1Decoder: CodedPictureDecoder {
  /// Creates a decoder. It has no options.
  public init() {}

  /// `av01`.
  public var sampleEntryTypes: [String] { ["av01"] }

  /// Reads the sequence header of a decoder configuration record, the content of an `av1C` box, if it has one. Pictures
  /// may have their own.
  ///
  /// - Throws: `CodecError.Kind.truncated` or `CodecError.Kind.malformed` if the record is invalid; errors of the
  ///   budget. A sequence header that cannot be read matters only if a picture has none.
  public func configured(
    by record: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) -> AnyConfiguredPictureDecoder {
    let (format, heldByteCount) = (budget.format, budget.heldByteCount)
    do throws(CodecError) {
      return try ConfiguredAV1Decoder(configuredBy: record, &budget).erased
    } catch {
      budget.settle(heldByteCount: heldByteCount)
      throw error.inFormat(format)
    }
  }
}
