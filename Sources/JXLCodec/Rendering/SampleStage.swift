// The first stage of Modular frames: integers become fractions of a full sample (ISO/IEC 18181-1, G.1.3).

internal import ImageCoding

/// Converts the integers of a Modular frame.
struct SampleStage: RowStage {
  private let channels: [ModularChannel]
  private let conversions: [SampleConversion]

  init(_ modular: ModularImage, _ image: ImageHeader) {
    channels = modular.channels
    let colorCount = modular.channels.count - image.extraChannels.count
    conversions = modular.channels.indices.map {
      SampleConversion($0 < colorCount ? image.bitDepth : image.extraChannels[$0 - colorCount].bitDepth)
    }
  }

  let unitsPerSample = 2

  func process(row y: Int, of frame: inout RenderedFrame) {
    for plane in channels.indices {
      let channel = channels[plane]
      let conversion = conversions[plane]
      let samples = channel.samples.span
      frame.withRow(plane, y) { row in
        for x in 0..<row.count { row[x] = conversion.float(samples[y &* channel.width &+ x]) }
      }
    }
  }
}
