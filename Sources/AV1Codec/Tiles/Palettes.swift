// Palettes (sections 5.11.46, 5.11.49 and 5.11.50).

extension TileDecoder {
  private static let maximumColorCount = 8

  /// `palette_mode_info`.
  mutating func readPalettes(_ bytes: Span<UInt8>) {
    let sizeContext = block.size.log2Columns + block.size.log2Rows - 2
    if block.mode == .dc {
      let aboveHasOne = above[block.column].paletteSize > 0
      let leftHasOne = left[block.row & 31].paletteSize > 0
      let context = sizeContext * 3 + (aboveHasOne ? 1 : 0) + (leftHasOne ? 1 : 0)
      if symbols.decodeFlag(CDFIndex.hasPaletteY + context, contexts, bytes) {
        let group = CDFIndex.paletteYSize + sizeContext * 2
        block.paletteSize = symbols.decodeSymbol8(group, count: 7, contexts, bytes) + 2
        readColors(plane: 0, count: block.paletteSize, bytes)
      }
    }
    guard block.hasChroma, block.chromaMode == .dc,
      symbols.decodeFlag(CDFIndex.hasPaletteUV + (block.paletteSize > 0 ? 1 : 0), contexts, bytes)
    else { return }
    let group = CDFIndex.paletteUVSize + sizeContext * 2
    block.chromaPaletteSize = symbols.decodeSymbol8(group, count: 7, contexts, bytes) + 2
    readColors(plane: 1, count: block.chromaPaletteSize, bytes)
    readColorsOfV(count: block.chromaPaletteSize, bytes)
  }

  /// The colours of Y or U: some of those of the neighbours' palettes, then others in ascending order.
  private mutating func readColors(plane: Int, count: Int, _ bytes: Span<UInt8>) {
    let first = plane * Self.maximumColorCount
    let depth = parameters.bitDepth
    var colors: [Int] = []
    for color in paletteCache(plane) where colors.count < count {
      if symbols.decodeBit(bytes) == 1 { colors.append(color) }
    }
    if colors.count < count {
      var color = symbols.decodeLiteral(depth, bytes)
      colors.append(color)
      var bitCount = colors.count < count ? depth - 3 + symbols.decodeLiteral(2, bytes) : 0
      // Colours of Y differ, those of U may not.
      let minimumDelta = plane == 0 ? 1 : 0
      while colors.count < count {
        color = min(color + symbols.decodeLiteral(bitCount, bytes) + minimumDelta, 1 << depth - 1)
        colors.append(color)
        bitCount = min(bitCount, Self.ceilLog2(1 << depth - color - minimumDelta))
      }
    }
    colors.sort()
    for index in 0..<count { paletteColors[first + index] = UInt16(truncatingIfNeeded: colors[index]) }
  }

  private static func ceilLog2(_ value: Int) -> Int {
    value < 2 ? 0 : Int.bitWidth - (value - 1).leadingZeroBitCount
  }

  private mutating func readColorsOfV(count: Int, _ bytes: Span<UInt8>) {
    let first = 2 * Self.maximumColorCount
    let depth = parameters.bitDepth
    guard symbols.decodeBit(bytes) == 1 else {
      for index in 0..<count {
        paletteColors[first + index] = UInt16(truncatingIfNeeded: symbols.decodeLiteral(depth, bytes))
      }
      return
    }
    let bitCount = depth - 4 + symbols.decodeLiteral(2, bytes)
    var color = symbols.decodeLiteral(depth, bytes)
    paletteColors[first] = UInt16(truncatingIfNeeded: color)
    for index in 1..<count {
      var delta = symbols.decodeLiteral(bitCount, bytes)
      if delta > 0, symbols.decodeBit(bytes) == 1 { delta = -delta }
      // The sum wraps around once.
      color += delta
      if color < 0 { color += 1 << depth }
      if color >= 1 << depth { color -= 1 << depth }
      color = min(max(color, 0), 1 << depth - 1)
      paletteColors[first + index] = UInt16(truncatingIfNeeded: color)
    }
  }

  /// `get_palette_cache`: the colours of the palettes above and to the left in ascending order, each once.
  private mutating func paletteCache(_ plane: Int) -> [Int] {
    let (aboveUnit, leftUnit) = (above[block.column], left[block.row & 31])
    var result: [Int] = []
    // Palettes of the superblock row above are not kept.
    if block.row & 15 != 0 {
      let count = plane == 0 ? aboveUnit.paletteSize : aboveUnit.chromaPaletteSize
      result += above.colors(plane, of: block.column, count: count)
    }
    let count = plane == 0 ? leftUnit.paletteSize : leftUnit.chromaPaletteSize
    result += left.colors(plane, of: block.row & 31, count: count)
    result.sort()
    var unique: [Int] = []
    for color in result where color != unique.last { unique.append(color) }
    return unique
  }

  /// Stores the colours for the palettes of neighbours.
  mutating func publishPaletteColors() {
    for index in 0..<EdgeContexts.paletteStride {
      let color = paletteColors[index]
      for unit in block.column..<block.column + block.size.columns {
        above.setColor(index, of: unit, color)
      }
      for unit in 0..<block.size.rows {
        left.setColor(index, of: (block.row + unit) & 31, color)
      }
    }
  }

