// Small files with hashes of their pixels as libjpeg-turbo decodes them; Fixtures/make-reference-pictures.py wrote them.

import Foundation
import JPEGCodec

/// A file of the fixture.
struct ReferencePicture: Sendable {
  let name: String
  let file: [UInt8]
  /// FNV-1a of gray or RGB bytes.
  let pixelHash: UInt64

  static let all: [ReferencePicture] = {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Fixtures/reference-pictures.bin")
    guard let data = try? Data(contentsOf: url) else { return [] }
    var rest = [UInt8](data)[...]
    func take(_ count: Int) -> [UInt8] {
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
    func integer(_ bytes: [UInt8]) -> UInt64 { bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } }
    var pictures: [ReferencePicture] = []
    while let nameLength = take(1).first {
      let name = String(decoding: take(Int(nameLength)), as: UTF8.self)
      let file = take(Int(integer(take(4))))
      pictures.append(ReferencePicture(name: name, file: file, pixelHash: integer(take(8))))
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
