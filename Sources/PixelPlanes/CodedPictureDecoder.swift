// The interface between bitstream decoders (HEVC, AV1, H.264), which do not know containers, and containers (HEIF,
// AVIF, MP4), to which a decoder is passed.

public import ImageCoding

/// Decodes intra-coded pictures into planes. A conforming value stores at most options of the codec.
///
/// Containers look up a decoder by ``sampleEntryTypes``, the type of an item or a sample entry.
public protocol CodedPictureDecoder: Sendable {
  /// The four-character codes of the ISO base media item types and sample entries that this decoder supports, such as
  /// `hvc1` and `hev1`.
  var sampleEntryTypes: [String] { get }

  /// Reads a decoder configuration record, the content of `hvcC`, `av1C` or `avcC`. Containers read a record once for
  /// all pictures that share it, such as the tiles of a grid.
  ///
  /// - Parameters:
  ///   - record: empty if the parameter sets are in the payload of each picture.
  ///   - budget: charged for the work, and for the memory that the result holds.
  /// - Throws: `CodecError.Kind.malformed`, `CodecError.Kind.truncated` or `CodecError.Kind.unsupported`; errors
  ///   of `budget`. Memory charged before is credited.
  func configured(
    by record: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) -> AnyConfiguredPictureDecoder
}

/// Decodes the pictures that share a configuration record. A conforming value holds what the record states; several
/// threads may use it.
public protocol ConfiguredPictureDecoder: Sendable {
  /// Reads only the parameter sets of a picture. Allocates no planes.
  ///
  /// - Parameters:
  ///   - payload: the coded picture: NAL units with length prefixes of the size stated in the configuration record, or
  ///     AV1 OBUs.
  ///   - budget: charged with memory and work before they are spent.
  /// - Throws: `CodecError.Kind.malformed` or `CodecError.Kind.unsupported`; errors of `budget`.
  func description(
    of payload: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) -> CodedPictureDescription

  /// Decodes a picture and crops it to its conformance window.
  ///
  /// Work and memory are charged to the budget of `context`, which also checks for cancellation and allocates the
  /// planes. Only the planes remain charged. Byte offsets in errors and diagnostics are relative to the payload.
  /// - Throws: `CodecError`. In lenient mode, damage after the first decodable block is concealed and noted in
  ///   `context` instead.
  func decode(_ payload: Span<UInt8>, context: inout DecodingContext) throws(CodecError) -> DecodedPlanes

  /// Returns a decoder of the pictures that follow one of a stream and do not repeat its parameter sets.
  ///
  /// - Parameters:
  ///   - payload: the picture with which decoding can start. It is not decoded. The default implementation ignores it.
  ///   - budget: charged with memory and work before they are spent.
  /// - Throws: errors of `budget`.
  func following(
    _ payload: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) -> AnyConfiguredPictureDecoder

  /// Returns a decoder of another layer of scalable pictures.
  ///
  /// - Throws: `CodecError.Kind.unsupported` if the coding has no layers. That is the default implementation.
  func selecting(_ layers: LayerSelection) throws(CodecError) -> AnyConfiguredPictureDecoder
}

extension ConfiguredPictureDecoder {
  /// Returns this decoder, whose configuration contains the parameter sets.
  public func following(
    _ payload: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) -> AnyConfiguredPictureDecoder { erased }

  /// Throws `CodecError.Kind.unsupported` unless the selection is the default.
  public func selecting(_ layers: LayerSelection) throws(CodecError) -> AnyConfiguredPictureDecoder {
    guard layers == LayerSelection() else {
      throw CodecError(.unsupported, "layers of this coding cannot be selected")
    }
    return erased
  }
}

/// The layers of a scalable picture to decode.
public struct LayerSelection: Hashable, Sendable {
  /// The operating point, counted from 0: the combination of layers that a stream offers under this number.
  public var operatingPoint: Int
  /// The spatial layer to show; `nil` for the highest one of the operating point.
  public var spatialLayer: Int?

  /// Creates a selection; by default that of the highest layer of the first operating point.
  public init(operatingPoint: Int = 0, spatialLayer: Int? = nil) {
    self.operatingPoint = operatingPoint
    self.spatialLayer = spatialLayer
  }
}

extension CodedPictureDecoder {
  /// Reads only the parameter sets of a single picture. Allocates no planes.
  ///
  /// - Throws: `CodecError.Kind.malformed` or `CodecError.Kind.unsupported`; errors of `budget`.
  public func description(
    of picture: borrowing CodedPicture, budget: inout ResourceBudget
  ) throws(CodecError) -> CodedPictureDescription {
    let heldByteCount = budget.heldByteCount
    defer { budget.settle(heldByteCount: heldByteCount) }
    return try configured(by: picture.configuration, budget: &budget)
      .description(of: picture.payload, budget: &budget)
  }

  /// Decodes a single picture and crops it to its conformance window. Only the planes remain charged.
  ///
  /// - Throws: `CodecError`. In lenient mode, damage after the first decodable block is concealed and noted in
  ///   `context` instead.
  public func decode(
    _ picture: borrowing CodedPicture, context: inout DecodingContext
  ) throws(CodecError) -> DecodedPlanes {
    let heldByteCount = context.budget.heldByteCount
    do throws(CodecError) {
      let planes = try configured(by: picture.configuration, budget: &context.budget)
        .decode(picture.payload, context: &context)
      context.budget.settle(heldByteCount: heldByteCount + planes.picture.rawPlanesByteCount)
      return planes
    } catch {
      context.budget.settle(heldByteCount: heldByteCount)
      throw error
    }
  }
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

/// A decoded picture.
public struct DecodedPlanes: Sendable {
  /// The planes with their cropping applied.
  public var picture: PlanarPicture
  /// Whether all blocks were decoded.
  public var isComplete: Bool

  /// Creates a result; by default complete.
  public init(picture: PlanarPicture, isComplete: Bool = true) {
    self.picture = picture
    self.isComplete = isComplete
  }
}

extension CodecError {
  /// Returns the error with the format of the container, unless it has one.
  package func inFormat(_ format: AssetType?) -> CodecError {
    CodecError(
      kind, reason, format: self.format ?? format, byteOffset: byteOffset, neededByteCount: neededByteCount,
      limit: limit)
  }
}
