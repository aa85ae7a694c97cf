// The memory of a drawing surface: its own, or a band of a larger picture.

internal import ImageCore

/// Pixels of four bytes that are accessed as words.
struct PixelStorage: Sendable {
  /// Empty if the pixels are in a band or not allocated.
  private var bytes: [UInt8] = []
  private var band: PictureBand?

  /// Has no pixels until they are allocated.
  init() {}

  /// Takes over the bytes of whole pixels.
  init(_ bytes: consuming [UInt8]) {
    self.bytes = bytes
  }

  /// Uses the memory of a band. When one of several copies of this storage is changed, it gets separate memory.
  init(_ band: PictureBand) {
    self.band = band
  }

  /// Whether changes are made to the picture of a band.
  var isBand: Bool { band != nil }

  /// Provides arbitrary pixels, unless there is a band for them.
  mutating func allocate(byteCount: Int) {
    if !isBand { bytes = makeArbitraryBytes(byteCount) }
  }

  /// Changes all pixels. The memory of the new ones is taken over, unless they belong in a band.
  mutating func replace(with bytes: consuming [UInt8]) {
    guard isBand else {
      self.bytes = bytes
      return
    }
    let bytes = bytes
    withWords { words in
      let source = pixelWords(of: bytes.span)
      for index in words.indices { words[index] = source[index] }
    }
  }

  /// Returns the bytes, or a copy of them if they are in a band.
  func makeBytes() -> [UInt8] { band?.copyBytes() ?? bytes }

  /// Calls `body` with the pixels.
  @inline(__always)
  mutating func withWords<Result>(_ body: (inout MutableSpan<UInt32>) -> Result) -> Result {
    if let band = exclusiveBand() { return band.withWords(body) }
    return withPixelWords(&bytes, body)
  }

  /// Returns the band unless there are copies of this storage, in which case the pixels are copied.
  @inline(__always)
  private mutating func exclusiveBand() -> PictureBand? {
    if band == nil || isKnownUniquelyReferenced(&band) { return band }
    bytes = makeBytes()
    band = nil
    return nil
  }
}
