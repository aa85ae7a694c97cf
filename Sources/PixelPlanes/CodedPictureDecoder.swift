// The interface between bitstream decoders (HEVC, AV1, H.264), which do not know containers, and containers (HEIF,
// AVIF, MP4), to which a decoder is passed.

public import ImageCore

/// Decodes one intra-coded picture into planes. A conforming value stores at most options of the codec.
///
/// Containers look up a decoder by ``sampleEntryTypes``, the type of an item or a sample entry.
public protocol CodedPictureDecoder: Sendable {
  /// The four-character codes of the ISO base media item types and sample entries that this decoder supports, such as
  /// `hvc1` and `hev1`.
  var sampleEntryTypes: [String] { get }

  /// Reads only the parameter sets of a picture. Allocates no planes.
  ///
  /// - Throws: ``CodecError/Kind/malformed`` or ``CodecError/Kind/unsupported``.
  func description(of picture: borrowing CodedPicture) throws(CodecError) -> CodedPictureDescription

  /// Decodes the picture and crops it to its conformance window.
  ///
  /// Work and memory are charged to `budget`, which also checks for cancellation and allocates the planes. Byte offsets
  /// in errors are relative to the payload.
  /// - Throws: ``CodecError``. In lenient mode, damage after the first decodable block is concealed and returned as
  ///   diagnostics instead.
  func decode(
    _ picture: borrowing CodedPicture, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodedPlanes
}

/// The bytes of one coded picture.
public struct CodedPicture: ~Escapable {
  /// The decoder configuration record: the content of `hvcC`, `av1C` or `avcC`. Empty if the parameter sets are in the
  /// payload.
  public let configuration: Span<UInt8>
  /// The coded picture: NAL units with length prefixes of the size stated in the configuration record, or AV1 OBUs.
  public let payload: Span<UInt8>

  /// Creates a picture from its configuration record and its payload.
  @_lifetime(copy configuration, copy payload)
  public init(configuration: Span<UInt8>, payload: Span<UInt8>) {
    self.configuration = configuration
    self.payload = payload
  }
}

/// The properties of a coded picture that its parameter sets state.
public struct CodedPictureDescription: Hashable, Sendable {
  /// The number of luma columns after cropping.
  public var width: Int
  /// The number of luma rows after cropping.
  public var height: Int
  /// The bits per sample, 8…16.
  public var bitDepth: Int
  /// The chroma subsampling.
  public var chromaFormat: ChromaFormat
  /// Matrix, range and siting. A container's `nclx` box takes precedence.
  public var coding: PlanarPicture.Coding
  /// The colour code points of the bitstream; `nil` if it states none.
  public var codePoints: CodingIndependentCodePoints?

  /// Creates a description from its values.
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

/// A decoded picture with its diagnostics.
public struct DecodedPlanes: Sendable {
  /// The planes with their cropping applied.
  public var picture: PlanarPicture
  /// Damage that was concealed.
  public var diagnostics: [ImageDiagnostic]
  /// Whether all blocks were decoded.
  public var isComplete: Bool

  /// Creates a result; by default complete and without diagnostics.
  public init(picture: PlanarPicture, diagnostics: [ImageDiagnostic] = [], isComplete: Bool = true) {
    self.picture = picture
    self.diagnostics = diagnostics
    self.isComplete = isComplete
  }
}
