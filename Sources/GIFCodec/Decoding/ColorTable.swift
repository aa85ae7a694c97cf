// Global and local colour tables, GIF89a sections 19 and 21, expanded to pixels that can be stored directly.

internal import ImageCoding

/// A table of up to 256 colours.
struct ColorTable: Hashable, Sendable {
  /// The number of colours in the file.
  let count: Int
  /// 256 opaque pixels, each stored as the bytes R, G, B, A in memory order. Entries after the last colour are black.
  private(set) var pixels: [UInt32]

  /// Opaque black.
  static let black = UInt32(littleEndian: 0xFF00_0000)

  /// Reads three bytes per colour: red, green, blue.
  init(_ bytes: [UInt8]) {
    count = min(bytes.count / 3, 256)
    pixels = [UInt32](repeating: Self.black, count: 256)
    for index in 0..<count {
      let color = UInt32(bytes[index * 3]) | UInt32(bytes[index * 3 + 1]) << 8 | UInt32(bytes[index * 3 + 2]) << 16
      pixels[index] = (color | 0xFF00_0000).littleEndian
    }
  }

  /// A gray ramp, used when neither the frame nor the file has a colour table.
  static let grayRamp = ColorTable((0..<256).flatMap { [UInt8](repeating: UInt8($0), count: 3) })
}
