// Profiles that are broken, for other pixels or costly; transforms from the cache; rows through sinks.

import ColorManagement
import ImageCore
import TestSupport
import Testing

/// A profile of every type, by name.
private let profiles: [(name: String, format: PixelFormat, bytes: [UInt8])] = {
  let curve = ICCProfileBytes.curve([0, 1000, 9000, 65535])
  let parametric = ICCProfileBytes.parametric(3, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
  let matrix = ICCProfileBytes(tags: [
    ("rXYZ", ICCProfileBytes.xyz(0.43, 0.22, 0.01)), ("gXYZ", ICCProfileBytes.xyz(0.38, 0.71, 0.09)),
    ("bXYZ", ICCProfileBytes.xyz(0.14, 0.06, 0.71)), ("rTRC", parametric), ("gTRC", curve), ("bTRC", parametric),
    ("wtpt", ICCProfileBytes.xyz(0.9642, 1, 0.8249)),
  ])
  let gray = ICCProfileBytes(colorSpace: "GRAY", tags: [("kTRC", curve)])
  let line = [0, 65535]
  func lut(_ inputs: Int) -> [UInt8] {
    ICCProfileBytes.lut16(
      inputs: Array(repeating: line, count: inputs), points: 2,
      grid: (0..<(3 << inputs)).map { $0 * 7919 % 65536 }, outputs: [line, line, line])
  }
  let table = ICCProfileBytes(majorVersion: 2, connectionSpace: "Lab ", tags: [("A2B0", lut(3))])
  let ink = ICCProfileBytes(
    majorVersion: 2, profileClass: "prtr", colorSpace: "CMYK", connectionSpace: "Lab ",
    tags: [
      ("A2B0", lut(4)), ("A2B1", lut(4)),
      (
        "B2A0",
        ICCProfileBytes.lut16(
          inputs: [line, line, line], points: 2, grid: (0..<32).map { $0 * 2003 },
          outputs: Array(repeating: line, count: 4))
      ),
    ])
  let elements = ICCProfileBytes(tags: [
    (
      "A2B0",
      ICCProfileBytes.lutAToB(
        inputCount: 3, a: [parametric, parametric, parametric],
        grid: ([2, 2, 2], 2, (0..<24).map { $0 * 2500 }), m: [parametric, curve, parametric],
        matrix: [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0], b: [curve, curve, curve])
    )
  ])
  return [
    ("matrix", .rgb8, matrix.bytes), ("gray", .gray8, gray.bytes), ("table", .rgb8, table.bytes),
    ("ink", .cmyk8, ink.bytes), ("elements", .rgb8, elements.bytes),
  ]
}()

/// Converts some pixels with a profile, whatever it is worth. Returns whether it was used.
@discardableResult private func convert(_ profile: [UInt8], _ format: PixelFormat) throws -> Bool {
  var random = TestRandom(7)
  var isUsed = true
  for sampleType in [SampleType.uint8, .uint16, .float32] {
    // Tables for 16 bits take longer to make.
    for intent in sampleType == .uint16 ? [.relativeColorimetric] : RenderingIntent.allCases {
      let format = format.with(sampleType)
      var budget = ResourceBudget(.server)
      do throws(CodecError) {
        let transform = try ColorTransform(
          from: .icc(profile), format: format, to: .sRGB, intent: intent, blackPointCompensation: true,
          budget: &budget)
        let row = random.bytes(16 * format.bytesPerPixel)
        var output = [UInt8](repeating: 0, count: 16 * transform.outputFormat.bytesPerPixel)
        var span = output.mutableSpan
        transform.convert(row.span, into: &span)
      } catch {
        guard [.malformed, .truncated, .unsupported].contains(error.kind) else { throw error }
        isUsed = false
      }
    }
  }
  return isUsed
}

@Suite struct BrokenProfileTests {
  @Test(arguments: 0..<5) func prefixesAndFlippedBits(_ index: Int) throws {
    let (_, format, bytes) = profiles[index]
    #expect(try convert(bytes, format))
    for count in stride(from: 0, to: bytes.count, by: 23) { try convert(Array(bytes[..<count]), format) }
    var random = TestRandom(UInt64(index))
    for _ in 0..<150 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        damaged[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      try convert(damaged, format)
    }
  }

  @Test func aBrokenProfileIsIgnored() throws {
    var space = ColorSpace.icc(Array("not a profile".utf8))
    space.calibration = ColorSpace.Calibration(gamma: 1)
    var budget = ResourceBudget(.default)
    #expect(throws: CodecError.self) {
      try ColorTransform(from: space, format: .rgb8, to: .sRGB, budget: &budget)
    }
    let (transform, diagnostic) = try ColorTransform.ignoringBrokenProfile(
      from: space, format: .rgb8, to: .sRGB, budget: &budget)
    #expect(diagnostic?.severity == .warning)
    // The calibration applies instead.
    var output = [UInt8](repeating: 0, count: 3)
    var span = output.mutableSpan
    transform.convert([55, 55, 55].span, into: &span)
    #expect(output.allSatisfy { abs(Int($0) - 128) <= 1 })
    // A target cannot be ignored.
    #expect(throws: CodecError.self) {
      try ColorTransform.ignoringBrokenProfile(from: .sRGB, format: .rgb8, to: .icc([1, 2, 3]), budget: &budget)
    }
  }

  @Test func aProfileForOtherPixels() throws {
    var budget = ResourceBudget(.default)
    for (name, format, bytes) in profiles {
      for other in [PixelFormat.gray8, .rgba8, .cmyk8] where other.colorModel != format.colorModel {
        // Gray pixels may have a profile for RGB.
        if other == .gray8, format == .rgb8 { continue }
        #expect(throws: CodecError.self, "\(name)") {
          try ColorTransform(from: .icc(bytes), format: other, to: .sRGB, budget: &budget)
        }
        let result = try ColorTransform.ignoringBrokenProfile(
          from: .icc(bytes), format: other, to: .sRGB, budget: &budget)
        #expect(result.diagnostic != nil)
      }
    }
  }

  @Test func tablesAreCharged() throws {
    for (_, format, bytes) in profiles {
      var budget = ResourceBudget(.unlimited)
      _ = try ColorTransform(from: .icc(bytes), format: format, to: .sRGB, budget: &budget)
      let needed = budget.peakByteCount
      #expect(needed > 0)
      // A few milliseconds.
      #expect(budget.work < 20_000_000)
      var limits = DecodingLimits.unlimited
      limits.maximumByteCount = needed
      var enough = ResourceBudget(limits)
      _ = try ColorTransform(from: .icc(bytes), format: format, to: .sRGB, budget: &enough)
      limits.maximumByteCount = needed - 1
      var tooLittle = ResourceBudget(limits)
      #expect(throws: CodecError.self) {
        try ColorTransform(from: .icc(bytes), format: format, to: .sRGB, budget: &tooLittle)
      }
    }
  }

  @Test func theCacheChargesTheSame() throws {
    for (_, format, bytes) in profiles {
      var first = ResourceBudget(.unlimited)
      var second = ResourceBudget(.unlimited)
      _ = try ColorTransform.cached(from: .icc(bytes), format: format, to: .displayP3, budget: &first)
      _ = try ColorTransform.cached(from: .icc(bytes), format: format, to: .displayP3, budget: &second)
      #expect(first.heldByteCount == second.heldByteCount)
      #expect(first.work == second.work)
    }
  }
}

