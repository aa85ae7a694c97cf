// The decoder of a stream whose decoder configuration record has been read.

internal import ImageCoding
internal import PixelPlanes

/// Decodes the pictures of a stream with the sequence header of its configuration, unless they have their own.
struct ConfiguredAV1Decoder: ConfiguredPictureDecoder {
  private var configured: SequenceHeader?
  private var layers = LayerSelection()

  private static let workPerUnit = 200
  /// The work of parsing a header, in addition to that for each of its bytes.
  private static let workPerHeader = 5_000

  /// Reads a configuration record.
  ///
  /// - Throws: `CodecError.Kind.malformed`, `CodecError.Kind.truncated`; errors of the budget.
  init(configuredBy record: Span<UInt8>, _ budget: inout ResourceBudget) throws(CodecError) {
    let units = try DecoderConfiguration.units(record)
    configured = try Self.findSequence(record.extracting(units), &budget)
  }

  /// The first valid sequence header; `nil` if there is none.
  private static func findSequence(
    _ bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> SequenceHeader? {
    var reader = OBUReader()
    while true {
      try budget.chargeWork(workPerUnit)
      let unit: OpenBitstreamUnit?
      do throws(CodecError) {
        unit = try reader.next(bytes, isStrict: false)
      } catch {
        return nil
      }
      guard let unit else { return nil }
      guard unit.type == .sequenceHeader else { continue }
      try budget.chargeWork(workPerHeader)
      if let sequence = try? SequenceHeader(bytes.extracting(unit.payload)) { return sequence }
    }
  }

  /// The values that the sequence header states.
  func description(
    of payload: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) -> CodedPictureDescription {
    let (format, heldByteCount) = (budget.format, budget.heldByteCount)
    defer { budget.settle(heldByteCount: heldByteCount) }
    do throws(CodecError) {
      let found = try Self.findSequence(payload, &budget)
      guard let sequence = found ?? configured else {
        throw CodecError(.malformed, "there is no sequence header")
      }
      return CodedPictureDescription(
        width: sequence.maximumWidth, height: sequence.maximumHeight, bitDepth: sequence.color.bitDepth,
        chromaFormat: sequence.color.chromaFormat, coding: sequence.color.coding,
        codePoints: sequence.color.codePoints)
    } catch {
      throw error.inFormat(format)
    }
  }

  /// Returns the decoder of pictures that follow a key frame: only that repeats the sequence header.
  func following(
    _ payload: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) -> AnyConfiguredPictureDecoder {
    var other = self
    if let sequence = try Self.findSequence(payload, &budget) { other.configured = sequence }
    return other.erased
  }

  /// Returns the decoder of an operating point, and of one of its spatial layers.
  func selecting(_ layers: LayerSelection) -> AnyConfiguredPictureDecoder {
    var other = self
    other.layers = layers
    return other.erased
  }

  /// Decodes the first picture that is shown, or the selected layer of it.
  func decode(_ payload: Span<UInt8>, context: inout DecodingContext) throws(CodecError) -> DecodedPlanes {
    let heldByteCount = context.budget.heldByteCount
    do throws(CodecError) {
      var decoder = TemporalUnitDecoder(configured, layers)
      let planes = try decoder.decode(payload, &context)
      context.budget.settle(heldByteCount: heldByteCount + planes.picture.rawPlanesByteCount)
      return planes
    } catch {
      context.budget.settle(heldByteCount: heldByteCount)
      throw error.inFormat(context.format)
    }
  }
}
