// Colour arithmetic written out in double precision from the specifications, to compare conversions with.

import Foundation
import ImageCore

/// Colours by formula. XYZ is relative to D50.
enum SlowColors {
  /// IEC 61966-2-1.
  static func encodeSRGB(_ light: Double) -> Double {
    light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
  }

  static func decodeSRGB(_ sample: Double) -> Double {
    sample <= 0.04045 ? sample / 12.92 : pow((sample + 0.055) / 1.055, 2.4)
  }

  /// Samples of sRGB of a colour, clamped. The matrix was computed with numpy from the chromaticities of
  /// sRGB, adapted by Bradford's method to D50 as ICC.1 states it.
  static func sRGB(xyz: [Double]) -> [Double] {
    linearSRGB(xyz: xyz).map { encodeSRGB(min(max($0, 0), 1)) }
  }

  static func linearSRGB(xyz: [Double]) -> [Double] {
    let rows = [
      [3.134186364237, -1.617208958998, -0.490694064006], [-0.978748504191, 1.916130096774, 0.03343339916],
      [0.071963927802, -0.228993873453, 1.405753732896],
    ]
    return rows.map { row in zip(row, xyz).map { $0 * $1 }.reduce(0, +) }
  }

  /// CIE 15, 8.2.1.1, reversed.
  static func xyz(lab: [Double]) -> [Double] {
    let fy = (lab[0] + 16) / 116
    let f = [fy + lab[1] / 500, fy, fy - lab[2] / 200]
    return zip(f, [0.9642, 1, 0.8249]).map { f, white in
      white * (f > 6.0 / 29 ? f * f * f : 3 * (6.0 / 29) * (6.0 / 29) * (f - 4.0 / 29))
    }
  }

  /// Interpolates in a curve of samples at equal distances.
  static func interpolate(_ samples: [Double], _ x: Double) -> Double {
    let position = min(max(x, 0), 1) * Double(samples.count - 1)
    let index = min(Int(position), samples.count - 2)
    return samples[index] + (samples[index + 1] - samples[index]) * (position - Double(index))
  }

  /// Interpolates in a grid of three inputs, tetrahedrally: the six cases written out.
  ///
  /// - Parameter node: the outputs at a grid point.
  static func interpolate(points: [Int], _ inputs: [Double], node: (Int, Int, Int) -> [Double]) -> [Double] {
    let scaled = zip(inputs, points).map { min(max($0, 0), 1) * Double($1 - 1) }
    let low = zip(scaled, points).map { min(Int($0), $1 - 2) }
    let (x, y, z) = (scaled[0] - Double(low[0]), scaled[1] - Double(low[1]), scaled[2] - Double(low[2]))
    func at(_ dx: Int, _ dy: Int, _ dz: Int) -> [Double] { node(low[0] + dx, low[1] + dy, low[2] + dz) }
    func step(_ to: [Double], _ from: [Double], _ weight: Double) -> [Double] {
      zip(to, from).map { ($0 - $1) * weight }
    }
    let (origin, opposite) = (at(0, 0, 0), at(1, 1, 1))
    let steps: [[Double]]
    if x >= y, y >= z {
      steps = [
        step(at(1, 0, 0), origin, x), step(at(1, 1, 0), at(1, 0, 0), y), step(opposite, at(1, 1, 0), z),
      ]
    } else if x >= z, z >= y {
      steps = [
        step(at(1, 0, 0), origin, x), step(opposite, at(1, 0, 1), y), step(at(1, 0, 1), at(1, 0, 0), z),
      ]
    } else if z >= x, x >= y {
      steps = [
        step(at(1, 0, 1), at(0, 0, 1), x), step(opposite, at(1, 0, 1), y), step(at(0, 0, 1), origin, z),
      ]
    } else if y >= x, x >= z {
      steps = [
        step(at(1, 1, 0), at(0, 1, 0), x), step(at(0, 1, 0), origin, y), step(opposite, at(1, 1, 0), z),
      ]
    } else if y >= z, z >= x {
      steps = [
        step(opposite, at(0, 1, 1), x), step(at(0, 1, 0), origin, y), step(at(0, 1, 1), at(0, 1, 0), z),
      ]
    } else {
      steps = [
        step(opposite, at(0, 1, 1), x), step(at(0, 1, 1), at(0, 0, 1), y), step(at(0, 0, 1), origin, z),
      ]
    }
    return origin.indices.map { index in origin[index] + steps.reduce(0) { $0 + $1[index] } }
  }
}

/// Reads a bitmap's colour samples as fractions, pixel by pixel, in the order red, green, blue.
func colorSamples(_ bitmap: Bitmap) -> [[Double]] {
  let format = bitmap.format
  return (0..<bitmap.height).flatMap { y -> [[Double]] in
    let row = bitmap.row(y)
    return (0..<bitmap.width).map { x in
      var pixel = (0..<format.colorModel.sampleCount).map { channel -> Double in
        let index = x * format.samplesPerPixel + channel
        return switch format.sampleType {
        case .uint8: Double(row[index]) / 255
        case .uint16: Double(UInt16(row[index * 2]) | UInt16(row[index * 2 + 1]) << 8) / 65535
        case .float16: Double(Float(halfPrecisionBits: UInt16(row[index * 2]) | UInt16(row[index * 2 + 1]) << 8))
        case .float32:
          Double(Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(row[index * 4 + $1]) << UInt32(8 * $1) }))
        }
      }
      if format.colorModel == .bgr { pixel.reverse() }
      return pixel
    }
  }
}

/// The largest difference of the samples of two pictures, as a fraction of a full sample.
func largestDifference(_ a: [[Double]], _ b: [[Double]]) -> Double {
  guard a.count == b.count else { return .infinity }
  return zip(a, b).map { zip($0, $1).map { abs($0 - $1) }.max() ?? 0 }.max() ?? 0
}
