// Lenient decoding of files that are cut off or damaged.

import ImageCoding
import JXLCodec
import Testing

@Suite struct DamagedFileTests {
  private func decode(
    _ bytes: [UInt8], _ format: PixelFormat, parallelism: Int = 1
  ) throws -> (image: DecodedImage, pixels: [UInt8]) {
    let image = try JXLDecoder().decode(
      bytes, options: DecodingOptions(pixelFormat: format, parallelism: parallelism))
    return (image, image.bitmap.packedPixels)
  }

  private func expectError(_ bytes: [UInt8], _ kind: CodecError.Kind) {
    let options = DecodingOptions(tolerance: .strict)
    #expect { try JXLDecoder().decode(bytes, options: options) } throws: { ($0 as? CodecError)?.kind == kind }
  }

  /// Whole rows remain, and the others are zero.
  @Test func rowsOfLosslessFiles() throws {
    let (width, height) = (5, 6)
    let values = (0..<width * height).map { 1 + $0 * 7 % 255 }
    let file = ModularFile(width: width, height: height, channels: [values]).codestream
    var rowCounts: [Int] = []
    for count in 0..<file.count {
      let cut = Array(file[..<count])
      expectError(cut, .truncated)
      guard let (image, pixels) = try? decode(cut, .gray8) else {
        #expect(rowCounts.isEmpty)
        continue
      }
      #expect(!image.isComplete && image.diagnostics.map(\.severity) == [.damage])
      let rows = (0..<height).map { Array(pixels[$0 * width..<($0 + 1) * width]) }
      let intact = rows.enumerated().prefix { $1.map { Int($0) } == Array(values[$0 * width..<($0 + 1) * width]) }.count
      #expect(rows[intact...].allSatisfy { $0 == [UInt8](repeating: 0, count: width) })
      rowCounts.append(intact)
    }
    #expect(rowCounts.first == 0 && rowCounts.last == height - 1 && rowCounts == rowCounts.sorted())
  }

  /// A frame of two groups with 32 and 2 columns of blocks.
  private func makeFile() -> VarDCTFile {
    let count = 34 * 2
    let block = VarDCTFile.Block(coefficients: [[9, 0, -7], [3], [0, -5]])
    return VarDCTFile(
      width: 272, height: 16,
      lowFrequencies: [(0..<count).map { 60 + $0 }, (0..<count).map { $0 }, .init(repeating: 0, count: count)],
      blocks: .init(repeating: block, count: count))
  }

  /// Groups that are missing have their LF coefficients only.
  @Test func groupsOfVarDCTFrames() throws {
    let file = makeFile()
    var reduced = file
    for y in 0..<2 { for x in 32..<34 { reduced.blocks[y * 34 + x].coefficients = [[], [], []] } }
    let expected = try decode(reduced.codestream, .rgb8).pixels
    #expect(try decode(file.codestream, .rgb8).pixels != expected)
    // The last group has 4 blocks of 9 symbols.
    let cut = Array(file.codestream.dropLast(4 * 9 - 1))
    expectError(cut, .truncated)
    for parallelism in [1, 2] {
      let (image, pixels) = try decode(cut, .rgb8, parallelism: parallelism)
      #expect(pixels == expected)
      #expect(!image.isComplete && image.diagnostics.map(\.severity) == [.damage])
      #expect(image.diagnostics.first?.byteOffset == cut.count)
    }
  }

  /// Without the global HF data, the frame consists of its LF coefficients.
  @Test func lowFrequenciesOnly() throws {
    let file = makeFile()
    var reduced = file
    for index in reduced.blocks.indices { reduced.blocks[index].coefficients = [[], [], []] }
    let expected = try decode(reduced.codestream, .rgb8).pixels
    let codestream = file.codestream
    let cuts = stride(from: 0, to: codestream.count, by: 4).map { Array(codestream[..<$0]) }
    let results = [1, 2].map { parallelism in
      cuts.map { try? decode($0, .rgb8, parallelism: parallelism).pixels }
    }
    #expect(results[0] == results[1])
    let first = try #require(results[0].firstIndex { $0 != nil })
    #expect(results[0][first] == expected)
    #expect(results[0][first...].allSatisfy { $0 != nil })
  }

  /// Damage inside a group affects no other one.
  @Test func damagedGroup() throws {
    var file = makeFile()
    let intact = try decode(file.codestream, .rgb8).pixels
    file.blocks[5].counts = [64, 0, 0]
    let codestream = file.codestream
    expectError(codestream, .malformed)
    let (image, pixels) = try decode(codestream, .rgb8)
    #expect(!image.isComplete && image.diagnostics.map(\.severity) == [.damage])
    for y in 0..<16 {
      let (start, end) = (y * 272 * 3, (y + 1) * 272 * 3)
      // The blocks before the damage, and the other group.
      if y < 8 { #expect(pixels[start..<start + 5 * 8 * 3] == intact[start..<start + 5 * 8 * 3]) }
      #expect(pixels[start + 256 * 3..<end] == intact[start + 256 * 3..<end])
    }
  }
}
