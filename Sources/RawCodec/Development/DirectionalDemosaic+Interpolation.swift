// The missing colours: green at red and blue filters, then each of these at the other, then both at green filters.

extension DirectionalDemosaic {
  /// The least sum by which is divided.
  private static let tiny: Float = 1e-5

  /// Calculates the weighted mean of the neighbourhood of red and blue filters, which contains all colours equally.
  mutating func filterLowPass(_ y: Int) {
    var lowPassRing: [Float] = []
    swap(&lowPassRing, &lowPass)
    defer { swap(&lowPassRing, &lowPass) }
    let source = samples.span
    let (above, center, below) = (row(source, y - 1), row(source, y), row(source, y + 1))
    let start = offset(y)
    var rings = lowPassRing.mutableSpan
    var target = rings._mutatingExtracting(start..<start + stride)
    for x in 1..<target.count - 1 {
      let adjacent = above[x] + below[x] + center[x &- 1] + center[x &+ 1]
      let corners = above[x &- 1] + above[x &+ 1] + below[x &- 1] + below[x &+ 1]
      target[x] = center[x] + 0.5 * adjacent + 0.25 * corners
    }
  }

  /// Interpolates green at red and blue filters: in each of four directions the next green value, corrected by the ratio
  /// of the means, and weighted by the inverse of the changes on the way.
  mutating func interpolateGreen(_ y: Int) {
    var greenRing: [Float] = []
    swap(&greenRing, &green)
    defer { swap(&greenRing, &green) }
    let source = samples.span
    let (n1, n2, n3, n4) = (row(source, y - 1), row(source, y - 2), row(source, y - 3), row(source, y - 4))
    let (s1, s2, s3, s4) = (row(source, y + 1), row(source, y + 2), row(source, y + 3), row(source, y + 4))
    let center = row(source, y)
    let means = lowPass.span
    let (meanN, mean, meanS) = (row(means, y - 2), row(means, y), row(means, y + 2))
    let weights = direction.span
    let (weightN, weight, weightS) = (row(weights, y - 1), row(weights, y), row(weights, y + 1))
    let start = offset(y)
    var rings = greenRing.mutableSpan
    var target = rings._mutatingExtracting(start..<start + stride)
    let parity = sites(y).parity
    var x = 5 - parity
    while x < stride {
      target[x] = center[x]
      x &+= 2
    }
    x = 6 + parity
    while x < stride - 6 {
      let own = center[x]
      let (north, south, west, east) = (n1[x], s1[x], center[x &- 1], center[x &+ 1])
      let gradientN = Self.gradient(own, n2[x], north, south, n3[x]) + abs(n2[x] - n4[x])
      let gradientS = Self.gradient(own, s2[x], south, north, s3[x]) + abs(s2[x] - s4[x])
      let (w2, e2) = (center[x &- 2], center[x &+ 2])
      let gradientW = Self.gradient(own, w2, west, east, center[x &- 3]) + abs(w2 - center[x &- 4])
      let gradientE = Self.gradient(own, e2, east, west, center[x &+ 3]) + abs(e2 - center[x &+ 4])
      let local = mean[x]
      let estimateN = north * (1 + (local - meanN[x]) / (Self.tiny + local + meanN[x]))
      let estimateS = south * (1 + (local - meanS[x]) / (Self.tiny + local + meanS[x]))
      let estimateW = west * (1 + (local - mean[x &- 2]) / (Self.tiny + local + mean[x &- 2]))
      let estimateE = east * (1 + (local - mean[x &+ 2]) / (Self.tiny + local + mean[x &+ 2]))
      let vertical = (gradientS * estimateN + gradientN * estimateS) / (gradientN + gradientS)
      let horizontal = (gradientW * estimateE + gradientE * estimateW) / (gradientE + gradientW)
      let around = 0.25 * (weightN[x &- 1] + weightN[x &+ 1] + weightS[x &- 1] + weightS[x &+ 1])
      let share = Self.distinct(weight[x], around)
      target[x] = vertical + (horizontal - vertical) * share
      x &+= 2
    }
  }

