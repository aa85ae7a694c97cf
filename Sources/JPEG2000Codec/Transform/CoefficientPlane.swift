// The coefficients, then the samples, of a tile's component (ITU-T T.800, annex E).

internal import ImageCoding

/// The part of a component in a tile at one resolution: integers for the reversible wavelet, otherwise real numbers.
struct CoefficientPlane: Sendable {
  let width: Int
  let height: Int
  let isReversible: Bool
  var integers: [Int32] = []
  var reals: [Float] = []

  /// Charges and allocates zeros.
  init(_ area: GridArea, isReversible: Bool, budget: inout ResourceBudget) throws(CodecError) {
    width = Int(clamping: area.width)
    height = Int(clamping: area.height)
    self.isReversible = isReversible
    try budget.allocatePixels(width: width, height: height, bytesPerPixel: 4)
    if isReversible {
      integers = [Int32](repeating: 0, count: width * height)
    } else {
      reals = [Float](repeating: 0, count: width * height)
    }
  }

  /// The number of bytes that were charged.
  var byteCount: Int { width * height * 4 }

  /// Stores the coefficients of a code-block.
  ///
  /// - Parameters:
  ///   - samples: the coefficients, in units of half a step.
  ///   - stepSize: the quantisation step of real numbers.
  mutating func store(
    _ samples: Span<Int32>, width blockWidth: Int, height blockHeight: Int, x: Int, y: Int, stepSize: Float
  ) {
    let scale = stepSize * 0.5
    for row in 0..<blockHeight {
      let source = samples.extracting(row * blockWidth..<(row + 1) * blockWidth)
      let start = (y + row) * width + x
      if isReversible {
        var target = integers.mutableSpan._consumingExtracting(start..<start + blockWidth)
        // Half a step is discarded: completely decoded integers are exact.
        for index in target.indices { target[index] = source[index] / 2 }
      } else {
        var target = reals.mutableSpan._consumingExtracting(start..<start + blockWidth)
        for index in target.indices { target[index] = Float(source[index]) * scale }
      }
    }
  }
}
