// Floyd and Steinberg, 1976: the error of each pixel is distributed over four later neighbours in shares of 7, 3, 5 and
// 1 sixteenths. Every other row runs backwards, which reduces visible patterns.

internal import ImageCoding

/// Dithers a picture by error diffusion, from its first row to its last.
struct ErrorDiffusion {
  private let width: Int
  /// The errors of this row and of the next one in sixteenths, with one spare pixel on each side.
  private var current: [SIMD4<Int32>]
  private var below: [SIMD4<Int32>]
  private var isForward = true

  /// Charges the errors.
  init(width: Int, _ budget: inout ResourceBudget) throws(CodecError) {
    self.width = width
    try budget.allocate(count: width + 2, bytesEach: 2 * MemoryLayout<SIMD4<Int32>>.stride)
    current = [SIMD4<Int32>](repeating: .zero, count: width + 2)
    below = [SIMD4<Int32>](repeating: .zero, count: width + 2)
  }

  /// Appends the palette index of each pixel of the next row. Pixels of value 0 get the index `gap` and diffuse no error.
  mutating func append(
    _ pixels: Span<UInt32>, to indices: inout [UInt8], gap: UInt8, colors: Span<UInt32>, matcher: inout ColorMatcher
  ) {
    let start = indices.count
    indices.append(contentsOf: repeatElement(gap, count: width))
    var output = indices.mutableSpan
    let step = isForward ? 1 : -1
    var x = isForward ? 0 : width - 1
    while x >= 0, x < width {
      if pixels[x] != 0 {
        let wanted = clamped(channels(of: pixels[x]) &+ (current[x + 1] &+ 8) &>> 4)
        let index = matcher.index(wanted.x, wanted.y, wanted.z)
        output[start + x] = index
        let error = wanted &- channels(of: colors[Int(index)])
        current[x + 1 + step] &+= error &* 7
        below[x + 1 - step] &+= error &* 3
        below[x + 1] &+= error &* 5
        below[x + 1 + step] &+= error
      }
      x += step
    }
    swap(&current, &below)
    for x in below.indices { below[x] = .zero }
    isForward.toggle()
  }

  private func channels(of pixel: UInt32) -> SIMD4<Int32> {
    SIMD4<Int32>(Int32(pixel & 255), Int32(pixel >> 8 & 255), Int32(pixel >> 16 & 255), 0)
  }

  private func clamped(_ color: SIMD4<Int32>) -> SIMD4<Int32> {
    color.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255))
  }
}
