// The parameters of quantisation matrices (ISO/IEC 18181-1, I.2.4).

internal import ImageCoding

/// The encoding of a matrix: parameters for X, Y and B.
package enum MatrixEncoding: Sendable {
  /// Weights of rings of frequencies, as a first one and the changes from one to the next.
  case bands([[Float]])
  case hornuss([[Float]])
  case dct2([[Float]])
  case dct4([[Float]], bands: [[Float]])
  case dct4x8([[Float]], bands: [[Float]])
  case corner([[Float]], bands: [[Float]], cornerBands: [[Float]])
  /// Integers for all coefficients, whose multipliers are the products with the denominator.
  case raw([[Int32]], denominator: Float)

  private static let minimumMagnitude: Float = 1e-8

  /// Reads an encoding; `nil` for the default.
  ///
  /// - Parameters:
  ///   - stream: the index of the Modular stream of the matrix.
  init?(
    parsing bits: inout BitReader, matrix: Int, stream: Int, _ tree: DecisionTree?, budget: inout ResourceBudget
  ) throws(CodecError) {
    let mode = try bits.readInt(3)
    let size = TransformKind.storedSize(matrix: matrix)
    guard size == (1, 1) || mode == 0 || mode > 5 else {
      throw bits.error(.malformed, "a large quantisation matrix has the encoding \(mode)")
    }
    switch mode {
    case 0: return nil
    case 1: self = .hornuss(try Self.readParameters(&bits, count: 3, scaledCount: 3))
    case 2: self = .dct2(try Self.readParameters(&bits, count: 6, scaledCount: 6))
    case 3: self = .dct4(try Self.readParameters(&bits, count: 2, scaledCount: 0), bands: try Self.readBands(&bits))
    case 4: self = .dct4x8(try Self.readParameters(&bits, count: 1, scaledCount: 0), bands: try Self.readBands(&bits))
    case 5:
      self = .corner(
        try Self.readParameters(&bits, count: 9, scaledCount: 6), bands: try Self.readBands(&bits),
        cornerBands: try Self.readBands(&bits))
    case 6: self = .bands(try Self.readBands(&bits))
    default: self = try Self.readRaw(&bits, size, stream, tree, &budget)
    }
  }

  /// Reads the parameters of the three channels. The first ones of each are multiples of 64.
  private static func readParameters(
    _ bits: inout BitReader, count: Int, scaledCount: Int
  ) throws(CodecError) -> [[Float]] {
    var result: [[Float]] = []
    for _ in 0..<3 {
      var parameters: [Float] = []
      for index in 0..<count {
        let value = try bits.readF16()
        guard abs(value) >= minimumMagnitude || index > 5 else {
          throw bits.error(.malformed, "a parameter of a quantisation matrix is zero")
        }
        parameters.append(index < scaledCount ? value * 64 : value)
      }
      result.append(parameters)
    }
    return result
  }

  private static func readBands(_ bits: inout BitReader) throws(CodecError) -> [[Float]] {
    let count = 1 + (try bits.readInt(4))
    var result: [[Float]] = []
    for _ in 0..<3 {
      var bands: [Float] = []
      for index in 0..<count { bands.append(try bits.readF16() * (index == 0 ? 64 : 1)) }
      guard bands[0] >= minimumMagnitude else {
        throw bits.error(.malformed, "a band of a quantisation matrix is not positive")
      }
      result.append(bands)
    }
    return result
  }

  private static func readRaw(
    _ bits: inout BitReader, _ size: (columns: Int, rows: Int), _ index: Int, _ tree: DecisionTree?,
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> MatrixEncoding {
    let denominator = try bits.readF16()
    guard denominator >= minimumMagnitude else {
      throw bits.error(.malformed, "the denominator of a quantisation matrix is not positive")
    }
    let channel = ModularChannel(
      width: 8 * size.columns, height: 8 * size.rows, horizontalShift: 0, verticalShift: 0)
    var image = ModularImage(bitCount: 8)
    image.channels = [channel, channel, channel]
    let stream = try ModularStream(parsing: &bits, &image, budget: &budget)
    _ = try stream.decode(&bits, &image, index: index, globalTree: tree, budget: &budget)
    try stream.undoTransforms(&image, budget: &budget)
    guard image.channels.count == 3, image.channels.allSatisfy({ $0.samples.count == channel.width * channel.height })
    else { throw bits.error(.malformed, "the transforms of a quantisation matrix change its channels") }
    try budget.allocate(count: channel.width * channel.height, bytesEach: 12)
    return .raw(image.channels.map { $0.samples }, denominator: denominator)
  }
}
