import AV1Codec
import ImageCoding
import PixelPlanes
import TestSupport
import Testing

/// Writes bits, the most significant one first.
private struct BitWriter {
  private(set) var bytes: [UInt8] = []
  private var count = 0

  mutating func write(_ value: Int, _ bitCount: Int) {
    for bit in (0..<bitCount).reversed() {
      if count % 8 == 0 { bytes.append(0) }
      bytes[count / 8] |= UInt8(value >> bit & 1) << UInt8(7 - count % 8)
      count += 1
    }
  }
}

@Suite struct HeaderTests {
  private struct Color {
    var profile = 0
    var isDeep = false
    var isTwelveBit = false
    var isMonochrome = false
    var codePoints: [Int]?
    var isFullRange = false
    var subsampling: [Int] = []
    var siting: Int?
  }

  private static func sequence(_ color: Color, isStill: Bool = true, isReduced: Bool = true) -> [UInt8] {
    var writer = BitWriter()
    writer.write(color.profile, 3)
    writer.write(isStill ? 1 : 0, 1)
    writer.write(isReduced ? 1 : 0, 1)
    if isReduced {
      writer.write(8, 5)
    } else {
      // No timing, no display delay, one operating point of all layers at level 8 and tier 0.
      writer.write(0, 2)
      writer.write(0, 5)
      writer.write(0, 12)
      writer.write(8, 5)
      writer.write(0, 1)
    }
    writer.write(9, 4)
    writer.write(8, 4)
    writer.write(640 - 1, 10)
    writer.write(360 - 1, 9)
    if !isReduced { writer.write(0, 1) }
    writer.write(0, 3)
    // No inter tools, no order hints, screen content tools and integer vectors as frames state.
    if !isReduced { writer.write(0b0000_0_1_1, 7) }
    writer.write(0, 3)
    writer.write(color.isDeep ? 1 : 0, 1)
    if color.profile == 2, color.isDeep { writer.write(color.isTwelveBit ? 1 : 0, 1) }
    if color.profile != 1 { writer.write(color.isMonochrome ? 1 : 0, 1) }
    writer.write(color.codePoints == nil ? 0 : 1, 1)
    for point in color.codePoints ?? [] { writer.write(point, 8) }
    if color.codePoints != [1, 13, 0] { writer.write(color.isFullRange ? 1 : 0, 1) }
    for bit in color.subsampling { writer.write(bit, 1) }
    if let siting = color.siting { writer.write(siting, 2) }
    if !color.isMonochrome { writer.write(0, 1) }
    writer.write(0, 1)
    writer.write(1, 1)
    return writer.bytes
  }

  private static func unit(_ type: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [type << 3 | 2, UInt8(payload.count)] + payload
  }

  private static func describe(_ color: Color, isReduced: Bool = true) throws(CodecError) -> CodedPictureDescription {
    try AV1CodecTests.describe(unit(1, sequence(color, isReduced: isReduced)))
  }

  @Test(arguments: [true, false])
  func formatsAreThoseOfTheSequence(isReduced: Bool) throws {
    let cases: [(Color, Int, ChromaFormat)] = [
      (Color(siting: 0), 8, .yuv420), (Color(isDeep: true, siting: 2), 10, .yuv420),
      (Color(isMonochrome: true), 8, .monochrome), (Color(profile: 1), 8, .yuv444),
      (Color(profile: 1, isDeep: true), 10, .yuv444), (Color(profile: 2), 8, .yuv422),
      (Color(profile: 2, isDeep: true), 10, .yuv422),
      (Color(profile: 2, isDeep: true, isTwelveBit: true, subsampling: [0]), 12, .yuv444),
      (Color(profile: 2, isDeep: true, isTwelveBit: true, subsampling: [1, 0]), 12, .yuv422),
      (Color(profile: 2, isDeep: true, isTwelveBit: true, subsampling: [1, 1], siting: 1), 12, .yuv420),
    ]
    for (color, depth, format) in cases {
      let description = try Self.describe(color, isReduced: isReduced)
      #expect(description.width == 640 && description.height == 360)
      #expect(description.bitDepth == depth && description.chromaFormat == format)
      #expect(description.codePoints == nil && description.coding.range == .limited)
    }
    #expect(try Self.describe(cases[1].0).coding.siting == .topLeft)
  }

