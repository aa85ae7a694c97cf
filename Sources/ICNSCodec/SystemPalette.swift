// The palettes of the classic Mac OS, which indices refer to: the standard colour look-up tables of Color QuickDraw for 4
// and 8 bits.

/// The colours that indices of 4 or 8 bits refer to, as 0xRRGGBB.
enum SystemPalette {
  /// The 16 colours of 4-bit pictures.
  static let ofFourBits: [UInt32] = [
    0xFFFFFF, 0xFCF305, 0xFF6402, 0xDD0806, 0xF20884, 0x4600A5, 0x0000D4, 0x02ABEA,
    0x1FB714, 0x006411, 0x562C05, 0x90713A, 0xC0C0C0, 0x808080, 0x404040, 0x000000,
  ]

  /// The 256 colours of 8-bit pictures: six levels of red, green and blue from white downwards, without black; ten more
  /// levels of red, green, blue and grey; black.
  static let ofEightBits: [UInt32] = {
    var colors: [UInt32] = []
    for index: UInt32 in 0..<215 {
      let (red, green, blue) = (5 - index / 36, 5 - index / 6 % 6, 5 - index % 6)
      colors.append(red * 0x33_0000 + green * 0x3300 + blue * 0x33)
    }
    for unit: UInt32 in [0x1_0000, 0x100, 1, 0x1_0101] {
      // The multiples of 0x11 that are none of 0x33.
      for level: UInt32 in (1...14).reversed() where level % 3 != 0 { colors.append(level * 0x11 * unit) }
    }
    return colors + [0]
  }()
}
