// The first 13 bytes of a GIF: signature and logical screen descriptor, GIF89a sections 17 and 18.

internal import ImageCoding

/// The header and the logical screen descriptor.
struct LogicalScreen: Hashable, Sendable {
  static let byteCount = 13
  static let signatures: [[UInt8]] = [Array("GIF87a".utf8), Array("GIF89a".utf8)]

  /// `GIF87a` or `GIF89a`.
  let version: String
  let size: PixelSize
  /// The number of colours in the global colour table; 0 if there is none.
  let globalColorCount: Int
  let backgroundIndex: Int
  /// The width of a pixel in 64ths of its height; `nil` if unspecified.
  let pixelAspect: Int?

  /// Parses the 13 bytes.
  ///
  /// - Throws: `CodecError.Kind.unrecognizedFormat` if the signature is neither `GIF87a` nor `GIF89a`.
  init(parsing reader: inout ByteReader) throws(CodecError) {
    var signature: [UInt8] = []
    for _ in 0..<6 { signature.append(try reader.readUInt8()) }
    guard Self.signatures.contains(signature) else {
      throw CodecError(
        .unrecognizedFormat, "the signature is neither GIF87a nor GIF89a", format: GIFDecoder.type, byteOffset: 0)
    }
    version = String(decoding: signature, as: UTF8.self)
    size = PixelSize(
      width: Int(try reader.readUInt16LittleEndian()), height: Int(try reader.readUInt16LittleEndian()))
    let flags = try reader.readUInt8()
    globalColorCount = colorCount(flags: flags)
    backgroundIndex = Int(try reader.readUInt8())
    let aspect = Int(try reader.readUInt8())
    pixelAspect = aspect == 0 ? nil : aspect + 15
  }
}

/// The size of a colour table, from the packed field of a screen or image descriptor.
func colorCount(flags: UInt8) -> Int {
  flags & 0x80 == 0 ? 0 : 2 << Int(flags & 7)
}
