// Encodes pixels as a VP8L image (RFC 9649, section 3): transforms, then tokens, then prefix codes by groups of blocks.

internal import ImageCoding

/// The effort that is spent on the stages of lossless encoding.
struct LosslessEffort {
  /// The search for matches.
  var matching: MatchTable.Effort
  /// Whether tokens are parsed by cost.
  var parsesByCost: Bool
  /// The number of times that tokens are parsed again with the costs of the last parse.
  var parseCount: Int
  /// The greatest size of the colour cache as a binary logarithm; 0 for none.
  var greatestCacheBits: Int
  /// The smallest size of entropy blocks and of transform blocks, as binary logarithms.
  var groupBits: Int
  var transformBits: Int
  /// Whether all predictors are tried.
  var triesAllPredictors: Bool
  /// The number of refinements of the colour transform's factors; 0 for no colour transform.
  var colorIterationCount: Int
  var grouping: EntropyGroups.Effort
  /// Whether other transforms than the ones estimated to be best are tried too.
  var triesAllTransforms: Bool

  /// - Parameter level: 0 (fastest) … 9 (smallest).
  init(level: Int) {
    let candidates = [4, 8, 10, 16, 24, 32, 51, 72, 90, 160][level]
    let window: Int? = [16, 16, 64, 64, 256, 256, 256, nil, nil, nil][level]
    matching = MatchTable.Effort(candidateCount: candidates, rowCount: window, triesNeighbors: level > 0)
    parsesByCost = level >= 3
    parseCount = level >= 8 ? 2 : 1
    greatestCacheBits = [0, 6, 8, 10, 10, 10, 10, 10, 10, 10][level]
    groupBits = [7, 6, 5, 4, 4, 3, 3, 3, 2, 2][level]
    transformBits = [7, 6, 5, 5, 5, 5, 5, 4, 4, 4][level]
    triesAllPredictors = level > 0
    colorIterationCount = [0, 1, 2, 4, 4, 6, 7, 7, 7, 7][level]
    grouping = EntropyGroups.Effort(
      seedCount: level >= 8 ? 216 : 64, iterationCount: [0, 1, 1, 1, 2, 2, 2, 3, 4, 5][level])
    triesAllTransforms = level == 9
  }
}

/// An encoder of lossless images: straight alpha, 8 bits per sample.
struct LosslessEncoder {
  let effort: LosslessEffort
  /// Whether fully transparent pixels may take any colour.
  var freesInvisibleColors = false
  /// The maximum number of threads.
  var parallelism = 1

  /// The number of bytes held per pixel of an image, in addition to the pixels: the matches, and either the chains in
  /// which they are searched, or two parses.
  private static let bytesPerPixel = 8
  /// The work of a pass over the pixels that creates or counts tokens.
  private static let workPerParsedPixel = 6
  /// The greatest number of blocks of an image.
  private static let greatestBlockCount = 2600
  private static let greatestBlockBits = 9

  /// Returns a VP8L image: the header and the stream.
  ///
  /// - Parameter pixels: alpha, red, green and blue from the most to the least significant byte, row by row. Their
  ///   memory is used, and they are lost.
  func encode(
    _ pixels: inout [UInt32], width: Int, height: Int, hasAlpha: Bool, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    var header = ByteWriter(.littleEndian)
    header.append(0x2F as UInt8)
    header.append(UInt32(width - 1) | UInt32(height - 1) << 14 | (hasAlpha ? 1 << 28 : 0))
    return try encodeStream(&pixels, width: width, height: height, after: header.bytes, &budget)
  }

