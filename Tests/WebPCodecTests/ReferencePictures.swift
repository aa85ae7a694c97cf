// Small files with hashes of their pixels as libwebp decodes them; Fixtures/make-reference-pictures.py wrote them.

import TestSupport
import WebPCodec

/// A file of the fixture.
struct ReferencePicture: Sendable {
  let name: String
  let file: [UInt8]
  /// FNV-1a of RGBA with transparent pixels zeroed: of the picture or of each frame; of lossy stills also of the planes.
  let hashes: [UInt64]

  static let all: [ReferencePicture] = {
    var fixture = Fixture("reference-pictures.bin", beside: #filePath)
    var pictures: [ReferencePicture] = []
    while let name = fixture.name() {
      let file = fixture.block()
      let hashes = (0..<Int(fixture.integer(1))).map { _ in fixture.integer(8) }
      pictures.append(ReferencePicture(name: name, file: file, hashes: hashes))
    }
    return pictures
  }()

  static func inGroup(_ group: String) -> [ReferencePicture] { all.filter { $0.name.hasPrefix(group + "/") } }

  static func named(_ name: String) -> [UInt8] { all.first { $0.name == name }?.file ?? [] }
}

func fnv1a(_ bytes: some Sequence<UInt8>) -> UInt64 {
  bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}

extension Bitmap {
  /// Straight RGBA with the colour of transparent pixels zeroed.
  var normalizedPixels: [UInt8] {
    var pixels = (try? converted(to: .rgba8).packedPixels) ?? []
    for index in stride(from: 0, to: pixels.count, by: 4) where pixels[index + 3] == 0 {
      pixels.replaceSubrange(index..<index + 3, with: [0, 0, 0])
    }
    return pixels
  }
}
