// Prefix codes of VP8L whose lengths take no bits: how they are read when the input arrives in parts, and what they
// cost.

import ImageCoding
import TestSupport
import Testing
import WebPCodec

/// Writes a picture whose blocks of 4 × 4 pixels have one group of codes each. All codes are the same: of eight bits
/// for samples, of five for distances, each with a code of lengths that has one symbol.
private struct GroupedPicture {
  private static let order = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]

  let columns: Int
  let rows: Int
  let pixels: [UInt32]
  private var bits = BitWriter()

  /// - Parameter prefix: the bits by which codes are moved: 0 or 7.
  init(columns: Int, rows: Int, prefix: Int = 0) {
    (self.columns, self.rows) = (columns, rows)
    var noise = TestRandom(5)
    pixels = (0..<columns * rows * 16).map { _ in UInt32.random(in: 0...UInt32.max, using: &noise) }
    bits.write(0, 2)
    bits.write(1, 4)
    bits.write(0, 1)
    writeUniformCode(length: 8, limitBits: 8)
    writeUniformCode(length: 8)
    for _ in 0..<2 { writeSingleCode() }
    if prefix == 7 { bits.writeSimpleCode([0]) } else { writeSingleCode() }
    for group in 0..<columns * rows {
      writeSample(group & 255)
      writeSample(group >> 8)
    }
    for _ in 0..<columns * rows {
      writeUniformCode(length: 8, limitBits: 8)
      for _ in 0..<3 { writeUniformCode(length: 8) }
      // Codes of 4 bits, so that the groups start at all alignments.
      writeSingleCode()
    }
    for pixel in pixels { for shift in [8, 16, 0, 24] { writeSample(Int(pixel >> UInt32(shift) & 255)) } }
  }

  /// A code in which 2 to the power of `length` symbols have this length.
  private mutating func writeUniformCode(length: Int, limitBits: Int? = nil) {
    bits.write(0, 1)
    bits.write(15, 4)
    for symbol in Self.order { bits.write(symbol == length ? 1 : 0, 3) }
    bits.write(limitBits == nil ? 0 : 1, 1)
    guard let limitBits else { return }
    bits.write((limitBits - 2) / 2, 3)
    bits.write(1 << length - 2, limitBits)
  }

  private mutating func writeSingleCode() { bits.write(0b0001, 4) }

  private mutating func writeSample(_ value: Int) { bits.writeCode((value, 8)) }

  var file: [UInt8] {
    func little(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    var payload: [UInt8] = [0x2F] + little((columns * 4 - 1) | (rows * 4 - 1) << 14 | 1 << 28, 4) + bits.bytes
    let count = payload.count
    if count % 2 == 1 { payload.append(0) }
    return Array("RIFF".utf8) + little(payload.count + 12, 4) + Array("WEBPVP8L".utf8) + little(count, 4) + payload
  }
}

