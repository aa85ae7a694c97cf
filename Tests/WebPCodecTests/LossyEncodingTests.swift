// Lossy encoding: the decoder reconstructs what the encoder meant, for every option.

import ImageCoding
import PixelPlanes
import TestSupport
import Testing
import WebPCodec

@Suite struct LossyEncodingTests {
  static let sizes = [(1, 1), (1, 40), (15, 2), (16, 16), (17, 33), (64, 48), (97, 41)]

  /// The luma and chroma of all macroblocks as the encoder reconstructed them, cropped as the decoder does.
  private final class Reconstruction {
    private let width: Int
    private let height: Int
    private var planes: [[UInt8]]

    init(width: Int, height: Int) {
      (self.width, self.height) = (width, height)
      let chroma = [UInt8](repeating: 0, count: (width + 1) / 2 * ((height + 1) / 2))
      planes = [[UInt8](repeating: 0, count: width * height), chroma, chroma]
    }

    var bytes: [UInt8] { planes.flatMap { $0 } }

    func store(column: Int, row: Int, _ samples: [UInt8]) {
      let starts = [MacroblockLayout.luma, MacroblockLayout.u, MacroblockLayout.v]
      for (plane, start) in starts.enumerated() {
        let side = plane == 0 ? 16 : 8
        let (width, height) = plane == 0 ? (width, height) : ((width + 1) / 2, (height + 1) / 2)
        for y in 0..<side where row * side + y < height {
          for x in 0..<side where column * side + x < width {
            planes[plane][(row * side + y) * width + column * side + x] =
              samples[start + y * MacroblockLayout.stride + x]
          }
        }
      }
    }
  }

  @Test(arguments: EncodingSample.allCases, sizes)
  func theDecoderReconstructsWhatTheEncoderDid(_ sample: EncodingSample, _ size: (Int, Int)) throws {
    let bitmap = try sample.bitmap(width: size.0, height: size.1)
    for (effort, quality) in [(0, 50), (2, 90), (3, 20), (6, 0), (6, 75), (6, 100), (7, 60), (8, 85), (9, 40)] {
      // Without the loop filter, which the encoder does not apply.
      let options = WebPEncoder.Options(
        quality: quality, effort: effort, filterStrength: 0, partitionCount: 1 << (quality % 4))
      let reconstruction = Reconstruction(width: size.0, height: size.1)
      let frame = try WebPEncoder(options: options).keyFrame(of: bitmap) { column, row, samples in
        reconstruction.store(column: column, row: row, samples)
      }
      var budget = ResourceBudget(.unlimited)
      let decoded = try WebPDecoder().planes(ofKeyFrame: frame.span, budget: &budget)
      #expect(decoded.rawPlanes() == reconstruction.bytes, "effort \(effort), quality \(quality)")
    }
  }

  @Test func optionsYieldFilesThatDecode() throws {
    var random = TestRandom(5)
    for round in 0..<60 {
      let (width, height) = (Int.random(in: 1...90, using: &random), Int.random(in: 1...90, using: &random))
      let sample = EncodingSample.allCases.randomElement(using: &random) ?? .noise
      let bitmap = try sample.bitmap(width: width, height: height, seed: UInt64(round))
      func value(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
      var options = WebPEncoder.Options(
        coding: round % 5 == 0 ? .mixed : .lossy, quality: value(0...100), effort: value(0...9),
        keepsInvisibleColors: round % 3 == 0, alphaQuality: value(0...100), usesSharpChroma: round % 4 == 0,
        filterStrength: value(0...100), filterSharpness: value(0...7), segmentCount: value(1...4),
        noiseShaping: value(0...100), partitionCount: 1 << value(0...3))
      let file = try WebPEncoder(options: options).encode(bitmap)
      let decoded = try strictlyDecoded(file)
      #expect(decoded.pixelSize == bitmap.pixelSize)
      options.parallelism = 3
      #expect(try WebPEncoder(options: options).encode(bitmap) == file, "on several threads")
      if options.alphaQuality == 100 {
        let expected = bitmap.packedPixels
        let pixels = decoded.packedPixels
        #expect(stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == expected[$0] })
      }
    }
  }

  @Test func alphaIsExactAtFullQuality() throws {
    for size in Self.sizes {
      let bitmap = try EncodingSample.transparent.bitmap(width: size.0, height: size.1)
      for effort in [0, 6, 9] {
        let decoded = try strictlyDecoded(try WebPEncoder(options: .init(effort: effort)).encode(bitmap))
        for index in stride(from: 3, to: bitmap.packedPixels.count, by: 4) {
          #expect(decoded.packedPixels[index] == bitmap.packedPixels[index])
        }
      }
    }
  }

  /// The mean squared error falls and the size grows with quality, at least from each of these to the next.
  @Test func qualityImprovesPictures() throws {
    let bitmap = try EncodingSample.gradient.bitmap(width: 120, height: 90)
    var previous = (error: Double.infinity, size: 0)
    for quality in [0, 30, 60, 80, 95] {
      let file = try WebPEncoder(options: .init(quality: quality)).encode(bitmap)
      let decoded = try strictlyDecoded(file).packedPixels
      let error = zip(decoded, bitmap.packedPixels).reduce(0.0) {
        $0 + Double(Int($1.0) - Int($1.1)) * Double(Int($1.0) - Int($1.1))
      }
      #expect(error < previous.error && file.count > previous.size, "quality \(quality)")
      previous = (error, file.count)
    }
  }

  @Test func filesFitIntoTheirLimit() throws {
    let bitmap = try EncodingSample.noise.bitmap(width: 80, height: 60).converted(to: .rgb8)
    let whole = try WebPEncoder(options: .init(quality: 90)).encode(bitmap)
    for limit in [whole.count, whole.count / 2, whole.count / 4] {
      let file = try WebPEncoder(options: .init(quality: 90, maximumByteCount: limit)).encode(bitmap)
      #expect(file.count <= limit && file.count > limit / 2)
    }
    let error = #expect(throws: CodecError.self) {
      try WebPEncoder(options: .init(quality: 90, maximumByteCount: 40)).encode(bitmap)
    }
    #expect(error?.kind == .encodingFailed)
  }
}

@Suite struct BoolEncoderTests {
  /// Booleans and probabilities that lead to carries come back.
  @Test func booleansArePreserved() {
    var random = TestRandom(1)
    for round in 0..<200 {
      let rare = UInt8.random(in: 0...255, using: &random)
      let bits = (0..<Int.random(in: 0...3000, using: &random)).map { _ -> (Bool, UInt8) in
        let probability: UInt8 =
          round % 2 == 0 ? .random(in: 1...255, using: &random) : [1, 128, 255][Int.random(in: 0..<3, using: &random)]
        return (UInt8.random(in: 0...255, using: &random) < rare, probability)
      }
      var encoder = BoolEncoder()
      for (bit, probability) in bits { encoder.write(bit, probability) }
      let bytes = encoder.finish()
      var decoder = BoolDecoder(0..<bytes.count)
      var isEqual = true
      for (bit, probability) in bits where decoder.read(probability, bytes.span) != bit { isEqual = false }
      #expect(isEqual && !decoder.isExhausted)
    }
  }
}
