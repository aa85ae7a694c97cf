import AVCCodec
import ImageCoding
import PixelPlanes
import TestSupport
import Testing

@Suite struct ReferencePictureTests {
  @Test func fixturesAreThere() {
    #expect(ReferencePicture.all.count >= 60)
  }

  @Test(arguments: ReferencePicture.all)
  func planesAreThoseOfTheReferenceDecoder(_ reference: ReferencePicture) throws {
    let decoded = try decode(reference.stream)
    let picture = decoded.picture
    #expect(decoded.isComplete && decoded.diagnostics.isEmpty)
    #expect(picture.width == reference.width && picture.height == reference.height)
    #expect(picture.bitDepth == reference.bitDepth && picture.chromaFormat.rawValue == reference.layout)
    #expect(fnv1a(picture.rawPlanes()) == reference.hash)
    let description = try describe(reference.stream)
    #expect(description.width == reference.width && description.height == reference.height)
    #expect(description.bitDepth == reference.bitDepth && description.chromaFormat == picture.chromaFormat)
  }

  @Test(arguments: [1, 2, 4])
  func lengthPrefixedUnitsAreThoseOfByteStreams(_ lengthByteCount: Int) throws {
    let reference = ReferencePicture.named("slices/64x96-cabac")
    let units = reference.units
    func sets(_ type: UInt8) -> [[UInt8]] { units.filter { $0[0] & 31 == type } }
    var configuration: [UInt8] = [1, 100, 0, 11, UInt8(0xFC | lengthByteCount - 1), UInt8(0xE0 | sets(7).count)]
    for set in sets(7) { configuration += [UInt8(set.count >> 8), UInt8(set.count & 255)] + set }
    configuration.append(UInt8(sets(8).count))
    for set in sets(8) { configuration += [UInt8(set.count >> 8), UInt8(set.count & 255)] + set }
    var payload: [UInt8] = []
    for unit in units where unit[0] & 31 == 5 {
      guard lengthByteCount > 1 || unit.count < 256 else { return }
      payload += (0..<lengthByteCount).reversed().map { UInt8(truncatingIfNeeded: unit.count >> (8 * $0)) }
      payload += unit
    }
    let decoded = try decode(payload, configuration: configuration)
    #expect(fnv1a(decoded.picture.rawPlanes()) == reference.hash)
    #expect(throws: CodecError.self) { try decode(payload, configuration: Array(configuration.prefix(5))) }
    for count in 6..<configuration.count {
      #expect(throws: CodecError.self) { try decode(payload, configuration: Array(configuration.prefix(count))) }
    }
  }

  @Test func parameterSetsMayBeInThePayload() throws {
    let reference = ReferencePicture.named("format/72x56-400-8-cabac=1")
    // The parameter sets are in the payload, as in sample entries of type avc3.
    var payload: [UInt8] = []
    for unit in reference.units { payload += [UInt8(unit.count >> 8), UInt8(unit.count & 255)] + unit }
    let decoded = try decode(payload, configuration: [1, 100, 0, 11, 0xFD, 0xE0, 0])
    #expect(fnv1a(decoded.picture.rawPlanes()) == reference.hash)
  }

  @Test func followingPicturesUseTheSetsOfThePayload() throws {
    let reference = ReferencePicture.named("slices/64x96-cavlc")
    let startCode: [UInt8] = [0, 0, 1]
    var (sets, slices): ([UInt8], [UInt8]) = ([], [])
    for unit in reference.units {
      if unit[0] & 31 == 5 { slices += startCode + unit } else { sets += startCode + unit }
    }
    var budget = ResourceBudget(.default)
    let empty: [UInt8] = []
    let decoder = try AVCDecoder().configured(by: empty.span, budget: &budget).following(sets.span, budget: &budget)
    var context = DecodingContext(DecodingOptions(), format: "public.mpeg-4")
    let planes = try decoder.decode(slices.span, context: &context)
    #expect(fnv1a(planes.picture.rawPlanes()) == reference.hash)
    #expect(throws: CodecError.self) { try decode(slices) }
  }
}
