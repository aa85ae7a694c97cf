// Blurs with the exact Gaussian kernel, for standard deviations of a few pixels, at which boxes are too coarse.

private import ImageCore

/// The weights of a Gaussian along one axis.
struct GaussianKernel: Hashable {
  /// The weight of the pixel itself, followed by those at distance 1, 2, …; all weights on both sides add up to 1.
  let weights: [Float]

  init(standardDeviation: Double) {
    let reach = max(1, Int((standardDeviation * 3).rounded(.up)))
    let factor = -1 / (2 * standardDeviation * standardDeviation)
    let values = (0...reach).map { ElementaryFunctions.exponential(Double($0 * $0) * factor) }
    let sum = values.dropFirst().reduce(values[0]) { $0 + 2 * $1 }
    weights = values.map { Float($0 / sum) }
  }

  /// The distance in pixels to which a pixel has an effect.
  var reach: Int { weights.count - 1 }

  /// Blurs a strip along its lines; the outside is transparent.
  func apply(to strip: inout PixelStrip) {
    let stride = strip.stride
    let length = strip.length
    let rowCount = 2 * reach + 1
    // A ring of rows around the current place, as numbers; each row of the strip is converted once.
    var ring = [Float](repeating: 0, count: rowCount * stride)
    var sums = [Float](repeating: 0, count: stride)
    var (source, scratch) = strip.takeSamples()
    let samples = source.span
    var output = scratch.mutableSpan
    // The rows before the first one are transparent, which is the initial state of the ring.
    for place in -reach..<length {
      let next = place + reach
      load(
        next < length ? samples.extracting(next * stride..<(next + 1) * stride) : nil, &ring, next % rowCount, stride)
      if place < 0 { continue }
      accumulate(ring.span, &sums, place, rowCount, stride)
      var target = output._mutatingExtracting(place * stride..<(place + 1) * stride)
      let values = sums.span
      precondition(values.count == target.count)
      for index in target.indices { target[index] = roundedSample(values[index]) }
    }

    strip.giveBack(scratch, source)
  }

  private func load(_ samples: Span<UInt8>?, _ ring: inout [Float], _ slot: Int, _ stride: Int) {
    var all = ring.mutableSpan
    var row = all._mutatingExtracting(slot * stride..<(slot + 1) * stride)
    guard let samples else {
      for index in row.indices { row[index] = 0 }
      return
    }
    precondition(samples.count == row.count)
    for index in row.indices { row[index] = Float(samples[index]) }
  }

  private func accumulate(_ ring: Span<Float>, _ sums: inout [Float], _ place: Int, _ rowCount: Int, _ stride: Int) {
    var target = sums.mutableSpan
    let center = ring.extracting(place % rowCount * stride..<(place % rowCount + 1) * stride)
    let weight = weights[0]
    precondition(center.count == target.count)
    for index in target.indices { target[index] = center[index] * weight }
    for distance in 1...reach {
      let weight = weights[distance]
      let before = (place + rowCount - distance) % rowCount
      let after = (place + distance) % rowCount
      let first = ring.extracting(before * stride..<(before + 1) * stride)
      let second = ring.extracting(after * stride..<(after + 1) * stride)
      precondition(first.count == target.count && second.count == target.count)
      for index in target.indices { target[index] += (first[index] + second[index]) * weight }
    }
  }
}
