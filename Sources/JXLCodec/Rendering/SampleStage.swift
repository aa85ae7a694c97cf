// The first stage of Modular frames: integers become fractions of a full sample (ISO/IEC 18181-1, G.1.3).

internal import ImageCoding

/// Converts the integers of a Modular frame.
struct SampleStage: RowStage {
  private let channels: [ModularChannel]
  private let conversions: [SampleConversion]

  /// The factors of X, Y and B; `nil` for frames that are not in XYB.
  private let factors: [Float]?

  /// - Parameter factors: the factors of the LF coefficients of X, Y and B.
  init(_ modular: ModularImage, _ image: ImageHeader, factors: [Float]) {
    channels = modular.channels
    self.factors = image.isXYB ? factors : nil
    let colorCount = modular.channels.count - image.extraChannels.count
    conversions = modular.channels.indices.map {
      SampleConversion($0 < colorCount ? image.bitDepth : image.extraChannels[$0 - colorCount].bitDepth)
    }
  }

  let unitsPerSample = 2

  func process(row y: Int, of frame: inout RenderedFrame) {
    if let factors { convertXYB(y, factors, &frame) }
    for plane in channels.indices.dropFirst(factors == nil ? 0 : 3) {
      let channel = channels[plane]
      // Reduced channels are converted when they are enlarged.
      guard channel.width == frame.width, channel.height == frame.height else { continue }
      let conversion = conversions[plane]
      let samples = channel.samples.span
      frame.withRow(plane, y) { row in
        for x in 0..<row.count { row[x] = conversion.float(samples[y &* channel.width &+ x]) }
      }
    }
  }

  /// Converts colours that are stored as Y, X and B − Y.
  private func convertXYB(_ y: Int, _ factors: [Float], _ frame: inout RenderedFrame) {
    let start = y * frame.width
    let (luma, first, second) = (channels[0].samples, channels[1].samples, channels[2].samples)
    frame.withRow(0, y) { row in for x in 0..<row.count { row[x] = Float(first[start &+ x]) * factors[0] } }
    frame.withRow(1, y) { row in for x in 0..<row.count { row[x] = Float(luma[start &+ x]) * factors[1] } }
    frame.withRow(2, y) { row in
      for x in 0..<row.count { row[x] = Float(second[start &+ x] &+ luma[start &+ x]) * factors[2] }
    }
  }
}
