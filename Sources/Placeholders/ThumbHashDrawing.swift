// From a ThumbHash to pixels.

internal import ImageCore

/// The terms of a hash, with the quantisation undone.
struct ThumbHashDrawing {
  private struct Channel {
    let mean: Double
    let terms: [(x: Int, y: Int)]
    let values: [Double]
  }

  private let width: Int
  private let height: Int
  private let channels: [Channel]

  /// Saturation is raised to compensate for what quantisation takes from it.
  private static let saturation = 1.25

  init(_ header: ThumbHashHeader, _ bytes: [UInt8]) {
    let ratio = header.aspectRatio
    width = max(1, Int((ratio > 1 ? 32 : 32 * ratio).rounded()))
    height = max(1, Int((ratio > 1 ? 32 / ratio : 32).rounded()))
    let start = header.hasAlpha ? 6 : 5
    var position = 0
    func channel(_ columns: Int, _ rows: Int, mean: Double, scale: Double) -> Channel {
      let terms = TriangularTerms(columns, rows).varying
      let values = terms.map { _ in
        let byte = bytes[start + position / 2]
        let value = position % 2 == 0 ? byte & 15 : byte >> 4
        position += 1
        return (Double(value) / 7.5 - 1) * scale
      }
      return Channel(mean: mean, terms: terms, values: values)
    }
    let (columns, rows) = header.luminanceTerms
    var channels = [channel(columns, rows, mean: header.means.l, scale: header.scales.l)]
    channels.append(channel(3, 3, mean: header.means.p, scale: header.scales.p * Self.saturation))
    channels.append(channel(3, 3, mean: header.means.q, scale: header.scales.q * Self.saturation))
    if header.hasAlpha { channels.append(channel(5, 5, mean: header.means.a, scale: header.scales.a)) }
    self.channels = channels
  }

  func makeBitmap() throws(CodecError) -> Bitmap {
    var bitmap = try Bitmap(width: width, height: height, format: .rgba8)
    let cosinesX = CosineTable(size: width, frequencyCount: 7)
    let cosinesY = CosineTable(size: height, frequencyCount: 7)
    for y in 0..<height {
      for x in 0..<width {
        let values = channels.map { channel in
          zip(channel.terms, channel.values).reduce(channel.mean) { sum, item in
            sum + item.1 * cosinesX[item.0.x, x] * (cosinesY[item.0.y, y] * 2)
          }
        }
        bitmap[x, y] =
          ThumbHashColor(l: values[0], p: values[1], q: values[2], a: values.count > 3 ? values[3] : 1).rgba
      }
    }
    return bitmap
  }
}
