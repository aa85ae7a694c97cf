// Small files with hashes of their pixels as libjpeg-turbo decodes them; Fixtures/make-reference-pictures.py wrote them.

import JPEGCodec
import TestSupport

/// A file of the fixture.
struct ReferencePicture: Sendable {
  let name: String
  let file: [UInt8]
  /// FNV-1a of gray or RGB bytes.
  let pixelHash: UInt64

  static let all: [ReferencePicture] = {
    var fixture = Fixture("reference-pictures.bin", beside: #filePath)
    var pictures: [ReferencePicture] = []
    while let name = fixture.name() {
      pictures.append(ReferencePicture(name: name, file: fixture.block(), pixelHash: fixture.integer(8)))
    }
    return pictures
  }()

  static func named(_ name: String) -> [UInt8] {
    all.first { $0.name == name }?.file ?? []
  }
}

func fnv1a(_ bytes: [UInt8]) -> UInt64 {
  bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}
