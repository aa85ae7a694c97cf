// An entropy-coded image: the pixels of the picture before its transforms are inverted, or the data of a transform (RFC
// 9649, section 3.5.2).

internal import ImageCoding

/// The five prefix codes of a part of an image (RFC 9649, section 3.7.2).
struct PrefixGroup {
  /// Green, lengths and colour cache indices.
  var green = PrefixCode()
  var red = PrefixCode()
  var blue = PrefixCode()
  var alpha = PrefixCode()
  var distance = PrefixCode()
  /// Red, blue and alpha, if each of them has only one value.
  var constantColor: UInt32 = 0
  var hasConstantColor = false
}

/// The outcome of a decoder stage.
enum LosslessStep {
  /// The stage is complete.
  case done
  /// The stage needs more input.
  case suspended
  /// The stream violates a rule.
  case damaged(BitstreamDamage)
}

/// An image during decoding. The bytes of a pixel are alpha, red, green and blue, alpha most significant.
struct CodedImage {
  let width: Int
  let height: Int
  /// The pixels in scan order. In a ring, only the last ``ringPixelCount`` pixels.
  private(set) var pixels: [UInt32] = []
  /// The mask that maps the position of a pixel to its index in ``pixels``.
  private(set) var ringMask = -1
  /// The number of pixels decoded so far.
  private(set) var position = 0

  private var cacheBits = 0
  private var cache: [UInt32] = []
  private var cachedPosition = 0
  private var tables = PrefixTables()
  private var groups: [PrefixGroup] = []
  private var groupMap = GroupMap.single
  /// The number of codes read so far, over all groups.
  private var codeCount = 0
  private var nextGroup = PrefixGroup()
  private var nextGroupConstants = 0
  /// The number of codes whose work has been charged: those read, and the next one if it was tried.
  private var chargedCodeCount = 0
  /// The number of unread bytes from which on the next code is tried again.
  private var neededCodeByteCount = 0
  /// The number of bytes charged to the budget, apart from those of the tables.
  private var chargedByteCount = 0
  private var chargedTableByteCount = 0

  /// A power of two that exceeds the reach of backward references, at most 2¹⁸ · 4 − 120 pixels.
  static let ringPixelCount = 1 << 20

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  var pixelCount: Int { width * height }
  /// The work of decoding a pixel, before its transforms are inverted.
  var workPerPixel: Int { cacheBits == 0 ? 8 : 9 }
  var isComplete: Bool { position == pixelCount }
  /// The number of complete rows.
  var completedRowCount: Int { position / width }

  // MARK: Headers

  /// Reads the flag of the colour cache, and its size if present.
  mutating func readCacheSize(_ reader: inout LosslessBitReader, _ bytes: Span<UInt8>) -> String? {
    guard reader.readFlag(bytes) else { return nil }
    cacheBits = reader.read(4, bytes)
    return (1...11).contains(cacheBits) ? nil : "the colour cache has \(cacheBits) bits"
  }

  /// Sets the entropy image, which assigns a group to each block.
  mutating func setGroups(_ map: GroupMap) {
    groupMap = map
  }

  /// Allocates the pixels and the cache. Sizes must be known.
  ///
  /// - Parameter isRing: whether only the pixels within reach of backward references are kept.
  mutating func allocate(isRing: Bool, _ budget: inout ResourceBudget) throws(CodecError) {
    var count = pixelCount
    if isRing, count > Self.ringPixelCount {
      count = Self.ringPixelCount
      ringMask = count - 1
    }
    let cacheCount = cacheBits == 0 ? 0 : 1 << cacheBits
    chargedByteCount = try budget.allocate(count: count + cacheCount, bytesEach: 4)
    pixels = [UInt32](repeating: 0, count: count)
    cache = [UInt32](repeating: 0, count: cacheCount)
  }

  /// Releases the buffers and credits their memory.
  mutating func deallocate(_ budget: inout ResourceBudget) {
    budget.release(chargedByteCount + chargedTableByteCount)
    (chargedByteCount, chargedTableByteCount) = (0, 0)
    pixels = []
    cache = []
    tables = PrefixTables()
    groups = []
  }

  // MARK: Prefix codes

  /// The work of a code, in addition to that of its symbols: the code of its lengths and memory.
  private static let workPerCode = 500
  /// The work of each symbol of an alphabet and of each entry of a table.
  private static let workPerSymbol = 4

