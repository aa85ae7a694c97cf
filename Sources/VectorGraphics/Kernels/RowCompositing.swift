// Source-over compositing of rows, four pixels at a time: one colour or a row of pixels, with uniform or individual
// coverage. The samples are 16-bit lanes, in which their products fit; the results are those of PixelWord.

internal import VectorLanes

/// Composites one pixel value over all pixels.
@inline(__always)
package func compositeRow(_ row: inout MutableSpan<UInt32>, with pixel: UInt32) {
  let source = WidePixels(repeating: pixel)
  let remaining = WidePixels(repeating: (255 &- PixelWord.alpha(pixel)) &* 0x0101_0101)
  unsafe forEachFour(&row) { target, _ in
    unsafe target.store(source.over(target.load(), remaining: remaining))
  } single: { target, _ in
    PixelWord.over(pixel, target)
  }
}

/// Composites one pixel value over all pixels, with individual coverage.
@inline(__always)
package func compositeRow(_ row: inout MutableSpan<UInt32>, with pixel: UInt32, coverage: Span<UInt8>) {
  precondition(coverage.count == row.count, "the coverage is not that of the row")
  let source = WidePixels(repeating: pixel)
  let isOpaque = PixelWord.alpha(pixel) == 255
  // SAFETY: indices of groups of four are below the count of the row, which is that of the coverage.
  unsafe coverage.withUnsafeBytes { amounts in
    unsafe forEachFour(&row) { target, index in
      let four = unsafe amounts.loadUnaligned(fromByteOffset: index, as: UInt32.self)
      if four == 0 { return }
      if four == .max, isOpaque {
        unsafe target.store(UInt8x16(repeating: pixel))
        return
      }
      let scaled = source.scaled(by: WidePixels(samplesFrom: four))
      unsafe target.store(scaled.over(target.load()))
    } single: { target, index in
      PixelWord.over(PixelWord.scaled(pixel, by: UInt32(coverage[index])), target)
    }
  }
}

/// Composites pixels over others, with uniform coverage.
@inline(__always)
package func compositeRow(_ row: inout MutableSpan<UInt32>, with pixels: Span<UInt32>, amount: UInt32) {
  precondition(pixels.count == row.count, "the pixels are not those of the row")
  let factor = WidePixels(repeating: amount &* 0x0101_0101)
  // SAFETY: indices of groups of four are below the count of the row, which is that of the pixels.
  unsafe pixels.withUnsafeBytes { sources in
    unsafe forEachFour(&row) { target, index in
      let bytes = unsafe sources.loadUnaligned(fromByteOffset: index &* 4, as: UInt8x16.self)
      if amount == 255, bytes.areOpaquePixels {
        unsafe target.store(bytes)
        return
      }
      let source = WidePixels(bytes)
      let scaled = amount == 255 ? source : source.scaled(by: factor)
      unsafe target.store(scaled.over(target.load()))
    } single: { target, index in
      PixelWord.over(PixelWord.scaled(pixels[index], by: amount), target)
    }
  }
}

/// Composites pixels over others, with individual coverage.
@inline(__always)
package func compositeRow(_ row: inout MutableSpan<UInt32>, with pixels: Span<UInt32>, coverage: Span<UInt8>) {
  precondition(
    pixels.count == row.count && coverage.count == row.count, "pixels and coverage are not those of the row")
  // SAFETY: indices of groups of four are below the count of the row, which is that of pixels and coverage.
  unsafe pixels.withUnsafeBytes { sources in
    unsafe coverage.withUnsafeBytes { amounts in
      unsafe forEachFour(&row) { target, index in
        let four = unsafe amounts.loadUnaligned(fromByteOffset: index, as: UInt32.self)
        if four == 0 { return }
        let source = unsafe WidePixels(sources.loadUnaligned(fromByteOffset: index &* 4, as: UInt8x16.self))
        let scaled = four == .max ? source : source.scaled(by: WidePixels(samplesFrom: four))
        unsafe target.store(scaled.over(target.load()))
      } single: { target, index in
        PixelWord.over(PixelWord.scaled(pixels[index], by: UInt32(coverage[index])), target)
      }
    }
  }
}

