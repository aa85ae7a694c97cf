// Camera raw files, and DNG files whose sensor data are the input.

import ImageCoding
import JPEGCodec
import RawCodec

/// Decodes a file whole, and some files at a reduced size and from an embedded picture as well, of which the sensor data are
/// unpacked too.
func fuzzRaw(_ bytes: [UInt8]) {
  let decoder = RawDecoder(jpegDecoder: JPEGDecoder(), losslessJPEGDecoder: JPEGDecoder())
  DecoderFuzzing(decoder).run(bytes)
  guard let options = DecodingOptions.furtherCalls(bytes) else { return }
  var reduced = options
  reduced.targetSize = PixelSize(width: 8, height: 8)
  _ = try? decoder.decode(bytes.span, options: reduced)
  _ = try? decoder.thumbnail(bytes.span, options: reduced)
  _ = try? decoder.sensorFrame(bytes.span, options: options)
  guard let pictures = try? decoder.embeddedPictures(bytes.span, options: InfoOptions(limits: options.limits)) else {
    return
  }
  for picture in pictures { precondition(picture.range.upperBound <= bytes.count, "a picture is outside of the file") }
}

/// Returns a DNG of 32 × 24 samples whose only strip is the input. The first byte selects whether they are a mosaic or
/// linear.
func losslessJPEGFile(_ input: [UInt8]) -> [UInt8] {
  let isLinear = (input.first ?? 0) & 1 == 1
  let stream = input.dropFirst()
  let fields: [(tag: Int, kind: Int, count: Int, value: Int)] = [
    (254, 4, 1, 0), (256, 4, 1, 32), (257, 4, 1, 24), (258, 3, 1, 16), (259, 3, 1, 7),
    (262, 3, 1, isLinear ? 34_892 : 32_803), (273, 4, 1, 8 + 2 + 13 * 12 + 4), (277, 3, 1, isLinear ? 3 : 1),
    (278, 4, 1, 24), (279, 4, 1, stream.count), (33_421, 3, 2, 0x2_0002), (33_422, 1, 4, 0x0201_0100),
    (50_706, 1, 4, 0x0401),
  ]
  var file = Array("II*\0".utf8) + little(8, 4) + little(fields.count, 2)
  for field in fields {
    file += little(field.tag, 2) + little(field.kind, 2) + little(field.count, 4) + little(field.value, 4)
  }
  return file + little(0, 4) + stream
}

private func little(_ value: Int, _ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}
