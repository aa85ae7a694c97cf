// A slow, obvious implementation of Pillow's published algorithm, and a twin of it in double precision.

import ImageCore
import Resampling

/// An image as an array of samples.
struct Samples: Equatable {
  var width: Int
  var height: Int
  var channels: Int
  var values: [Double]

  subscript(x: Int, y: Int, channel: Int) -> Double {
    get { values[(y * width + x) * channels + channel] }
    set { values[(y * width + x) * channels + channel] = newValue }
  }

  init(width: Int, height: Int, channels: Int) {
    self.width = width
    self.height = height
    self.channels = channels
    values = [Double](repeating: 0, count: width * height * channels)
  }

  var transposed: Samples {
    var result = Samples(width: height, height: width, channels: channels)
    for y in 0..<height { for x in 0..<width { for c in 0..<channels { result[y, x, c] = self[x, y, c] } } }
    return result
  }

  /// Applies a function to the samples of each pixel.
  func mapPixels(_ body: ([Double]) -> [Double]) -> Samples {
    var result = self
    for start in stride(from: 0, to: values.count, by: channels) {
      result.values.replaceSubrange(start..<start + channels, with: body(Array(values[start..<start + channels])))
    }
    return result
  }
}

enum SlowResampler {
  /// Filters one dimension with the weights that Pillow publishes, rounded to 22 bits, or not at all.
  static func pass(_ image: Samples, toWidth width: Int, _ filter: ResamplingFilter, fixedPoint: Bool) -> Samples {
    if width == image.width { return image }
    var result = Samples(width: width, height: image.height, channels: image.channels)
    for x in 0..<width {
      let weights = weights(x, of: width, from: image.width, filter)
      for y in 0..<image.height {
        for channel in 0..<image.channels {
          if fixedPoint {
            var sum: Int64 = 1 << 21
            for (position, weight) in weights {
              let scaled = weight * 4_194_304
              sum += Int64(image[position, y, channel]) * Int64(scaled < 0 ? scaled - 0.5 : scaled + 0.5)
            }
            result[x, y, channel] = Double(min(255, max(0, sum >> 22)))
          } else {
            result[x, y, channel] = weights.reduce(0) { $0 + image[$1.0, y, channel] * $1.1 }
          }
        }
      }
    }
    return result
  }

  static func resize(
    _ image: Samples, _ width: Int, _ height: Int, _ filter: ResamplingFilter, fixedPoint: Bool
  ) -> Samples {
    let across = pass(image, toWidth: width, filter, fixedPoint: fixedPoint)
    return pass(across.transposed, toWidth: height, filter, fixedPoint: fixedPoint).transposed
  }

  private static func weights(
    _ x: Int, of targetCount: Int, from count: Int, _ filter: ResamplingFilter
  ) -> [(Int, Double)] {
    let scale = Double(count) / Double(targetCount)
    if filter == .area {
      // The overlap of the intervals.
      let (left, right) = (Double(x) * scale, Double(x + 1) * scale)
      return (0..<count).map { ($0, max(0, min(right, Double($0 + 1)) - max(left, Double($0))) / scale) }
    }
    let (support, function) = function(filter)
    let stretch = max(1, scale)
    let center = (Double(x) + 0.5) * scale
    let first = max(0, Int(center - support * stretch + 0.5))
    let end = min(count, Int(center + support * stretch + 0.5))
    let weights = (first..<end).map { function((Double($0) - center + 0.5) * (1 / stretch)) }
    let sum = weights.reduce(0, +)
    return zip(first..<end, weights).map { ($0, $1 / sum) }
  }

  private static func function(_ filter: ResamplingFilter) -> (Double, (Double) -> Double) {
    switch filter {
    case .nearest, .box, .area: (0.5, { $0 > -0.5 && $0 <= 0.5 ? 1 : 0 })
    case .bilinear: (1, { abs($0) < 1 ? 1 - abs($0) : 0 })
    case .hamming:
      (
        1,
        { x in
          if x == 0 { return 1 }
          if abs(x) >= 1 { return 0 }
          let angle = abs(x) * Double.pi
          return ElementaryFunctions.sine(angle) / angle
            * (Double(Float(0.54)) + Double(Float(0.46)) * ElementaryFunctions.cosine(angle))
        }
      )
    case .bicubic: (2, { cubic($0, b: 0, c: 0.5) })
    case .mitchell: (2, { cubic($0, b: 1 / 3, c: 1 / 3) })
    case .lanczos3: (3, { x in abs(x) < 3 ? sinc(x) * sinc(x / 3) : 0 })
    }
  }

  private static func sinc(_ x: Double) -> Double {
    x == 0 ? 1 : ElementaryFunctions.sine(x * .pi) / (x * .pi)
  }

  /// The cubic filters of Mitchell and Netravali's paper.
  private static func cubic(_ offset: Double, b: Double, c: Double) -> Double {
    let x = abs(offset)
    if x < 1 {
      return ((12 - 9 * b - 6 * c) * x * x * x + (-18 + 12 * b + 6 * c) * x * x + (6 - 2 * b)) / 6
    }
    if x < 2 {
      return ((-b - 6 * c) * x * x * x + (6 * b + 30 * c) * x * x + (-12 * b - 48 * c) * x + (8 * b + 24 * c)) / 6
    }
    return 0
  }
}

extension Samples {
  /// The samples of a bitmap as numbers; integers as they are.
  init(_ bitmap: Bitmap) {
    self.init(width: bitmap.width, height: bitmap.height, channels: bitmap.format.samplesPerPixel)
    let bytes = bitmap.packedPixels
    for index in values.indices {
      switch bitmap.format.sampleType {
      case .uint8: values[index] = Double(bytes[index])
      case .uint16: values[index] = Double(nativeUInt16(bytes.span, at: index * 2))
      case .float16: values[index] = Double(Float(halfPrecisionBits: nativeUInt16(bytes.span, at: index * 2)))
      case .float32: values[index] = Double(Float(bitPattern: nativeUInt32(bytes.span, at: index * 4)))
      }
    }
  }
}
