import AV1Codec
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

  /// Pictures that are large enough for a second thread, whole and damaged.
  @Test func picturesDoNotDependOnThreads() throws {
    let large = ReferencePicture.all.filter { $0.width * $0.height >= 1 << 15 }
    #expect(large.count >= 6)
    for reference in large {
      let decoded = try decode(reference.stream, parallelism: 2)
      #expect(decoded.isComplete && fnv1a(decoded.picture.rawPlanes()) == reference.hash)
      let prefix = Array(reference.stream.prefix(reference.stream.count * 3 / 4))
      let serial = try decode(prefix, tolerance: .lenient)
      let parallel = try decode(prefix, tolerance: .lenient, parallelism: 2)
      #expect(!parallel.isComplete && parallel.diagnostics.count == serial.diagnostics.count)
      #expect(parallel.picture == serial.picture)
      #expect(throws: CodecError.self) { try decode(prefix, parallelism: 2) }
    }
  }

  @Test func sequenceHeadersMayBeInTheConfiguration() throws {
    let reference = ReferencePicture.named("format/72x56-420-8")
    // A temporal delimiter of two bytes, a sequence header with its size, a frame.
    let sequenceEnd = 4 + Int(reference.stream[3])
    let configuration = [0x81, 0, 0, 0] + reference.stream[2..<sequenceEnd]
    let payload = Array(reference.stream[sequenceEnd...])
    let decoded = try decode(payload, configuration: configuration)
    #expect(fnv1a(decoded.picture.rawPlanes()) == reference.hash)
    #expect(try describe(payload, configuration: configuration).width == reference.width)
    #expect(throws: CodecError.self) { try decode(payload) }
    #expect(throws: CodecError.self) { try describe(payload) }
    #expect(throws: CodecError.self) { try decode(payload, configuration: [0x82, 0, 0, 0]) }
    #expect(throws: CodecError.self) { try decode(payload, configuration: [0x81, 0]) }
  }

  @Test func sampleEntriesAreNamed() {
    #expect(AV1Decoder().sampleEntryTypes == ["av01"])
  }
}
