// The values of the sequence parameter set that decoding of macroblocks uses.

internal import PixelPlanes

/// Size and sample format of a frame.
struct PictureFormat {
  /// Columns and rows of macroblocks of the frame.
  let columnCount: Int
  let rowCount: Int
  /// Planes that are coded separately, as if each were monochrome.
  let hasSeparatePlanes: Bool
  /// `ChromaArrayType`: 0 if macroblocks have no chroma.
  let chromaType: Int
  /// The planes of the frame: 1 or 3.
  let planeCount: Int
  let bitDepth: Int
  let isLosslessAllowed: Bool
  private let shiftX: Int
  private let shiftY: Int

  init(_ sequence: SequenceParameterSet) {
    (columnCount, rowCount) = (sequence.columnCount, sequence.rowCount)
    hasSeparatePlanes = sequence.hasSeparatePlanes
    (bitDepth, isLosslessAllowed) = (sequence.bitDepth, sequence.isLosslessAllowed)
    let type =
      switch sequence.chromaFormat {
      case .monochrome: 0
      case .yuv420: 1
      case .yuv422: 2
      default: 3
      }
    chromaType = hasSeparatePlanes ? 0 : type
    planeCount = type == 0 ? 1 : 3
    shiftX = sequence.chromaFormat.horizontalRatio - 1
    shiftY = sequence.chromaFormat.verticalRatio - 1
  }

  var macroblockCount: Int { columnCount * rowCount }
  /// `QpBdOffset`.
  var depthOffset: Int { 6 * (bitDepth - 8) }
  var maximumSample: Int32 { 1 << Int32(bitDepth) - 1 }
  /// Columns and rows of a macroblock in a plane.
  func macroblockWidth(_ plane: Int) -> Int { plane == 0 ? 16 : 16 >> shiftX }
  func macroblockHeight(_ plane: Int) -> Int { plane == 0 ? 16 : 16 >> shiftY }
  /// The components of a macroblock that are coded as luma.
  var lumaLikeCount: Int { chromaType == 3 ? 3 : 1 }
  var hasSubsampledChroma: Bool { chromaType == 1 || chromaType == 2 }
  /// 4 × 4 blocks of Cb or Cr in 4:2:0 and 4:2:2.
  var chromaBlockCount: Int { chromaType == 2 ? 8 : 4 }
}
