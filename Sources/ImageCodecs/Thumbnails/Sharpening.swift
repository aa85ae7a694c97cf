// Sharpening of small bitmaps by an unsharp mask.

internal import ImageCoding

/// Adds a multiple of the difference between a pixel and the average of its neighbourhood of 3 × 3 pixels, whose weights
/// are 1, 2, 1 in both directions. Colours are weighted by alpha; alpha is unchanged.
struct Sharpening {
  /// 0…4.
  let amount: Double

  /// The work for a pixel.
  private static let workPerPixel = 60

  /// Returns the sharpened bitmap. Its samples have 8 bits, and its alpha is straight. The work is charged row by row.
  func applied(to bitmap: Bitmap, budget: inout ResourceBudget) throws(CodecError) -> Bitmap {
    try budget.requireWork(count: bitmap.width * bitmap.height, unitsEach: Self.workPerPixel)
    guard bitmap.format.sampleType == .uint8, bitmap.format.alpha != .premultiplied, !bitmap.isEmpty
    else {
      return bitmap
    }
    var result = bitmap
    let factor = Int((amount * 256).rounded())
    let channels = bitmap.format.samplesPerPixel
    let colorCount = bitmap.format.colorModel.sampleCount
    for y in 0..<bitmap.height {
      try budget.chargeWork(count: bitmap.width, unitsEach: Self.workPerPixel)
      let rows = (
        bitmap.row(max(y - 1, 0)), bitmap.row(y), bitmap.row(min(y + 1, bitmap.height - 1))
      )
      var target = result.mutableRow(y)
      for x in 0..<bitmap.width {
        let columns = (
          max(x - 1, 0) * channels, x * channels, min(x + 1, bitmap.width - 1) * channels
        )
        let alpha = bitmap.format.hasAlpha ? colorCount : nil
        let weights = Neighborhood(rows.0, rows.1, rows.2, columns, alpha: alpha)
        guard weights.sum > 0 else { continue }
        for channel in 0..<colorCount {
          let value = Int(rows.1[columns.1 + channel])
          let sum = weights.sum(rows.0, rows.1, rows.2, columns, channel)
          // Twice the difference times the divisor, rounded away from zero at halves.
          let difference = value * weights.sum - sum
          let divisor = weights.sum * 256
          let product = difference * factor
          let step = (abs(product) * 2 + divisor) / (divisor * 2)
          target[columns.1 + channel] = UInt8(clamping: product < 0 ? value - step : value + step)
        }
      }
    }
    return result
  }
}

/// The weights of nine pixels.
private struct Neighborhood {
  private var weights: InlineArray<9, Int>
  private(set) var sum = 0

  init(
    _ above: Span<UInt8>, _ middle: Span<UInt8>, _ below: Span<UInt8>, _ columns: (Int, Int, Int),
    alpha: Int?
  ) {
    weights = [1, 2, 1, 2, 4, 2, 1, 2, 1]
    if let alpha {
      for index in 0..<9 {
        let row = index < 3 ? above : index < 6 ? middle : below
        let column = index % 3 == 0 ? columns.0 : index % 3 == 1 ? columns.1 : columns.2
        weights[index] *= Int(row[column + alpha])
      }
    }
    for index in 0..<9 { sum += weights[index] }
  }

  /// The weighted sum of a channel.
  func sum(
    _ above: Span<UInt8>, _ middle: Span<UInt8>, _ below: Span<UInt8>, _ columns: (Int, Int, Int),
    _ channel: Int
  ) -> Int {
    let (left, center, right) = (columns.0 + channel, columns.1 + channel, columns.2 + channel)
    var sum =
      weights[0] * Int(above[left]) + weights[1] * Int(above[center]) + weights[2]
      * Int(above[right])
    sum +=
      weights[3] * Int(middle[left]) + weights[4] * Int(middle[center]) + weights[5]
      * Int(middle[right])
    return sum + weights[6] * Int(below[left]) + weights[7] * Int(below[center]) + weights[8]
      * Int(below[right])
  }
}
