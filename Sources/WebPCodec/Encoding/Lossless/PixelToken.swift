// What the pixels of an image are coded as: literals, places of the colour cache, and copies of earlier pixels
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

/// The colour cache (section 3.6.2.3): the last pixel of every hash value.
struct ColorCache {
  private var pixels: [UInt32]
  private let shift: UInt32

  /// - Parameter bits: the binary logarithm of the number of places, 1…11.
  init(bits: Int) {
    pixels = [UInt32](repeating: 0, count: 1 << bits)
    shift = UInt32(32 - bits)
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
