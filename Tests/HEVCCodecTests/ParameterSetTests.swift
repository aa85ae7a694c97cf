// The cost of parameter sets: they are small, may be repeated without end, and many pictures share them.

import HEVCCodec
import ImageCoding
import PixelPlanes
import TestSupport
import Testing

@Suite struct ParameterSetTests {
  /// A still with scaling lists: its parameter sets, and its slices.
  private let units = ReferencePicture.named("lists/64x48-444").units
  private var sets: [[UInt8]] { units.filter { (32...34).contains($0[0] >> 1) } }
  private var slices: [[UInt8]] { units.filter { $0[0] >> 1 < 32 } }

  private func big(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  private func record(_ units: [[UInt8]]) -> [UInt8] {
    [UInt8](repeating: 1, count: 21) + [0xFF, UInt8(units.count)]
      + units.flatMap { [$0[0] >> 1, 0, 1] + big($0.count, 2) + $0 }
  }

  private func payload(_ units: [[UInt8]]) -> [UInt8] { units.flatMap { big($0.count, 4) + $0 } }

  private func pictureSets() -> [[UInt8]] { sets.filter { $0[0] >> 1 == 34 } }

  private func work(
    record: [UInt8], _ body: (any ConfiguredPictureDecoder, inout DecodingContext) throws -> Void
  ) throws -> (configuration: Int64, picture: Int64) {
    var context = DecodingContext(DecodingOptions(), format: "public.heic")
    let decoder = try HEVCDecoder().configured(by: record.span, budget: &context.budget)
    let (work, held) = (context.budget.work, context.budget.heldByteCount)
    try body(decoder, &context)
    #expect(context.budget.heldByteCount == held)
    return (work, context.budget.work - work)
  }

  @Test func theRecordIsReadOnceForAllPictures() throws {
    let picture = payload(slices)
    let repeated = sets + [[UInt8]](repeating: pictureSets()[0], count: 200)
    let few = try work(record: record(sets)) { _ = try $0.description(of: picture.span, budget: &$1.budget) }
    let many = try work(record: record(repeated)) { _ = try $0.description(of: picture.span, budget: &$1.budget) }
    #expect(many.picture == few.picture)
    // Only the last set of an identifier is parsed.
    #expect(many.configuration - few.configuration == 200 * 100)
    #expect(few.configuration > sets.reduce(0) { $0 + Int64($1.count) } * 8)
  }

  @Test func repeatedSetsInThePayloadAreParsedOnce() throws {
    let empty = record([])
    let few = payload(sets + slices)
    let many = payload(sets + [[UInt8]](repeating: pictureSets()[0], count: 300) + slices)
    for decodes in [false, true] {
      let costs = try [few, many].map { picture in
        try work(record: empty) { decoder, context in
          if decodes {
            let decoded = try decoder.decode(picture.span, context: &context)
            #expect(fnv1a(decoded.picture.rawPlanes()) == ReferencePicture.named("lists/64x48-444").hash)
            context.budget.release(decoded.picture.rawPlanesByteCount)
          } else {
            _ = try decoder.description(of: picture.span, budget: &context.budget)
          }
        }
      }
      #expect(costs[1].picture - costs[0].picture == 300 * 100)
    }
  }

  @Test func picturesThatFollowAnotherTakeItsSets() throws {
    let (first, next) = (payload(sets + slices), payload(slices))
    _ = try work(record: record([])) { decoder, context in
      let held = context.budget.heldByteCount
      let error = #expect(throws: CodecError.self) { try decoder.decode(next.span, context: &context) }
      #expect(error?.kind == .malformed)
      let following = try decoder.following(first.span, budget: &context.budget)
      let decoded = try following.decode(next.span, context: &context)
      #expect(fnv1a(decoded.picture.rawPlanes()) == ReferencePicture.named("lists/64x48-444").hash)
      // Its sets remain charged.
      #expect(context.budget.heldByteCount > held + decoded.picture.rawPlanesByteCount)
      context.budget.settle(heldByteCount: held)
    }
  }

  @Test func theLastSetOfAnIdentifierCounts() throws {
    let reference = ReferencePicture.named("format/72x56-420-8")
    let sequence = try #require(reference.units.first { $0[0] >> 1 == 33 })
    let other = try #require(ReferencePicture.named("rows/128x96-420").units.first { $0[0] >> 1 == 33 })
    let rest = reference.units.filter { $0[0] >> 1 != 33 }
    func describe(_ sets: [[UInt8]]) throws -> CodedPictureDescription {
      var budget = ResourceBudget(.default)
      let (record, picture) = (record(sets), payload(rest))
      return try HEVCDecoder().description(
        of: CodedPicture(configuration: record.span, payload: picture.span), budget: &budget)
    }
    #expect(try describe([other, sequence]).width == 72)
    #expect(try describe([sequence, other]).width == 128)
    #expect(throws: CodecError.self) { try describe([sequence, Array(other.prefix(20))]) }
  }

  @Test func setsAreLimited() throws {
    let (record, picture) = (record(sets), payload(slices))
    func error(_ limits: DecodingLimits) -> CodecError.Kind? {
      var budget = ResourceBudget(limits)
      do throws(CodecError) {
        _ = try HEVCDecoder().description(
          of: CodedPicture(configuration: record.span, payload: picture.span), budget: &budget)
        return nil
      } catch {
        #expect(budget.heldByteCount == 0)
        return error.kind
      }
    }
    let cost = try work(record: record) { _ = try $0.description(of: picture.span, budget: &$1.budget) }
    let total = cost.configuration + cost.picture
    #expect(error(DecodingLimits(maximumWork: total, maximumWorkPerPixel: 0)) == nil)
    #expect(error(DecodingLimits(maximumWork: total - 1, maximumWorkPerPixel: 0)) == .limitExceeded)
    #expect(error(DecodingLimits(maximumByteCount: 4_000)) == .limitExceeded)
  }

  /// A record of 65,535 units without content.
  @Test func unitsOfARecordAreCharged() throws {
    let record = [UInt8](repeating: 1, count: 21) + [0xFF, 1, 34, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 131_070)
    var budget = ResourceBudget(.default)
    _ = try HEVCDecoder().configured(by: record.span, budget: &budget)
    #expect(budget.work == 6_553_500 && budget.peakByteCount == 0)
  }

  /// Deep samples cost several times as much, and those of three components more than those of one.
  @Test func picturesThatCostTooMuchAreRefusedAtOnce() throws {
    func cost(chromaType: Int, bitDepth: Int) throws -> Int64 {
      let picture = PCMPicture(chromaType: chromaType, bitDepth: bitDepth, pcmBitDepth: 8)
      var noise = TestRandom(1)
      let stream = picture.stream(picture.planes(&noise))
      let work = try decode(stream).work
      let pixels = Int64(picture.columns * picture.rows * 256)
      return (work - Int64(stream.count) * 42) / pixels
    }
    let costs = try [0, 1, 2, 3].map { try cost(chromaType: $0, bitDepth: 8) }
    #expect(costs == costs.sorted() && costs[3] >= 2 * costs[0])
    // Eight units for each sample of bytes, and four times as many for deep ones.
    #expect(try cost(chromaType: 0, bitDepth: 16) - costs[0] >= 3 * 8)
    let large = PCMPicture(columns: 600, rows: 600, chromaType: 3, bitDepth: 16, pcmBitDepth: 8)
    let start = large.parameterSets + PCMPicture(chromaType: 3, bitDepth: 16, pcmBitDepth: 8).slice
    let error = #expect(throws: CodecError.self) { try decode(start) }
    #expect(error?.kind == .limitExceeded && error?.reason.contains("units of work") == true)
  }
}
