// Near-lossless preprocessing: samples lose their lowest bits where the picture is not smooth, which is hard to see and
// easier to compress.

internal import ImageCoding

/// Rounds pixels whose neighbours differ from them.
///
/// - Parameters:
///   - pixels: the pixels, row by row.
///   - quality: 0…99; every step of 20 keeps one bit more.
///   - budget: charged for the work, row by row.
func roundBusyPixels(
  _ pixels: inout [UInt32], width: Int, height: Int, quality: Int, _ budget: inout ResourceBudget
) throws(CodecError) {
  guard width >= 3, height >= 3 else { return }
  for bits in (1...max(1, 5 - quality / 20)).reversed() {
    let source = pixels
    let input = source.span
    let limit = Int32(1) << Int32(bits)
    var output = pixels.mutableSpan
    for y in 1..<height - 1 {
      try budget.chargeWork(count: width, unitsEach: 25)
      for x in 1..<width - 1 {
        let index = y &* width &+ x
        let pixel = input[index]
        let isSmooth =
          isNear(pixel, input[index &- 1], limit) && isNear(pixel, input[index &+ 1], limit)
          && isNear(pixel, input[index &- width], limit) && isNear(pixel, input[index &+ width], limit)
        output[index] = isSmooth ? pixel : rounded(pixel, UInt32(bits))
      }
    }
  }
}

/// Returns whether all samples of two pixels differ by less than a limit.
@inline(__always)
private func isNear(_ a: UInt32, _ b: UInt32, _ limit: Int32) -> Bool {
  var shift: UInt32 = 0
  while shift < 32 {
    let difference = Int32(truncatingIfNeeded: a &>> shift & 0xFF) &- Int32(truncatingIfNeeded: b &>> shift & 0xFF)
    if abs(difference) >= limit { return false }
    shift &+= 8
  }
  return true
}

/// Returns a pixel with samples rounded to multiples of 2ᵇⁱᵗˢ, ties to even multiples, or 255.
@inline(__always)
private func rounded(_ pixel: UInt32, _ bits: UInt32) -> UInt32 {
  var result: UInt32 = 0
  var shift: UInt32 = 0
  while shift < 32 {
    let sample = pixel &>> shift & 0xFF
    let value = sample &+ (1 &<< bits) / 2 &- 1 &+ (sample &>> bits) & 1
    result |= min(255, (value &>> bits) &<< bits) &<< shift
    shift &+= 8
  }
  return result
}
