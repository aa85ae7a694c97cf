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

  /// A part of a codestream.
  static func part(_ index: Int, _ content: [UInt8], isLast: Bool) -> [UInt8] {
    var number = bigEndian(index)
    if isLast { number[0] |= 0x80 }
    return box("jxlp", number + content)
  }
}
