// Files in the container format, for tests.

enum BoxWriter {
  static let start: [UInt8] =
    [0, 0, 0, 0x0C] + Array("JXL ".utf8) + [0x0D, 0x0A, 0x87, 0x0A]
    + box("ftyp", Array("jxl \0\0\0\0jxl ".utf8))

  static func bigEndian(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }

  static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    bigEndian(content.count + 8) + Array(type.utf8) + content
  }

  /// A box with a 64-bit size.
  static func largeBox(_ type: String, _ content: [UInt8]) -> [UInt8] {
    bigEndian(1) + Array(type.utf8) + bigEndian(0) + bigEndian(content.count + 16) + content
  }

  /// A box that extends to the end of the file.
  static func openBox(_ type: String, _ content: [UInt8]) -> [UInt8] { bigEndian(0) + Array(type.utf8) + content }

  /// A Brotli stream of stored meta-blocks, and an empty last one.
  static func storedBrotli(_ bytes: [UInt8]) -> [UInt8] {
    guard !bytes.isEmpty else { return [6] }
    precondition(bytes.count <= 65536, "the bytes do not fit in one meta-block")
    // The window of 16 bits, a meta-block with a length of 16 bits that is stored.
    var writer = BitWriter()
    writer.write(0, 1)
    writer.write(0, 1)
    writer.write(0, 2)
    writer.write(bytes.count - 1, 16)
    writer.write(1, 1)
    return writer.bytes + bytes + [3]
  }

  /// A part of a codestream.
  static func part(_ index: Int, _ content: [UInt8], isLast: Bool) -> [UInt8] {
    var number = bigEndian(index)
    if isLast { number[0] |= 0x80 }
    return box("jxlp", number + content)
  }
}
