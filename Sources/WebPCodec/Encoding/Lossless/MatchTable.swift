// The longest earlier occurrence of the pixels at every position, found by chains of equal hashes.

internal import ImageCoding

/// For every pixel of an image, the distance and length of the best match.
struct MatchTable {
  static let greatestLength = 4095
  private static let lengthBits: UInt32 = 12
  /// The greatest distance that a code represents.
  private static let greatestDistance = (1 << 20) - 120
  private static let greatestHashBits = 18

  /// The effort that is spent on the search.
  struct Effort {
    /// The number of candidates examined for each pixel.
    var candidateCount: Int
    /// The greatest distance, in rows of the image; `nil` for that of the format.
    var rowCount: Int?
    /// Whether the pixels to the left and above are tried first.
    var triesNeighbors: Bool
  }

  /// For each pixel, the distance in the upper 20 bits and the length in the lower 12.
  private var entries: [UInt32]

  /// The work of entering a pixel, and of examining a candidate.
  private static let workPerPixel = 20
  private static let workPerCandidate = 5

  /// The work after which it is charged.
  private static let chargedWork = 100_000

  /// The number of bytes held per pixel while matches are searched.
  static let bytesPerPixel = 8

  init(
    _ pixels: Span<UInt32>, width: Int, effort: Effort, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    entries = [UInt32](repeating: 0, count: pixels.count)
    guard pixels.count > 2 else { return }
    let window = min(effort.rowCount.map { $0 * width } ?? Self.greatestDistance, Self.greatestDistance)
    let chain = try Self.makeChain(pixels, &budget)
    let candidates = chain.span
    var output = entries.mutableSpan
    var base = pixels.count - 2
    // Both searching and comparing take time: a match may be longer than any number of candidates.
    var work = 0
    while base > 0 {
      if work >= Self.chargedWork {
        try budget.chargeWork(work)
        work = 0
      }
      let lengthLimit = min(pixels.count - 1 - base, Self.greatestLength)
      var best = Match()
      var remaining = effort.candidateCount
      let firstPlace = max(0, base - window)
      var place = Int(candidates[base])
      if effort.triesNeighbors {
        if base >= width, width <= window {
          best.consider(pixels, base, distance: width, limit: lengthLimit)
          remaining &-= 1
        }
        best.consider(pixels, base, distance: 1, limit: lengthLimit)
        remaining &-= 1
        if best.length == Self.greatestLength { place = -1 }
      }
      // A long match is good enough: the search for a longer one would be long too.
      let sufficientLength = min(lengthLimit, 256)
      while place >= firstPlace, remaining > 1 {
        remaining &-= 1
        if pixels[place &+ best.length] == pixels[base &+ best.length] {
          best.consider(pixels, base, distance: base &- place, limit: lengthLimit)
          if best.length >= sufficientLength { break }
        }
        place = Int(candidates[place])
      }
      work &+= Self.workPerPixel &+ (effort.candidateCount &- remaining) &* Self.workPerCandidate &+ best.comparedCount
      Self.store(best, pixels, from: &base, &output)
    }
    try budget.chargeWork(work)
  }

  /// Stores a match, also for the pixels to the left that it extends to.
  @inline(__always)
  private static func store(
    _ match: Match, _ pixels: Span<UInt32>, from base: inout Int, _ output: inout MutableSpan<UInt32>
  ) {
    var length = match.length
    let distance = match.distance
    var lastBase = base
    while true {
      output[base] = UInt32(truncatingIfNeeded: distance) &<< lengthBits | UInt32(truncatingIfNeeded: length)
      base &-= 1
      if distance == 0 || base <= 0 || base < distance || pixels[base &- distance] != pixels[base] { break }
      // Another match may be longer than the one that was cut off at the greatest length.
      if length == greatestLength, distance != 1, base &+ greatestLength < lastBase { break }
      if length < greatestLength {
        length &+= 1
        lastBase = base
      }
    }
  }

  /// Returns, for each pixel, the previous one with the same hash of it and its successor; -1 if there is none.
  private static func makeChain(
    _ pixels: Span<UInt32>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [Int32] {
    var chain = [Int32](repeating: -1, count: pixels.count)
    var links = chain.mutableSpan
    // Small images need few slots, and clearing more would cost more than the search.
    let hashBits = min(greatestHashBits, Int.bitWidth - pixels.count.leadingZeroBitCount + 3)
    let shift = UInt32(32 - hashBits)
    var heads = [Int32](repeating: -1, count: 1 << hashBits)
    var firsts = heads.mutableSpan
    var index = 0
    while index < pixels.count - 1 {
      let start = index
      try budget.chargeWork(workPerPixel * 4096)
      while index < pixels.count - 1, index - start < 4096 {
        let pixel = pixels[index]
        guard pixels[index &+ 1] == pixel else {
          link(index, hash(pixel, pixels[index &+ 1], shift), &links, &firsts)
          index &+= 1
          continue
        }
        // Within a run, the pixels before as many others of the run are alike: the hash has the rest of its length.
        var end = index &+ 2
        while end < pixels.count, pixels[end] == pixel { end &+= 1 }
        var rest = end &- index
        if rest > greatestLength {
          // The pixels to the left are a match for the start of a very long run.
          index &+= rest &- greatestLength
          rest = greatestLength
        }
        while rest > 1, index < pixels.count - 1 {
          rest &-= 1
          link(index, hash(pixel, UInt32(truncatingIfNeeded: rest), shift), &links, &firsts)
          index &+= 1
        }
        if index < pixels.count - 1 {
          link(index, hash(pixel, pixels[index &+ 1], shift), &links, &firsts)
          index &+= 1
        }
      }
    }
    return chain
  }

  @inline(__always)
  private static func link(
    _ index: Int, _ hash: Int, _ links: inout MutableSpan<Int32>, _ firsts: inout MutableSpan<Int32>
  ) {
    links[index] = firsts[hash]
    firsts[hash] = Int32(truncatingIfNeeded: index)
  }

  @inline(__always)
  private static func hash(_ first: UInt32, _ second: UInt32, _ shift: UInt32) -> Int {
    let key = second &* 0xC6A4_A793 &+ first &* 0x5BD1_E996
    return Int(truncatingIfNeeded: key &>> shift)
  }

  @inline(__always)
  func length(at index: Int) -> Int { Int(truncatingIfNeeded: entries[index] & ((1 &<< Self.lengthBits) &- 1)) }

  @inline(__always)
  func distance(at index: Int) -> Int { Int(truncatingIfNeeded: entries[index] &>> Self.lengthBits) }
}

/// The longest match found so far.
private struct Match {
  var length = 0
  var distance = 0
  /// The number of pixels that were compared.
  var comparedCount = 0

  /// Takes the match at a distance if it is longer.
  @inline(__always)
  mutating func consider(_ pixels: Span<UInt32>, _ base: Int, distance: Int, limit: Int) {
    let count = matchLength(pixels, base, base &- distance, limit: limit)
    comparedCount &+= count
    if count > length {
      length = count
      self.distance = distance
    }
  }
}

/// Returns the number of equal pixels from two positions on, at most `limit`.
@inline(__always)
func matchLength(_ pixels: Span<UInt32>, _ first: Int, _ second: Int, limit: Int) -> Int {
  var count = 0
  while count < limit, pixels[first &+ count] == pixels[second &+ count] { count &+= 1 }
  return count
}
