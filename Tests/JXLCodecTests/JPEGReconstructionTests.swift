// JPEG files by a slow encoder, from JPEG XL files with their coefficients.

import ImageCoding
import JXLCodec
import TestSupport
import Testing

@Suite struct JPEGReconstructionTests {
  private func reconstruct(_ file: [UInt8], _ limits: DecodingLimits = .default) throws -> [UInt8] {
    var budget = ResourceBudget(limits)
    return try JXLDecoder().reconstructJPEG(file.span, budget: &budget)
  }

  /// The sampling factors of the components, and a name.
  enum Layout: String, CaseIterable {
    case gray, grayWithFactors, rgb, full, fullWithFactors, half, quarter, rows, mixed

    var factors: [(horizontal: Int, vertical: Int)] {
      switch self {
      case .gray: [(1, 1)]
      case .grayWithFactors: [(2, 2)]
      case .rgb, .full: [(1, 1), (1, 1), (1, 1)]
      case .fullWithFactors: [(2, 2), (2, 2), (2, 2)]
      case .half: [(2, 1), (1, 1), (1, 1)]
      case .quarter: [(2, 2), (1, 1), (1, 1)]
      case .rows: [(1, 2), (1, 1), (1, 1)]
      case .mixed: [(2, 2), (2, 1), (1, 2)]
      }
    }
  }

  /// A sequential file with one scan. Coefficients are sparse, and some of them are large.
  static func makeFile(_ layout: Layout, width: Int = 37, height: Int = 29, seed: UInt64 = 1) -> JPEGFile {
    var random = TestRandom(seed)
    let identifiers = layout == .rgb ? Array("RGB".utf8) : [1, 2, 3]
    let components = zip(identifiers, layout.factors).enumerated().map { index, component in
      JPEGFile.Component(
        identifier: component.0, horizontal: component.1.horizontal, vertical: component.1.vertical,
        table: index == 0 ? 0 : 1)
    }
    let tables = components.prefix(2).indices.map { index in
      JPEGFile.QuantizationTable(
        destination: index, isLast: index == min(components.count, 2) - 1,
        values: (0..<64).map { _ in Int.random(in: 1...200, using: &random) })
    }
    var file = JPEGFile(
      width: width, height: height, components: components, tables: tables,
      scans: [JPEGFile.Scan(components: Array(components.indices))],
      parts: [.quantization, .frame(0xC0), .huffman, .scan])
    for (index, component) in components.enumerated() {
      let count = file.columns * component.horizontal * file.rows * component.vertical
      file.components[index].blocks = (0..<count).map { _ in block(&random) }
    }
    return file
  }

  private static func block(_ random: inout TestRandom) -> [Int] {
    let density = [0, 1, 5, 60].randomElement(using: &random) ?? 0
    return (0..<64).map { index in
      let maximum = [1, 2, 3, 40, 500].randomElement(using: &random) ?? 1
      guard index == 0 || Int.random(in: 0..<64, using: &random) < density else { return 0 }
      return Int.random(in: -maximum...maximum, using: &random)
    }
  }

  /// The scans of a progressive file: bits of all coefficients in several steps.
  private static func makeProgressive(_ layout: Layout) -> JPEGFile {
    var file = makeFile(layout, seed: 2)
    let all = Array(file.components.indices)
    var scans = [JPEGFile.Scan(components: all, start: 0, end: 0, low: 1)]
    for component in all {
      scans.append(JPEGFile.Scan(components: [component], start: 1, end: 5, low: 2))
      scans.append(JPEGFile.Scan(components: [component], start: 6, end: 63, low: 2))
    }
    scans.append(JPEGFile.Scan(components: all, start: 0, end: 0, high: 1, low: 0))
    for low in [1, 0] {
      for component in all {
        scans.append(JPEGFile.Scan(components: [component], start: 1, end: 63, high: low + 1, low: low))
      }
    }
    file.scans = scans
    file.parts = [.quantization, .frame(0xC2), .huffman] + scans.map { _ in .scan }
    return file
  }

  private func expectReconstruction(_ file: JPEGFile, correlations: [Int] = [0, 0], _ name: String = "") throws {
    let expected = file.write().bytes
    let result = try reconstruct(file.recompressed(correlations: correlations))
    #expect(result == expected, "\(name) \(zip(result, expected).enumerated().first { $1.0 != $1.1 }?.offset ?? -1)")
  }

  // MARK: Scans

  @Test(arguments: Layout.allCases)
  func sequential(_ layout: Layout) throws {
    try expectReconstruction(Self.makeFile(layout))
  }

  /// Coefficients of Cb and Cr that are predicted from those of Y.
  @Test func correlation() throws {
    for layout in [Layout.full, .fullWithFactors, .rgb] {
      for correlations in [[21, -40], [-128, 127], [1, 0]] {
        try expectReconstruction(Self.makeFile(layout), correlations: correlations)
      }
    }
  }