@Suite struct PrefixCodeTests {
  private func pixels(of image: DecodedImage) -> [UInt32] {
    let bytes = image.bitmap.packedPixels
    return stride(from: 0, to: bytes.count, by: 4).map { index in
      [3, 0, 1, 2].reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[index + $1]) }
    }
  }

  /// 64 groups of 267 bits: each code starts at all alignments to 64 bits, and at some part's end.
  @Test(arguments: [0, 7]) func codesEndWhereverTheInputDoes(_ prefix: Int) throws {
    let picture = GroupedPicture(columns: 64, rows: 1, prefix: prefix)
    let file = picture.file
    let whole = try WebPDecoder().decode(file.span, options: DecodingOptions(tolerance: .strict))
    #expect(pixels(of: whole) == picture.pixels)
    for size in 1...128 {
      let session = WebPDecoder().makeSession(options: DecodingOptions(tolerance: .strict))
      for start in stride(from: 0, to: file.count, by: size) {
        try session.append(file.span.extracting(start..<min(start + size, file.count)))
      }
      let image = try session.finish()
      #expect(image.bitmap == whole.bitmap && image.details == whole.details, "parts of \(size) bytes")
    }
  }

  @Test func theDecoderKeepsItsContract() {
    #expect(DecoderContract(WebPDecoder(), GroupedPicture(columns: 1, rows: 1).file).violations() == [])
  }

  /// The work is the same in parts: a code that is tried again is charged once.
  @Test func eachCodeIsChargedForItsAlphabet() throws {
    let file = GroupedPicture(columns: 16, rows: 2).file
    var budget = ResourceBudget(.default)
    var bitmap = Bitmap()
    _ = try WebPDecoder().decode(file.span, into: &bitmap, options: DecodingOptions(), budget: &budget)
    let alphabets = 280 + 3 * 256 + 40
    #expect(budget.work > 33 * alphabets * 4)
    for limit in [budget.work, budget.work - 1] {
      let limits = DecodingLimits(maximumWork: limit, maximumWorkPerPixel: 0)
      let session = WebPDecoder().makeSession(options: DecodingOptions(limits: limits))
      let result = Result {
        for start in stride(from: 0, to: file.count, by: 3) {
          try session.append(file.span.extracting(start..<min(start + 3, file.count)))
        }
        return try session.finish()
      }
      #expect(((try? result.get()) != nil) == (limit == budget.work))
    }
  }

  /// Tables grow while codes are read. A table that is moved is held twice.
  @Test func tablesAreChargedAsTheyAreHeld() throws {
    let file = GroupedPicture(columns: 128, rows: 4).file
    var budget = ResourceBudget(.default)
    var bitmap = Bitmap()
    _ = try WebPDecoder().decode(file.span, into: &bitmap, options: DecodingOptions(), budget: &budget)
    // Four tables of 256 entries and one entry, for each group.
    let tables = 512 * (4 * 256 + 1) * 4
    #expect(budget.peakByteCount > tables * 5 / 4 && budget.peakByteCount < tables * 3)
    #expect(budget.heldByteCount == bitmap.byteCount)
  }

  /// 40 bytes code 268 million pixels, with three transforms and a colour cache.
  @Test func aStreamedPictureOfCostlyPixelsIsRefusedAtOnce() throws {
    var bits = BitWriter()
    for (kind, mode) in [(0, 11), (1, 2)] {
      bits.write(1 | kind << 1 | 7 << 3, 6)
      bits.write(0, 1)
      bits.writeSimpleCode([mode])
      for _ in 0..<4 { bits.write(0b0001, 4) }
    }
    bits.write(1 | 2 << 1, 3)
    bits.write(0, 1)
    bits.write(1 | 11 << 1, 5)
    bits.write(0, 1)
    for _ in 0..<5 { bits.write(0b0001, 4) }
    let size = 16_383 - 1 | (16_350 - 1) << 14
    let payload: [UInt8] = [0x2F] + (0..<4).map { UInt8(truncatingIfNeeded: size >> ($0 * 8)) } + bits.bytes + [0]
    let even = payload.count % 2 == 0 ? payload : payload + [0]
    var file = Array("RIFF".utf8) + [UInt8(even.count + 12), 0, 0, 0]
    file += Array("WEBPVP8L".utf8) + [UInt8(even.count), 0, 0, 0] + even
    let sink = CountingSink()
    let error = #expect(throws: CodecError.self) { try WebPDecoder().decode(file.span, to: sink) }
    #expect(error?.kind == .limitExceeded && error?.reason.contains("units of work") == true)
    #expect(sink.rowCount == 0)
  }
}

/// Counts the rows of an image.
private final class CountingSink: ImageRowSink {
  private(set) var rowCount = 0

  func begin(_ image: StreamedImage, budget: inout ResourceBudget) throws(CodecError) {}
  func append(_ row: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) { rowCount += 1 }
}
