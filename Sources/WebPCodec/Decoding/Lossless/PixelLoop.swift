// The loop over the symbols of an image: literals, backward references, the colour cache (RFC 9649, section 3.7.3).

/// The state of the loop, all of which is local to one call.
struct PixelLoop {
  let width: Int
  let pixelCount: Int
  let target: Int
  let ringMask: Int
  let cacheBits: Int
  var position: Int
  /// The position up to which pixels are in the colour cache.
  var cachedPosition: Int
  var reader: LosslessBitReader

  /// The number of bytes within which any symbol ends, including the look-ahead of refills.
  private static let margin = 24

  /// - Parameters:
  ///   - groups: the prefix code groups, not empty.
  ///   - entries: the entries of their tables.
  mutating func run(
    _ bytes: Span<UInt8>, isFinal: Bool, groups: Span<PrefixGroup>, entries: Span<UInt32>, map: GroupMap,
    pixels: inout MutableSpan<UInt32>, cache: inout MutableSpan<UInt32>
  ) -> LosslessStep {
    // The optimiser keeps local variables in registers.
    var (reader, position) = (self.reader, self.position)
    defer { (self.reader, self.position) = (reader, position) }
    let (width, target, ringMask) = (width, target, ringMask)
    let distanceCodes = DistanceMap.codes
    let blocks = map.groups.span
    let (blockBits, blocksPerRow) = (map.blockBits, map.blocksPerRow)
    let hasBlocks = !blocks.isEmpty
    let blockMask = hasBlocks ? (1 &<< blockBits) &- 1 : -1
    let lastFastIndex = bytes.count &- Self.margin
    var (y, x) = position.quotientAndRemainder(dividingBy: width)
    var blockRow = (y &>> blockBits) &* blocksPerRow
    var group = groups[hasBlocks ? Int(blocks[blockRow &+ x &>> blockBits]) : 0]
    while position < target {
      if reader.index > lastFastIndex {
        if !isFinal { return .suspended }
        if reader.isOverrun { return .damaged(Self.earlyEnd) }
      }
      if hasBlocks, x & blockMask == 0 { group = groups[Int(blocks[blockRow &+ x &>> blockBits])] }
      let start = position
      reader.refill(bytes)
      let green = readSymbol(group.green, entries, &reader)
      if green < 256 {
        pixels[position & ringMask] = Self.readLiteral(green: green, group, entries, &reader, bytes)
        position &+= 1
        x &+= 1
      } else if green < 280 {
        let length = Self.readLength(prefix: green &- 256, &reader)
        let prefix = readSymbol(group.distance, entries, &reader)
        reader.refill(bytes)
        let code = Self.readLength(prefix: prefix, &reader)
        let distance = DistanceMap.distance(code: code, width: width, distanceCodes.span)
        guard distance <= position, length <= pixelCount &- position else {
          return .damaged(isFinal && reader.isOverrun ? Self.earlyEnd : Self.invalidReference)
        }
        copyPixels(&pixels, from: position &- distance, to: position, count: length, mask: ringMask)
        position &+= length
        x &+= length
        if hasBlocks, x < width { group = groups[Int(blocks[blockRow &+ x &>> blockBits])] }
      } else {
        insertIntoCache(pixels.span, &cache, upTo: position)
        pixels[position & ringMask] = cache[green &- 280]
        position &+= 1
        x &+= 1
      }
      if x >= width {
        repeat {
          x &-= width
          y &+= 1
        } while x >= width
        blockRow = (y &>> blockBits) &* blocksPerRow
        if hasBlocks, position < pixelCount { group = groups[Int(blocks[blockRow &+ x &>> blockBits])] }
        // Pixels of a ring have to be in the cache before they are overwritten.
        if cacheBits > 0 { insertIntoCache(pixels.span, &cache, upTo: position) }
      }
      if reader.index > lastFastIndex, reader.isOverrun {
        position = start
        return .damaged(Self.earlyEnd)
      }
    }
    return .done
  }

  private static var earlyEnd: BitstreamDamage { .earlyEnd("the image data ends early") }
  private static var invalidReference: BitstreamDamage {
    .violation("a backward reference reaches outside of the image")
  }

  /// Reads red, blue and alpha. The reader must have at least 41 loaded bits.
  @inline(__always)
  private static func readLiteral(
    green: Int, _ group: PrefixGroup, _ entries: Span<UInt32>, _ reader: inout LosslessBitReader, _ bytes: Span<UInt8>
  ) -> UInt32 {
    let greenBits = UInt32(truncatingIfNeeded: green) &<< 8
    if group.hasConstantColor { return group.constantColor | greenBits }
    let red = readSymbol(group.red, entries, &reader)
    if reader.bitCount < 30 { reader.refill(bytes) }
    let blue = readSymbol(group.blue, entries, &reader)
    let alpha = readSymbol(group.alpha, entries, &reader)
    return UInt32(truncatingIfNeeded: alpha) &<< 24 | UInt32(truncatingIfNeeded: red) &<< 16 | greenBits
      | UInt32(truncatingIfNeeded: blue)
  }

  /// Returns a length or distance, given its prefix. The reader must have loaded its extra bits.
  @inline(__always)
  private static func readLength(prefix: Int, _ reader: inout LosslessBitReader) -> Int {
    if prefix < 4 { return prefix &+ 1 }
    let extraBits = (prefix &- 2) &>> 1
    let offset = (2 &+ (prefix & 1)) &<< extraBits
    return offset &+ reader.takeLoaded(extraBits) &+ 1
  }

  /// Inserts the pixels since the last call into the cache.
  @inline(__always)
  private mutating func insertIntoCache(
    _ pixels: Span<UInt32>, _ cache: inout MutableSpan<UInt32>, upTo position: Int
  ) {
    let shift = UInt32(truncatingIfNeeded: 32 &- cacheBits)
    var index = cachedPosition
    while index < position {
      let color = pixels[index & ringMask]
      cache[Int(truncatingIfNeeded: (color &* 0x1E35_A7BD) &>> shift)] = color
      index &+= 1
    }
    cachedPosition = max(cachedPosition, position)
  }
}
