// The first stage of rendering: integers become fractions of a full sample (ISO/IEC 18181-1, G.1.3).

internal import ImageCoding

/// Converts the integers of Modular channels, and places the samples of VarDCT frames.
struct SampleStage: RowStage {
  private let channels: [ModularChannel]
  private let conversions: [SampleConversion]

  /// The factors of X, Y and B; `nil` for frames that are not in XYB.
  private let factors: [Float]?

  /// The colours of a VarDCT frame; those that are reduced are placed when they have been enlarged.
  private let colors: [SamplePlane]
  /// The plane of the first Modular channel.
  private let firstPlane: Int

  init(_ frame: FrameDecoder) {
    let image = frame.image
    channels = frame.modular.channels
    colors = frame.colors
    firstPlane = frame.header.isModular ? 0 : frame.colorCount
    factors = image.isXYB && frame.header.isModular ? frame.colorFactors : nil
    let colorCount = frame.header.isModular ? frame.colorCount : 0
    conversions = channels.indices.map {
      SampleConversion($0 < colorCount ? image.bitDepth : image.extraChannels[$0 - colorCount].bitDepth)
    }
  }

  let unitsPerSample = 2

  func process(row y: Int, of frame: inout RenderedFrame) {
    if let factors { convertXYB(y, factors, &frame) }
    for (plane, color) in colors.enumerated() where color.width == frame.width && color.height == frame.height {
      let samples = color.samples.span
      frame.withRow(plane, y) { row in for x in 0..<row.count { row[x] = samples[y &* color.width &+ x] } }
    }
    for index in channels.indices.dropFirst(factors == nil ? 0 : 3) {
      let (channel, plane) = (channels[index], firstPlane + index)
      // Reduced channels are converted when they are enlarged.
      guard channel.width == frame.width, channel.height == frame.height else { continue }
      let conversion = conversions[index]
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
