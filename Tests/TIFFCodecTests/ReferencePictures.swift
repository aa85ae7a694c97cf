// Small files with hashes of their pixels; Fixtures/make-reference-pictures.py wrote them with libtiff.

import ImageCoding
import JPEGCodec
import TIFFCodec
import TestSupport
import Testing

/// A file of the fixture.
struct ReferencePicture: Sendable, CustomTestStringConvertible {
  let name: String
  let file: [UInt8]
  /// FNV-1a of the samples, little-endian.
  let pixelHash: UInt64

  var testDescription: String { name }

  static let all: [ReferencePicture] = {
    var fixture = Fixture("reference-pictures.bin", beside: #filePath)
    var pictures: [ReferencePicture] = []
    while let name = fixture.name() {
      pictures.append(ReferencePicture(name: name, file: fixture.block(), pixelHash: fixture.integer(8)))
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
