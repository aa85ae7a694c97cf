// Uncompressed rows to pixels: indices of 1, 2, 4 or 8 bits, or colours of 16, 24 or 32.

internal import ImageCoding

/// The conversion of an image's stored pixels to samples.
struct RowExpansion: Sendable {
  private enum Layout {
    /// Indices into gray levels.
    case grays(bits: Int, [UInt8])
    /// Indices into colours.
    case colors(bits: Int, [UInt8])
    /// Blue, green, red and bytes that are skipped.
    case colorBytes(pixelByteCount: Int)
    /// Blue, green, red, alpha.
    case colorBytesAndAlpha
    case fields(BitFields, pixelByteCount: Int)
  }

  private let layout: Layout
  /// The format of the pixels.
  let format: PixelFormat
  /// The bytes of a stored row, a multiple of four.
  let rowByteCount: Int
  /// The bytes of a stored row without padding.
  let usedByteCount: Int
  private let width: Int
  /// The number of colours, if an index can be larger.
  private let colorCount: Int?

  /// The work units for a pixel.
  var workPerPixel: Int {
    if case .fields(let fields, _) = layout { return fields.isDeep ? 12 : 4 }
    return 2
  }

  /// Creates the expansion of an uncompressed image.
  ///
  /// - Throws: `CodecError.Kind.malformed` for a depth that the format does not have.
  init(_ header: BMPHeader, palette: BMPPalette, fields: BitFields?, error: (String) -> CodecError) throws(CodecError) {
    let bits = header.bitsPerPixel
    let (used, total) = (
      (Int64(header.width) * Int64(bits) + 7) / 8, (Int64(header.width) * Int64(bits) + 31) / 32 * 4
    )
    guard let usedByteCount = Int(exactly: used), let rowByteCount = Int(exactly: total) else {
      throw error("the rows are too long")
    }
    (self.usedByteCount, self.rowByteCount) = (usedByteCount, rowByteCount)
    width = header.width
    colorCount = bits <= 8 && palette.count < 1 << bits ? palette.count : nil
    switch bits {
    case 1, 2, 4, 8:
      format = palette.isGray ? .gray8 : .rgb8
      layout = palette.isGray ? .grays(bits: bits, palette.grays) : .colors(bits: bits, palette.colors)
    case 16, 24, 32:
      let masks = fields?.fields.map { $0.mask } ?? []
      if bits == 32, masks == [0xFF0000, 0xFF00, 0xFF, 0xFF00_0000] {
        layout = .colorBytesAndAlpha
      } else if bits > 16, masks.isEmpty || masks == [0xFF0000, 0xFF00, 0xFF] {
        layout = .colorBytes(pixelByteCount: bits / 8)
      } else {
        layout = .fields(fields ?? BitFields(masks: [0x7C00, 0x3E0, 0x1F]), pixelByteCount: bits / 8)
      }
      let isDeep = fields?.isDeep ?? false
      let plain: PixelFormat = fields?.hasAlpha ?? false ? .rgba8 : .rgb8
      format = isDeep ? plain.with(.uint16) : plain
    default: throw error("\(bits) bits per pixel")
    }
  }

  /// Whether a row contains an index without a colour. Costs nothing if the palette is complete.
  func hasUnknownIndex(_ row: Span<UInt8>) -> Bool {
    guard let colorCount else { return false }
    switch layout {
    case .grays(let bits, _), .colors(let bits, _):
      for x in 0..<width where Self.index(row, x, bits: bits) >= colorCount { return true }
      return false
    default: return false
    }
  }

  /// Expands a row.
  ///
  /// - Parameters:
  ///   - row: at least ``usedByteCount`` bytes.
  ///   - output: the pixels of a row.
  func expand(_ row: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
    switch layout {
    case .grays(let bits, let levels):
      let levels = levels.span
      if bits == 8 {
        for x in 0..<width { output[x] = levels[Int(row[x])] }
      } else {
        for x in 0..<width { output[x] = levels[Self.index(row, x, bits: bits)] }
      }
    case .colors(let bits, let colors):
      let colors = colors.span
      for x in 0..<width {
        let color = (bits == 8 ? Int(row[x]) : Self.index(row, x, bits: bits)) &* 3
        output[x &* 3] = colors[color]
        output[x &* 3 &+ 1] = colors[color &+ 1]
        output[x &* 3 &+ 2] = colors[color &+ 2]
      }
    case .colorBytes(let step):
      var source = 0
      var target = 0
      for _ in 0..<width {
        output[target] = row[source &+ 2]
        output[target &+ 1] = row[source &+ 1]
        output[target &+ 2] = row[source]
        source &+= step
        target &+= 3
      }
    case .colorBytesAndAlpha:
      var position = 0
      for _ in 0..<width {
        output[position] = row[position &+ 2]
        output[position &+ 1] = row[position &+ 1]
        output[position &+ 2] = row[position]
        output[position &+ 3] = row[position &+ 3]
        position &+= 4
      }
    case .fields(let fields, let pixelByteCount):
      if fields.isDeep {
        fields.expandDeep(row, pixelByteCount: pixelByteCount, width: width, into: &output)
      } else {
        fields.expand(row, pixelByteCount: pixelByteCount, width: width, into: &output)
      }
    }
  }

  /// Returns the index of a pixel. The leftmost pixel is in the highest bits of a byte.
  @inline(__always)
  private static func index(_ row: Span<UInt8>, _ x: Int, bits: Int) -> Int {
    if bits == 8 { return Int(row[x]) }
    let bit = x &* bits
    let shift = 8 &- bits &- (bit & 7)
    return Int(row[bit &>> 3] &>> UInt8(truncatingIfNeeded: shift)) & ((1 &<< bits) &- 1)
  }
}