  /// Returns the stream of an image, without the header. The pixels are lost. On return the budget holds the stream.
  func encodeStream(
    _ pixels: inout [UInt32], width: Int, height: Int, after header: [UInt8] = [], _ budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    let heldByteCount = budget.heldByteCount
    try budget.allocate(count: pixels.count, bytesEach: Self.bytesPerPixel)
    let palette = Palette(of: pixels.span)
    let blockBits = Self.blockBits(effort.transformBits, width, height, limit: effort.transformBits)
    let blockCount =
      InverseTransforms.blockCount(width, bits: blockBits) * InverseTransforms.blockCount(height, bits: blockBits)
    let choice = try TransformChoice(
      for: pixels.span, width: width, height: height, paletteCount: palette?.colors.count, blockCount: blockCount,
      &budget)
    let choices = alternatives(to: choice, hasPalette: palette != nil)
    guard choices.count > 1 else {
      let stream = try encode(&pixels, width: width, height: height, choice, palette, after: header, &budget)
      budget.settle(heldByteCount: heldByteCount + stream.count)
      return stream
    }
    let original = pixels
    let results = try parallelResults(count: choices.count, parallelism: parallelism, &budget) {
      index, budget throws(CodecError) in
      let heldByteCount = budget.heldByteCount
      var copy = original
      try budget.allocate(count: copy.count, bytesEach: EncodablePicture.bytesPerPixel)
      let stream = try encode(&copy, width: width, height: height, choices[index], palette, after: header, &budget)
      budget.settle(heldByteCount: heldByteCount + stream.count)
      return stream
    }
    let best = results.min { $0.count < $1.count } ?? header
    budget.settle(heldByteCount: heldByteCount + best.count)
    return best
  }

  /// Returns a choice of transforms, followed by the others that are worth a try.
  private func alternatives(to choice: TransformChoice, hasPalette: Bool) -> [TransformChoice] {
    guard effort.triesAllTransforms else { return [choice] }
    var choices = [choice]
    for (green, predictor, palette) in [
      (false, false, false), (true, true, false), (false, true, false), (true, false, false), (false, false, true),
    ] {
      var other = choice
      (other.subtractsGreen, other.usesPredictor, other.usesPalette) = (green, predictor, palette)
      other.usesColorTransform = predictor
      if palette && !hasPalette || choices.contains(other) { continue }
      choices.append(other)
    }
    return choices
  }

  /// Returns a size of blocks at which there are not too many of them.
  private static func blockBits(_ smallest: Int, _ width: Int, _ height: Int, limit: Int) -> Int {
    var bits = smallest
    while bits < limit,
      InverseTransforms.blockCount(width, bits: bits) * InverseTransforms.blockCount(height, bits: bits)
        > greatestBlockCount
    {
      bits += 1
    }
    return bits
  }

  // MARK: Transforms

  private func encode(
    _ coded: inout [UInt32], width: Int, height: Int, _ choice: TransformChoice, _ palette: Palette?,
    after header: [UInt8], _ budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    var writer = LosslessBitWriter(after: header)
    var codedWidth = width
    if choice.usesPalette, let palette {
      writer.write(1, 1)
      writer.write(3, 2)
      writer.write(UInt32(palette.colors.count - 1), 8)
      try encodePlainImage(palette.differences, width: palette.colors.count, height: 1, &writer, &budget)
      coded = palette.indices(coded.span, width: width, height: height)
      codedWidth = InverseTransforms.blockCount(width, bits: palette.packingBits)
    }
    if choice.subtractsGreen {
      writer.write(1, 1)
      writer.write(2, 2)
      var span = coded.mutableSpan
      subtractGreen(&span)
    }
    if choice.usesPredictor {
      let bits = Self.blockBits(min(effort.groupBits, effort.transformBits), width, height, limit: effort.transformBits)
      let modes = try PredictorModes(
        selectingFor: coded.span, width: width, height: height, blockBits: bits,
        triesAllModes: effort.triesAllPredictors, &budget)
      writer.write(1, 1)
      writer.write(0, 2)
      writer.write(UInt32(bits - 2), 3)
      try encodePlainImage(
        modes.pixels, width: modes.columns, height: modes.modes.count / modes.columns, &writer, &budget)
      coded = modes.differences(
        coded, width: width, height: height, freesInvisibleColors: freesInvisibleColors)
      if choice.usesColorTransform, effort.colorIterationCount > 0 {
        try transformColors(&coded, width: width, height: height, blockBits: bits, &writer, &budget)
      }
    }
    writer.write(0, 1)
    try encodeImage(coded, width: codedWidth, height: height, isPalette: choice.usesPalette, &writer, &budget)
    return writer.finish()
  }

  private func transformColors(
    _ coded: inout [UInt32], width: Int, height: Int, blockBits: Int, _ writer: inout LosslessBitWriter,
    _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let factors = try ColorFactors(
      selectingFor: coded.span, width: width, height: height, blockBits: blockBits,
      iterationCount: effort.colorIterationCount, &budget)
    guard factors.factors.contains(where: { $0 != 0 }) else { return }
    writer.write(1, 1)
    writer.write(1, 2)
    writer.write(UInt32(blockBits - 2), 3)
    try encodePlainImage(
      factors.pixels, width: factors.columns, height: factors.factors.count / factors.columns, &writer, &budget)
    var span = coded.mutableSpan
    factors.apply(to: &span, width: width, height: height)
  }

