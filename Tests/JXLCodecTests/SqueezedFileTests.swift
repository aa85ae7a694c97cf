// Pictures of squeezed files: whole, reduced, in part and damaged, compared with the definition of the transform.

import ImageCoding
import JXLCodec
import Testing

@Suite struct SqueezedFileTests {
  private static func makeFile(
    width: Int = 300, height: Int = 170, channelCount: Int = 3, groupShift: Int = 7
  ) -> SqueezedFile {
    // Slopes, edges and a texture.
    let channels = (0..<channelCount).map { channel in
      (0..<width * height).map { index in
        let (x, y) = (index % width, index / width)
        let slope = x * (channel + 1) / 3 + y / (channel + 1)
        let edges = ((x / 19 + y / 23) % 2) * 40
        return (slope + edges + x * y * 7 % 11) % 256
      }
    }
    return SqueezedFile(width: width, height: height, channels: channels, groupShift: groupShift)
  }

  private func pixels(_ channels: [[Int]]) -> [Int] {
    (0..<channels[0].count).flatMap { index in channels.map { min(max($0[index], 0), 255) } }
  }

  private func decode(
    _ bytes: [UInt8], _ target: PixelSize? = nil, region: PixelRegion? = nil, parallelism: Int = 1
  ) throws -> (image: DecodedImage, pixels: [Int]) {
    let options = DecodingOptions(targetSize: target, region: region, parallelism: parallelism)
    let image = try JXLDecoder().decode(bytes, options: options)
    return (image, image.bitmap.packedPixels.map { Int($0) })
  }

  private static let sizes = [(37, 29, 3, 10), (300, 170, 3, 7), (9, 300, 1, 7), (290, 140, 4, 7), (1, 20, 2, 8)]

  @Test(arguments: sizes)
  func wholeAndReducedPictures(_ width: Int, _ height: Int, _ channelCount: Int, _ groupShift: Int) throws {
    let file = Self.makeFile(width: width, height: height, channelCount: channelCount, groupShift: groupShift)
    let bytes = file.codestream(file.sections)
    for parallelism in [1, 2] {
      #expect(try decode(bytes, parallelism: parallelism).pixels == pixels(file.channels(of: file.planes)))
      let levels = (0..<10).filter { file.reduced[$0]?.count == channelCount }
      #expect(levels.count >= 2 || min(width, height) < 16)
      for level in levels {
        let planes = (0..<channelCount).compactMap { file.reduced[level]?[$0] }
        let size = PixelSize(width: planes[0].width, height: planes[0].height)
        let (image, found) = try decode(bytes, size, parallelism: parallelism)
        #expect(image.bitmap.pixelSize == size && image.isComplete)
        #expect(image.details.info.size == PixelSize(width: width, height: height))
        #expect(found == pixels(planes.map(\.samples)))
        // A target that is larger in one direction needs the next level.
        guard level > 0, size.width > 1 else { continue }
        let larger = try decode(bytes, PixelSize(width: size.width + 1, height: 1)).image.bitmap
        #expect(larger.width > size.width && larger.width < 2 * size.width + 1)
      }
    }
  }

