// Files that are equal to libjpeg-turbo's: 999 hashes made by Fixtures/make-encoder-references.py.

import ImageCoding
import JPEGCodec
import TestSupport
import Testing

/// A picture and settings, and what libjpeg-turbo made of them.
struct EncoderReference: Sendable {
  var width: Int
  var height: Int
  var kind: Int
  var components: Int
  var options: JPEGEncoder.Options
  var byteCount: Int
  var hash: UInt64
  var line: String

  init?(_ line: Substring) {
    let columns = line.split(separator: "\t")
    // The first seven columns also start the lines of transform-references.tsv.
    let numbers = columns.prefix(5).compactMap { Int($0) }
    guard columns.count == 9, numbers.count == 5,
      let subsampling = JPEGEncoder.Options.Subsampling(rawValue: String(columns[5])),
      let byteCount = Int(columns[7]), let hash = UInt64(columns[8], radix: 16)
    else { return nil }
    (width, height, kind, components) = (numbers[0], numbers[1], numbers[2], numbers[3])
    options = JPEGEncoder.Options(quality: numbers[4], subsampling: subsampling, limitsStepsToBaseline: false)
    for flag in columns[6].split(separator: ",") where flag != "-" {
      switch flag.first {
      case "p": options.isProgressive = true
      case "o": options.optimizesHuffmanTables = true
      case "b": options.limitsStepsToBaseline = true
      case "r": options.restartInterval = .rows(Int(flag.dropFirst()) ?? 0)
      case "R": options.restartInterval = .mcus(Int(flag.dropFirst()) ?? 0)
      case "y": options.convertsInksToYCCK = true
      default: return nil
      }
    }
    (self.byteCount, self.hash, self.line) = (byteCount, hash, String(line))
  }

  static let all: [EncoderReference] = {
    return Fixture("encoder-references.tsv", beside: #filePath).text.split(separator: "\n").compactMap {
      EncoderReference($0)
    }
  }()

  /// The picture as the script makes it.
  func bitmap() throws -> Bitmap {
    var state = UInt32(truncatingIfNeeded: width * 65_536 + height * 256 + kind)
    var samples: [UInt8] = []
    samples.reserveCapacity(width * height * components)
    for y in 0..<height {
      for x in 0..<width {
        for channel in 0..<components {
          state = state &* 1_664_525 &+ 1_013_904_223
          let noise = Int(state >> 24)
          let gradient = (x * (9 + 5 * channel) + y * (13 + 3 * channel)) / 4 % 256
          let value =
            switch kind {
            case 0: noise
            case 1: max(0, min(255, gradient + noise % 81 - 40))
            case 2: gradient
            default: (x / 5 + y / 3 + channel) % 2 == 1 ? 255 : 0
            }
          samples.append(UInt8(value))
        }
      }
    }
    let format: PixelFormat = components == 1 ? .gray8 : components == 3 ? .rgb8 : .cmyk8
    return try Bitmap(width: width, height: height, format: format, pixels: samples)
  }
}

/// The file without its APPn and COM segments.
func withoutMetadata(_ file: [UInt8]) -> [UInt8] {
  var result = Array(file.prefix(2))
  var index = 2
  while index + 4 <= file.count {
    let marker = file[index + 1]
    let end = index + 2 + Int(file[index + 2]) << 8 + Int(file[index + 3])
    guard file[index] == 0xFF, end <= file.count else { return [] }
    if marker & 0xF0 != 0xE0, marker != 0xFE { result += file[index..<end] }
    index = end
    if marker == 0xDA { return result + file[index...] }
  }
  return []
}

@Suite struct EncoderReferenceTests {
  @Test func filesAreThoseOfLibjpegTurbo() throws {
    #expect(EncoderReference.all.count == 999)
    for reference in EncoderReference.all {
      let file = withoutMetadata(try JPEGEncoder(options: reference.options).encode(reference.bitmap()))
      #expect(file.count == reference.byteCount && fnv1a(file) == reference.hash, "\(reference.line)")
    }
  }

  @Test func referencesDecodeWithoutWarnings() throws {
    for reference in EncoderReference.all.enumerated().filter({ $0.offset % 7 == 0 }).map(\.element) {
      let file = try JPEGEncoder(options: reference.options).encode(reference.bitmap())
      let image = try JPEGDecoder().decode(file.span, options: DecodingOptions(tolerance: .strict))
      #expect(image.bitmap.width == reference.width && image.bitmap.height == reference.height)
      #expect(image.details.diagnostics.isEmpty && image.details.isComplete)
    }
  }
}