  /// `palette_tokens` of luma.
  mutating func readColorMap(_ bytes: Span<UInt8>) {
    let visible = (
      width: block.visibleColumns(parameters.columns) * 4, height: block.visibleRows(parameters.rows) * 4
    )
    var map = PaletteMap(
      samples: colorMap, width: block.size.width, height: block.size.height, visibleWidth: visible.width,
      visibleHeight: visible.height, colorCount: block.paletteSize)
    colorMap = []
    map.read(&symbols, contexts, group: CDFIndex.paletteColor, bytes)
    colorMap = map.samples
  }

  /// `palette_tokens` of chroma.
  mutating func readChromaColorMap(_ bytes: Span<UInt8>) {
    let (shiftX, shiftY) = (parameters.subsamplingX, parameters.subsamplingY)
    var (width, height) = (block.size.width >> shiftX, block.size.height >> shiftY)
    var visibleWidth = block.visibleColumns(parameters.columns) * 4 >> shiftX
    var visibleHeight = block.visibleRows(parameters.rows) * 4 >> shiftY
    if width < 4 {
      width += 2
      visibleWidth += 2
    }
    if height < 4 {
      height += 2
      visibleHeight += 2
    }
    var map = PaletteMap(
      samples: chromaColorMap, width: width, height: height, visibleWidth: visibleWidth,
      visibleHeight: visibleHeight, colorCount: block.chromaPaletteSize)
    chromaColorMap = []
    // The distributions of chroma follow those of seven sizes of luma, with five contexts of two groups each.
    map.read(&symbols, contexts, group: CDFIndex.paletteColor + 7 * 5 * 2, bytes)
    chromaColorMap = map.samples
  }
}

/// The indices of a block's colours.
private struct PaletteMap {
  /// 64 in a row.
  var samples: [UInt8]
  let width: Int
  let height: Int
  let visibleWidth: Int
  let visibleHeight: Int
  let colorCount: Int

  private static let stride = 64
  /// `Palette_Color_Context` of sums of products of scores.
  private static let contextsByHash: InlineArray<16, Int> = [0, 0, 0, 0, 0, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0]

  /// Reads indices along antidiagonals.
  ///
  /// - Parameter group: the distributions of palettes of two colours, which those of more follow.
  mutating func read(
    _ symbols: inout SymbolDecoder, _ contexts: CDFContexts, group: Int, _ bytes: Span<UInt8>
  ) {
    let group = group + (colorCount - 2) * 5 * 2
    let (width, height, colorCount) = (width, height, colorCount)
    let (visibleWidth, visibleHeight) = (visibleWidth, visibleHeight)
    var span = samples.mutableSpan
    span[0] = UInt8(truncatingIfNeeded: symbols.decodeNonSymmetric(colorCount, bytes))
    for diagonal in 1..<max(visibleWidth + visibleHeight - 1, 1) {
      var column = min(diagonal, visibleWidth - 1)
      while column >= max(0, diagonal - visibleHeight + 1) {
        let row = diagonal &- column
        let index = row &* Self.stride &+ column
        let left = column > 0 ? Int(span[index &- 1]) : -1
        let top = row > 0 ? Int(span[index &- Self.stride]) : -1
        let corner = column > 0 && row > 0 ? Int(span[index &- Self.stride &- 1]) : -1
        let (order, hash) = Self.order(left: left, top: top, corner: corner)
        let symbol = symbols.decodeSymbol8(
          group &+ Self.contextsByHash[hash & 15] &* 2, count: colorCount, contexts, bytes)
        span[index] = UInt8(truncatingIfNeeded: order &>> UInt64(truncatingIfNeeded: symbol &* 8)) & 7
        column &-= 1
      }
    }
    for row in 0..<visibleHeight {
      let last = span[row &* Self.stride &+ visibleWidth &- 1]
      for column in visibleWidth..<max(width, visibleWidth) { span[row &* Self.stride &+ column] = last }
    }
    for row in visibleHeight..<max(height, visibleHeight) {
      for column in 0..<width {
        span[row &* Self.stride &+ column] = span[(visibleHeight &- 1) &* Self.stride &+ column]
      }
    }
  }

  /// `get_palette_color_context`: the colours in order of their scores, a byte each, and the hash of the scores.
  @inline(__always)
  private static func order(left: Int, top: Int, corner: Int) -> (order: UInt64, hash: Int) {
    // Scores of up to three neighbours: 2 for left and top, 1 for the corner.
    var scores = InlineArray<8, UInt8>(repeating: 0)
    if left >= 0 { scores[left & 7] &+= 2 }
    if corner >= 0 { scores[corner & 7] &+= 1 }
    if top >= 0 { scores[top & 7] &+= 2 }
    var colors = InlineArray<8, UInt8>(repeating: 0)
    for index in 0..<8 { colors[index] = UInt8(truncatingIfNeeded: index) }
    for place in 0..<3 {
      var best = place
      for index in place &+ 1..<8 where scores[index] > scores[best] { best = index }
      let (score, color) = (scores[best], colors[best])
      var index = best
      while index > place {
        scores[index] = scores[index &- 1]
        colors[index] = colors[index &- 1]
        index &-= 1
      }
      (scores[place], colors[place]) = (score, color)
    }
    var order: UInt64 = 0
    for index in 0..<8 { order |= UInt64(colors[index]) &<< UInt64(index &* 8) }
    return (order, Int(scores[0]) &+ 2 &* Int(scores[1]) &+ 2 &* Int(scores[2]))
  }
}
