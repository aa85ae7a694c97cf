// Residuals that need no transform: those that are coded without one, and those of a first coefficient alone.

/// The relation of coefficients and residuals in a block without a transform.
struct SpatialForm {
  let log2Size: Int
  let isBypass: Bool
  let bitDepth: Int
  /// Whether the block is turned by half a turn.
  var isRotated = false
  /// The distance of the residual from which each one is the difference; 0 if they are no differences.
  var distance = 0

  init(log2Size: Int, isBypass: Bool, bitDepth: Int) {
    (self.log2Size, self.isBypass, self.bitDepth) = (log2Size, isBypass, bitDepth)
  }
}

/// Turns coefficients of a block without a transform into residuals (sections 8.6.2, 8.6.4.2 and 8.6.5).
func copySpatialResiduals<Residual: FixedWidthInteger>(
  _ coefficients: [Int16], into residuals: inout [Residual], _ form: SpatialForm
) {
  let size = 1 &<< form.log2Size
  let count = size &* size
  let source = coefficients.span
  var target = residuals.mutableSpan
  let scale = Int32(truncatingIfNeeded: 5 &+ form.log2Size)
  let shift = Int32(truncatingIfNeeded: 20 &- form.bitDepth)
  for index in 0..<count {
    let coefficient = source[form.isRotated ? count &- 1 &- index : index]
    if form.isBypass {
      target[index] = Residual(truncatingIfNeeded: coefficient)
    } else {
      let value = (Int32(coefficient) &<< scale &+ 1 &<< (shift &- 1)) &>> shift
      target[index] = Residual(clamping: value)
    }
  }
  guard form.distance > 0 else { return }
  let isVertical = form.distance > 1
  for index in form.distance..<count where isVertical || index & (size &- 1) != 0 {
    target[index] = target[index] &+ target[index &- form.distance]
  }
}

/// All residuals of a block that has its first coefficient only.
func constantResidual(_ coefficient: Int32, _ bitDepth: Int) -> Int16 {
  let middle = (coefficient &* 64 &+ 64) &>> 7
  let shift = Int32(truncatingIfNeeded: 20 &- bitDepth)
  return Int16(truncatingIfNeeded: (middle &* 64 &+ 1 &<< (shift &- 1)) &>> shift)
}
