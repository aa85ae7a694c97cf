// Regions of interest, whose coefficients are scaled (ITU-T T.800, annex H).

/// Scales the coefficients of a region of interest back: those that are too large to be of the background.
///
/// - Parameter samples: coefficients in units of half a step.
func scaleRegionOfInterest(_ samples: inout [Int32], count: Int, shift: Int) {
  guard shift > 0, shift < 31 else { return }
  let threshold = UInt32(2) << UInt32(shift)
  for index in 0..<count {
    let magnitude = samples[index].magnitude
    guard magnitude >= threshold else { continue }
    let scaled = Int32(truncatingIfNeeded: magnitude >> UInt32(shift))
    samples[index] = samples[index] < 0 ? -scaled : scaled
  }
}
