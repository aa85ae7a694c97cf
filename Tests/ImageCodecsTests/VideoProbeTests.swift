// Video containers that are identified but not read.

import ImageCodecs
import Testing

@Suite struct VideoProbeTests {
  /// An EBML header, as RFC 8794 describes it, with elements before the document type.
  private func ebml(_ documentType: String, header: [UInt8]? = nil) -> [UInt8] {
    let name = Array(documentType.utf8)
    let elements: [UInt8] =
      [0x42, 0x86, 0x81, 1, 0x42, 0xF7, 0x40, 0x01, 1] + [0x42, 0x82, 0x80 | UInt8(name.count)] + name
    return [0x1A, 0x45, 0xDF, 0xA3] + (header ?? [0x80 | UInt8(elements.count)]) + elements
      + [0x18, 0x53, 0x80, 0x67, 0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
  }

  private func packets(_ byteCount: Int, at start: Int) -> [UInt8] {
    var file = [UInt8](repeating: 0x11, count: 4 * byteCount)
    for index in 0..<4 { file[start + index * byteCount] = 0x47 }
    return file
  }

  private var files: [(AssetType, [UInt8])] {
    [
      (.webm, ebml("webm")), (.matroska, ebml("matroska")), (.webm, ebml("webm\0\0")), (.matroska, ebml("other")),
      // A length in eight bytes.
      (.webm, ebml("webm", header: [0x01, 0, 0, 0, 0, 0, 0, 16])),
      (.mpegTransportStream, packets(188, at: 0)), (.mpegTransportStream, packets(192, at: 4)),
    ]
  }

  @Test func errorsNameTheContainer() throws {
    for (type, bytes) in files {
      #expect(AssetType(bytes) == type)
      for read in [{ _ = try $0.info() }, { _ = try $0.decode() }] as [(ImageFile) throws -> Void] {
        let error = #expect(throws: CodecError.self) { try read(ImageFile(bytes)) }
        #expect(error?.kind == .unsupported && error?.format == type)
        #expect(error?.reason.contains(type.formatName) == true)
      }
    }
  }

  @Test func prefixesNeedMoreBytesOrHaveTheSameType() {
    for (type, bytes) in files {
      // The first packet may follow a time stamp of four bytes, which tells nothing.
      for count in 5..<bytes.count {
        switch ImageFormatRegistry().probe(Array(bytes.prefix(count)).span) {
        case .yes(let found): #expect(found == type)
        case .needs(let byteCount): #expect(byteCount > count)
        case .no: Issue.record("a prefix of \(count) bytes is declined")
        }
      }
    }
  }

  @Test func weakSignaturesAreNotEnough() {
    var text = Array("Good morning".utf8) + [UInt8](repeating: 0x20, count: 600)
    #expect(AssetType(text) == nil)
    text[188] = 0x47
    #expect(AssetType(text) == nil)
    // Lengths that exceed the file, the header or the address space.
    for size: [UInt8] in [[0xFF], [0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE], [0x00], [0x81]] {
      _ = AssetType(ebml("webm", header: size))
    }
  }
}
