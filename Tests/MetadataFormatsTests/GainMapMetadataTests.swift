// Parameters of gain maps in both formats.

import ImageCore
import MetadataFormats
import Testing

@Suite struct GainMapMetadataTests {
  private func big32(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

  private func read(_ bytes: [UInt8]) throws -> GainMapMetadata { try GainMapMetadata(iso21496: bytes.span) }

  /// Values that the binary format cannot hold become the nearest that it can.
  @Test func writtenParametersAreInRange() throws {
    var metadata = GainMapMetadata(
      components: [GainMapMetadata.Component(minimum: -1, gamma: 0)], baseHeadroom: -1, alternateHeadroom: 2)
    var written = try read(metadata.iso21496Bytes)
    #expect(written.baseHeadroom == 0 && written.alternateHeadroom == 2)
    #expect(written.components.map(\.minimum) == [-1] && written.components.map(\.gamma) == [1e-6])
    metadata.components = []
    written = try read(metadata.iso21496Bytes)
    #expect(written.components == [GainMapMetadata.Component()])
  }

  @Test func binary() throws {
    // Three components of known fractions, in the base picture's colour space.
    var bytes: [UInt8] = [0, 0, 0, 0, 0xC0] + big32(0) + big32(1) + big32(13) + big32(10)
    for component in 0..<3 {
      bytes += big32(-1 - component) + big32(4) + big32(5 + component) + big32(4) + big32(9) + big32(10)
      bytes += big32(1) + big32(64) + big32(-1) + big32(32)
    }
    let metadata = try read(bytes)
    #expect(metadata.usesBaseColorSpace && metadata.baseHeadroom == 0 && metadata.alternateHeadroom == 1.3)
    #expect(metadata.components.map(\.minimum) == [-0.25, -0.5, -0.75])
    #expect(metadata.components.map(\.maximum) == [1.25, 1.5, 1.75])
    #expect(metadata.components.allSatisfy { $0.gamma == 0.9 && $0.baseOffset == 1.0 / 64 })
    #expect(metadata.components.allSatisfy { $0.alternateOffset == -1.0 / 32 })
    #expect(try read(metadata.iso21496Bytes) == metadata)
    for count in bytes.indices {
      #expect(throws: CodecError.self) { try read(Array(bytes[..<count])) }
    }
    // A shared denominator.
    let shared: [UInt8] = [0, 0, 0, 0, 8] + [100, 0, 200, 0, 300, 100, 1, 2].flatMap(big32)
    let simple = try read(shared)
    #expect(
      simple.components == [
        GainMapMetadata.Component(minimum: 0, maximum: 3, gamma: 1, baseOffset: 0.01, alternateOffset: 0.02)
      ])
    #expect(simple.alternateHeadroom == 2 && !simple.usesBaseColorSpace)
    #expect(throws: CodecError.self) { try read([0, 1, 0, 0, 0]) }
    // A denominator or an exponent of 0.
    #expect(throws: CodecError.self) {
      try read([0, 0, 0, 0, 8] + [0, 0, 200, 0, 300, 100, 1, 2].flatMap(big32))
    }
    #expect(throws: CodecError.self) {
      try read([0, 0, 0, 0, 8] + [100, 0, 200, 0, 300, 0, 1, 2].flatMap(big32))
    }
  }

  @Test func properties() throws {
    let text = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0"
       hdrgm:HDRCapacityMax="3.5" hdrgm:OffsetHDR="0">
      <hdrgm:GainMapMax><rdf:Seq><rdf:li>3.5</rdf:li><rdf:li>3.25</rdf:li><rdf:li>3</rdf:li></rdf:Seq></hdrgm:GainMapMax>
      </rdf:Description></rdf:RDF></x:xmpmeta>
      """
    let metadata = try #require(GainMapMetadata(try XMPPacket(Array(text.utf8))))
    #expect(metadata.components.map(\.maximum) == [3.5, 3.25, 3])
    #expect(metadata.components.allSatisfy { $0.minimum == 0 && $0.gamma == 1 && $0.baseOffset == 1.0 / 64 })
    #expect(metadata.components.allSatisfy { $0.alternateOffset == 0 })
    #expect(metadata.baseHeadroom == 0 && metadata.alternateHeadroom == 3.5)
    #expect(GainMapMetadata(try XMPPacket(metadata.xmpPacket)) == metadata)
    // Without a capacity there is no map: the packet of a base picture states the version only.
    #expect(GainMapMetadata(try XMPPacket(Array(text.replacing("HDRCapacityMax", with: "Other").utf8))) == nil)
    var reversed = metadata
    reversed.baseHeadroom = 2
    reversed.alternateHeadroom = 0
    #expect(GainMapMetadata(try XMPPacket(reversed.xmpPacket)) == reversed)
  }
}
