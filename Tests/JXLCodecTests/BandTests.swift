// Pictures that are rendered band by band are those that are rendered as whole planes.

import ImageCoding
import JXLCodec
import Testing

@Suite struct BandTests {
  /// Features whose bands are compared.
  enum Case: CaseIterable {
    case filters, noise, patches, splines, all, doubled, quadrupled, doubledWithAll, reduced420, reduced422, reduced440
    case reducedWithFilters

    var features: FrameFeatures {
      var features = FrameFeatures()
      features.isFiltered = [.filters, .all, .doubledWithAll, .reducedWithFilters].contains(self)
      let hasAll = self == .all || self == .doubledWithAll
      if self == .noise || hasAll { features.noise = [300, 200, 500, 1023, 700, 20, 600, 900] }
      // At borders of bands and of tiles, one above another, and in corners.
      let border = self == .doubledWithAll ? 256 : 512
      if self == .patches || hasAll {
        features.patches = [
          (0, 0), (border - 4, 100), (150, 250), (153, 252), (border + 8, 260), (155, 20), (100, 249),
        ]
      }
      if self == .splines || hasAll {
        features.splines = [(20, 30, 470, 220, 300), (500, 240, 20, 20, -200), (0, 255, 300, 3, 150)]
      }
      if [.doubled, .doubledWithAll].contains(self) { features.upsampling = 2 }
      if self == .quadrupled { features.upsampling = 4 }
      return features
    }

    /// The modes of the sampling factors of Cb, Y and Cr.
    var sampling: [Int]? {
      switch self {
      case .reduced420, .reducedWithFilters: [0, 1, 0]
      case .reduced422: [0, 2, 0]
      case .reduced440: [0, 3, 0]
      default: nil
      }
    }
  }

  private func makeFile(_ value: Case) -> VarDCTFile {
    // Tiles of frames that are enlarged are narrower.
    let width = 512 / value.features.upsampling + 19
    var file = VarDCTFile(width: width, height: 269, lowFrequencies: [], blocks: [])
    if let sampling = value.sampling {
      file.recompression = VarDCTFile.Recompression(
        sampling: sampling, tables: .init(repeating: .init(repeating: 3, count: 64), count: 3))
    }
    let count = file.columns * file.rows
    let block = VarDCTFile.Block(coefficients: [[9, 0, -7], [3], [0, -5]])
    file.blocks = .init(repeating: block, count: count)
    file.lowFrequencies = [
      (0..<count).map { 60 + $0 * 37 % 50 }, (0..<count).map { $0 * 29 % 40 - 20 }, (0..<count).map { $0 * 7 % 9 },
    ]
    if let recompression = file.recompression {
      // Channels that are reduced have fewer blocks.
      for (index, plane) in [1, 0, 2].enumerated() {
        file.lowFrequencies[index] = (0..<count).filter {
          recompression.hasBlock(plane, x: $0 % file.columns, y: $0 / file.columns)
        }.map { file.lowFrequencies[index][$0] }
      }
    }
    file.features = value.features
    return file
  }

  /// A saved frame of an animation is rendered as whole planes.
  private func wholePlanes(_ file: VarDCTFile, parallelism: Int) throws -> Bitmap {
    var saved = file
    saved.slot = 1
    let animation = try JXLDecoder().animation(saved.codestream, options: DecodingOptions(parallelism: parallelism))
    return try #require(animation).frame(at: 0)
  }

  @Test(arguments: Case.allCases)
  func bandsAreWholePlanes(_ value: Case) throws {
    let file = makeFile(value)
    let bytes = file.codestream
    let expected = try wholePlanes(file, parallelism: 1)
    for parallelism in [1, 2] {
      var options = DecodingOptions(tolerance: .strict, parallelism: parallelism)
      let bitmap = try JXLDecoder().decode(bytes, options: options).bitmap
      #expect(bitmap.pixelSize == expected.pixelSize)
      let pixels = bitmap.packedPixels
      #expect(pixels == expected.packedPixels)
      guard parallelism == 1 else { continue }
      // A region at the border of bands and of tiles.
      let factor = value.features.upsampling
      let region = PixelRegion(x: 512 - 13 * factor, y: 251 * factor, width: 30 * factor, height: 10 * factor)
      options.region = region
      let part = try JXLDecoder().decode(bytes, options: options).bitmap.packedPixels
      var crop: [UInt8] = []
      for y in region.y..<region.y + region.height {
        crop += pixels[(y * bitmap.width + region.x) * 3..<(y * bitmap.width + region.x + region.width) * 3]
      }
      #expect(part == crop)
    }
    // The features are visible.
    guard value.sampling == nil else { return }
    var plain = file
    plain.features = FrameFeatures()
    let other = try JXLDecoder().decode(plain.codestream).bitmap.packedPixels
    #expect(other != expected.packedPixels)
  }
}
