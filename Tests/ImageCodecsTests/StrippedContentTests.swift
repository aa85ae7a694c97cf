// Secrets planted where decoders read nothing: after the fields of a segment, after the end of a compressed stream, in
// further images. A stripped file is the file before they were planted.

import FoundationEssentials
import ImageCodecs
import TestSupport
import Testing

@Suite struct StrippedContentTests {
  private static let secret = Array("GPS 48.2082 N, 16.3738 E".utf8)

  private func contains(_ bytes: [UInt8], _ pattern: [UInt8] = secret) -> Bool {
    bytes.indices.dropLast(pattern.count - 1).contains { bytes[$0] == pattern[0] && bytes[$0...].starts(with: pattern) }
  }

  /// Checks that stripping a file with secrets returns the file without them, which shows the same picture.
  private func check(_ planted: [UInt8], _ clean: [UInt8], _ place: String) throws {
    #expect(contains(planted), "\(place)")
    #expect(try ImageFile(planted).stripped() == clean, "\(place)")
    #expect(try ImageFile(clean).stripped() == clean, "\(place)")
    #expect(try Bitmap(decoding: planted) == Bitmap(decoding: clean), "\(place)")
  }

  // MARK: JPEG

  private static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0xFF, marker, UInt8((payload.count + 2) >> 8), UInt8((payload.count + 2) & 255)] + payload
  }

  /// A gray picture of 8 × 8 in two progressive scans, one byte each, whose only codes are one bit long.
  private func progressive(
    beforeFrame: [UInt8] = [], frameTail: [UInt8] = [], scanTail: [UInt8] = [], afterFirstScan: [UInt8] = [],
    afterSecondScan: [UInt8] = [], height: UInt8 = 8
  ) -> [UInt8] {
    let tables =
      Self.segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
      + Self.segment(0xC4, [0x00, 1] + [UInt8](repeating: 0, count: 15) + [0])
      + Self.segment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0])
    let frame = Self.segment(0xC2, [8, 0, height, 0, 8, 1, 1, 0x11, 0] + frameTail)
    let first = Self.segment(0xDA, [1, 1, 0x00, 0, 0, 0x00] + scanTail) + [0x7F] + afterFirstScan
    let second = Self.segment(0xDA, [1, 1, 0x00, 1, 63, 0x00]) + [0x7F] + afterSecondScan
    return [0xFF, 0xD8] + tables + beforeFrame + frame + first + second + [0xFF, 0xD9]
  }

  @Test func unusedBytesOfProgressiveJPEGs() throws {
    let secret = Self.secret
    let clean = progressive()
    try check(progressive(frameTail: secret), clean, "after the fields of the frame header")
    try check(progressive(scanTail: secret), clean, "after the fields of a scan header")
    try check(progressive(afterFirstScan: secret), clean, "after the last MCU of the first scan")
    try check(progressive(afterSecondScan: secret), clean, "after the last MCU of the picture")
    try check(progressive(afterFirstScan: secret, afterSecondScan: secret), clean, "after both scans")
    try check(progressive(afterFirstScan: Self.segment(0xDC, [0, 8] + secret)), clean, "DNL")
    try check(progressive(beforeFrame: Self.segment(0xDE, [8, 0, 8, 0, 8, 1, 1, 0x11, 0] + secret)), clean, "DHP")
    try check(progressive(beforeFrame: Self.segment(0xDF, [0x11] + secret)), clean, "EXP")
    let profile = Array("ICC_PROFILE\0".utf8)
    try check(
      progressive(beforeFrame: Self.segment(0xE2, profile + [2, 1] + secret)), clean, "a surplus profile chunk")
    try check(
      progressive(afterFirstScan: Self.segment(0xE2, profile + [1, 1] + secret)), clean, "a profile between scans")
    let interval = Self.segment(0xDD, [0, 0])
    try check(
      progressive(beforeFrame: Self.segment(0xDD, [0, 0] + secret)), progressive(beforeFrame: interval), "after DRI")
    // A DNL segment that states the height stays, with its two bytes.
    let open = progressive(afterFirstScan: Self.segment(0xDC, [0, 8]), height: 0)
    try check(progressive(afterFirstScan: Self.segment(0xDC, [0, 8] + secret), height: 0), open, "an open height")
  }

  /// A gray picture of 24 × 8 with an MCU in each restart interval.
  private func baseline(_ filling: [UInt8] = [], afterScan: [UInt8] = []) -> [UInt8] {
    let tables =
      Self.segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
      + Self.segment(0xC4, [0x00, 1] + [UInt8](repeating: 0, count: 15) + [0])
      + Self.segment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0])
    let frame = Self.segment(0xC0, [8, 0, 8, 0, 24, 1, 1, 0x11, 0]) + Self.segment(0xDD, [0, 1])
    let data = [0x3F] + filling + [0xFF, 0xD0, 0x3F] + filling + [0xFF, 0xD1, 0x3F] + filling
    let scan = Self.segment(0xDA, [1, 1, 0x00, 0, 63, 0x00])
    return [0xFF, 0xD8] + tables + frame + scan + data + afterScan + [0xFF, 0xD9]
  }

  @Test func unusedBytesOfBaselineJPEGs() throws {
    try check(baseline(Self.secret), baseline(), "before restart markers")
    let again = Self.segment(0xDA, [1, 1, 0x00, 0, 63, 0x00]) + Self.secret
    try check(baseline(afterScan: again), baseline(), "another scan after the whole picture")
  }

  @Test func damagedScansStay() throws {
    // The data ends within the second MCU, so that it is not known what belongs to it.
    var file = baseline()
    file.replaceSubrange(file.count - 8..<file.count - 2, with: [])
    let stripped = try ImageFile(file).stripped()
    #expect(stripped == file)
  }

  // MARK: PNG

  /// The checksum of a chunk's type and data, bit by bit (PNG, annex D).
  private func checksum(_ bytes: [UInt8]) -> UInt32 {
    var value: UInt32 = .max
    for byte in bytes {
      value ^= UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }
    return ~value
  }

  private func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let content = Array(type.utf8) + data
    return SampleFiles.big32(UInt32(data.count)) + content + SampleFiles.big32(checksum(content))
  }

  /// Replaces the data of the first chunk of a type.
  private func replacing(_ type: String, in file: [UInt8], _ change: ([UInt8]) -> [UInt8]) throws -> [UInt8] {
    let name = Array(type.utf8)
    let start = try #require(file.indices.first { file[$0...].starts(with: name) })
    let count = file[start - 4..<start].reduce(0) { $0 << 8 | Int($1) }
    let data = change(Array(file[start + 4..<start + 4 + count]))
    return file[..<(start - 4)] + chunk(type, data) + file[(start + 8 + count)...]
  }

  @Test func unusedBytesOfPNGs() throws {
    var random = TestRandom(3)
    let bitmap = try Bitmap(width: 19, height: 17, format: .rgb8, pixels: random.bytes(19 * 17 * 3))
    var metadata = ImageMetadata()
    metadata.colorSpace.iccProfile = Array("a profile of some length, of some length".utf8)
    metadata.colorSpace.calibration = ColorSpace.Calibration(
      gamma: 0.45455,
      chromaticities: Chromaticities(
        white: .init(x: 0.3127, y: 0.329), red: .init(x: 0.64, y: 0.33), green: .init(x: 0.3, y: 0.6),
        blue: .init(x: 0.15, y: 0.06)))
    metadata.density = .init(x: 3000, y: 3000, unit: .perMeter)
    let file = try bitmap.encoded(as: .png, metadata: metadata)
    for type in ["gAMA", "cHRM", "pHYs", "iCCP", "IDAT", "IEND"] {
      let planted = try replacing(type, in: file) { $0 + Self.secret }
      #expect(contains(planted))
      #expect(try ImageFile(planted).stripped() == file, "after the data of \(type)")
    }
    let named = try replacing("iCCP", in: file) { data in
      Self.secret + data[(data.firstIndex(of: 0) ?? 0)...]
    }
    #expect(try ImageFile(named).stripped() == file)
    // Another IDAT after the end of the stream, and a colour chunk after the image data.
    let start = Array(file.dropLast(12))
    let end = Array(file.suffix(12))
    for type in ["IDAT", "gAMA"] {
      let planted = start + chunk(type, Self.secret) + end
      #expect(try ImageFile(planted).stripped() == file, "another \(type)")
    }
    // Separate IDAT chunks become one stream without what is between them.
    let separate = start + chunk("tEXt", [65, 0, 66]) + chunk("IDAT", []) + end
    let error = #expect(throws: CodecError.self) { try ImageFile(separate).stripped() }
    #expect(error?.kind == .malformed)
    // A chunk whose checksum is wrong is not read; a profile with another name must not become valid.
    let profile = try #require(file.indices.first { file[$0...].starts(with: "iCCP".utf8) })
    var wrong = file
    wrong[profile + 20] ^= 1
    let stripped = try ImageFile(wrong).stripped()
    #expect(try Bitmap(decoding: stripped) == Bitmap(decoding: wrong))
    #expect(!contains(stripped, Array("iCCP".utf8)))
  }

  @Test func unusedBytesOfPNGFrames() throws {
    var random = TestRandom(4)
    let frames = try (0..<3).map { _ in
      AnimationFrame(
        bitmap: try Bitmap(width: 6, height: 5, format: .rgb8, pixels: random.bytes(90)), delay: .milliseconds(50))
    }
    let file = try PNGEncoder().encode(animation: frames, loopCount: .infinite)
    let planted = try replacing("fdAT", in: replacing("IDAT", in: file) { $0 + Self.secret }) { $0 + Self.secret }
    #expect(try ImageFile(planted).stripped() == file)
  }

  @Test func theOrientationOfAnEXIFBlockAfterTheImageDataStays() throws {
    let bitmap = try Bitmap(width: 3, height: 2, format: .gray8, pixels: [1, 2, 3, 4, 5, 6])
    let file = try bitmap.encoded(as: .png)
    let exif: [UInt8] =
      Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0] + Self.secret
    let planted = Array(file.dropLast(12)) + chunk("eXIf", exif) + Array(file.suffix(12))
    let stripped = try ImageFile(planted).stripped()
    #expect(contains(planted) && !contains(stripped))
    #expect(try Bitmap(decoding: stripped) == Bitmap(decoding: planted))
    #expect(try Bitmap(decoding: stripped).pixelSize == PixelSize(width: 2, height: 3))
  }

  // MARK: GIF

  /// Two pixels, in codes of three bits: clear, 0, 1, end.
  private func gif(loop: [UInt8], control: [UInt8], data: [UInt8]) -> [UInt8] {
    Array("GIF89a".utf8) + [2, 0, 1, 0, 0x80, 0, 0, 1, 2, 3, 200, 201, 202]
      + [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + loop + [0]
      + [0x21, 0xF9] + control + [0]
      + [0x2C, 0, 0, 0, 0, 2, 0, 1, 0, 0, 2] + data + [0, 0x3B]
  }

  @Test func unusedBytesOfGIFs() throws {
    let secret = Self.secret
    let size = UInt8(secret.count)
    let (loop, control, data): ([UInt8], [UInt8], [UInt8]) = ([3, 1, 5, 0], [4, 0, 7, 0, 0], [2, 0x44, 0x0A])
    let clean = gif(loop: loop, control: control, data: data)
    #expect(try Bitmap(decoding: clean).converted(to: .rgb8).packedPixels == [1, 2, 3, 200, 201, 202])
    try check(
      gif(loop: loop + [size] + secret, control: control, data: data), clean, "another sub-block of NETSCAPE2.0")
    try check(
      gif(loop: [3 + size, 1, 5, 0] + secret, control: control, data: data), clean, "after the loop count")
    try check(gif(loop: [size] + secret + loop, control: control, data: data), clean, "before the loop count")
    try check(
      gif(loop: loop, control: [4 + size, 0, 7, 0, 0] + secret, data: data), clean, "after the graphic control")
    try check(
      gif(loop: loop, control: control + [size] + secret, data: data), clean, "another sub-block of graphic control")
    try check(gif(loop: loop, control: control, data: data + [size] + secret), clean, "after the end code")
    try check(
      gif(loop: loop, control: control, data: [2 + size, 0x44, 0x0A] + secret), clean, "in the last sub-block")
    // Without an end code, the data ends with the last pixel.
    let unended: [UInt8] = [2, 0x44, 0x00]
    #expect(
      try ImageFile(gif(loop: loop, control: control, data: unended + [size] + secret)).stripped()
        == gif(loop: loop, control: control, data: unended))
  }

  // MARK: WebP

  @Test func unusedBytesOfWebPs() throws {
    let pixels = SampleFiles.chunk("VP8L", [0x2F, 0, 0, 0, 0, 0x88, 0x88, 0x08])
    let other = SampleFiles.chunk("VP8L", [0x2F, 0, 0, 0, 0, 0x88, 0x88, 0x08] + Self.secret)
    let header: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 50, 0, 0, 0]
    let canvas = SampleFiles.chunk("VP8X", [0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    let animation: [UInt8] = [9, 8, 7, 6, 4, 0]
    let frame = SampleFiles.chunk("ANMF", header + pixels)
    let clean = SampleFiles.riff(canvas + SampleFiles.chunk("ANIM", animation) + frame + frame)
    let planted = SampleFiles.riff(
      canvas + SampleFiles.chunk("ANIM", animation + Self.secret) + frame + other
        + SampleFiles.chunk("ANMF", header + pixels + other))
    try check(planted, clean, "in an animation")
    try check(clean + SampleFiles.chunk("ANMF", header + other), clean, "a frame after the end of the file")
    let still = SampleFiles.riff(pixels)
    try check(SampleFiles.riff(pixels + other), still, "another image")
  }
}
