// Netpbm's PAM, a reference format that needs no codec: header lines, followed by samples in big-endian order.

/// Reads PAM files.
package enum PortableArbitraryMap {
  /// Reads tuples of 1…4 channels with MAXVAL 255 or 65535. Returns `nil` for anything else.
  package static func read(_ bytes: [UInt8]) -> NormalizedImage? {
    guard let header = Header(bytes) else { return nil }
    let depth = header.maximum == 255 ? 8 : 16
    let sampleSize = depth / 8
    let pixelSize = header.channels * sampleSize
    guard bytes.count - header.byteCount == header.width * header.height * pixelSize else { return nil }
    var samples: [UInt8] = []
    samples.reserveCapacity(header.width * header.height * 4 * sampleSize)
    let opaque = [UInt8](repeating: 255, count: sampleSize)
    for start in stride(from: header.byteCount, to: bytes.count, by: pixelSize) {
      let isGray = header.channels <= 2
      for channel in 0..<3 {
        let at = start + (isGray ? 0 : channel * sampleSize)
        samples += bytes[at..<at + sampleSize]
      }
      let hasAlpha = header.channels == 2 || header.channels == 4
      let alpha = start + pixelSize - sampleSize
      samples += hasAlpha ? Array(bytes[alpha..<alpha + sampleSize]) : opaque
    }
    return NormalizedImage(width: header.width, height: header.height, depth: depth, rgba: samples)
  }

  private struct Header {
    var width = 0
    var height = 0
    var channels = 0
    var maximum = 0
    /// The length of the header in bytes, including the line `ENDHDR`.
    var byteCount = 0

    init?(_ bytes: [UInt8]) {
      var rest = bytes[...]
      guard Self.takeLine(&rest) == "P7" else { return nil }
      while let line = Self.takeLine(&rest) {
        if line == "ENDHDR" {
          byteCount = rest.startIndex
          guard isUsable else { return nil }
          return
        }
        let words = line.split(separator: " ", maxSplits: 1)
        guard words.count == 2, let value = Int(words[1]) else { continue }
        switch words[0] {
        case "WIDTH": width = value
        case "HEIGHT": height = value
        case "DEPTH": channels = value
        case "MAXVAL": maximum = value
        default: break
        }
      }
      return nil
    }

    private var isUsable: Bool {
      (1...1 << 20).contains(width) && (1...1 << 20).contains(height) && (1...4).contains(channels)
        && (maximum == 255 || maximum == 65535)
    }

    private static func takeLine(_ rest: inout ArraySlice<UInt8>) -> String? {
      guard let end = rest.prefix(1024).firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      defer { rest = rest[(end + 1)...] }
      return String(decoding: rest[..<end], as: UTF8.self)
    }
  }
}
