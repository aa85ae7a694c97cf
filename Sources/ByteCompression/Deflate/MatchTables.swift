// The positions of strings in a stream: chains of those with the same four bytes, and the last ones with the same three.

internal import VectorLanes

/// A string that occurred before; the length is 0 if there is none.
struct DeflateMatch {
  var length = 0
  var distance = 0
}

/// Access to the positions at which strings occurred.
struct MatchTables: ~Copyable, ~Escapable {
  static let maximumDistance = 32 << 10
  static let slotBits: UInt32 = 15
  static let shortSlotBits: UInt32 = 14
  /// Matches of three bytes are not worth more.
  private static let maximumShortDistance: UInt32 = 4096

  /// For each hash of four bytes the stream position of the last string, modulo 2^32.
  private var heads: MutableSpan<UInt32>
  /// For each position, modulo the size of the window, how far before it the same hash occurred.
  private var steps: MutableSpan<UInt16>
  /// For each hash of three bytes the stream position of the last string; empty if these are not looked for.
  private var shortHeads: MutableSpan<UInt32>
  /// The stream position of the first byte, modulo 2^32.
  private let streamOffset: UInt32

  @_lifetime(copy heads, copy steps, copy shortHeads)
  init(
    heads: consuming MutableSpan<UInt32>, steps: consuming MutableSpan<UInt16>,
    shortHeads: consuming MutableSpan<UInt32>, streamOffset: UInt32
  ) {
    precondition(
      heads.count == 1 << Int(Self.slotBits) && steps.count == Self.maximumDistance
        && (shortHeads.isEmpty || shortHeads.count == 1 << Int(Self.shortSlotBits)), "a table has another size")
    self.heads = heads
    self.steps = steps
    self.shortHeads = shortHeads
    self.streamOffset = streamOffset
  }

  /// Enters the string at `index`, at least four bytes before the end of `bytes`.
  ///
  /// - Returns: the distances of the last strings with the same hash of four and of three bytes.
  @inline(__always)
  @discardableResult
  mutating func enter(_ bytes: Span<UInt8>, _ index: Int) -> (distance: UInt32, short: UInt32) {
    let word = loadLittleEndian32(bytes, at: index)
    let position = streamOffset &+ UInt32(truncatingIfNeeded: index)
    // 2³² divided by the golden ratio.
    let slot = Int((word &* 0x9E37_79B1) &>> (32 &- Self.slotBits))
    let distance = position &- heads[slot]
    heads[slot] = position
    steps[Int(truncatingIfNeeded: position) & (Self.maximumDistance &- 1)] = UInt16(
      truncatingIfNeeded: min(distance, 0xFFFF))
    if shortHeads.isEmpty { return (distance, 0) }
    let shortSlot = Int((word &<< 8 &* 0x9E37_79B1) &>> (32 &- Self.shortSlotBits))
    let short = position &- shortHeads[shortSlot]
    shortHeads[shortSlot] = position
    return (distance, short)
  }

  /// Enters the string at `index` and returns the longest match for it that is longer than `best`.
  ///
  /// - Parameters:
  ///   - best: at least 3.
  ///   - end: the index after the last byte that a match may include.
  @inline(__always)
  mutating func findMatch(
    _ bytes: Span<UInt8>, _ index: Int, longerThan best: Int, end: Int, depth: Int, niceLength: Int
  ) -> DeflateMatch {
    let (firstDistance, shortDistance) = enter(bytes, index)
    let limit = min(258, end &- index)
    guard best < limit else { return DeflateMatch() }
    let farthest = min(Self.maximumDistance, index)
    let position = streamOffset &+ UInt32(truncatingIfNeeded: index)
    let word = loadLittleEndian32(bytes, at: index)
    var result = DeflateMatch()
    var best = best
    var depth = depth
    var distance = Int(truncatingIfNeeded: min(firstDistance &- 1, UInt32(Self.maximumDistance))) &+ 1
    // The bytes that a longer match ends with.
    var ending = loadLittleEndian32(bytes, at: index &+ best &- 3)
    while distance <= farthest {
      let candidate = index &- distance
      if loadLittleEndian32(bytes, at: candidate &+ best &- 3) == ending,
        loadLittleEndian32(bytes, at: candidate) == word
      {
        let length = matchLength(bytes, index, distance, limit: limit)
        if length > best {
          best = length
          result = DeflateMatch(length: length, distance: distance)
          if length >= niceLength || length == limit { break }
          ending = loadLittleEndian32(bytes, at: index &+ best &- 3)
        }
      }
      depth &-= 1
      if depth == 0 { break }
      let place = position &- UInt32(truncatingIfNeeded: distance)
      distance &+= Int(steps[Int(truncatingIfNeeded: place) & (Self.maximumDistance &- 1)])
    }
    if result.length == 0, best == 3, shortDistance &- 1 < min(Self.maximumShortDistance, UInt32(index)) {
      let candidate = loadLittleEndian32(bytes, at: index &- Int(shortDistance))
      if (candidate ^ word) & 0xFF_FFFF == 0 { return DeflateMatch(length: 3, distance: Int(shortDistance)) }
    }
    return result
  }
}
