// Colour maps (TIFF 6.0, section 5).

internal import ImageCoding
internal import MetadataFormats

/// The colours of a palette image, in 8 bits.
struct Palette {
  /// Red, green and blue of each index.
  private let colors: [UInt8]

  /// Reads the colour map, which contains all reds, then all greens and all blues in 16 bits. The upper bytes are used,
  /// unless all are 0: some writers store 8-bit values.
  ///
  /// If the map is missing or too short, indices are shown as shades of gray, as in libtiff, or, in strict mode, an
  /// error is thrown.
  init(
    _ values: borrowing DirectoryValues, bits: Int, _ context: inout DecodingContext
  ) throws(CodecError) {
    let count = 1 << bits
    try context.budget.allocate(count * 3)
    try context.budget.chargeWork(count: count, unitsEach: 6)
    var colors = [UInt8](repeating: 0, count: count * 3)
    guard let field = values.directory[Tag.colorMap.rawValue], field.type == .short, field.count >= 3 * count,
      let range = values.range(.colorMap)
    else {
      try context.tolerate(
        CodecError(.malformed, "the colour map is missing or too short", format: TIFFDecoder.type), as: .damage)
      for index in colors.indices { colors[index] = UInt8(index / 3 * 255 / (count - 1)) }
      self.colors = colors
      return
    }
    // A longer map is divided into thirds all the same.
    let stored = field.count / 3
    let entries = values.bytes.extracting(range)
    let high = values.header.isBigEndian ? 0 : 1
    let isNarrow = (0..<count).allSatisfy { index in
      (0..<3).allSatisfy { entries[2 * ($0 * stored + index) + high] == 0 }
    }
    let place = isNarrow ? 1 - high : high
    for index in 0..<count {
      for channel in 0..<3 { colors[index * 3 + channel] = entries[2 * (channel * stored + index) + place] }
    }
    self.colors = colors
  }

  /// Replaces 8-bit indices by colours.
  ///
  /// - Parameters:
  ///   - step: the number of samples per pixel in the row.
  ///   - alpha: the index of alpha in a pixel; `nil` if the output has none.
  func lookUpBytes(
    _ row: Span<UInt8>, count: Int, step: Int, alpha: Int?, into output: inout MutableSpan<UInt8>
  ) {
    let table = colors.span
    let last = table.count - 3
    let size = alpha == nil ? 3 : 4
    var to = 0
    for pixel in 0..<count {
      let from = min(last, Int(row[pixel &* step]) &* 3)
      output[to] = table[from]
      output[to &+ 1] = table[from &+ 1]
      output[to &+ 2] = table[from &+ 2]
      if let alpha { output[to &+ 3] = row[pixel &* step &+ alpha] }
      to &+= size
    }
  }

  /// Replaces 16-bit indices by colours.
  func lookUpWords(_ row: Span<UInt8>, count: Int, step: Int, into output: inout MutableSpan<UInt8>) {
    let table = colors.span
    let last = table.count - 3
    for pixel in 0..<count {
      let from = min(last, Int(nativeUInt16(row, at: 2 &* pixel &* step)) &* 3)
      for channel in 0..<3 { output[3 &* pixel &+ channel] = table[from &+ channel] }
    }
  }
}
