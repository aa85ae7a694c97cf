// Converts pixels to the bytes of a row: palette indices, packing of small samples, big-endian samples.

internal import ImageCore

/// Packs rows of pixels given in the layout's ``EncodingLayout/rowFormat``.
struct RowPacker {
  private let layout: EncodingLayout
  /// The index of each palette colour.
  private let indices: [UInt32: UInt8]

  init(layout: EncodingLayout) {
    self.layout = layout
    indices = Dictionary(
      uniqueKeysWithValues: layout.palette.enumerated().map { ($1, UInt8(truncatingIfNeeded: $0)) })
  }

  /// Packs the pixels of `row` that belong to a pass.
  func pack(_ row: Span<UInt8>, pass: InterlacePass, into output: inout [UInt8]) {
    output.removeAll(keepingCapacity: true)
    let bytesPerPixel = layout.rowFormat.bytesPerPixel
    if layout.colorType == .palette || layout.bitDepth < 8 {
      packBits(row, pass: pass, into: &output)
      return
    }
    for column in 0..<pass.width {
      let start = (pass.firstColumn + column * pass.columnStep) * bytesPerPixel
      if layout.bitDepth == 16 {
        for offset in stride(from: start, to: start + bytesPerPixel, by: 2) {
          let sample = nativeUInt16(row, at: offset)
          output.append(UInt8(truncatingIfNeeded: sample >> 8))
          output.append(UInt8(truncatingIfNeeded: sample))
        }
      } else {
        for offset in start..<start + bytesPerPixel { output.append(row[offset]) }
      }
    }
  }

  private func packBits(_ row: Span<UInt8>, pass: InterlacePass, into output: inout [UInt8]) {
    var bits: UInt8 = 0
    var bitCount = 0
    for column in 0..<pass.width {
      bits |= value(row, column: pass.firstColumn + column * pass.columnStep) << UInt8(8 - layout.bitDepth - bitCount)
      bitCount += layout.bitDepth
      if bitCount == 8 {
        output.append(bits)
        bits = 0
        bitCount = 0
      }
    }
    if bitCount > 0 { output.append(bits) }
  }

  /// Returns the palette index or the reduced gray value of a pixel.
  private func value(_ row: Span<UInt8>, column: Int) -> UInt8 {
    guard layout.colorType == .palette else { return row[column] >> UInt8(8 - layout.bitDepth) }
    let start = column * 4
    let color =
      UInt32(row[start]) << 24 | UInt32(row[start + 1]) << 16 | UInt32(row[start + 2]) << 8 | UInt32(row[start + 3])
    return indices[color] ?? 0
  }
}
