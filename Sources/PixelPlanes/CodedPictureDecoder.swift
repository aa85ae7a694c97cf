// The contract between bitstream decoders (HEVC, AV1, H.264), which know no containers, and containers (HEIF, AVIF,
// MP4), which receive a decoder by injection.

public import ImageCore

/// Decodes one intra-coded picture into planes. A value holds options of the codec at most.
///
/// Containers look up the decoder by ``sampleEntryTypes``, the type of an item or a sample entry.
public protocol CodedPictureDecoder: Sendable {
  /// The four-character codes of ISO base media item types and sample entries that this decoder reads, such as `hvc1`
  /// and `hev1`.
  var sampleEntryTypes: [String] { get }

  /// Reads parameter sets alone. Allocates no planes.
  ///
  /// - Throws: ``CodecError/Kind/malformed``, ``CodecError/Kind/unsupported``.
  func description(of picture: borrowing CodedPicture) throws(CodecError) -> CodedPictureDescription

  /// Decodes the picture, cropped to its conformance window.
  ///
  /// The work, the memory and the cancellation of the caller's decode are charged to and checked by `budget`; planes are
  /// allocated through it. Errors have byte offsets into the payload.
  /// - Throws: ``CodecError``. In lenient mode damage after the first decodable block is concealed and returned as
  ///   diagnostics instead.
  func decode(
    _ picture: borrowing CodedPicture, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodedPlanes
}

/// The bytes of one coded picture.
public struct CodedPicture: ~Escapable {
  /// The decoder configuration record: the content of `hvcC`, `av1C` or `avcC`. Empty when the parameter sets are in the
  /// payload.
  public let configuration: Span<UInt8>
  /// The coded picture: length-prefixed NAL units as the configuration record states, or AV1 OBUs.
  public let payload: Span<UInt8>

  /// Describes a picture.
  @_lifetime(copy configuration, copy payload)
  public init(configuration: Span<UInt8>, payload: Span<UInt8>) {
    self.configuration = configuration
    self.payload = payload
  }
}

/// What the parameter sets of a coded picture state.
public struct CodedPictureDescription: Hashable, Sendable {
  /// Columns of luma, after cropping.
  public var width: Int
  /// Rows of luma, after cropping.
  public var height: Int
  /// Bits of a sample, 8…16.
  public var bitDepth: Int
  /// The sampling of the chroma planes.
  public var chromaFormat: ChromaFormat
  /// Matrix, range and siting. A container's `nclx` box has precedence.
  public var coding: PlanarPicture.Coding
  /// The colour code points of the bitstream; `nil` where it states none.
  public var codePoints: CodingIndependentCodePoints?

  /// Creates a description.
  public init(
    width: Int, height: Int, bitDepth: Int, chromaFormat: ChromaFormat, coding: PlanarPicture.Coding,
    codePoints: CodingIndependentCodePoints? = nil
  ) {
    self.width = width
    self.height = height
    self.bitDepth = bitDepth
    self.chromaFormat = chromaFormat
    self.coding = coding
    self.codePoints = codePoints
  }
}

/// A decoded picture and what was wrong with it.
public struct DecodedPlanes: Sendable {
  /// The planes.
  public var picture: PlanarPicture
  /// Damage that was concealed.
  public var diagnostics: [ImageDiagnostic]
  /// Whether all blocks were decoded.
  public var isComplete: Bool

  /// Creates a result.
  public init(picture: PlanarPicture, diagnostics: [ImageDiagnostic] = [], isComplete: Bool = true) {
    self.picture = picture
    self.diagnostics = diagnostics
    self.isComplete = isComplete
  }
}
