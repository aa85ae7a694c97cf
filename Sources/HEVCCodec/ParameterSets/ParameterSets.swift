// The parameter sets of a stream, which slices refer to by number.

internal import ImageCore
internal import PixelPlanes

/// The parameter sets that have been read, by identifier.
struct ParameterSets {
  private var sequences: [Int: SequenceParameterSet] = [:]
  private var pictures: [Int: PictureParameterSet] = [:]
  /// Bytes of the largest parameter set that is read. With all lists, offsets and timing they have a few thousand.
  private static let maximumByteCount = 1 << 16
  /// Why a parameter set could not be read.
  var failure: CodecError?

  /// Reads a unit if it is a parameter set. One that cannot be read matters only if a picture refers to it.
  mutating func read(_ unit: NALUnit, _ bytes: Span<UInt8>) {
    guard unit.layer == 0, unit.payload.count <= Self.maximumByteCount else { return }
    do throws(CodecError) {
      switch unit.type {
      case .sequenceParameterSet:
        let payload = RawPayload(bytes, unit.payload)
        let set = try SequenceParameterSet(payload.paddedBytes.span.extracting(0..<payload.byteCount))
        sequences[set.id] = set
      case .pictureParameterSet:
        let payload = RawPayload(bytes, unit.payload)
        let set = try PictureParameterSet(payload.paddedBytes.span.extracting(0..<payload.byteCount)) { id in
          sequences[id]?.chromaFormat == .yuv444
        }
        pictures[set.id] = set
      default: break
      }
    } catch {
      failure = failure ?? error
    }
  }

  /// The sets that a slice refers to.
  ///
  /// - Throws: ``CodecError/Kind/malformed``, ``CodecError/Kind/unsupported``.
  func sets(pictureID: Int) throws(CodecError) -> (SequenceParameterSet, PictureParameterSet) {
    guard let picture = pictures[pictureID] else {
      throw failure ?? CodecError(.malformed, "there is no picture parameter set \(pictureID)")
    }
    guard let sequence = sequences[picture.sequenceID] else {
      throw failure ?? CodecError(.malformed, "there is no sequence parameter set \(picture.sequenceID)")
    }
    return (sequence, picture)
  }
}
