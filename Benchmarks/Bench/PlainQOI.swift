// An encoder of QOI to generate inputs. It shares no code with the codec under test.

import ImageCoding

/// Encodes 8-bit RGB and RGBA with all codes of the format.
enum PlainQOI {
  private typealias Pixel = SIMD4<UInt8>

  /// Returns the file of a bitmap in the format `rgb8` or `rgba8`.
  static func encode(_ bitmap: Bitmap) -> [UInt8] {
    let channels = bitmap.format.samplesPerPixel
    var output: [UInt8] = Array("qoif".utf8)
    for value in [bitmap.width, bitmap.height] {
      for shift in [24, 16, 8, 0] { output.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }
    output += [UInt8(channels), 0]
    let samples = bitmap.packedPixels
    var recent = [Pixel](repeating: Pixel(), count: 64)
    var last = Pixel(0, 0, 0, 255)
    var runLength: UInt8 = 0
    for start in stride(from: 0, to: samples.count, by: channels) {
      let pixel = Pixel(
        samples[start], samples[start + 1], samples[start + 2], channels == 4 ? samples[start + 3] : 255)
      if pixel == last {
        runLength += 1
        if runLength < 62 { continue }
      }
      if runLength > 0 {
        output.append(0xC0 | (runLength - 1))
        runLength = 0
      }
      guard pixel != last else { continue }
      let position = (Int(pixel.x) * 3 + Int(pixel.y) * 5 + Int(pixel.z) * 7 + Int(pixel.w) * 11) % 64
      if recent[position] == pixel {
        output.append(UInt8(position))
      } else {
        recent[position] = pixel
        append(pixel, after: last, to: &output)
      }
      last = pixel
    }
    if runLength > 0 { output.append(0xC0 | (runLength - 1)) }
    return output + [0, 0, 0, 0, 0, 0, 0, 1]
  }

  /// Writes a pixel as a difference if it is small, otherwise its samples.
  private static func append(_ pixel: Pixel, after last: Pixel, to output: inout [UInt8]) {
    let difference = pixel &- last
    let small = difference &+ 2
    let green = difference.y &+ 32
    let red = difference.x &- difference.y &+ 8
    let blue = difference.z &- difference.y &+ 8
    if pixel.w != last.w {
      output += [0xFF, pixel.x, pixel.y, pixel.z, pixel.w]
    } else if small.x < 4, small.y < 4, small.z < 4 {
      output.append(0x40 | small.x << 4 | small.y << 2 | small.z)
    } else if green < 64, red < 16, blue < 16 {
      output += [0x80 | green, red << 4 | blue]
    } else {
      output += [0xFE, pixel.x, pixel.y, pixel.z]
    }
  }
}
