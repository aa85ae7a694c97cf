import Foundation
import ImageCore
import Placeholders
import Testing

/// The placeholders of a generated picture by other implementations; Fixtures/make-references.py wrote them.
private struct Reference: Decodable, Sendable {
  struct Blur: Decodable, Sendable {
    let columns: Int
    let rows: Int
    let text: String
    let pixels: [Int]
  }

  let width: Int
  let height: Int
  let kind: Int
  let thumb: [UInt8]
  let thumbWidth: Int
  let thumbHeight: Int
  let thumbPixels: [Int]
  let blurs: [Blur]
  let perceptual: String

  static let all: [Reference] = {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Fixtures/references.json")
    return (try? Data(contentsOf: url)).flatMap { try? JSONDecoder().decode([Reference].self, from: $0) } ?? []
  }()

  func picture() throws -> Bitmap {
    var bitmap = try Bitmap(width: width, height: height, format: .rgba8)
    for y in 0..<height {
      for x in 0..<width { bitmap[x, y] = pixel(x, y) }
    }
    return bitmap
  }

  private func pixel(_ x: Int, _ y: Int) -> RGBA8 {
    if kind == 2 {
      let gray = UInt8(255 - min(255, x * 5))
      return RGBA8(red: gray, green: gray, blue: gray)
    }
    let alpha = kind == 1 ? (x / 6 % 3 == 0 ? 0 : 100 + (x + y) % 100) : 255
    return RGBA8(
      red: UInt8((x * 7 + y * 3) % 256), green: (x / 5 + y / 7) % 2 == 1 ? 200 : 40,
      blue: UInt8((x * x + y * 11) / 9 % 256), alpha: UInt8(alpha))
  }
}

/// The largest difference between samples.
private func distance(_ samples: [UInt8], _ others: [Int]) -> Int {
  samples.count == others.count ? zip(samples, others).map { abs(Int($0) - $1) }.max() ?? 0 : .max
}

@Suite struct ReferenceTests {
  @Test func thereAreReferences() {
    #expect(Reference.all.count == 9)
  }

  @Test func thumbHashesAreThoseOfTheReference() throws {
    for reference in Reference.all {
      let hash = try ThumbHash(reference.picture())
      // Of plain pictures the reference stores rounding errors.
      if reference.kind < 2, reference.width > 1 {
        #expect(hash.bytes == reference.thumb, "\(reference.width) × \(reference.height)")
      }
      let drawn = try ThumbHash(bytes: reference.thumb).makeBitmap()
      #expect(drawn.width == reference.thumbWidth && drawn.height == reference.thumbHeight)
      #expect(distance(drawn.packedPixels, reference.thumbPixels) <= 1)
    }
  }

  @Test func blurHashesAreThoseOfTheReference() throws {
    for reference in Reference.all {
      for blur in reference.blurs {
        // Transparent colours count.
        let picture = try reference.picture().converted(to: .rgba8)
        let hash = try BlurHash(picture, horizontalTermCount: blur.columns, verticalTermCount: blur.rows)
        #expect(hash.text == blur.text, "\(reference.width) × \(reference.height)")
        let drawn = try BlurHash(text: blur.text).makeBitmap(width: 9, height: 7)
        #expect(distance(drawn.packedPixels, blur.pixels) == 0)
      }
    }
  }

  @Test func perceptualHashesAreThoseOfImageHash() throws {
    for reference in Reference.all {
      let hash = try PerceptualHash(reference.picture())
      #expect(hash.description == reference.perceptual, "\(reference.width) × \(reference.height)")
    }
  }
}