  /// Interpolates blue at red filters and red at blue ones, along the diagonals, as differences from green.
  mutating func interpolateOpposite(_ y: Int) {
    var redRing: [Float] = []
    swap(&redRing, &red)
    defer { swap(&redRing, &red) }
    var blueRing: [Float] = []
    swap(&blueRing, &blue)
    defer { swap(&blueRing, &blue) }
    let (color, parity) = sites(y)
    let source = samples.span
    let (n1, n3, s1, s3) = (row(source, y - 1), row(source, y - 3), row(source, y + 1), row(source, y + 3))
    let center = row(source, y)
    let greens = green.span
    let (g, gn1, gn2) = (row(greens, y), row(greens, y - 1), row(greens, y - 2))
    let (gs1, gs2) = (row(greens, y + 1), row(greens, y + 2))
    let weights = diagonal.span
    let (weightN, weight, weightS) = (row(weights, y - 1), row(weights, y), row(weights, y + 1))
    let start = offset(y)
    var redRings = redRing.mutableSpan
    var reds = redRings._mutatingExtracting(start..<start + stride)
    var blueRings = blueRing.mutableSpan
    var blues = blueRings._mutatingExtracting(start..<start + stride)
    var x = 8 + parity
    while x < stride - 8 {
      let own = g[x]
      let (nw, ne, sw, se) = (n1[x &- 1], n1[x &+ 1], s1[x &- 1], s1[x &+ 1])
      let gradientNW = Self.gradient(own, gn2[x &- 2], nw, se, n3[x &- 3])
      let gradientSE = Self.gradient(own, gs2[x &+ 2], se, nw, s3[x &+ 3])
      let gradientNE = Self.gradient(own, gn2[x &+ 2], ne, sw, n3[x &+ 3])
      let gradientSW = Self.gradient(own, gs2[x &- 2], sw, ne, s3[x &- 3])
      let falling =
        (gradientNW * (se - gs1[x &+ 1]) + gradientSE * (nw - gn1[x &- 1])) / (gradientNW + gradientSE)
      let rising =
        (gradientNE * (sw - gs1[x &- 1]) + gradientSW * (ne - gn1[x &+ 1])) / (gradientNE + gradientSW)
      let around = 0.25 * (weightN[x &- 1] + weightN[x &+ 1] + weightS[x &- 1] + weightS[x &+ 1])
      let share = Self.distinct(weight[x], around)
      let value = own + falling + (rising - falling) * share
      reds[x] = color == 0 ? center[x] : value
      blues[x] = color == 0 ? value : center[x]
      x &+= 2
    }
  }

  /// Interpolates red and blue at green filters.
  mutating func interpolateAtGreen(_ y: Int) {
    var plane: [Float] = []
    swap(&plane, &red)
    interpolate(&plane, y)
    swap(&plane, &red)
    swap(&plane, &blue)
    interpolate(&plane, y)
    swap(&plane, &blue)
  }

  private func interpolate(_ plane: inout [Float], _ y: Int) {
    let greens = green.span
    let (g, gn2, gs2) = (row(greens, y), row(greens, y - 2), row(greens, y + 2))
    let (gn1, gs1) = (row(greens, y - 1), row(greens, y + 1))
    let weights = direction.span
    let (weightN, weight, weightS) = (row(weights, y - 1), row(weights, y), row(weights, y + 1))
    let (start, n1, n3, s1, s3) = (offset(y), offset(y - 1), offset(y - 3), offset(y + 1), offset(y + 3))
    var values = plane.mutableSpan
    var x = 11 + sites(y).parity
    while x < stride - 11 {
      let own = g[x]
      let (north, south) = (values[n1 &+ x], values[s1 &+ x])
      let (west, east) = (values[start &+ x &- 1], values[start &+ x &+ 1])
      let gradientN = Self.gradient(own, gn2[x], north, south, values[n3 &+ x])
      let gradientS = Self.gradient(own, gs2[x], south, north, values[s3 &+ x])
      let gradientW = Self.gradient(own, g[x &- 2], west, east, values[start &+ x &- 3])
      let gradientE = Self.gradient(own, g[x &+ 2], east, west, values[start &+ x &+ 3])
      let vertical = (gradientN * (south - gs1[x]) + gradientS * (north - gn1[x])) / (gradientN + gradientS)
      let horizontal =
        (gradientW * (east - g[x &+ 1]) + gradientE * (west - g[x &- 1])) / (gradientW + gradientE)
      let around = 0.25 * (weightN[x &- 1] + weightN[x &+ 1] + weightS[x &- 1] + weightS[x &+ 1])
      let share = Self.distinct(weight[x], around)
      values[start &+ x] = own + vertical + (horizontal - vertical) * share
      x &+= 2
    }
  }

  /// Returns the sum of the changes in a direction, of the own colour and of another one.
  ///
  /// - Parameters:
  ///   - own, ownFar: the values at the pixel and two further.
  ///   - near, opposite, far: the values of the other colour next to the pixel, on the other side, and three further.
  @inline(__always)
  private static func gradient(_ own: Float, _ ownFar: Float, _ near: Float, _ opposite: Float, _ far: Float) -> Float {
    abs(own - ownFar) + abs(near - opposite) + abs(near - far) + tiny
  }
}
