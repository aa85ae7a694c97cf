// From pixels to a ThumbHash.

internal import ImageCore

/// Computes the terms of a small picture.
struct ThumbHashEncoder {
  let bytes: [UInt8]

  /// - Parameter picture: straight 8-bit RGBA.
  init(_ picture: Bitmap) {
    let (width, height) = (picture.width, picture.height)
    let channels = Channels(picture)
    // Alpha takes bits of luminance.
    let limit = channels.hasAlpha ? 5 : 7
    let longest = Double(max(width, height))
    let columns = max(1, Int((Double(limit * width) / longest).rounded()))
    let rows = max(1, Int((Double(limit * height) / longest).rounded()))
    let cosines = (x: CosineTable(size: width, frequencyCount: 7), y: CosineTable(size: height, frequencyCount: 7))
    func terms(_ channel: [Double], _ columns: Int, _ rows: Int) -> ChannelTerms {
      ChannelTerms(channel, width: width, TriangularTerms(columns, rows), cosines.x, cosines.y)
    }
    let l = terms(channels.l, max(3, columns), max(3, rows))
    let p = terms(channels.p, 3, 3)
    let q = terms(channels.q, 3, 3)
    let a = channels.hasAlpha ? terms(channels.a, 5, 5) : nil

    let isLandscape = width > height
    var header24 = Self.round(63 * l.mean) | Self.round(31.5 + 31.5 * p.mean) << 6
    header24 |= Self.round(31.5 + 31.5 * q.mean) << 12 | Self.round(31 * l.scale) << 18
    if channels.hasAlpha { header24 |= 1 << 23 }
    let header16 =
      (isLandscape ? rows : columns) | Self.round(63 * p.scale) << 3 | Self.round(63 * q.scale) << 9
      | (isLandscape ? 1 << 15 : 0)
    var bytes = [header24 & 255, header24 >> 8 & 255, header24 >> 16, header16 & 255, header16 >> 8]
    if let a { bytes.append(Self.round(15 * a.mean) | Self.round(15 * a.scale) << 4) }
    let varying = (l.varying + p.varying + q.varying + (a?.varying ?? [])).map { Self.round(15 * $0) }
    for index in stride(from: 0, to: varying.count, by: 2) {
      bytes.append(varying[index] | (index + 1 < varying.count ? varying[index + 1] << 4 : 0))
    }
    self.bytes = bytes.map { UInt8(truncatingIfNeeded: $0) }
  }

  /// Rounds halves up.
  private static func round(_ value: Double) -> Int { Int((value + 0.5).rounded(.down)) }
}

/// The channels of a picture composited over its average colour.
private struct Channels {
  var l: [Double] = []
  var p: [Double] = []
  var q: [Double] = []
  var a: [Double] = []
  var hasAlpha = false

  init(_ picture: Bitmap) {
    let pixels = picture.packedPixels
    var average = (red: 0.0, green: 0.0, blue: 0.0, alpha: 0.0)
    for index in stride(from: 0, to: pixels.count, by: 4) {
      let alpha = Double(pixels[index + 3]) / 255
      average.red += alpha / 255 * Double(pixels[index])
      average.green += alpha / 255 * Double(pixels[index + 1])
      average.blue += alpha / 255 * Double(pixels[index + 2])
      average.alpha += alpha
    }
    if average.alpha > 0 {
      average.red /= average.alpha
      average.green /= average.alpha
      average.blue /= average.alpha
    }
    hasAlpha = average.alpha < Double(picture.width * picture.height)
    for index in stride(from: 0, to: pixels.count, by: 4) {
      let alpha = Double(pixels[index + 3]) / 255
      let red = average.red * (1 - alpha) + alpha / 255 * Double(pixels[index])
      let green = average.green * (1 - alpha) + alpha / 255 * Double(pixels[index + 1])
      let blue = average.blue * (1 - alpha) + alpha / 255 * Double(pixels[index + 2])
      l.append((red + green + blue) / 3)
      p.append((red + green) / 2 - blue)
      q.append(red - green)
      a.append(alpha)
    }
  }
}

/// The mean of a channel, and its other terms as fractions of the largest, 0…1 around ½.
private struct ChannelTerms {
  var mean = 0.0
  var scale = 0.0
  var varying: [Double] = []

  init(_ channel: [Double], width: Int, _ terms: TriangularTerms, _ cosinesX: CosineTable, _ cosinesY: CosineTable) {
    func term(_ x: Int, _ y: Int) -> Double {
      var sum = 0.0
      for index in channel.indices {
        sum += channel[index] * cosinesX[x, index % width] * cosinesY[y, index / width]
      }
      // Terms that are zero but for the rounding of sums must not be magnified by the scale.
      let value = sum / Double(channel.count)
      return abs(value) < 1e-9 ? 0 : value
    }
    mean = term(0, 0)
    varying = terms.varying.map { term($0.x, $0.y) }
    scale = varying.reduce(0) { max($0, abs($1)) }
    if scale > 0 { varying = varying.map { 0.5 + 0.5 / scale * $0 } }
  }
}
