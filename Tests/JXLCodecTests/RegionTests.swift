// Regions of pictures are the same pixels as those of the whole picture.

import ImageCoding
import JXLCodec
import Testing

@Suite struct RegionTests {
  /// Returns the bytes of a region of packed pixels.
  private func crop(_ pixels: [UInt8], width: Int, _ bytesPerPixel: Int, _ region: PixelRegion) -> [UInt8] {
    var part: [UInt8] = []
    for y in region.y..<region.y + region.height {
      let start = (y * width + region.x) * bytesPerPixel
      part += pixels[start..<start + region.width * bytesPerPixel]
    }
    return part
  }

  /// Compares regions at the corners, inside and of single pixels with parts of the whole picture.
  private func compare(_ bytes: [UInt8], orientation: DecodingOptions.OrientationHandling = .apply) throws {
    for parallelism in [1, 2] {
      var options = DecodingOptions(orientation: orientation, parallelism: parallelism)
      let whole = try JXLDecoder().decode(bytes, options: options).bitmap
      let (width, height, step) = (whole.width, whole.height, whole.format.bytesPerPixel)
      let pixels = whole.packedPixels
      let regions = [
        PixelRegion(x: 0, y: 0, width: width, height: height), PixelRegion(x: 0, y: 0, width: 1, height: 1),
        PixelRegion(x: width - 1, y: height - 1, width: 1, height: 1),
        PixelRegion(x: width / 3, y: height / 4, width: width / 2, height: height / 2),
        PixelRegion(x: width - min(9, width), y: 0, width: min(9, width), height: 1),
      ]
      for region in regions {
        options.region = region
        let part = try JXLDecoder().decode(bytes, options: options).bitmap
        #expect(part.width == region.width && part.height == region.height)
        #expect(part.packedPixels == crop(pixels, width: width, step, region), "\(region)")
      }
      options.region = PixelRegion(x: 1, y: 0, width: width, height: height)
      #expect { try JXLDecoder().decode(bytes, options: options) } throws: {
        ($0 as? CodecError)?.kind == .invalidArgument
      }
    }
  }

  private func makeFile(width: Int, height: Int) -> VarDCTFile {
    let count = ((width + 7) / 8) * ((height + 7) / 8)
    let block = VarDCTFile.Block(coefficients: [[9, 0, -7], [3], [0, -5]])
    return VarDCTFile(
      width: width, height: height,
      lowFrequencies: [
        (0..<count).map { 60 + $0 * 37 % 50 }, (0..<count).map { $0 * 29 % 40 - 20 }, .init(repeating: 3, count: count),
      ],
      blocks: .init(repeating: block, count: count))
  }

  @Test(arguments: [(270, 17), (19, 530), (30, 20)])
  func regionsOfVarDCTFrames(width: Int, height: Int) throws {
    try compare(makeFile(width: width, height: height).codestream)
  }

  @Test(arguments: 1...8)
  func regionsOfOrientedFiles(orientation: Int) throws {
    let channels = (0..<4).map { channel in (0..<13 * 7).map { ($0 * 7 + channel * 31) % 251 } }
    let file = ModularFile(width: 13, height: 7, channels: channels, orientation: orientation)
    try compare(file.codestream)
    try compare(file.codestream, orientation: .report)
  }

  /// Damage of a group that a region does not need is not found.
  @Test func groupsOutsideAreNotDecoded() throws {
    var file = makeFile(width: 272, height: 16)
    let intact = try JXLDecoder().decode(file.codestream).bitmap
    file.blocks[34 + 33].counts = [64, 0, 0]
    let bytes = file.codestream
    let step = intact.format.bytesPerPixel
    for (region, isDamaged) in [
      (PixelRegion(x: 17, y: 3, width: 220, height: 9), false), (PixelRegion(x: 0, y: 0, width: 241, height: 1), true),
    ] {
      for parallelism in [1, 2] {
        let options = DecodingOptions(region: region, parallelism: parallelism)
        let image = try JXLDecoder().decode(bytes, options: options)
        #expect(image.isComplete == !isDamaged)
        #expect(image.bitmap.packedPixels == crop(intact.packedPixels, width: 272, step, region))
      }
    }
  }
}