  @Test(arguments: Layout.allCases)
  func progressive(_ layout: Layout) throws {
    try expectReconstruction(Self.makeProgressive(layout))
  }

  /// Runs of bands without coefficients that end early.
  @Test func resetPoints() throws {
    var file = Self.makeProgressive(.full)
    for index in file.scans.indices where file.scans[index].start > 0 {
      file.scans[index].resetPoints = [0, 1, 3, 11, index + 12]
    }
    try expectReconstruction(file)
  }

  /// Frames of several groups.
  @Test func groups() throws {
    try expectReconstruction(Self.makeFile(.quarter, width: 270, height: 20))
    try expectReconstruction(Self.makeFile(.full, width: 9, height: 300), correlations: [3, -4])
  }

  /// More blocks without coefficients than the longest run of bands has, which are 32767.
  @Test func longestRun() throws {
    var file = Self.makeFile(.gray, width: 8 * 182, height: 8 * 181)
    let last = file.components[0].blocks.count - 1
    for index in 0..<last { file.components[0].blocks[index] = [Int](repeating: 0, count: 64) }
    file.components[0].blocks[last] = [5, -1] + [Int](repeating: 0, count: 62)
    file.scans = [
      JPEGFile.Scan(components: [0], start: 0, end: 0), JPEGFile.Scan(components: [0], start: 1, end: 63),
    ]
    file.parts = [.quantization, .frame(0xC2), .huffman, .scan, .scan]
    try expectReconstruction(file)
  }

  /// All coefficients in one scan of a progressive file, and DC and AC coefficients in the same scan.
  @Test func unusualProgressiveScans() throws {
    var file = Self.makeFile(.gray)
    file.parts[1] = .frame(0xC2)
    try expectReconstruction(file)
    file.scans = [
      JPEGFile.Scan(components: [0], start: 0, end: 63, low: 1),
      JPEGFile.Scan(components: [0], start: 0, end: 63, high: 1, low: 0),
    ]
    file.parts.append(.scan)
    try expectReconstruction(file)
  }

  /// Codes for sixteen zeros at the end of blocks, before the end of the block or instead of it.
  @Test func additionalZeroRuns() throws {
    var file = Self.makeFile(.quarter)
    file.scans[0].zeroRuns = [0: 1, 1: 2, 4: 3, 17: 25]
    try expectReconstruction(file)
    file = Self.makeProgressive(.gray)
    file.scans[1].zeroRuns = [2: 1, 3: 1]
    file.scans[2].zeroRuns = [0: 2, 5: 3]
    try expectReconstruction(file)
  }

  @Test func restartIntervals() throws {
    for layout in [Layout.gray, .full, .quarter] {
      for interval in [1, 2, 3, 100] {
        for var file in [Self.makeFile(layout), Self.makeProgressive(layout)] {
          file.restartInterval = interval
          file.parts.insert(.restartInterval, at: 1)
          try expectReconstruction(file, "\(layout) \(interval)")
        }
      }
    }
  }

  @Test func padding() throws {
    for var file in [Self.makeFile(.full), Self.makeProgressive(.quarter)] {
      file.padding = [false]
      try expectReconstruction(file)
      file.padding = [true, false, false, true, true]
      file.restartInterval = 1
      file.parts.insert(.restartInterval, at: 0)
      try expectReconstruction(file)
    }
  }

  // MARK: Segments

  @Test func storedSegments() throws {
    var file = Self.makeFile(.full)
    file.parts =
      [
        .application(0xE0, Array("JFIF\0\u{1}\u{1}\0\0\u{1}\0\u{1}\0\0".utf8)), .comment(Array("a comment".utf8)),
        .application(0xEE, []), .gap([0, 0xFF, 0xFF]),
      ] + file.parts + [.comment([]), .gap([]), .gap([1]), .restart(0xD3)]
    for count in [0, 1, 256, 257, 3000] {
      file.tail = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
      try expectReconstruction(file)
    }
  }

  /// Tables of both sizes, one of them for two components, and a table that no component uses.
  @Test func tables() throws {
    var file = Self.makeFile(.full)
    file.components[1].table = 0
    file.tables[0].is16Bit = true
    file.tables[0].values = (0..<64).map { 65535 - 1000 * $0 }
    file.tables[1].destination = 3
    file.tables.insert(JPEGFile.QuantizationTable(destination: 2, is16Bit: true, values: file.tables[0].values), at: 1)
    file.tables[0].isLast = false
    file.components[2].table = 2
    file.huffman = [
      JPEGFile.HuffmanTable(isAC: true, destination: 0), JPEGFile.HuffmanTable(isAC: false, destination: 0),
      JPEGFile.HuffmanTable(isAC: true, destination: 3),
    ]
    file.components[2].identifier = 200
    file.parts = [.huffman, .quantization, .frame(0xC1), .huffman, .quantization, .huffman, .scan]
    try expectReconstruction(file)
  }