  @Test func colorsAreThoseOfTheSequence() throws {
    let rgb = try Self.describe(Color(profile: 1, codePoints: [1, 13, 0]))
    #expect(rgb.coding.matrix == .identity && rgb.coding.range == .full && rgb.chromaFormat == .yuv444)
    let wide = try Self.describe(Color(codePoints: [9, 16, 9], isFullRange: true, siting: 0))
    #expect(
      wide.codePoints
        == CodingIndependentCodePoints(
          colorPrimaries: 9, transferFunction: 16, matrixCoefficients: 9, isFullRange: true))
    #expect(throws: CodecError.self) { try Self.describe(Color(codePoints: [1, 13, 0])) }
    #expect(throws: CodecError.self) { try Self.describe(Color(codePoints: [9, 16, 0], siting: 0)) }
    #expect(throws: CodecError.self) { try Self.describe(Color(profile: 3)) }
  }

  @Test func headersThatEndEarlyAreErrors() {
    let bytes = Self.sequence(Color(siting: 0))
    for count in 0..<bytes.count - 1 {
      #expect(throws: CodecError.self) { try AV1CodecTests.describe(Self.unit(1, Array(bytes.prefix(count)))) }
    }
  }

  @Test func errorsHaveKinds() {
    let sequence = Self.unit(1, Self.sequence(Color(siting: 0), isStill: false, isReduced: false))
    func kind(_ bytes: [UInt8]) -> CodecError.Kind? {
      do {
        _ = try decode(bytes)
        return nil
      } catch {
        return error.kind
      }
    }
    #expect(kind([]) == .malformed)
    #expect(kind(sequence) == .malformed)
    // The forbidden bit, and sizes that do not end, or exceed the input.
    #expect(kind([0x80]) == .malformed)
    #expect(kind([0x0A] + [UInt8](repeating: 0xFF, count: 9)) == .malformed)
    #expect(kind([0x0A, 0x20, 0]) == .truncated)
    #expect(kind([0x0E]) == .truncated)
    // A frame before a sequence header, an inter frame, a frame of an empty slot, a tile group without a frame.
    #expect(kind(Self.unit(6, [0x10])) == .malformed)
    #expect(kind(sequence + Self.unit(6, [0b0010_0000, 0])) == .unsupported)
    #expect(kind(sequence + Self.unit(3, [0b1001_0000])) == .malformed)
    #expect(kind(sequence + Self.unit(4, [0])) == .malformed)
    #expect(kind(sequence + Self.unit(8, [0])) == .unsupported)
    // A frame header that ends early.
    #expect(kind(sequence + Self.unit(6, [0b0001_0000])) == .truncated)
  }

  @Test func layersOfInterCodedFramesAreNamed() {
    let sequence = Self.unit(1, Self.sequence(Color(siting: 0), isStill: false, isReduced: false))
    let frame: [UInt8] = [0b0010_0000, 0]
    // The extension of the unit's header has the spatial layer in bits 3 and 4.
    for (layer, unit) in [
      ("", Self.unit(6, frame)), (" of layer 2", [6 << 3 | 4 | 2, 2 << 3, UInt8(frame.count)] + frame),
    ] {
      let error = #expect(throws: CodecError.self) { try decode(sequence + unit) }
      #expect(error?.kind == .unsupported && error?.reason == "inter-coded frames\(layer) are not supported")
    }
  }

  /// Key frames of a stream repeat the sequence header; other pictures take that of the one before them.
  @Test func picturesThatFollowAnotherTakeItsSequenceHeader() throws {
    let stream = ReferencePicture.named("format/72x56-420-8").stream
    // A temporal delimiter of two bytes, then a sequence header with its type and its size.
    #expect(stream[2] == 0x0A)
    let frame = Array(stream.prefix(2) + stream.dropFirst(4 + Int(stream[3])))
    var budget = ResourceBudget(.default)
    let decoder = try AV1Decoder().configured(by: [UInt8]().span, budget: &budget)
    var context = DecodingContext(DecodingOptions(tolerance: .strict), format: "public.avif")
    let error = #expect(throws: CodecError.self) { try decoder.decode(frame.span, context: &context) }
    #expect(error?.kind == .malformed && error?.reason == "a frame precedes the sequence header")
    let following = try decoder.following(stream.span, budget: &budget)
    let planes = try following.decode(frame.span, context: &context)
    #expect(try planes.picture.rawPlanes() == decode(stream).picture.rawPlanes())
    // Nothing changes after a picture without one.
    let unchanged = try following.following(frame.span, budget: &budget)
    #expect(try unchanged.description(of: frame.span, budget: &budget).width == 72)
  }

  @Test func unknownUnitsAreSkipped() throws {
    let reference = ReferencePicture.named("format/72x56-420-8")
    // Metadata, padding and a reserved type after the temporal delimiter.
    let extra = Self.unit(5, [1, 2, 3, 0x80]) + Self.unit(15, [0, 0]) + Self.unit(10, [9])
    let stream = reference.stream.prefix(2) + extra + reference.stream.dropFirst(2)
    #expect(fnv1a(try decode(Array(stream)).picture.rawPlanes()) == reference.hash)
  }

  /// The last unit may have no size.
  @Test func sizesMayBeMissing() throws {
    let reference = ReferencePicture.named("size/16x16-444")
    let sequenceEnd = 4 + Int(reference.stream[3])
    var frame = Array(reference.stream[sequenceEnd...])
    var position = 1
    while frame[position] & 0x80 != 0 { position += 1 }
    frame.removeSubrange(1...position)
    frame[0] &= ~2
    let stream = Array(reference.stream.prefix(sequenceEnd)) + frame
    #expect(fnv1a(try decode(stream).picture.rawPlanes()) == reference.hash)
  }
}
