// The stored frames of DNG files in all codings.

import ByteCompression
import ImageCoding
import JPEGCodec
import RawCodec
import TestSupport
import Testing

@Suite struct SensorFrameTests {
  private let decoder = RawDecoder(jpegDecoder: JPEGDecoder(), losslessJPEGDecoder: JPEGDecoder())

  @Test(arguments: 8...16, [false, true]) func packedSamples(bits: Int, isBigEndian: Bool) throws {
    var file = DNGBytes(width: 13, height: 6, samples: DNGBytes.noise(78, bits: bits))
    (file.bits, file.isBigEndian) = (bits, isBigEndian)
    #expect(try decoder.sensorFrame(file.bytes.span).samples == file.samples)
    file.tile = (4, 4)
    #expect(try decoder.sensorFrame(file.bytes.span).samples == file.samples)
  }

  @Test(arguments: [1, 2, 4]) func losslessTiles(componentCount: Int) throws {
    var file = DNGBytes(width: 21, height: 11, samples: DNGBytes.noise(231))
    (file.compression, file.tile) = (7, (8, 4))
    file.compress = { samples, width in
      var writer = LosslessJPEGWriter(width: width / componentCount, height: 4)
      writer.componentCount = componentCount
      return writer.stream(samples)
    }
    #expect(try decoder.sensorFrame(file.bytes.span).samples == file.samples)
  }

  /// The rows of a stream may be twice as long as those of the tile, or half as long: its samples are one run.
  @Test(arguments: [4, 8, 16, 32]) func rowsOfAnotherLength(width: Int) throws {
    var file = DNGBytes(width: 8, height: 8, samples: DNGBytes.noise(64))
    file.compression = 7
    file.compress = { samples, _ in LosslessJPEGWriter(width: width, height: 64 / width).stream(samples) }
    #expect(try decoder.sensorFrame(file.bytes.span).samples == file.samples)
  }

  @Test func losslessLinearPicture() throws {
    var file = DNGBytes(width: 5, height: 4, samplesPerPixel: 3, samples: DNGBytes.noise(60))
    file.compression = 7
    file.compress = { samples, width in
      var writer = LosslessJPEGWriter(width: width, height: 4)
      (writer.componentCount, writer.predictor) = (3, 6)
      return writer.stream(samples)
    }
    let frame = try decoder.sensorFrame(file.bytes.span)
    #expect(frame.samples == file.samples)
    #expect(frame.samplesPerPixel == 3)
  }

  @Test(arguments: [false, true]) func deflate(isPredicted: Bool) throws {
    var file = DNGBytes(width: 9, height: 5, samples: DNGBytes.noise(45))
    file.compression = 8
    if isPredicted { file.further = [.short(317, [2])] }
    file.compress = { samples, width in
      var stored = samples
      if isPredicted {
        for index in samples.indices where index % width > 0 { stored[index] = samples[index] &- samples[index - 1] }
      }
      return zlibStored(stored.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
    }
    #expect(try decoder.sensorFrame(file.bytes.span).samples == file.samples)
  }

  @Test func linearizationTable() throws {
    var file = DNGBytes(width: 16, height: 16, samples: (0..<256).map { UInt16($0) })
    file.bits = 8
    // Samples after the last entry have its value.
    let table = (0..<200).map { $0 * $0 + 7 }
    file.further = [.short(50712, table)]
    #expect(try decoder.sensorFrame(file.bytes.span).samples == (0..<256).map { UInt16(table[min($0, 199)]) })
  }

  @Test func otherCodingsAreNamed() {
    var file = DNGBytes(width: 8, height: 8, samples: DNGBytes.noise(64))
    file.compression = 52546
    #expect { try decoder.sensorFrame(file.bytes.span) } throws: {
      let error = $0 as? CodecError
      return error?.kind == .unsupported && error?.reason.contains("JPEG XL") == true
    }
    file.compression = 1
    file.further = [.short(339, [3])]
    #expect { try decoder.sensorFrame(file.bytes.span) } throws: {
      let error = $0 as? CodecError
      return error?.kind == .unsupported && error?.reason.contains("floating-point") == true
    }
  }

  @Test func incompleteTilesAreZeroOrAnError() throws {
    var file = DNGBytes(width: 8, height: 8, samples: DNGBytes.noise(64).map { $0 | 1 })
    file.tile = (8, 2)
    let plain = file
    // All tiles but the first two have a single byte.
    let intact = plain.packed(Array(plain.samples[16..<32]), rowCount: 2)
    file.compress = { samples, _ in
      let packed = plain.packed(samples, rowCount: 2)
      return packed == intact || samples[0] == plain.samples[0] ? packed : [0]
    }
    let frame = try decoder.sensorFrame(file.bytes.span)
    #expect(Array(frame.samples[0..<32]) == Array(file.samples[0..<32]))
    #expect(frame.samples[32...].allSatisfy { $0 == 0 })
    #expect(throws: CodecError.self) {
      try decoder.sensorFrame(file.bytes.span, options: DecodingOptions(tolerance: .strict))
    }
  }
}

/// A zlib stream of one stored block.
private func zlibStored(_ bytes: [UInt8]) -> [UInt8] {
  var (low, high) = (1, 0)
  for byte in bytes {
    low = (low + Int(byte)) % 65_521
    high = (high + low) % 65_521
  }
  let count = bytes.count
  return [0x78, 1, 1, UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8((~count >> 8) & 255)] + bytes
    + [UInt8(high >> 8), UInt8(high & 255), UInt8(low >> 8), UInt8(low & 255)]
}
