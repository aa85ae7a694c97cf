// Enlargement of reduced channels (ISO/IEC 18181-1, G.4.3 and L.3).

internal import ImageCoding

/// Doubles the columns and the rows of planes by linear interpolation. Samples are centred between those that they
/// replace, and the edges are repeated.
package enum ChromaUpsampling {
  /// Enlarges a plane to a size of at most twice its own in each direction. The memory of the new plane is charged.
  package static func enlarge(
    _ plane: SamplePlane, to size: PixelSize, budget: inout ResourceBudget
  ) throws(CodecError) -> [Float] {
    let isWide = plane.width == size.width
    let (total, overflow) = size.width.multipliedReportingOverflow(by: size.height)
    let wideCount = isWide ? 0 : size.width * plane.height
    try budget.allocate(count: overflow ? .max : total, bytesEach: 4)
    try budget.allocate(count: wideCount, bytesEach: 4)
    defer { budget.release(wideCount * 4) }
    var wide = isWide ? plane.samples : [Float](repeating: 0, count: wideCount)
    if !isWide {
      for y in 0..<plane.height {
        try budget.chargeWork(count: size.width, unitsEach: 3)
        for x in 0..<size.width {
          let near = x >> 1
          let far = x & 1 == 0 ? max(near - 1, 0) : min(near + 1, plane.width - 1)
          let row = y * plane.width
          wide[y * size.width + x] = 0.75 * plane.samples[row + near] + 0.25 * plane.samples[row + far]
        }
      }
    }
    guard plane.height != size.height else { return wide }
    var output = [Float](repeating: 0, count: total)
    for y in 0..<size.height {
      try budget.chargeWork(count: size.width, unitsEach: 3)
      let near = y >> 1
      let far = y & 1 == 0 ? max(near - 1, 0) : min(near + 1, plane.height - 1)
      for x in 0..<size.width {
        output[y * size.width + x] = 0.75 * wide[near * size.width + x] + 0.25 * wide[far * size.width + x]
      }
    }
    return output
  }
}
