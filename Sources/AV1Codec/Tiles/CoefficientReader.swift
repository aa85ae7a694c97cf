// The working memory of coefficients, and the quantizers of a frame (sections 7.12.2 and 7.12.3).

internal import ImageCoding

/// The coefficients of a transform block, and what dequantizing them needs.
struct CoefficientReader {
  /// Dequantized coefficients, column by column; all zero between blocks.
  var values = InlineArray<1024, Int32>(repeating: 0)
  /// For each coefficient, its level, at most 15, in bits 0…5, and again, at most 3, in bits 6 and 7. See
  /// ``ScanOrders/levelPadding``.
  var levels = InlineArray<2048, UInt8>(repeating: 0)
  /// The entries of ``ScanOrders`` of coefficients that are not zero, the last one first, and their levels.
  var nonzero = InlineArray<1024, UInt32>(repeating: 0)
  var nonzeroLevels = InlineArray<1024, UInt8>(repeating: 0)
  private let dcSteps: [UInt16]
  private let acSteps: [UInt16]
  /// ``FrameParameters/quantizerMatrices``.
  private let matrices: [[UInt8]]

  init(_ parameters: FrameParameters) {
    let first = (parameters.bitDepth - 8) / 2 * 256
    dcSteps = Array(QuantizerSteps.dc[first..<first + 256])
    acSteps = Array(QuantizerSteps.ac[first..<first + 256])
    matrices = parameters.quantizerMatrices
  }

  /// The memory of a reader.
  static let byteCount = 512 * 2

  /// Sets the first levels to zero.
  @inline(__always)
  mutating func clearLevels(count: Int) {
    var span = levels.mutableSpan
    for index in 0..<min(count, span.count) { span[index] = 0 }
  }

  /// A level as it is stored.
  @inline(__always)
  func level(_ index: Int) -> Int { Int(levels[index & 2047]) }

  /// `dc_q( index )` and `ac_q( index )`.
  @inline(__always)
  func dcStep(_ index: Int) -> Int { Int(dcSteps[min(max(index, 0), 255)]) }
  @inline(__always)
  func acStep(_ index: Int) -> Int { Int(acSteps[min(max(index, 0), 255)]) }

  /// The weights of a transform block; empty for none.
  func matrix(_ plane: Int, _ size: TransformSize, _ type: TransformType) -> [UInt8] {
    guard !matrices.isEmpty, type.rawValue < TransformType.identity.rawValue else { return [] }
    return matrices[plane * TransformSize.count + size.number]
  }
}