  /// Metadata of the JPEG XL file, in both forms.
  @Test func metadata() throws {
    let exif = Array("MM\0*\0\0\0\u{8}\0\0\0\0\0\0".utf8)
    let xmp = Array("<x:xmpmeta/>".utf8)
    var file = Self.makeFile(.gray, width: 8, height: 8)
    file.parts =
      [
        .application(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + xmp, source: 3),
        .application(0xE1, Array("Exif\0\0".utf8) + exif, source: 2), .application(0xED, [1, 2, 3]),
      ] + file.parts
    let expected = file.write().bytes
    let (exifBox, xmpBox) = (BoxWriter.box("Exif", [0, 0, 0, 0] + exif), BoxWriter.box("xml ", xmp))
    #expect(try reconstruct(file.recompressed(metadata: exifBox + xmpBox)) == expected)
    let compressed =
      BoxWriter.box("brob", Array("Exif".utf8) + BoxWriter.storedBrotli([0, 0, 0, 6] + exif))
      + BoxWriter.box("brob", Array("xml ".utf8) + BoxWriter.storedBrotli(xmp))
    #expect(try reconstruct(file.recompressed(metadata: compressed)) == expected)
    // Missing, longer and shorter ones.
    for boxes in [exifBox, xmpBox, exifBox + BoxWriter.box("xml ", xmp + [32]), BoxWriter.box("Exif", [0]) + xmpBox] {
      expectError(file.recompressed(metadata: boxes), .malformed, "metadata")
    }
  }

  @Test func colorProfile() throws {
    let profile = ICCProfileTests.header(133) + [1, 2, 3, 4, 5]
    var file = Self.makeFile(.full, width: 8, height: 8)
    func part(_ number: UInt8, _ bytes: ArraySlice<UInt8>, of count: UInt8 = 3) -> JPEGFile.Part {
      .application(0xE2, Array("ICC_PROFILE\0".utf8) + [number, count] + bytes, source: 1)
    }
    let parts = file.parts
    file.parts = [part(1, profile[..<100]), part(2, []), .comment([7]), part(3, profile[100...])] + parts
    func recompressed() -> [UInt8] {
      var frame = file.frame()
      frame.recompression?.encodedProfile =
        [133, 1, 3, 0, 1, 5] + [UInt8](repeating: 0, count: 128) + [1, 2, 3, 4, 5]
      return BoxWriter.start + BoxWriter.box("jxlc", frame.codestream) + BoxWriter.box("jbrd", file.reconstruction)
    }
    #expect(try reconstruct(recompressed()) == file.write().bytes)
    expectError(file.recompressed(), .malformed, "metadata")
    file.parts = [part(1, profile[..<100]), part(2, []), part(3, profile[100..<132])] + parts
    expectError(recompressed(), .malformed, "ICC profile")
    file.parts = [part(1, [], of: 1)] + parts
    #expect(try reconstruct(file.recompressed()) == file.write().bytes)
  }

  // MARK: Files without a JPEG file

