// The symbols that the pixels of an image are coded as: literals, colour cache codes, and copies of earlier pixels
// (RFC 9649, section 3.6.2).

/// One element of an image's entropy-coded data.
struct PixelToken {
  /// The pixel of a literal, the index in the colour cache, or the distance of a copy in pixels.
  var value: UInt32
  /// The number of pixels of a copy, or one of the constants below.
  private(set) var length: UInt32

  private static let literalLength: UInt32 = 0
  private static let cachedLength: UInt32 = 0x8000_0000

  static func literal(_ pixel: UInt32) -> PixelToken { PixelToken(value: pixel, length: literalLength) }

  static func cached(_ index: UInt32) -> PixelToken { PixelToken(value: index, length: cachedLength) }

  static func copy(distance: Int, length: Int) -> PixelToken {
    PixelToken(value: UInt32(truncatingIfNeeded: distance), length: UInt32(truncatingIfNeeded: length))
  }

  @inline(__always)
  var isLiteral: Bool { length == Self.literalLength }
  @inline(__always)
  var isCached: Bool { length == Self.cachedLength }
  /// The number of pixels that the token represents.
  @inline(__always)
  var pixelCount: Int { isLiteral || isCached ? 1 : Int(truncatingIfNeeded: length) }
}

/// The tokens of an image in two bytes per pixel: a word at the first pixel of each. Its literal, index or distance is
/// looked up in the pixels and the matches.
struct PixelParse {
  /// The length of a copy in the lower 12 bits, and the source of its distance above; 0 and a flag for single pixels.
  /// The words of a copy's other pixels have no meaning.
  private(set) var words: [UInt16]
  /// The number of tokens.
  private(set) var tokenCount = 0
  /// The binary logarithm of the size of the colour cache; 0 for none.
  private(set) var cacheBits = 0
  private let width: Int

  /// The source of a copy's distance.
  enum Source: UInt16 {
    case match = 0x0000
    case left = 0x1000
    case above = 0x2000
  }

  private static let literal: UInt16 = 0x0000
  private static let cached: UInt16 = 0x1000
  private static let lengthMask: UInt16 = 0x0FFF

  /// Creates a parse into literals only, of which ``setCopy(at:length:from:)`` makes copies.
  init(pixelCount: Int, width: Int) {
    words = [UInt16](repeating: Self.literal, count: pixelCount)
    self.width = width
  }

  /// Creates a parse from the number of pixels of the last token of the way to each pixel.
  init(lastLengths: consuming [UInt16], width: Int) {
    var words = lastLengths
    var span = words.mutableSpan
    var end = span.count
    var count = 0
    while end > 0 {
      // The words from the start on are not read any more.
      let length = span[end &- 1]
      end &-= Int(length)
      span[end] = length == 1 ? Self.literal : length
      count &+= 1
    }
    self.words = words
    self.width = width
    tokenCount = count
  }

  /// Stores tokens one after another, from the first pixel on.
  struct Builder: ~Copyable {
    private var parse: PixelParse
    /// The first pixel without a token.
    private(set) var index = 0

    init(pixelCount: Int, width: Int) {
      parse = PixelParse(pixelCount: pixelCount, width: width)
    }

    @inline(__always)
    mutating func appendLiteral() {
      index &+= 1
      parse.tokenCount &+= 1
    }

    @inline(__always)
    mutating func appendCopy(length: Int, from source: Source) {
      parse.words[index] = UInt16(truncatingIfNeeded: length) | source.rawValue
      index &+= length
      parse.tokenCount &+= 1
    }

    consuming func finish() -> PixelParse { parse }
  }

  /// Returns the token that starts at a pixel.
  @inline(__always)
  static func token(
    _ word: UInt16, at index: Int, _ pixels: Span<UInt32>, _ matches: MatchTable, width: Int, cacheBits: Int
  ) -> PixelToken {
    let length = Int(word & lengthMask)
    guard length > 0 else {
      let pixel = pixels[index]
      return word == literal ? .literal(pixel) : .cached(ColorCache.index(of: pixel, bits: cacheBits))
    }
    switch word & ~lengthMask {
    case Source.left.rawValue: return .copy(distance: 1, length: length)
    case Source.above.rawValue: return .copy(distance: width, length: length)
    default: return .copy(distance: matches.distance(at: index), length: length)
    }
  }

  /// Returns the token that starts at a pixel.
  @inline(__always)
  func token(at index: Int, _ words: Span<UInt16>, _ pixels: Span<UInt32>, _ matches: MatchTable) -> PixelToken {
    Self.token(words[index], at: index, pixels, matches, width: width, cacheBits: cacheBits)
  }

  /// Replaces literals that the colour cache has by their places.
  mutating func useCache(bits: Int, _ pixels: Span<UInt32>) {
    cacheBits = bits
    guard bits > 0 else { return }
    var cache = ColorCache(bits: bits)
    var span = words.mutableSpan
    var index = 0
    while index < span.count {
      let length = Int(span[index] & Self.lengthMask)
      if length == 0 {
        let pixel = pixels[index]
        if cache.insert(pixel, at: cache.index(of: pixel)) { span[index] = Self.cached }
        index &+= 1
        continue
      }
      let end = index &+ length
      while index < end {
        _ = cache.insert(pixels[index], at: cache.index(of: pixels[index]))
        index &+= 1
      }
    }
  }
}

/// The colour cache (section 3.6.2.3): the last pixel of every hash value.
struct ColorCache {
  private var pixels: [UInt32]
  private let shift: UInt32

  /// - Parameter bits: the binary logarithm of the number of places, 1…11.
  init(bits: Int) {
    pixels = [UInt32](repeating: 0, count: 1 << bits)
    shift = UInt32(32 - bits)
  }

  /// Returns the place of a pixel in a cache of a size.
  @inline(__always)
  static func index(of pixel: UInt32, bits: Int) -> UInt32 {
    (pixel &* 0x1E35_A7BD) &>> UInt32(truncatingIfNeeded: 32 &- bits)
  }

  /// Returns the place of a pixel.
  @inline(__always)
  func index(of pixel: UInt32) -> Int { Int(truncatingIfNeeded: (pixel &* 0x1E35_A7BD) &>> shift) }

  /// Stores a pixel and returns whether it was present.
  @inline(__always)
  mutating func insert(_ pixel: UInt32, at index: Int) -> Bool {
    if pixels[index] == pixel { return true }
    pixels[index] = pixel
    return false
  }
}
