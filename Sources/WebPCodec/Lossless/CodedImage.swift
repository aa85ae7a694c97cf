// An image as the entropy coder writes it: the pixels of the picture before its transforms, or the data of a transform
// (RFC 9649, section 3.5.2).

internal import ImageCore

/// The five prefix codes of a part of an image (RFC 9649, section 3.7.2).
struct PrefixGroup {
  /// Green, lengths and places in the colour cache.
  var green = PrefixCode()
  var red = PrefixCode()
  var blue = PrefixCode()
  var alpha = PrefixCode()
  var distance = PrefixCode()
  /// Red, blue and alpha, where each of them has one value only.
  var constantColor: UInt32 = 0
  var hasConstantColor = false
}

/// What a stage of the decoder came to.
enum LosslessStep {
  /// It is complete.
  case done
  /// It needs more input.
  case suspended
  /// The stream breaks a rule.
  case damaged(BitstreamDamage)
}

/// An image while it is decoded. Pixels are alpha, red, green, blue from the most significant byte down.
struct CodedImage {
  let width: Int
  let height: Int
  /// The pixels in scan order. Where the image is larger than ``ringPixelCount``, the last that many of them.
  private(set) var pixels: [UInt32] = []
  /// Masks the position of a pixel to its place in ``pixels``.
  private(set) var ringMask = -1
  /// Pixels that are there.
  private(set) var position = 0

  private var cacheBits = 0
  private var cache: [UInt32] = []
  private var cachedPosition = 0
  private var tables = PrefixTables()
  private var groups: [PrefixGroup] = []
  private var groupMap = GroupMap.single
  /// Codes that have been read, of all groups.
  private var codeCount = 0
  private var nextGroup = PrefixGroup()
  private var nextGroupConstants = 0
  /// Bytes charged to the budget.
  private var chargedByteCount = 0

  /// Pixels that backward references reach: at most 2¹⁸ · 4 − 120.
  static let ringPixelCount = 1 << 20

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  var pixelCount: Int { width * height }
  var isComplete: Bool { position == pixelCount }
  /// Complete rows.
  var completedRowCount: Int { position / width }

  // MARK: Headers

  /// Reads whether there is a colour cache, and its size.
  mutating func readCacheSize(_ reader: inout LosslessBitReader, _ bytes: Span<UInt8>) -> String? {
    guard reader.readFlag(bytes) else { return nil }
    cacheBits = reader.read(4, bytes)
    return (1...11).contains(cacheBits) ? nil : "the colour cache has \(cacheBits) bits"
  }

  /// Takes the entropy image, which tells the group of each block.
  mutating func setGroups(_ map: GroupMap) {
    groupMap = map
  }

  /// Allocates the pixels and the cache, once the sizes are known.
  ///
  /// - Parameter isRing: whether only those pixels are kept that backward references reach.
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

  /// Returns what the image holds.
  mutating func deallocate(_ budget: inout ResourceBudget) {
    budget.release(chargedByteCount)
    chargedByteCount = 0
    pixels = []
    cache = []
    tables = PrefixTables()
    groups = []
  }

  // MARK: Prefix codes

  /// Reads prefix codes. Each one is a separate step: where the input ends within a code, that code is read again.
  mutating func readCodes(
    _ reader: inout LosslessBitReader, _ bytes: Span<UInt8>, isFinal: Bool, _ budget: inout ResourceBudget
  ) throws(CodecError) -> LosslessStep {
    while codeCount < groupMap.codedGroupCount * 5 {
      let before = reader
      let kind = codeCount % 5
      let alphabetSize = kind == 0 ? 280 + (cacheBits == 0 ? 0 : 1 << cacheBits) : kind == 4 ? 40 : 256
      let code = PrefixCodeLengths(alphabetSize: alphabetSize, &reader, bytes)
      if reader.isOverrun {
        guard !isFinal else { return .damaged(.earlyEnd("the image data ends inside of a prefix code")) }
        reader = before
        return .suspended
      }
      try budget.chargeWork(500)
      if let failure = code.failure { return .damaged(.violation(failure)) }
      guard let histogram = PrefixTables.histogram(of: code.lengths.span) else {
        return .damaged(.violation("a prefix code is not complete"))
      }
      if groupMap.isUsed(codeCount / 5) {
        chargedByteCount += try budget.allocate(count: histogram.tableEntryCount, bytesEach: 4)
        add(tables.append(code.lengths.span, histogram), kind: kind)
        if kind == 4 { chargedByteCount += try budget.allocate(count: 1, bytesEach: MemoryLayout<PrefixGroup>.stride) }
      }
      codeCount += 1
    }
    return .done
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
  /// A pixel is begun only when the window has enough bytes for any pixel, or is the last one; so nothing is ever undone.
  /// - Parameters:
  ///   - target: the position from which on to return; a backward reference may go on past it.
  mutating func readPixels(
    upTo target: Int, _ reader: inout LosslessBitReader, _ bytes: Span<UInt8>, isFinal: Bool
  ) -> LosslessStep {
    guard position < target else { return .done }
    // Taken out of the value, so that the loop works on locals.
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