/// Collects rows.
private final class RowCollector: ImageRowSink {
  var image: StreamedImage?
  var bytes: [UInt8] = []

  func begin(_ image: StreamedImage, budget: inout ResourceBudget) throws(CodecError) { self.image = image }
  func append(_ row: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) {
    for index in row.indices { bytes.append(row[index]) }
  }
}

@Suite struct ColorConvertingSinkTests {
  @Test func rowsEqualThoseOfBitmaps() throws {
    for (index, format) in PixelFormat.all.enumerated() {
      var random = TestRandom(UInt64(index))
      let samples = random.bytes(5 * 4 * format.samplesPerPixel * 2)
      var bitmap = try Bitmap(width: 5, height: 4, format: format.with(.uint16).straight, pixels: samples)
        .converted(to: format)
      bitmap.colorSpace = .adobeRGB
      for target in [ColorSpace.sRGB, .displayP3, .icc(profiles[0].bytes), .icc(profiles[1].bytes)] {
        let whole = try bitmap.converted(to: target)
        let collector = RowCollector()
        var streaming = ResourceBudget(.default)
        let sink = ColorConvertingSink(to: target, destination: collector)
        try sink.begin(
          StreamedImage(width: 5, height: 4, format: format, colorSpace: bitmap.colorSpace), budget: &streaming)
        for y in 0..<4 { try sink.append(bitmap.row(y), budget: &streaming) }
        #expect(collector.bytes == whole.packedPixels)
        #expect(collector.image?.format == whole.format && collector.image?.colorSpace == whole.colorSpace)
        #expect(sink.diagnostics.isEmpty)
        var budget = ResourceBudget(.default)
        var inPlace = bitmap
        let transform = try ColorTransform(from: bitmap.colorSpace, format: format, to: target, budget: &budget)
        try inPlace.convertColors(by: transform, budget: &budget)
        #expect(inPlace.packedPixels == whole.packedPixels && inPlace.colorSpace == whole.colorSpace)
      }
    }
  }

  @Test func profilesOfTheTableTypeAreNoTargets() throws {
    for profile in profiles {
      var budget = ResourceBudget(.default)
      let target = ColorSpace.icc(profile.bytes)
      guard ["table", "ink", "elements"].contains(profile.name) else {
        _ = try ColorTransform(from: .sRGB, format: .rgb8, to: target, budget: &budget)
        continue
      }
      let error = #expect(throws: CodecError.self) {
        try ColorTransform(from: .sRGB, format: .rgb8, to: target, budget: &budget)
      }
      #expect(error?.kind == .unsupported && error?.reason.contains("table type") == true)
      // The source is not to blame, so that it is not ignored.
      let lenient = #expect(throws: CodecError.self) {
        try ColorTransform.ignoringBrokenProfile(
          from: .displayP3, format: .rgb8, to: target, budget: &budget)
      }
      #expect(lenient?.kind == .unsupported)
    }
  }

  @Test func misuse() throws {
    var budget = ResourceBudget(.default)
    let sink = ColorConvertingSink(to: .sRGB, destination: RowCollector())
    #expect(throws: CodecError.self) { try sink.append([0, 0, 0].span, budget: &budget) }
    try sink.begin(StreamedImage(width: 2, height: 1, format: .rgb8, colorSpace: .icc([])), budget: &budget)
    #expect(sink.diagnostics.count == 1)
    #expect(throws: CodecError.self) {
      try sink.begin(StreamedImage(width: 2, height: 1, format: .rgb8), budget: &budget)
    }
    #expect(throws: CodecError.self) { try sink.append([0, 0, 0].span, budget: &budget) }
  }

  @Test func hugeWidthsAreErrors() {
    var budget = ResourceBudget(.default)
    let sink = ColorConvertingSink(to: .sRGB, destination: RowCollector())
    #expect(throws: CodecError.self) {
      try sink.begin(StreamedImage(width: .max, height: 1, format: .rgb8, colorSpace: .displayP3), budget: &budget)
    }
  }
}
