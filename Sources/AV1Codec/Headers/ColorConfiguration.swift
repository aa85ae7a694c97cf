// The colour configuration of a sequence (section 5.5.2).

internal import ImageCoding
internal import PixelPlanes

/// The sample format of a sequence and its colour code points.
struct ColorConfiguration: Equatable {
  /// `BitDepth`: 8, 10 or 12.
  let bitDepth: Int
  /// `mono_chrome`.
  let isMonochrome: Bool
  let colorPrimaries: UInt8
  let transferCharacteristics: UInt8
  let matrixCoefficients: UInt8
  /// `color_range`.
  let isFullRange: Bool
  /// `subsampling_x` and `subsampling_y`: the logarithms of luma columns and rows for each of chroma; 1 for monochrome.
  let subsamplingX: Int
  let subsamplingY: Int
  /// `chroma_sample_position`: 0 unknown, 1 between two luma rows, 2 on the upper one; in both cases on the left
  /// column.
  let chromaSamplePosition: Int
  /// `separate_uv_delta_q`.
  let hasSeparateChromaDeltas: Bool

  private static let unspecified: UInt8 = 2
  private static let identityMatrix: UInt8 = 0

  init(parsing reader: inout BitReader, profile: Int) throws(CodecError) {
    let isDeep = reader.readFlag()
    let isTwelveBit = profile == 2 && isDeep && reader.readFlag()
    bitDepth = isTwelveBit ? 12 : isDeep ? 10 : 8
    isMonochrome = profile != 1 && reader.readFlag()
    if reader.readFlag() {
      colorPrimaries = UInt8(reader.readInt(8))
      transferCharacteristics = UInt8(reader.readInt(8))
      matrixCoefficients = UInt8(reader.readInt(8))
    } else {
      (colorPrimaries, transferCharacteristics, matrixCoefficients) = (
        Self.unspecified, Self.unspecified, Self.unspecified
      )
    }
    if isMonochrome {
      isFullRange = reader.readFlag()
      (subsamplingX, subsamplingY, chromaSamplePosition) = (1, 1, 0)
      hasSeparateChromaDeltas = false
      return
    }
    if colorPrimaries == 1, transferCharacteristics == 13, matrixCoefficients == Self.identityMatrix {
      isFullRange = true
      (subsamplingX, subsamplingY, chromaSamplePosition) = (0, 0, 0)
      guard profile == 1 || (profile == 2 && bitDepth == 12) else {
        throw CodecError(.malformed, "RGB is coded in profile \(profile)")
      }
    } else {
      isFullRange = reader.readFlag()
      switch profile {
      case 0: (subsamplingX, subsamplingY) = (1, 1)
      case 1: (subsamplingX, subsamplingY) = (0, 0)
      default:
        let isSubsampled = bitDepth < 12 || reader.readFlag()
        subsamplingX = isSubsampled ? 1 : 0
        subsamplingY = bitDepth == 12 && isSubsampled && reader.readFlag() ? 1 : 0
      }
      chromaSamplePosition = subsamplingX == 1 && subsamplingY == 1 ? reader.readInt(2) : 0
      guard matrixCoefficients != Self.identityMatrix || (subsamplingX == 0 && subsamplingY == 0) else {
        throw CodecError(.malformed, "the identity matrix has subsampled chroma")
      }
    }
    hasSeparateChromaDeltas = reader.readFlag()
  }

  /// `NumPlanes`: 1 or 3.
  var planeCount: Int { isMonochrome ? 1 : 3 }

  /// Whether the planes are green, blue and red.
  var isIdentity: Bool { matrixCoefficients == Self.identityMatrix }

  /// The chroma subsampling.
  var chromaFormat: ChromaFormat {
    if isMonochrome { return .monochrome }
    if subsamplingX == 0 { return .yuv444 }
    return subsamplingY == 0 ? .yuv422 : .yuv420
  }
}
