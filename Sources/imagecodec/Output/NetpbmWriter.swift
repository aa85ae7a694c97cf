// Netpbm's raw formats: a text header followed by samples, 16-bit samples big-endian. See pam(5) and ppm(5).

package import ImageCodecs

/// Writes PAM and PPM.
package enum NetpbmWriter {
  /// Returns a PAM file: `RGB_ALPHA` with straight alpha, with samples of 8 or 16 bits.
  package static func pam(_ bitmap: Bitmap) throws(CodecError) -> [UInt8] {
    let isDeep = bitmap.format.sampleType != .uint8
    let header =
      "P7\nWIDTH \(bitmap.width)\nHEIGHT \(bitmap.height)\nDEPTH 4\nMAXVAL \(isDeep ? 65535 : 255)\n"
      + "TUPLTYPE RGB_ALPHA\nENDHDR\n"
    return try Array(header.utf8) + samples(of: bitmap.converted(to: isDeep ? .rgba16 : .rgba8))
  }

  /// Returns a PPM file: red, green and blue with samples of 8 or 16 bits. Alpha is dropped.
  package static func ppm(_ bitmap: Bitmap) throws(CodecError) -> [UInt8] {
    let isDeep = bitmap.format.sampleType != .uint8
    let header = "P6\n\(bitmap.width) \(bitmap.height)\n\(isDeep ? 65535 : 255)\n"
    return try Array(header.utf8) + samples(of: bitmap.converted(to: isDeep ? .rgb16 : .rgb8))
  }

  private static func samples(of bitmap: Bitmap) -> [UInt8] {
    guard bitmap.format.bitsPerSample == 16 else { return bitmap.packedPixels }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(bitmap.width * bitmap.height * bitmap.format.bytesPerPixel)
    for y in 0..<bitmap.height {
      let row = bitmap.row16(y)
      for index in row.indices {
        bytes.append(UInt8(truncatingIfNeeded: row[index] >> 8))
        bytes.append(UInt8(truncatingIfNeeded: row[index]))
      }
    }
    return bytes
  }
}