  /// Reads prefix codes. Each code is a separate step: if the input ends within a code, that code is read again once
  /// twice the bytes are present. So the work of all attempts is at most twice that of the last one.
  mutating func readCodes(
    _ reader: inout LosslessBitReader, _ bytes: Span<UInt8>, isFinal: Bool, _ budget: inout ResourceBudget
  ) throws(CodecError) -> LosslessStep {
    while codeCount < groupMap.codedGroupCount * 5 {
      let before = reader
      let unreadByteCount = bytes.count - reader.index + reader.bitCount / 8
      guard isFinal || unreadByteCount >= neededCodeByteCount else { return .suspended }
      let kind = codeCount % 5
      let alphabetSize = kind == 0 ? 280 + (cacheBits == 0 ? 0 : 1 << cacheBits) : kind == 4 ? 40 : 256
      if chargedCodeCount == codeCount {
        chargedCodeCount += 1
        try budget.chargeWork(Self.workPerCode + alphabetSize * Self.workPerSymbol)
      }
      let isUsed = groupMap.isUsed(codeCount / 5)
      let code = PrefixCodeLengths(alphabetSize: alphabetSize, keepsLengths: isUsed, &reader, bytes)
      if reader.isOverrun {
        guard !isFinal else { return .damaged(.earlyEnd("the image data ends inside of a prefix code")) }
        reader = before
        neededCodeByteCount = 2 * max(1, unreadByteCount)
        return .suspended
      }
      neededCodeByteCount = 0
      if let failure = code.failure { return .damaged(.violation(failure)) }
      guard let histogram = PrefixHistogram(code.counts) else {
        return .damaged(.violation("a prefix code is not complete"))
      }
      if isUsed {
        if groups.capacity == 0 { try reserveGroups(&budget) }
        try budget.chargeWork(count: histogram.tableEntryCount, unitsEach: Self.workPerSymbol)
        try tables.reserve(histogram, charged: &chargedTableByteCount, &budget)
        add(tables.append(code.lengths.span, histogram), kind: kind)
      }
      codeCount += 1
    }
    return .done
  }

  private mutating func reserveGroups(_ budget: inout ResourceBudget) throws(CodecError) {
    let count = groupMap.usedGroupCount
    chargedByteCount += try budget.allocate(count: count, bytesEach: MemoryLayout<PrefixGroup>.stride)
    groups.reserveCapacity(count)
  }

  private mutating func add(_ code: PrefixCode, kind: Int) {
    let constant: UInt32? = code.rootMask == 0 ? tables.entries[Int(code.offset)] >> 16 : nil
    switch kind {
    case 0:
      nextGroup = PrefixGroup()
      nextGroupConstants = 0
      nextGroup.green = code
    case 1: nextGroup.red = code
    case 2: nextGroup.blue = code
    case 3: nextGroup.alpha = code
    default:
      nextGroup.distance = code
      nextGroup.hasConstantColor = nextGroupConstants == 3
      groups.append(nextGroup)
    }
    if let constant, kind >= 1, kind <= 3 {
      nextGroupConstants += 1
      nextGroup.constantColor |= constant << [0, 16, 0, 24][kind]
    }
  }

  // MARK: Pixels

  /// Decodes pixels.
  ///
  /// A pixel is started only if the window has enough bytes for any pixel or is the last one, so that nothing has to be
  /// undone.
  /// - Parameters:
  ///   - target: the position at which to return; a backward reference may extend beyond it.
  mutating func readPixels(
    upTo target: Int, _ reader: inout LosslessBitReader, _ bytes: Span<UInt8>, isFinal: Bool
  ) -> LosslessStep {
    guard position < target else { return .done }
    // Moved out of the value, so that the loop works on locals.
    var pixels = [UInt32]()
    swap(&pixels, &self.pixels)
    var cache = [UInt32]()
    swap(&cache, &self.cache)
    var loop = PixelLoop(
      width: width, pixelCount: pixelCount, target: target, ringMask: ringMask, cacheBits: cacheBits,
      position: position, cachedPosition: cachedPosition, reader: reader)
    var pixelSpan = pixels.mutableSpan
    var cacheSpan = cache.mutableSpan
    let step = loop.run(
      bytes, isFinal: isFinal, groups: groups.span, entries: tables.entries.span, map: groupMap, pixels: &pixelSpan,
      cache: &cacheSpan)
    reader = loop.reader
    position = loop.position
    cachedPosition = loop.cachedPosition
    swap(&pixels, &self.pixels)
    swap(&cache, &self.cache)
    return step
  }
}
