// Images that the tests make, in several formats.

import Foundation
import ImageLoading

enum TestImages {
  /// A smooth picture with some detail.
  static func bitmap(width: Int = 96, height: Int = 80, seed: Int = 0) throws -> Bitmap {
    try Bitmap(width: width, height: height, format: .rgb8) { pixels in
      for index in pixels.indices {
        let (x, y, sample) = (index / 3 % width, index / 3 / width, index % 3)
        let value = x * (sample + 1) + y * 2 + (x / 8 + y / 8) % 2 * 40 + seed * 17
        pixels[index] = UInt8(truncatingIfNeeded: value)
      }
    }
  }

  static func png(width: Int = 96, height: Int = 80, seed: Int = 0) throws -> Data {
    Data(try bitmap(width: width, height: height, seed: seed).encoded(as: .png))
  }

  static func jpeg(width: Int = 96, height: Int = 80, seed: Int = 0) throws -> Data {
    Data(try bitmap(width: width, height: height, seed: seed).encoded(as: .jpeg))
  }

  static func progressiveJPEG(width: Int = 96, height: Int = 80, seed: Int = 0) throws -> Data {
    var options = JPEGEncoder.Options()
    options.isProgressive = true
    return Data(try bitmap(width: width, height: height, seed: seed).encoded(as: .jpeg(options)))
  }

  static func frames(_ count: Int = 3) throws -> [AnimationFrame] {
    try (0..<count).map { index in
      AnimationFrame(bitmap: try bitmap(width: 24, height: 16, seed: index * 5), delay: .milliseconds(40))
    }
  }

  static func gif(frameCount: Int = 3) throws -> Data {
    Data(try GIFEncoder().encode(animation: frames(frameCount), loopCount: .infinite))
  }

  static let svg = Data(
    "<svg xmlns='http://www.w3.org/2000/svg' width='20' height='10'><rect width='20' height='10' fill='#ff0000'/></svg>"
      .utf8)

  /// The pixels that decoding all data at once yields.
  static func decoded(_ data: Data) throws -> Bitmap {
    try Bitmap(decoding: Array(data))
  }
}
