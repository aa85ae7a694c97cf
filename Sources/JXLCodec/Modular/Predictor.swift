// The predictors of Modular samples (ISO/IEC 18181-1, H.5.3).

/// The predictors by their numbers.
enum Predictor: UInt8, Sendable {
  case zero, left, top, average, select, gradient, weighted, topRight, topLeft, leftLeft
  case averageLeft, averageTop, averageRight, averageAll
}

/// The samples around a sample. Missing ones are replaced by their neighbours.
struct Neighbours {
  var left: Int32
  var top: Int32
  var topLeft: Int32
  var topRight: Int32
  var topTop: Int32
  var leftLeft: Int32
  var topRightRight: Int32

  /// Loads the neighbours of a sample of a channel.
  @inline(__always)
  init(_ samples: borrowing MutableSpan<Int32>, x: Int, y: Int, width: Int) {
    let index = y &* width &+ x
    let above = index &- width
    let left = x > 0 ? samples[index &- 1] : y > 0 ? samples[above] : 0
    let top = y > 0 ? samples[above] : left
    self.left = left
    self.top = top
    topLeft = x > 0 && y > 0 ? samples[above &- 1] : left
    topRight = y > 0 && x &+ 1 < width ? samples[above &+ 1] : top
    topTop = y > 1 ? samples[above &- width] : top
    leftLeft = x > 1 ? samples[index &- 2] : left
    topRightRight = y > 0 && x &+ 2 < width ? samples[above &+ 2] : topRight
  }

  /// Returns the prediction of a predictor other than the weighted one.
  @inline(__always)
  func prediction(_ predictor: Predictor) -> Int64 {
    let (w, n) = (Int64(left), Int64(top))
    switch predictor {
    case .zero, .weighted: return 0
    case .left: return w
    case .top: return n
    case .average: return (w + n) / 2
    case .select:
      let (toLeft, toTop) = (n - Int64(topLeft), w - Int64(topLeft))
      return toLeft.magnitude < toTop.magnitude ? w : n
    case .gradient: return Int64(clampedGradient)
    case .topRight: return Int64(topRight)
    case .topLeft: return Int64(topLeft)
    case .leftLeft: return Int64(leftLeft)
    case .averageLeft: return (w + Int64(topLeft)) / 2
    case .averageTop: return (n + Int64(topLeft)) / 2
    case .averageRight: return (n + Int64(topRight)) / 2
    case .averageAll:
      let vertical = 6 * n - 2 * Int64(topTop)
      let horizontal = 7 * w + Int64(leftLeft)
      return (vertical + horizontal + Int64(topRightRight) + 3 * Int64(topRight) + 8) / 16
    }
  }

  /// W + N − NW, clamped to the range of 32-bit integers.
  @inline(__always)
  var saturatedGradient: Int32 { Int32(clamping: Int64(left) &+ Int64(top) &- Int64(topLeft)) }

  /// W + N − NW, clamped to the range of W and N.
  @inline(__always)
  var clampedGradient: Int32 { JXLCodec.clampedGradient(left, top, topLeft) }
}

/// Returns left + top − topLeft, clamped to the range of left and top.
@inline(__always)
func clampedGradient(_ left: Int32, _ top: Int32, _ topLeft: Int32) -> Int32 {
  let (low, high) = (min(left, top), max(left, top))
  // Between the bounds of `topLeft`, the gradient does not overflow.
  return topLeft < low ? high : topLeft > high ? low : left &+ top &- topLeft
}