  // MARK: Tokens

  /// Returns the cheapest of several parses.
  private func parse(
    _ pixels: Span<UInt32>, width: Int, _ matches: MatchTable, greatestCacheBits: Int, _ distances: PlaneDistances,
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> PixelParse {
    // Two parses, the replacement of literals, and the costs.
    try budget.chargeWorkInParts(count: pixels.count, unitsEach: 4 * Self.workPerParsedPixel)
    func cost(_ parse: PixelParse) -> Float {
      estimatedBits(
        histogram(parse, pixels, matches, distances).span, HistogramLayout(cacheBits: parse.cacheBits))
    }
    var best = longestMatchTokens(pixels, width: width, matches)
    best.useCache(
      bits: try bestCacheBits(best, pixels, matches, greatestBits: greatestCacheBits, distances, &budget), pixels)
    var bestCost = cost(best)
    var runs = runLengthTokens(pixels, width: width)
    runs.useCache(
      bits: try bestCacheBits(runs, pixels, matches, greatestBits: greatestCacheBits, distances, &budget), pixels)
    let runCost = cost(runs)
    if runCost < bestCost { (best, bestCost) = (runs, runCost) }
    // No more than two parses are held.
    runs = PixelParse(pixelCount: 0, width: width)
    guard effort.parsesByCost else { return best }
    for _ in 0..<effort.parseCount {
      let counts = histogram(best, pixels, matches, distances)
      let cheapest = try cheapestTokens(
        pixels, width: width, matches, counts, cacheBits: best.cacheBits, distances, &budget)
      let cheapestCost = cost(cheapest)
      guard cheapestCost < bestCost else { break }
      (best, bestCost) = (cheapest, cheapestCost)
    }
    return best
  }

  // MARK: Entropy coding

  /// Writes the pixels of the image itself.
  private func encodeImage(
    _ pixels: [UInt32], width: Int, height: Int, isPalette: Bool, _ writer: inout LosslessBitWriter,
    _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let distances = PlaneDistances(width: width)
    let matches = try MatchTable(pixels.span, width: width, effort: effort.matching, &budget)
    let parse = try parse(
      pixels.span, width: width, matches, greatestCacheBits: effort.greatestCacheBits, distances, &budget)
    if parse.cacheBits > 0 {
      writer.write(1, 1)
      writer.write(UInt32(parse.cacheBits), 4)
    } else {
      writer.write(0, 1)
    }
    let smallest = min(Self.greatestBlockBits, effort.groupBits + (isPalette ? 2 : 0))
    let bits = Self.blockBits(smallest, width, height, limit: Self.greatestBlockBits)
    let groups = try EntropyGroups(
      parse, pixels.span, matches, width: width, height: height, blockBits: bits, effort: effort.grouping, distances,
      &budget)
    if groups.groupCount > 1 {
      writer.write(1, 1)
      writer.write(UInt32(bits - 2), 3)
      try encodePlainImage(
        groups.groups.map { 0xFF00_0000 | UInt32($0) << 8 },
        width: InverseTransforms.blockCount(width, bits: bits),
        height: InverseTransforms.blockCount(height, bits: bits), &writer, &budget)
    } else {
      writer.write(0, 1)
    }
    try budget.chargeWorkInParts(count: parse.tokenCount, unitsEach: 20)
    try write(parse, pixels.span, matches, groups, width: width, distances, &writer, &budget)
  }

  /// Writes an image that transforms or groups need: no colour cache and one group.
  private func encodePlainImage(
    _ pixels: [UInt32], width: Int, height: Int, _ writer: inout LosslessBitWriter, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let distances = PlaneDistances(width: width)
    let matches = try MatchTable(pixels.span, width: width, effort: effort.matching, &budget)
    let parse = try parse(pixels.span, width: width, matches, greatestCacheBits: 0, distances, &budget)
    writer.write(0, 1)
    let groups = try EntropyGroups(
      parse, pixels.span, matches, width: width, height: height, blockBits: 20, effort: effort.grouping, distances,
      &budget)
    try write(parse, pixels.span, matches, groups, width: width, distances, &writer, &budget)
  }

  /// Writes the codes of all groups and then the tokens, whose bytes are charged.
  private func write(
    _ parse: PixelParse, _ pixels: Span<UInt32>, _ matches: MatchTable, _ groups: EntropyGroups, width: Int,
    _ distances: PlaneDistances, _ writer: inout LosslessBitWriter, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let codes = GroupCodes(groups, &writer)
    try budget.allocate(writer.reserve(bitCount: codes.bitCount))
    let columns = InverseTransforms.blockCount(width, bits: groups.blockBits)
    let assignment = groups.groups.span
    let words = parse.words.span
    let interruption = budget.interruption
    var index = 0
    var (x, y) = (0, 0)
    while index < words.count {
      let token = parse.token(at: index, words, pixels, matches)
      index &+= token.pixelCount
      let group = Int(assignment[(y &>> groups.blockBits) &* columns &+ x &>> groups.blockBits])
      codes.write(token, group: group, distances, &writer)
      x &+= token.pixelCount
      while x >= width {
        x &-= width
        y &+= 1
        try interruption.check(row: y, width: width)
      }
    }
  }
}

/// The codes of all groups.
private struct GroupCodes {
  private let layout: HistogramLayout
  /// For each group and each symbol of its layout, the code in the upper bits and its length in the lowest five.
  private var codes: [UInt32]
  /// The number of bits of all tokens.
  private(set) var bitCount = 0

