// Gain maps of JPEG files: found, decoded and written.

import Foundation
import ImageCodecs
import TestSupport
import Testing

@Suite struct GainMapTests {
  private static func gradient(_ width: Int, _ height: Int, _ format: PixelFormat) throws -> Bitmap {
    try Bitmap(
      width: width, height: height, format: format,
      pixels: (0..<width * height * format.bytesPerPixel).map { UInt8(truncatingIfNeeded: $0 / 5) })
  }

  private func gainMap(_ file: [UInt8]) throws -> GainMap? { try ImageFile(file).gainMap() }

  @Test func writtenAndRead() throws {
    let picture = try Self.gradient(64, 48, .rgb8)
    let metadata = GainMapMetadata(
      components: [GainMapMetadata.Component(minimum: -0.5, maximum: 2.25, gamma: 0.75)], alternateHeadroom: 2.25)
    let map = GainMap(bitmap: try Self.gradient(32, 24, .gray8), metadata: metadata)
    let plain = try picture.encoded(as: .jpeg)
    let file = try picture.encodedAsJPEG(with: map)
    // The picture itself is that of the plain file.
    #expect(try Bitmap(decoding: file).packedPixels == (try Bitmap(decoding: plain)).packedPixels)
    let found = try #require(try gainMap(file))
    #expect(found.metadata == metadata)
    #expect(found.bitmap.packedPixels == (try Bitmap(decoding: try map.bitmap.encoded(as: .jpeg))).packedPixels)
    // The directory is that of CIPA DC-007: the map is where the file of the picture ends.
    let range = JPEGDecoder().gainMap(in: file.span)
    let location = try #require(range)
    #expect(location.byteRange.upperBound == file.count)
    #expect(Array(file[location.byteRange].prefix(2)) == [0xFF, 0xD8])
    #expect(Array(file[..<location.byteRange.lowerBound].suffix(2)) == [0xFF, 0xD9])
    // Written again from what was read, with its metadata.
    let image = try ImageFile(file).decode()
    let again = try image.bitmap.encodedAsJPEG(with: found, metadata: image.metadata)
    #expect(try #require(try gainMap(again)).metadata == metadata)
    #expect(try gainMap(plain) == nil)
  }

