// The transforms of the first three components to red, green and blue (ITU-T T.800, annex G).

internal import ImageCoding

/// The inverse component transforms.
enum ComponentTransform {
  /// Transforms three planes of equal size and wavelet.
  static func invert(
    _ planes: inout [CoefficientPlane], _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let (width, height) = (planes[0].width, planes[0].height)
    // Moved out, so that their memory is not shared.
    var (first, second, third) = (planes[0], planes[1], planes[2])
    planes.removeFirst(3)
    for y in 0..<height {
      try budget.chargeWork(width * 3)
      let row = y * width..<(y + 1) * width
      if first.isReversible {
        var a = first.integers.mutableSpan._consumingExtracting(row)
        var b = second.integers.mutableSpan._consumingExtracting(row)
        var c = third.integers.mutableSpan._consumingExtracting(row)
        invertReversible(&a, &b, &c)
      } else {
        var a = first.reals.mutableSpan._consumingExtracting(row)
        var b = second.reals.mutableSpan._consumingExtracting(row)
        var c = third.reals.mutableSpan._consumingExtracting(row)
        invertIrreversible(&a, &b, &c)
      }
    }
    planes.insert(contentsOf: [first, second, third], at: 0)
  }

  /// The reversible component transform (RCT).
  static func invertReversible(
    _ first: inout MutableSpan<Int32>, _ second: inout MutableSpan<Int32>, _ third: inout MutableSpan<Int32>
  ) {
    for index in first.indices {
      let (y, u, v) = (first[index], second[index], third[index])
      let green = y &- ((u &+ v) &>> 2)
      first[index] = v &+ green
      second[index] = green
      third[index] = u &+ green
    }
  }

  /// The irreversible component transform (ICT).
  static func invertIrreversible(
    _ first: inout MutableSpan<Float>, _ second: inout MutableSpan<Float>, _ third: inout MutableSpan<Float>
  ) {
    for index in first.indices {
      let (y, u, v) = (first[index], second[index], third[index])
      first[index] = y + 1.402 * v
      second[index] = y - 0.344136 * u - 0.714136 * v
      third[index] = y + 1.772 * u
    }
  }
}
