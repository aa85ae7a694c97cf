// Decompression of the commands of a meta-block: literals, copies of earlier output, and words of the static dictionary
// (RFC 7932, sections 4, 5 and 10).

/// The state of a stream between meta-blocks and between the parts of one.
struct BrotliDecoder {
  var bits = BrotliBits()
  /// The number of bytes written.
  var written = 0
  /// The maximum distance of a copy.
  var windowSize = 0
  /// The number of bytes that remain to be written in the current meta-block.
  var remaining = 0
  /// The last four distances, the latest one first.
  private var recent: (Int, Int, Int, Int) = (4, 11, 15, 16)
  /// A command that has been read but did not fit the output.
  private var pending: Pending?

  private struct Pending {
    var insertCount: Int
    var copyCount: Int
    var repeatsDistance: Bool
  }

  /// The bytes that must remain in the output after those of a command: the longest word of the dictionary, or what a
  /// copy may write beyond its end.
  static let margin = 64

  /// Decodes commands until the meta-block ends or the output is full.
  ///
  /// - Parameter output: the whole output, of which the first ``written`` bytes are the result so far.
  /// - Returns: the size of the output that the next command requires; `nil` at the end of the meta-block.
  mutating func run(
    _ block: inout BrotliMetaBlock, _ input: Span<UInt8>, into output: inout MutableSpan<UInt8>
  ) throws(BrotliDamage) -> Int? {
    let (literals, commands, distances) = (block.literals, block.commands, block.distances)
    let (literalEntries, commandEntries, distanceEntries) = (
      literals.entries.span, commands.entries.span, distances.entries.span
    )
    let (literalHandles, commandHandles, distanceHandles) = (
      literals.handles.span, commands.handles.span, distances.handles.span
    )
    let (literalMapBytes, distanceMapBytes) = (block.literalMap, block.distanceMap)
    let (literalMap, distanceMap) = (literalMapBytes.span, distanceMapBytes.span)
    let allCommands = BrotliCommand.all
    let commandTable = allCommands.span
    let contextBytes = BrotliContexts.literalTable
    let contexts = contextBytes.span
    var bits = self.bits
    var position = written
    defer {
      self.bits = bits
      written = position
    }
    while remaining > 0 {
      var command: Pending
      if let known = pending {
        command = known
        pending = nil
      } else {
        if block.commandBlocks.remaining == 0 { block.commandBlocks.advance(&bits, input) }
        block.commandBlocks.remaining &-= 1
        bits.refill(input)
        let symbol = BrotliCodes.symbol(commandEntries, commandHandles[block.commandBlocks.current], &bits)
        let entry = commandTable[symbol]
        let insertCount = Int(entry.insertCount) &+ bits.take(Int(entry.insertExtraBits))
        bits.refill(input)
        let copyCount = Int(entry.copyCount) &+ bits.take(Int(entry.copyExtraBits))
        command = Pending(
          insertCount: insertCount, copyCount: copyCount, repeatsDistance: entry.repeatsDistance)
        guard insertCount <= remaining else { throw BrotliDamage("a command exceeds its meta-block") }
      }
      let needed = position &+ min(command.insertCount &+ command.copyCount, remaining) &+ BrotliDecoder.margin
      if needed > output.count {
        if bits.isPastEnd(of: input) { throw BrotliDamage("the stream ends inside a command") }
        pending = command
        return needed
      }

      // Literals.
      remaining &-= command.insertCount
      var left = command.insertCount
      while left > 0 {
        if block.literalBlocks.remaining == 0 { block.literalBlocks.advance(&bits, input) }
        let run = min(left, block.literalBlocks.remaining)
        left &-= run
        block.literalBlocks.remaining &-= run
        let type = block.literalBlocks.current
        let uniform = block.uniformLiteralCodes[type]
        let end = position &+ run
        if uniform >= 0 {
          let handle = literalHandles[uniform]
          while position < end {
            if bits.count < BrotliCodes.maximumLength { bits.refill(input) }
            output[position] = UInt8(truncatingIfNeeded: BrotliCodes.symbol(literalEntries, handle, &bits))
            position &+= 1
          }
        } else {
          let map = literalMap.extracting(type * BrotliContexts.literalCount..<(type + 1) * BrotliContexts.literalCount)
          let modeStart = block.literalModes[type]
          let mode = contexts.extracting(modeStart..<modeStart + 512)
          var last = position > 0 ? output[position &- 1] : 0
          var earlier = position > 1 ? output[position &- 2] : 0
          while position < end {
            let context = mode[Int(last)] | mode[256 &+ Int(earlier)]
            if bits.count < BrotliCodes.maximumLength { bits.refill(input) }
            let symbol = BrotliCodes.symbol(literalEntries, literalHandles[Int(map[Int(context)])], &bits)
            earlier = last
            last = UInt8(truncatingIfNeeded: symbol)
            output[position] = last
            position &+= 1
          }
        }
      }
      if bits.isPastEnd(of: input) { throw BrotliDamage("the stream ends inside a command") }
      if remaining == 0 { break }

      // The distance.
      var symbol = 0
      if !command.repeatsDistance {
        if block.distanceBlocks.remaining == 0 { block.distanceBlocks.advance(&bits, input) }
        block.distanceBlocks.remaining &-= 1
        let context = block.distanceBlocks.current * BrotliContexts.distanceCount + min(command.copyCount, 5) - 2
        bits.refill(input)
        symbol = BrotliCodes.symbol(distanceEntries, distanceHandles[Int(distanceMap[context])], &bits)
      }
      let distance: Int
      if symbol < BrotliDistanceCode.recentCount {
        distance = recentDistance(symbol)
        guard distance > 0 else { throw BrotliDamage("a distance is not positive") }
      } else {
        distance = block.distanceCode.distance(symbol, &bits)
      }
      if bits.isPastEnd(of: input) { throw BrotliDamage("the stream ends inside a command") }

      // The copy.
      let reach = min(position, windowSize)
      if distance <= reach {
        if symbol != 0 { recent = (distance, recent.0, recent.1, recent.2) }
        guard command.copyCount <= remaining else { throw BrotliDamage("a command exceeds its meta-block") }
        copyEarlierOutput(&output, to: position, distance: distance, count: command.copyCount)
        position &+= command.copyCount
        remaining &-= command.copyCount
      } else {
        let count = try writeWord(
          length: command.copyCount, number: distance - reach - 1, to: &output, at: position)
        guard count <= remaining else { throw BrotliDamage("a command exceeds its meta-block") }
        position &+= count
        remaining &-= count
      }
    }
    return nil
  }

  /// The distance of one of the first sixteen symbols, relative to one of the last four distances.
  @inline(__always)
  private func recentDistance(_ symbol: Int) -> Int {
    switch symbol {
    case 0: recent.0
    case 1: recent.1
    case 2: recent.2
    case 3: recent.3
    case 4...9: recent.0 + [-1, 1, -2, 2, -3, 3][symbol - 4]
    default: recent.1 + [-1, 1, -2, 2, -3, 3][symbol - 10]
    }
  }

  /// Writes a word of the static dictionary and returns the number of bytes.
  @inline(never)
  private func writeWord(
    length: Int, number: Int, to output: inout MutableSpan<UInt8>, at position: Int
  ) throws(BrotliDamage) -> Int {
    let dictionary = BrotliDictionary.shared
    guard let (range, transform) = dictionary.word(length: length, number: number) else {
      throw BrotliDamage("a distance exceeds the window and refers to no word of the dictionary")
    }
    let count = transform.write(dictionary.bytes.span.extracting(range), to: &output, at: position)
    // Such a command can have no bits and be repeated forever.
    guard count > 0 else { throw BrotliDamage("a transformed word of the dictionary is empty") }
    return count
  }
}