  /// The base picture shows where the map applies: it is bright where the map is.
  private static func corner(_ width: Int, _ height: Int, _ format: PixelFormat) throws -> Bitmap {
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let isBright = x < width / 2 && y < height / 4
        pixels += [UInt8](repeating: isBright ? 230 : 20, count: format.bytesPerPixel)
      }
    }
    return try Bitmap(width: width, height: height, format: format, pixels: pixels)
  }

  private static let metadata = GainMapMetadata(
    components: [GainMapMetadata.Component(minimum: -0.5, maximum: 2.25, gamma: 0.75)], alternateHeadroom: 2.25)

  /// The samples of a map where the picture is bright, or where it is dark.
  private func samples(of map: Bitmap, over picture: Bitmap, bright: Bool) throws -> [Int] {
    let map = try map.converted(to: .gray8).resized(
      toWidth: picture.width, height: picture.height, filter: .nearest)
    let gray = try picture.converted(to: .gray8)
    var found: [Int] = []
    for y in 0..<gray.height {
      for x in 0..<gray.width {
        let level = gray.row(y)[x]
        if bright ? level > 210 : level < 40 { found.append(Int(map.row(y)[x])) }
      }
    }
    return found
  }

  @Test(arguments: ImageOrientation.allCases) func thumbnailsKeepMaps(_ orientation: ImageOrientation) throws {
    var picture = try Self.corner(160, 120, .rgb8)
    picture.orientation = orientation
    let map = GainMap(bitmap: try Self.corner(80, 60, .gray8), metadata: Self.metadata)
    let file = try picture.encodedAsJPEG(with: map)
    let requests = [
      Thumbnail(width: 40, height: 40), Thumbnail(width: 30, height: 50, fit: .cover(.topLeft)),
      Thumbnail(width: 50, height: 20, fit: .cover(.center)), Thumbnail(width: 33, height: 44, fit: .exact),
      Thumbnail(width: 120, height: 120),
    ]
    for var request in requests {
      let plain = try ImageFile(file).encodedThumbnail(request, as: .jpeg)
      #expect(try gainMap(plain.bytes) == nil)
      request.keepsGainMap = true
      let made = try ImageFile(file).encodedThumbnail(request, as: .jpeg)
      #expect(made.details.diagnostics.isEmpty)
      let thumbnail = try Bitmap(decoding: made.bytes)
      #expect(thumbnail.pixelSize == made.size)
      #expect(try thumbnail.packedPixels == Bitmap(decoding: plain.bytes).packedPixels)
      let kept = try #require(try gainMap(made.bytes))
      #expect(kept.metadata == Self.metadata)
      #expect(kept.bitmap.width <= made.size.width && kept.bitmap.height <= made.size.height)
      let (bright, dark) = (
        try samples(of: kept.bitmap, over: thumbnail, bright: true),
        try samples(of: kept.bitmap, over: thumbnail, bright: false)
      )
      #expect(!dark.isEmpty && dark.reduce(0, +) / dark.count < 50)
      #expect(bright.isEmpty || bright.reduce(0, +) / bright.count > 190)
      // Other formats have no maps.
      #expect(try ImageFile(file).encodedThumbnail(request, as: .png).details.diagnostics.isEmpty)
    }
  }

  @Test func mapsFollowStoredOrientations() throws {
    var picture = try Self.corner(160, 120, .rgb8)
    picture.orientation = .right
    let file = try picture.encodedAsJPEG(
      with: GainMap(bitmap: try Self.corner(80, 60, .gray8), metadata: Self.metadata))
    let request = Thumbnail(width: 40, height: 40, keepsGainMap: true)
    let made = try ImageFile(file, options: DecodingOptions(orientation: .report)).encodedThumbnail(request, as: .jpeg)
    let options = DecodingOptions(orientation: .report)
    let thumbnail = try Bitmap(decoding: made.bytes, options: options)
    #expect(thumbnail.pixelSize == PixelSize(width: 40, height: 30) && thumbnail.orientation == .right)
    let map = try #require(try ImageFile(made.bytes, options: options).gainMap())
    #expect(map.bitmap.pixelSize == PixelSize(width: 40, height: 30))
    let bright = try samples(of: map.bitmap, over: thumbnail, bright: true)
    #expect(bright.reduce(0, +) / bright.count > 190)
  }

  @Test func mapsThatDoNotApplyAreLeftOut() throws {
    let request = Thumbnail(width: 40, keepsGainMap: true)
    var picture = try Self.corner(160, 120, .rgb8)
    picture.colorSpace = .icc(try #require(ColorSpace.displayP3.makeICCProfile()))
    let channels = GainMapMetadata(
      components: [1.0, 2, 3].map { GainMapMetadata.Component(maximum: $0) }, alternateHeadroom: 3)
    let map = GainMap(bitmap: try Self.corner(80, 60, .rgb8), metadata: channels)
    let file = try picture.encodedAsJPEG(with: map)
    // Factors for each component do not apply to other components; a factor for all does.
    let made = try thumbnail(request, of: file)
    #expect(try gainMap(made.bytes) == nil)
    #expect(made.details.diagnostics.contains { $0.reason.contains("gain map") })
    var keeping = request
    keeping.color = .source
    #expect(try gainMap(thumbnail(keeping, of: file).bytes)?.metadata == channels)
    let single = try picture.encodedAsJPEG(
      with: GainMap(bitmap: try Self.corner(80, 60, .gray8), metadata: Self.metadata))
    #expect(try gainMap(thumbnail(request, of: single).bytes)?.metadata == Self.metadata)
    // A damaged map costs the map.
    let location = JPEGDecoder().gainMap(in: single.span)
    let range = try #require(location).byteRange
    var damaged = single
    for index in range where damaged[index] == 0xC0 && damaged[index - 1] == 0xFF { damaged[index] = 0xC3 }
    let without = try thumbnail(request, of: damaged)
    #expect(without.size == PixelSize(width: 40, height: 30))
    #expect(without.details.diagnostics.contains { $0.reason.contains("gain map") })
    #expect(throws: CodecError.self) {
      try thumbnail(request, of: damaged, DecodingOptions(tolerance: .strict))
    }
    // The limit on the file is that of both pictures.
    let small = try ImageFile(single).encodedThumbnail(request, as: .jpeg(.init(maximumByteCount: 4000)))
    #expect(small.bytes.count <= 4000)
    #expect(try gainMap(small.bytes) != nil)
    let options = DecodingOptions(region: PixelRegion(x: 0, y: 0, width: 20, height: 20))
    #expect(try gainMap(thumbnail(request, of: single, options).bytes) == nil)
  }

  /// A file as Apple's cameras write it: the map is described by an XMP packet, the headroom by the maker note.
  private static func appleFile(hasNote: Bool, gain: Int = 1) throws -> [UInt8] {
    let big16 = { (value: Int) -> [UInt8] in [8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
    let big32 = { (value: Int) -> [UInt8] in big16(value >> 16) + big16(value) }
    // Tags 33 and 48: 1.5 and a number of quarters, after the entries of the directory.
    let note =
      Array("Apple iOS\0".utf8) + [0, 1] + Array("MM".utf8) + big16(2)
      + big16(33) + big16(10) + big32(1) + big32(44) + big16(48) + big16(10) + big32(1) + big32(52) + big32(0)
      + big32(3) + big32(2) + big32(gain) + big32(4)
    let exif =
      Array("MM".utf8) + big16(42) + big32(8)
      + big16(1) + big16(0x8769) + big16(4) + big32(1) + big32(26) + big32(0)
      + big16(1) + big16(0x927C) + big16(7) + big32(note.count) + big32(44) + big32(0) + note
    var metadata = ImageMetadata()
    if hasNote { metadata.exif = exif }
    let map = GainMap(bitmap: try Self.gradient(64, 64, .gray8), metadata: GainMapMetadata())
    var file = try Self.corner(128, 128, .rgb8).encodedAsJPEG(
      with: map, options: JPEGEncoder.Options(quality: 100), metadata: metadata)
    // The descriptions by standards are made unknown, and that of the map is Apple's, of the same length.
    let location = JPEGDecoder().gainMap(in: file.span)
    let range = try #require(location).byteRange
    let standard = Array("urn:iso:std:iso:ts:21496:-1".utf8)
    for start in 0..<file.count - standard.count where Array(file[start..<start + standard.count]) == standard {
      file[start] = UInt8(ascii: "x")
    }
    let packet = GainMapMetadata().xmpPacket
    var apple = Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
      <rdf:Description rdf:about="" xmlns:apdi="http://ns.apple.com/pixeldatainfo/1.0/" \
      apdi:AuxiliaryImageType="urn:com:apple:photo:2020:aux:hdrgainmap"/></rdf:RDF></x:xmpmeta>
      """.utf8)
    apple += [UInt8](repeating: 0x20, count: packet.count - apple.count)
    let start = try #require(
      range.first { file[$0..<min($0 + packet.count, file.count)].elementsEqual(packet) })
    file.replaceSubrange(start..<start + packet.count, with: apple)
    return file
  }

  private func thumbnail(
    _ request: Thumbnail, of file: [UInt8], quality: Int = 80, _ options: DecodingOptions = DecodingOptions()
  ) throws -> EncodedThumbnail {
    try ImageFile(file, options: options).encodedThumbnail(request, as: .jpeg(.init(quality: quality)))
  }

  /// The largest difference between the binary logarithms of the factors of Apple's map and of a converted one.
  private func largestDifference(_ apple: Bitmap, _ converted: Bitmap, stops: Double) -> Double {
    let headroom = exp2(stops)
    var largest = 0.0
    for (sample, level) in zip(apple.packedPixels, converted.packedPixels) {
      let value = Double(sample) / 255
      let share = value < 0.081 ? value / 4.5 : pow((value + 0.099) / 1.099, 1 / 0.45)
      let expected = log2(1 + (headroom - 1) * share)
      largest = max(largest, abs(Double(level) / 255 * stops - expected))
    }
    return largest
  }

  @Test func appleMapsGetParameters() throws {
    let file = try Self.appleFile(hasNote: true)
    let original = try #require(try gainMap(file))
    #expect(original.metadata == nil)
    let request = Thumbnail(width: 64, height: 64, keepsGainMap: true)
    let made = try thumbnail(request, of: file, quality: 100)
    #expect(made.details.diagnostics.isEmpty)
    let kept = try #require(try gainMap(made.bytes))
    let metadata = try #require(kept.metadata)
    // Apple: with tag 33 of at least 1 and tag 48 above 0.01, -0.303 · 0.25 + 2.303 stops.
    let stops = -0.303 * 0.25 + 2.303
    #expect(abs(metadata.alternateHeadroom - stops) < 1e-5 && metadata.baseHeadroom == 0)
    let component = try #require(metadata.components.first)
    #expect(component.minimum == 0 && abs(component.maximum - stops) < 1e-5 && component.gamma == 1)
    // Both maps yield the same factors of light, within the levels that JPEG changes.
    #expect(largestDifference(original.bitmap, kept.bitmap, stops: stops) < 0.05)
    let without = try thumbnail(request, of: try Self.appleFile(hasNote: false))
    #expect(try gainMap(without.bytes) == nil)
    #expect(without.details.diagnostics.contains { $0.reason.contains("parameters") })
  }

  /// The light of 1,053 stops is no finite number.
  @Test func hugeHeadroomsAreIgnored() throws {
    let file = try Self.appleFile(hasNote: true, gain: -60)
    let made = try thumbnail(Thumbnail(width: 64, height: 64, keepsGainMap: true), of: file)
    #expect(try gainMap(made.bytes) == nil)
    #expect(made.details.diagnostics.contains { $0.reason.contains("parameters") })
  }

  @Test func damage() throws {
    let map = GainMap(bitmap: try Self.gradient(8, 8, .gray8), metadata: GainMapMetadata())
    let file = try Self.gradient(16, 16, .rgb8).encodedAsJPEG(with: map)
    for count in stride(from: 0, to: file.count, by: 11) { _ = try? gainMap(Array(file[..<count])) }
    var random = TestRandom(2)
    for _ in 0..<300 {
      var damaged = file
      damaged[Int.random(in: 0..<file.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      _ = try? gainMap(damaged)
    }
  }

  @Test func aMapWithoutParametersIsNotWritten() throws {
    let picture = try Self.gradient(8, 8, .rgb8)
    #expect(throws: CodecError.self) {
      try picture.encodedAsJPEG(with: GainMap(bitmap: picture, metadata: nil))
    }
  }
}
