// The OBUs of one picture in order: sequence headers, frame headers, tile groups.

internal import ImageCore
internal import PixelPlanes

/// The sequence header of a configuration.
struct CodedStream: ConfiguredPictureDecoder {
  private let configured: SequenceHeader?

  private static let workPerUnit = 200
  /// The work of parsing a header, in addition to that for each of its bytes.
  private static let workPerHeader = 5_000

  /// Reads a configuration record.
  ///
  /// - Throws: ``CodecError/Kind/malformed``, ``CodecError/Kind/truncated``; errors of the budget.
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

  /// What the sequence header states.
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

  /// Decodes the first picture that is shown, or its highest layer.
  func decode(
    _ payload: Span<UInt8>, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodedPlanes {
    let (format, heldByteCount) = (budget.format, budget.heldByteCount)
    do throws(CodecError) {
      var decoding = PictureDecoding(configured, isStrict: options.tolerance == .strict)
      let planes = try decoding.decode(payload, &budget)
      budget.settle(heldByteCount: heldByteCount + planes.picture.rawPlanesByteCount)
      return planes
    } catch {
      budget.settle(heldByteCount: heldByteCount)
      throw error.inFormat(format)
    }
  }
}

extension CodecError {
  /// Returns the error with a format, unless it has one.
  func inFormat(_ format: AssetType?) -> CodecError {
    CodecError(
      kind, reason, format: self.format ?? format, byteOffset: byteOffset, neededByteCount: neededByteCount)
  }
}
