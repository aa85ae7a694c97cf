// Converts pixels to the bytes of a row: palette indices, packing of small samples, big-endian samples.

internal import ImageCoding

/// Packs rows of pixels given in the layout's ``EncodingLayout/rowFormat``.
struct RowPacker {
  private let layout: EncodingLayout
  /// A hash table with open addressing: the index of a colour plus 1, or 0 for a free slot.
  private var slots = [UInt16](repeating: 0, count: 1024)

  init(layout: EncodingLayout) {
    self.layout = layout
    for (index, color) in layout.palette.enumerated() {
      var slot = Self.slot(color)
      while slots[slot] != 0 { slot = (slot + 1) & 1023 }
      slots[slot] = UInt16(truncatingIfNeeded: index + 1)
    }
  }

  private static func slot(_ color: UInt32) -> Int {
    // Fibonacci hashing: 2³² divided by the golden ratio.
    Int((color &* 0x9E37_79B9) >> 22)
  }

  /// Packs the pixels of `row` that belong to a pass.
  ///
  /// - Parameter output: receives all bytes of the packed row.
  func pack(_ row: Span<UInt8>, pass: InterlacePass, into output: inout MutableSpan<UInt8>) {
    let bytesPerPixel = layout.rowFormat.bytesPerPixel
    if layout.colorType == .palette || layout.bitDepth < 8 {
      packBits(row, pass: pass, into: &output)
    } else if pass.firstColumn == 0, pass.columnStep == 1 {
      packWhole(row.extracting(0..<output.count), into: &output)
    } else {
      for column in 0..<pass.width {
        let source = (pass.firstColumn + column * pass.columnStep) * bytesPerPixel
        var pixel = output._mutatingExtracting(column * bytesPerPixel..<(column + 1) * bytesPerPixel)
        packWhole(row.extracting(source..<source + bytesPerPixel), into: &pixel)
      }
    }
  }

  /// Copies samples of 8 bits, or stores the upper half of each sample of 16 bits first.
  private func packWhole(_ samples: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
    if layout.bitDepth == 8 {
      for index in samples.indices { output[index] = samples[index] }
      return
    }
    var index = 0
    while index &+ 1 < samples.count {
      let sample = nativeUInt16(samples, at: index)
      output[index] = UInt8(truncatingIfNeeded: sample >> 8)
      output[index &+ 1] = UInt8(truncatingIfNeeded: sample)
      index &+= 2
    }
  }

  private func packBits(_ row: Span<UInt8>, pass: InterlacePass, into output: inout MutableSpan<UInt8>) {
    var bits: UInt8 = 0
    var bitCount = 0
    var place = 0
    var lastColor: UInt32?
    var lastIndex: UInt8 = 0
    for column in 0..<pass.width {
      let source = pass.firstColumn + column * pass.columnStep
      let value: UInt8
      if layout.colorType == .palette {
        let color =
          UInt32(row[source * 4]) << 24 | UInt32(row[source * 4 + 1]) << 16 | UInt32(row[source * 4 + 2]) << 8
          | UInt32(row[source * 4 + 3])
        if color != lastColor { (lastColor, lastIndex) = (color, index(of: color)) }
        value = lastIndex
      } else {
        value = row[source] >> UInt8(8 - layout.bitDepth)
      }
      bits |= value << UInt8(8 - layout.bitDepth - bitCount)
      bitCount += layout.bitDepth
      if bitCount == 8 {
        output[place] = bits
        place += 1
        bits = 0
        bitCount = 0
      }
    }
    if bitCount > 0 { output[place] = bits }
  }

  /// Returns the palette index of a colour; 0 for colours that the palette lacks.
  private func index(of color: UInt32) -> UInt8 {
    var slot = Self.slot(color)
    while slots[slot] != 0 {
      let index = Int(slots[slot]) - 1
      if layout.palette[index] == color { return UInt8(truncatingIfNeeded: index) }
      slot = (slot + 1) & 1023
    }
    return 0
  }
}