  @Test func colorTransformsOfReducedPictures() throws {
    var file = Self.makeFile(width: 150, height: 140)
    file.usesColorTransform = true
    let planes = try #require(file.reduced[2])
    var expected: [Int] = []
    for index in 0..<38 * 35 {
      let values = try (0..<3).map { try #require(planes[$0]).samples[index] }
      let t = values[0] - values[2] >> 1
      let green = values[2] + t
      let blue = t - values[1] >> 1
      expected += [blue + values[1], green, blue].map { min(max($0, 0), 255) }
    }
    #expect(try decode(file.codestream(file.sections), PixelSize(width: 38, height: 35)).pixels == expected)
  }

  @Test func orientation() throws {
    var file = Self.makeFile(channelCount: 1)
    file.orientation = 6
    let bitmap = try decode(file.codestream(file.sections), PixelSize(width: 43, height: 75)).image.bitmap
    let plane = try #require(file.reduced[2]?[0])
    #expect(bitmap.width == 43 && bitmap.height == 75)
    var columns: [Int] = []
    for x in 0..<75 {
      for y in 0..<43 { columns.append(plane.samples[(42 - y) * 75 + x]) }
    }
    #expect(bitmap.packedPixels.map { Int($0) } == columns)
  }

  /// The finer levels of a reduced picture are not read.
  @Test func finerLevelsAreNotDecoded() throws {
    let file = Self.makeFile(width: 600, height: 300)
    let sections = file.sections
    let intact = file.codestream(sections)
    let target = PixelSize(width: 75, height: 38)
    let expected = try decode(intact, target).pixels
    // All groups are missing.
    let cut = Array(intact.dropLast(sections[3...].reduce(0) { $0 + $1.count }))
    for parallelism in [1, 2] {
      let (image, found) = try decode(cut, target, parallelism: parallelism)
      #expect(image.isComplete && found == expected)
      #expect(try !decode(cut, PixelSize(width: 76, height: 1), parallelism: parallelism).image.isComplete)
    }
    // The last channels of a section are not decoded either.
    let halves = Self.makeFile(width: 100, height: 90, groupShift: 10)
    let bytes = halves.codestream(halves.sections)
    let part = Array(bytes.dropLast(bytes.count / 3))
    let (image, found) = try decode(part, PixelSize(width: 25, height: 23))
    let planes = try #require(halves.reduced[2])
    #expect(image.isComplete && found == pixels((0..<3).compactMap { planes[$0]?.samples }))
  }

  /// The picture whose samples in some sections are zeros.
  private func expected(_ file: SqueezedFile, without sections: Set<Int>) -> [Int] {
    var planes = file.planes
    for plane in planes.indices {
      for index in planes[plane].samples.indices {
        let (y, x) = index.quotientAndRemainder(dividingBy: planes[plane].width)
        if sections.contains(file.section(ofPlane: plane, x: x, y: y)) { planes[plane].samples[index] = 0 }
      }
    }
    return pixels(file.channels(of: planes))
  }

  /// Where groups are missing or damaged, the picture consists of coarser levels.
  @Test func coarserLevelsOfMissingGroups() throws {
    let file = Self.makeFile()
    var sections = file.sections
    // 1 + 1 + 1 + 3 · 2 sections.
    #expect(sections.count == 9)
    let bytes = file.codestream(sections)
    for (missing, isPartial) in [(1, false), (4, false), (4, true)] {
      let dropped = sections[(9 - missing)...].reduce(0) { $0 + $1.count }
      let cut = Array(bytes.dropLast(dropped - (isPartial ? 1 : 0)))
      for parallelism in [1, 2] {
        let (image, found) = try decode(cut, parallelism: parallelism)
        #expect(found == expected(file, without: Set(9 - missing..<9)))
        #expect(image.diagnostics.map(\.severity) == [.damage] && !image.isComplete)
      }
      let strict = DecodingOptions(tolerance: .strict)
      #expect(throws: CodecError.self) { try JXLDecoder().decode(cut, options: strict) }
    }
    // Without the end of a group: some of its rows are missing.
    sections[5].removeLast(sections[5].count / 4)
    let damaged = file.codestream(sections)
    let (image, found) = try decode(damaged)
    #expect(image.diagnostics.map(\.severity) == [.damage])
    #expect(found != expected(file, without: [5]) && found != expected(file, without: []))
    #expect(try decode(damaged, parallelism: 2).pixels == found)
  }

  @Test(arguments: [(300, 170, 3), (290, 140, 4)])
  func regions(_ width: Int, _ height: Int, _ channelCount: Int) throws {
    let file = Self.makeFile(width: width, height: height, channelCount: channelCount)
    let bytes = file.codestream(file.sections)
    let whole = try decode(bytes).pixels
    for region in [
      PixelRegion(x: 0, y: 0, width: 20, height: 9), PixelRegion(x: 100, y: 90, width: 29, height: 30),
      PixelRegion(x: width - 1, y: height - 1, width: 1, height: 1), PixelRegion(x: 3, y: 0, width: 200, height: 2),
    ] {
      var crop: [Int] = []
      for y in region.y..<region.y + region.height {
        crop += whole[(y * width + region.x) * channelCount..<(y * width + region.x + region.width) * channelCount]
      }
      for parallelism in [1, 2] {
        #expect(try decode(bytes, region: region, parallelism: parallelism).pixels == crop)
      }
    }
  }

  /// Groups on the right and below are not decoded.
  @Test func groupsThatRegionsDoNotNeed() throws {
    let file = Self.makeFile()
    var sections = file.sections
    // The last column and the last row of groups.
    for group in [2, 3, 4, 5] { sections[3 + group] = [255] }
    let bytes = file.codestream(sections)
    let whole = pixels(file.channels(of: file.planes))
    for (right, isComplete) in [(200, true), (250, false)] {
      let region = PixelRegion(x: right - 50, y: 60, width: 50, height: 30)
      let (image, found) = try decode(bytes, region: region)
      #expect(image.isComplete == isComplete)
      var crop: [Int] = []
      for y in 60..<90 { crop += whole[(y * 300 + right - 50) * 3..<(y * 300 + right) * 3] }
      #expect(!isComplete || found == crop)
    }
  }

  /// Sections make stages: the first one, low-frequency groups, groups.
  @Test func previews() throws {
    let file = Self.makeFile()
    let sections = file.sections
    let bytes = file.codestream(sections)
    let start = bytes.count - sections.reduce(0) { $0 + $1.count }
    let session = JXLDecoder().makeSession(options: DecodingOptions())
    _ = try session.append(Array(bytes[..<(start + 40)]).span)
    #expect(session.makePreview() == nil)
    var (end, position) = (start, start + 40)
    var stages = [0]
    for index in 0..<8 {
      end += sections[index].count
      // The count of stages is updated after a sixteenth of the bytes.
      let part = Array(bytes[position..<end])
      if !part.isEmpty { stages.append(try session.append(part.span).completedScanCount) }
      position = max(position, end)
      let missing = Set(index + 1..<9)
      guard let preview = session.makePreview(), stages.last != stages.dropLast().last else { continue }
      #expect(preview.packedPixels.map { Int($0) } == expected(file, without: missing))
    }
    #expect(Set(stages).count >= 5)
    _ = try session.append(Array(bytes[position...]).span)
    #expect(try session.finish().bitmap.packedPixels.map { Int($0) } == pixels(file.channels(of: file.planes)))
  }

  @Test func previewsOfOneSection() throws {
    let file = Self.makeFile(width: 60, height: 50, channelCount: 1, groupShift: 10)
    let bytes = file.codestream(file.sections)
    let whole = try decode(bytes).pixels
    let session = JXLDecoder().makeSession(options: DecodingOptions())
    var errors: [Int] = []
    for start in stride(from: 0, to: bytes.count, by: 100) {
      _ = try session.append(Array(bytes[start..<min(start + 100, bytes.count)]).span)
      guard let preview = session.makePreview() else { continue }
      errors.append(zip(preview.packedPixels, whole).reduce(0) { $0 + abs(Int($1.0) - $1.1) })
    }
    #expect(errors.count >= 4 && (errors.last ?? .max) < (errors.first ?? 0) / 2)
    #expect(try session.finish().bitmap.packedPixels.map { Int($0) } == whole)
  }

  @Test func everyPrefixAndFlippedBit() {
    let file = Self.makeFile(width: 17, height: 11, channelCount: 1, groupShift: 7)
    let bytes = file.codestream(file.sections)
    let limits = DecodingLimits(
      maximumPixelCount: 1 << 16, maximumByteCount: 16 << 20, maximumWork: 20_000_000, maximumWorkPerPixel: 0)
    for target in [nil, PixelSize(width: 5, height: 3)] {
      let options = DecodingOptions(limits: limits, targetSize: target)
      for count in bytes.indices { _ = try? JXLDecoder().decode(Array(bytes[..<count]), options: options) }
      for bit in 0..<bytes.count * 8 {
        var damaged = bytes
        damaged[bit / 8] ^= 1 << UInt8(bit % 8)
        _ = try? JXLDecoder().decode(damaged, options: options)
      }
    }
  }
}
