// Pictures of a part of a file: previews of what has arrived, and pictures of an eighth of the size.

import ImageCoding
import JXLCodec
import Testing

@Suite struct StageTests {
  /// A frame of two groups with 32 columns of blocks each.
  private func makeFile(coefficients: [[Int]] = [[9, 0, -7], [3], [0, -5]]) -> VarDCTFile {
    let count = 64 * 2
    return VarDCTFile(
      width: 510, height: 15,
      lowFrequencies: [
        (0..<count).map { 60 + $0 * 37 % 50 }, (0..<count).map { $0 * 29 % 40 - 20 }, .init(repeating: 3, count: count),
      ],
      blocks: .init(repeating: VarDCTFile.Block(coefficients: coefficients), count: count))
  }

  private func pixels(_ bytes: [UInt8], _ options: DecodingOptions = DecodingOptions()) throws -> [UInt8] {
    try JXLDecoder().decode(bytes, options: options).bitmap.packedPixels
  }

  @Test(arguments: [1, 13, 200]) func previewsShowTheStagesThatHaveArrived(_ partSize: Int) throws {
    // Long enough that stages are some parts apart.
    let file = makeFile(coefficients: [(1...20).map { $0 % 5 + 1 }, [3], [0, -5]])
    var smooth = file
    for index in smooth.blocks.indices { smooth.blocks[index].coefficients = [[], [], []] }
    let (bytes, whole) = (file.codestream, try pixels(file.codestream))
    let lowFrequencies = try pixels(smooth.codestream)
    for tolerance in [DecodingOptions.Tolerance.lenient, .strict] {
      let session = JXLDecoder().makeSession(options: DecodingOptions(tolerance: tolerance))
      var (scanCount, shown) = (0, [[UInt8]]())
      for start in stride(from: 0, to: bytes.count, by: partSize) {
        let progress = try session.append(Array(bytes[start..<min(start + partSize, bytes.count)]).span)
        if progress.completedScanCount == 0, start % 64 == 0 { #expect(session.makePreview() == nil) }
        guard progress.completedScanCount > scanCount else { continue }
        scanCount = progress.completedScanCount
        let preview = try #require(session.makePreview())
        // The first row of the second group, which has not arrived.
        let right = 256 * 3..<510 * 3
        if scanCount == 1 { #expect(preview.packedPixels[right] == lowFrequencies[right]) }
        if preview.packedPixels != shown.last { shown.append(preview.packedPixels) }
      }
      #expect(try session.finish().bitmap.packedPixels == whole)
      // The last stage is the picture.
      #expect(partSize > 13 || shown.count >= 2)
      #expect(shown.dropFirst().allSatisfy { $0 != lowFrequencies })
    }
  }

  /// The pass that suffices for half of the size is the picture if that is enough.
  @Test func passesThatAreNotNeededAreNotDecoded() throws {
    let first = makeFile()
    var file = first
    file.refinements = .init(
      repeating: VarDCTFile.Block(coefficients: [[0, 5, 4], [], [2]]), count: first.blocks.count)
    let bytes = file.codestream
    let (half, whole) = (try pixels(first.codestream), try pixels(bytes))
    #expect(whole != half)
    for parallelism in [1, 2] {
      func reduced(_ width: Int, _ height: Int) throws -> [UInt8] {
        let size = PixelSize(width: width, height: height)
        return try pixels(bytes, DecodingOptions(targetSize: size, parallelism: parallelism))
      }
      #expect(try reduced(255, 7) == half)
      #expect(try reduced(255, 8) == whole)
      #expect(try reduced(256, 7) == whole)
    }
  }

  @Test func previewsOfLosslessFilesShowWholeGroups() throws {
    let values = (0..<300 * 4).map { $0 * 7 % 251 }
    let bytes = ModularFile(width: 300, height: 4, channels: [values]).codestream
    let session = JXLDecoder().makeSession(options: DecodingOptions())
    for part in stride(from: 0, to: bytes.count, by: 40) {
      let progress = try session.append(Array(bytes[part..<min(part + 40, bytes.count)]).span)
      if progress.completedScanCount == 0 { #expect(session.makePreview() == nil) }
    }
    #expect(try session.finish().bitmap.packedPixels == values.map { UInt8($0) })
  }

  /// Without HF coefficients, all samples of a block are equal, so that any of them is its mean.
  @Test func anEighthOfTheSizeConsistsOfTheMeansOfBlocks() throws {
    let file = makeFile()
    let flat = makeFile(coefficients: [[], [], []])
    let whole = try JXLDecoder().decode(flat.codestream).bitmap
    for parallelism in [1, 2] {
      let options = DecodingOptions(targetSize: PixelSize(width: 64, height: 2), parallelism: parallelism)
      let image = try JXLDecoder().decode(file.codestream, options: options)
      #expect(image.bitmap.pixelSize == PixelSize(width: 64, height: 2))
      #expect(image.details.info.size == PixelSize(width: 510, height: 15))
      for y in 0..<2 {
        for x in 0..<64 {
          let (mean, pixel) = (whole[min(x * 8 + 3, 509), y * 8 + 5], image.bitmap[x, y])
          let differences = [(mean.red, pixel.red), (mean.green, pixel.green), (mean.blue, pixel.blue)]
          #expect(differences.allSatisfy { abs(Int($0) - Int($1)) <= 1 })
        }
      }
    }
    let size = PixelSize(width: 510, height: 15)
    for target in [PixelSize(width: 65, height: 1), PixelSize(width: 1, height: 3)] {
      #expect(try JXLDecoder().decode(file.codestream, options: .init(targetSize: target)).bitmap.pixelSize == size)
    }
    let region = PixelRegion(x: 3, y: 2, width: 9, height: 8)
    let options = DecodingOptions(targetSize: PixelSize(width: 1, height: 1), region: region)
    let part = try JXLDecoder().decode(file.codestream, options: options).bitmap
    #expect(part.pixelSize == PixelSize(width: 9, height: 8))
  }
}
