import HEVCCodec
import ImageCoding
import PixelPlanes
import TestSupport
import Testing

@Suite struct ReferencePictureTests {
  @Test func fixturesAreThere() {
    #expect(ReferencePicture.all.count >= 50)
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
    let reference = ReferencePicture.named("slices/")
    let units = reference.units
    let sets = units.filter { (32...34).contains($0[0] >> 1) }
    var configuration: [UInt8] = [1] + [UInt8](repeating: 0, count: 20) + [UInt8(lengthByteCount - 1)]
    configuration.append(UInt8(sets.count))
    for set in sets {
      configuration += [set[0] >> 1, 0, 1, UInt8(set.count >> 8), UInt8(set.count & 255)]
      configuration += set
    }
    var payload: [UInt8] = []
    for unit in units where unit[0] >> 1 < 32 {
      guard lengthByteCount > 1 || unit.count < 256 else { return }
      payload += (0..<lengthByteCount).reversed().map { UInt8(truncatingIfNeeded: unit.count >> (8 * $0)) }
      payload += unit
    }
    let decoded = try decode(payload, configuration: configuration)
    #expect(fnv1a(decoded.picture.rawPlanes()) == reference.hash)
    #expect(try describe(payload, configuration: configuration).width == reference.width)
    // A record that ends after its sets matters to strict decoding only.
    var longer = configuration
    longer[22] += 1
    #expect(throws: CodecError.self) { try decode(payload, configuration: longer) }
    let tolerant = try decode(payload, configuration: longer, tolerance: .lenient)
    #expect(fnv1a(tolerant.picture.rawPlanes()) == reference.hash)
    // A length that exceeds the payload.
    payload.removeLast(10)
    #expect(throws: CodecError.self) { try decode(payload, configuration: configuration) }
    let partial = try decode(payload, configuration: configuration, tolerance: .lenient)
    #expect(!partial.diagnostics.isEmpty && partial.picture.width == reference.width)
  }

  @Test func colorsAreThoseOfTheParameterSets() throws {
    let wide = try describe(ReferencePicture.named("colors/16x16-444").stream)
    #expect(wide.coding.range == .full && wide.coding.matrix == .bt2020)
    #expect(
      wide.codePoints
        == CodingIndependentCodePoints(
          colorPrimaries: 9, transferFunction: 14, matrixCoefficients: 9, isFullRange: true))
    let narrow = try describe(ReferencePicture.named("colors/16x16-420").stream)
    #expect(narrow.coding.range == .limited && narrow.coding.matrix == .bt709 && narrow.coding.siting == .topLeft)
    let plain = try describe(ReferencePicture.named("format/").stream)
    #expect(plain.coding.matrix == .unspecified && plain.codePoints == nil)
  }

  @Test func sampleEntriesAreNamed() {
    #expect(HEVCDecoder().sampleEntryTypes == ["hvc1", "hev1"])
  }
}
