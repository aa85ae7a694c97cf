// Global and local colour tables, GIF89a sections 19 and 21, as pixels ready to be stored.

internal import ImageCore

/// Up to 256 colours.
struct ColorTable: Hashable, Sendable {
  /// Colours in the file.
  let count: Int
  /// 256 opaque pixels, each with its bytes R, G, B, A in memory order; black behind the last colour.
  private(set) var pixels: [UInt32]

  /// Opaque black.
  static let black = UInt32(littleEndian: 0xFF00_0000)

  /// Reads red, green and blue of each colour.
  init(_ bytes: [UInt8]) {
    count = min(bytes.count / 3, 256)
    pixels = [UInt32](repeating: Self.black, count: 256)
    for index in 0..<count {
      let color = UInt32(bytes[index * 3]) | UInt32(bytes[index * 3 + 1]) << 8 | UInt32(bytes[index * 3 + 2]) << 16
      pixels[index] = (color | 0xFF00_0000).littleEndian
    }
  }

  /// The table of a frame that has none and whose file has none: a gray ramp.
  static let grayRamp = ColorTable((0..<256).flatMap { [UInt8](repeating: UInt8($0), count: 3) })
}