  private func expectError(
    _ file: [UInt8], _ kind: CodecError.Kind, _ reason: String, _ limits: DecodingLimits = .default,
    location: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: CodecError.self, sourceLocation: location) { try reconstruct(file, limits) }
    #expect(error?.kind == kind, sourceLocation: location)
    #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "none")", sourceLocation: location)
  }

  @Test func unsupportedFiles() {
    var file = Self.makeFile(.full, width: 8, height: 8)
    expectError(file.frame().codestream, .unsupported, "no data")
    file.parts[1] = .frame(0xC9)
    expectError(file.recompressed(), .unsupported, "arithmetic coding")
    file.parts[1] = .frame(0xC3)
    expectError(file.recompressed(), .malformed, "marker FFC3")
  }

  /// Frames that are not made from a JPEG file.
  @Test func otherFrames() {
    let file = Self.makeFile(.full, width: 16, height: 16)
    func boxes(_ codestream: [UInt8]) -> [UInt8] {
      BoxWriter.start + BoxWriter.box("jbrd", file.reconstruction) + BoxWriter.box("jxlc", codestream)
    }
    expectError(
      boxes(
        ModularFile(width: 16, height: 16, channels: .init(repeating: .init(repeating: 0, count: 256), count: 3))
          .codestream),
      .malformed, "not that of a JPEG file")
    var frame = file.frame()
    frame.blocks[1].transform = Int(TransformKind.dct4.rawValue)
    expectError(boxes(frame.codestream), .malformed, "other transforms")
    frame = file.frame()
    frame.recompression?.tables[2][9] = 0
    expectError(boxes(frame.codestream), .malformed, "weight of a quantisation matrix")
    frame.recompression?.tables[2][9] = 65536
    expectError(boxes(frame.codestream), .malformed, "quantisation matrices")
    frame = file.frame()
    frame.recompression = nil
    expectError(boxes(frame.codestream), .malformed, "quantisation matrices")
    frame = file.frame()
    frame.blocks[2].coefficients[1] = [40000]
    expectError(boxes(frame.codestream), .malformed, "out of the range")
    frame.blocks[2].coefficients[1] = [32000]
    expectError(boxes(frame.codestream), .malformed, "no Huffman code")
    // Fewer blocks of Y than the JPEG file has, because Cb has more samples.
    let gray = Self.makeFile(.gray, width: 16, height: 16)
    frame = gray.frame()
    frame.recompression?.sampling = [1, 0, 0]
    frame.lowFrequencies = [[0], [0, 0, 0, 0], [0]]
    expectError(
      BoxWriter.start + BoxWriter.box("jbrd", gray.reconstruction) + BoxWriter.box("jxlc", frame.codestream),
      .malformed, "sampling factors")
  }

  @Test func inconsistentData() {
    var file = Self.makeFile(.full, width: 8, height: 8)
    let parts = file.parts
    file.parts = parts + [.huffman]
    var data = file.reconstruction
    file.parts = parts
    func boxes(_ data: [UInt8]) -> [UInt8] {
      BoxWriter.start + BoxWriter.box("jbrd", data) + BoxWriter.box("jxlc", file.frame().codestream)
    }
    expectError(boxes(data), .malformed, "fewer Huffman tables")
    file.parts = [.quantization, .frame(0xC0)]
    file.scans = []
    data = file.reconstruction
    expectError(boxes(data), .malformed, "more Huffman tables")
    file = Self.makeFile(.full, width: 8, height: 8)
    // Bytes that are missing, or too many.
    file.tail = [1, 2, 3, 4]
    let stored = BoxWriter.storedBrotli(file.tail).count
    data = Array(file.reconstruction.dropLast(stored))
    expectError(boxes(data + BoxWriter.storedBrotli([1, 2, 3])), .malformed, "do not have 4 bytes")
    expectError(boxes(data + BoxWriter.storedBrotli([1, 2, 3, 4, 5])), .malformed, "do not have 4 bytes")
    expectError(boxes(data), .truncated, "Brotli")
  }

  // MARK: Hostile files

  @Test func limits() throws {
    let file = Self.makeProgressive(.full).recompressed()
    var budget = ResourceBudget(.default)
    let output = try JXLDecoder().reconstructJPEG(file.span, budget: &budget)
    #expect(budget.heldByteCount == output.count)
    let (peak, work) = (budget.peakByteCount, budget.work)
    var limits = DecodingLimits(maximumByteCount: peak)
    #expect(try reconstruct(file, limits) == output)
    limits.maximumByteCount = peak - 1
    expectError(file, .limitExceeded, "memory limit", limits)
    limits = DecodingLimits(maximumWork: work, maximumWorkPerPixel: 0)
    #expect(try reconstruct(file, limits) == output)
    limits.maximumWork = work - 1
    expectError(file, .limitExceeded, "work", limits)
    limits = DecodingLimits(maximumScanCount: 14)
    #expect(try reconstruct(file, limits) == output)
    limits.maximumScanCount = 13
    expectError(file, .limitExceeded, "more than 13 scans", limits)
    expectError(file, .limitExceeded, "pixels", DecodingLimits(maximumPixelCount: 37 * 29 - 1))
  }

  /// Damaged files are rejected or reconstructed, and never trap.
  @Test func everyPrefixAndFlippedBit() {
    var file = Self.makeProgressive(.gray)
    (file.width, file.height) = (12, 8)
    file.components[0].blocks = Array(file.components[0].blocks.prefix(2))
    file.restartInterval = 1
    file.parts.insert(.restartInterval, at: 0)
    file.parts += [.comment([1, 2]), .gap([3])]
    file.padding = [false, true]
    file.tail = [1, 2, 3]
    file.scans[1].resetPoints = [1]
    file.scans[2].zeroRuns = [1: 2]
    let bytes = file.recompressed()
    #expect(throws: Never.self) { try reconstruct(bytes) }
    let limits = DecodingLimits(
      maximumPixelCount: 1 << 16, maximumByteCount: 16 << 20, maximumWork: 20_000_000, maximumWorkPerPixel: 0)
    for count in 0..<bytes.count {
      #expect(throws: CodecError.self) { try reconstruct(Array(bytes[..<count]), limits) }
    }
    for bit in 0..<bytes.count * 8 {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      _ = try? reconstruct(damaged, limits)
    }
  }
}