/// Calls `body` with each group of four pixels and the index of its first, and `single` with each pixel that remains.
@inline(__always)
private func forEachFour(
  _ row: inout MutableSpan<UInt32>, _ body: (FourPixels, Int) -> Void, single: (UInt32, Int) -> UInt32
) {
  let groupEnd = row.count & ~3
  // SAFETY: a group is within the row, and does not outlive the call.
  unsafe row.withUnsafeMutableBytes { bytes in
    guard let start = bytes.baseAddress else { return }
    var index = 0
    while index < groupEnd {
      unsafe body(FourPixels(address: start + index &* 4), index)
      index &+= 4
    }
  }
  for index in groupEnd..<row.count { row[index] = single(row[index], index) }
}

/// The place of four pixels.
@unsafe
private struct FourPixels {
  let address: UnsafeMutableRawPointer

  @inline(__always)
  func load() -> WidePixels { unsafe WidePixels(address.loadUnaligned(as: UInt8x16.self)) }

  @inline(__always)
  func store(_ bytes: UInt8x16) { unsafe address.storeBytes(of: bytes, as: UInt8x16.self) }
}

/// The samples of four premultiplied pixels, or four factors for each of them.
private struct WidePixels {
  /// The samples of the first two pixels.
  var low: UInt16x8
  /// The samples of the last two pixels.
  var high: UInt16x8

  @inline(__always)
  init(low: UInt16x8, high: UInt16x8) {
    self.low = low
    self.high = high
  }

  @inline(__always)
  init(_ bytes: UInt8x16) {
    low = UInt16x8(truncatingIfNeeded: widenLow(bytes))
    high = UInt16x8(truncatingIfNeeded: widenHigh(bytes))
  }

  /// Four times the same pixel.
  @inline(__always)
  init(repeating pixel: UInt32) { self.init(UInt8x16(repeating: pixel)) }

  /// Each byte four times, for the samples of a pixel.
  @inline(__always)
  init(samplesFrom four: UInt32) {
    let bytes = UInt8x16(repeating: four)
    let pairs = interleaveLow8(bytes, bytes).words
    self.init(interleaveLow16(pairs, pairs).bytes)
  }

  /// Each sample times the factor in the same place / 255, rounded to nearest.
  @inline(__always)
  func scaled(by factors: WidePixels) -> WidePixels {
    WidePixels(low: Self.scaled(low, factors.low), high: Self.scaled(high, factors.high))
  }

  /// At most 255 · 255 + 128 + 254 < 2^16.
  @inline(__always)
  private static func scaled(_ samples: UInt16x8, _ factors: UInt16x8) -> UInt16x8 {
    let products = samples &* factors &+ UInt16x8(repeating: 128)
    return shiftRight(products &+ shiftRight(products, by: 8), by: 8)
  }

  /// These pixels over the backdrop.
  @inline(__always)
  func over(_ backdrop: WidePixels) -> UInt8x16 {
    let remaining = WidePixels(low: Self.remaining(low), high: Self.remaining(high))
    return over(backdrop, remaining: remaining)
  }

  /// These pixels over the backdrop. `remaining` is 255 minus their alpha, for each sample.
  @inline(__always)
  func over(_ backdrop: WidePixels, remaining: WidePixels) -> UInt8x16 {
    let kept = backdrop.scaled(by: remaining)
    return packUnsignedSaturating(
      Int16x8(truncatingIfNeeded: low &+ kept.low), Int16x8(truncatingIfNeeded: high &+ kept.high))
  }

  @inline(__always)
  private static func remaining(_ samples: UInt16x8) -> UInt16x8 {
    let alpha = UInt16x8(
      samples[3], samples[3], samples[3], samples[3], samples[7], samples[7], samples[7], samples[7])
    return UInt16x8(repeating: 255) &- alpha
  }
}

extension UInt8x16 {
  /// The bytes of four words.
  @inline(__always)
  fileprivate init(repeating word: UInt32) {
    self = unsafe unsafeBitCast(SIMD4<UInt32>(repeating: word), to: UInt8x16.self)
  }

  /// Whether the alpha of all four pixels is 255.
  @inline(__always)
  fileprivate var areOpaquePixels: Bool {
    let pairs = unsafe unsafeBitCast(self, to: SIMD2<UInt64>.self)
    return pairs[0] & pairs[1] & 0xFF00_0000_FF00_0000 == 0xFF00_0000_FF00_0000
  }

  @inline(__always)
  fileprivate var words: Int16x8 { unsafe unsafeBitCast(self, to: Int16x8.self) }
}

extension Int16x8 {
  @inline(__always)
  fileprivate var bytes: UInt8x16 { unsafe unsafeBitCast(self, to: UInt8x16.self) }
}
