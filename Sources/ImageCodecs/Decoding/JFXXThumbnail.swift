// The thumbnail of JFIF's extension segment, in one of three codings (ITU-T T.871, 10.2–10.5).

internal import ImageCore

/// The content of a JFXX segment.
struct JFXXThumbnail: ~Escapable {
  private let payload: Span<UInt8>

  /// - Parameter payload: the segment from its name on.
  @_lifetime(copy payload)
  init(_ payload: Span<UInt8>) {
    self.payload = payload
  }

  /// The picture.
  ///
  /// - Throws: ``DecodeError/Kind/malformed``, ``DecodeError/Kind/truncated``, or what the JPEG decoder throws.
  func decoded(options: DecodingOptions, formats: ImageFormatRegistry) throws(DecodeError) -> DecodedImage {
    var reader = ByteReader(payload, format: .jpeg)
    try reader.skip(5)
    switch try reader.readUInt8() {
    case 0x10:
      return try DecodedImage(decoding: try reader.read(reader.remaining), options: options, formats: formats)
    case 0x11: return try samples(&reader, isPalette: true, options: options)
    case 0x13: return try samples(&reader, isPalette: false, options: options)
    case let code: throw reader.error(.malformed, "JFXX has the unknown extension code \(code)")
    }
  }

  /// Width and height of one byte each, perhaps 256 colours, then three bytes or one index a pixel.
  private func samples(
    _ reader: inout ByteReader, isPalette: Bool, options: DecodingOptions
  ) throws(DecodeError) -> DecodedImage {
    let width = Int(try reader.readUInt8())
    let height = Int(try reader.readUInt8())
    var pixels: [UInt8]
    if isPalette {
      let palette = try reader.read(768)
      let indices = try reader.read(width * height)
      pixels = []
      pixels.reserveCapacity(width * height * 3)
      for index in indices.indices {
        let color = Int(indices[index]) * 3
        pixels.append(palette[color])
        pixels.append(palette[color + 1])
        pixels.append(palette[color + 2])
      }
    } else {
      pixels = Array(copying: try reader.read(width * height * 3))
    }
    var bitmap = try Bitmap(width: width, height: height, format: .rgb8, pixels: pixels)
    if let format = options.pixelFormat { bitmap = bitmap.converted(to: format) }
    let info = ImageInfo(type: .jpeg, width: width, height: height, bitDepth: 8, colorModel: .rgb)
    return DecodedImage(bitmap: bitmap, details: DecodingDetails(info: info))
  }
}