  /// Creates the codes and writes their lengths.
  init(_ groups: EntropyGroups, _ writer: inout LosslessBitWriter) {
    layout = groups.layout
    codes = []
    codes.reserveCapacity(groups.counts.count)
    let counts = groups.counts.span
    for group in 0..<groups.groupCount {
      let base = groups.histogram(group).lowerBound
      for part in layout.parts {
        let code = WritablePrefixCode(
          counts.extracting(base + part.lowerBound..<base + part.upperBound), &writer)
        for symbol in part.indices {
          let index = symbol - part.lowerBound
          codes.append(UInt32(code.codes[index]) << 5 | UInt32(code.lengths[index]))
          bitCount += Int(counts[base + symbol]) * Int(code.lengths[index])
        }
      }
      bitCount += extraBitCount(counts.extracting(groups.histogram(group)), layout)
    }
  }

  @inline(__always)
  private func write(_ index: Int, _ writer: inout LosslessBitWriter) {
    let code = codes[index]
    writer.write(code &>> 5, Int(truncatingIfNeeded: code & 31))
  }

  @inline(__always)
  func write(
    _ token: PixelToken, group: Int, _ distances: PlaneDistances, _ writer: inout LosslessBitWriter
  ) {
    let base = group &* layout.count
    if token.isLiteral {
      let pixel = token.value
      write(base &+ Int(truncatingIfNeeded: pixel &>> 8 & 0xFF), &writer)
      write(base &+ layout.red &+ Int(truncatingIfNeeded: pixel &>> 16 & 0xFF), &writer)
      write(base &+ layout.blue &+ Int(truncatingIfNeeded: pixel & 0xFF), &writer)
      write(base &+ layout.alpha &+ Int(truncatingIfNeeded: pixel &>> 24), &writer)
    } else if token.isCached {
      write(base &+ 256 &+ HistogramLayout.lengthCount &+ Int(token.value), &writer)
    } else {
      let length = PrefixValue(token.pixelCount)
      write(base &+ 256 &+ length.symbol, &writer)
      writer.write(length.extraBits, length.extraBitCount)
      let distance = PrefixValue(distances.code(Int(token.value)))
      write(base &+ layout.distance &+ distance.symbol, &writer)
      writer.write(distance.extraBits, distance.extraBitCount)
    }
  }
}

/// Subtracts green from red and blue (section 3.5.3).
func subtractGreen(_ pixels: inout MutableSpan<UInt32>) {
  var index = 0
  while index < pixels.count {
    let pixel = pixels[index]
    let green = (pixel &>> 8) & 0xFF
    let redBlue = (pixel | 0xFF00_FF00) &- (green | green &<< 16)
    pixels[index] = (pixel & 0xFF00_FF00) | (redBlue & 0x00FF_00FF)
    index &+= 1
  }
}
