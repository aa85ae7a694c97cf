// Small files with hashes of their pixels; Fixtures/make-reference-pictures.py wrote them with libtiff.

import Foundation
import ImageCoding
import JPEGCodec
import TIFFCodec
import Testing

/// A file of the fixture.
struct ReferencePicture: Sendable, CustomTestStringConvertible {
  let name: String
  let file: [UInt8]
  /// FNV-1a of the samples, little-endian.
  let pixelHash: UInt64

  var testDescription: String { name }

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

  /// The smaller ones, for tests that decode a file many times.
  static let small = all.filter { $0.file.count < 4000 && !$0.name.contains("wide") }
}

/// The decoder with JPEG.
let decoder = TIFFDecoder(jpegDecoder: JPEGDecoder())

func fnv1a(_ bytes: [UInt8]) -> UInt64 {
  bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}

extension Bitmap {
  /// The samples without padding, little-endian.
  var littleEndianSamples: [UInt8] {
    let size = format.bytesPerSample
    guard size > 1, UInt16(littleEndian: 1) != 1 else { return packedPixels }
    let bytes = packedPixels
    return stride(from: 0, to: bytes.count, by: size).flatMap { bytes[$0..<$0 + size].reversed() }
  }
}
