// Adler-32 (RFC 1950, section 8.2), sixteen bytes at a time. With zlib's own loop it takes a tenth of a PNG's decoding
// time.

internal import VectorLanes

/// The two sums of an Adler-32.
package struct Adler32Sums: Hashable, Sendable {
  /// 1 plus the sum of all bytes, modulo 65521.
  package var low: UInt32
  /// The sum of all successive values of `low`, modulo 65521.
  package var high: UInt32

  package init(low: UInt32, high: UInt32) {
    self.low = low
    self.high = high
  }
}

/// The largest prime below 2¹⁶.
private let modulus: UInt32 = 65521

/// Updates the sums one byte at a time, as the definition has it.
package func adler32Portable(_ bytes: Span<UInt8>, after sums: Adler32Sums) -> Adler32Sums {
  var low = sums.low
  var high = sums.high
  var index = 0
  while index < bytes.count {
    // 5552 is the largest count for which the high sum stays below 2³²: 255n(n + 1)/2 + (n + 1)(65521 - 1).
    let end = min(bytes.count, index &+ 5552)
    while index < end {
      low &+= UInt32(bytes[index])
      high &+= low
      index &+= 1
    }
    low %= modulus
    high %= modulus
  }
  return Adler32Sums(low: low, high: high)
}

/// Updates the sums with more bytes.
///
/// For each block of 16 bytes, `low` grows by the sum of the bytes, and `high` by 16 times the old `low` plus the
/// bytes weighted 16, 15 … 1. The old values of `low` are accumulated separately and multiplied by 16 at the end.
package func adler32(_ bytes: Span<UInt8>, after sums: Adler32Sums) -> Adler32Sums {
  var sums = sums
  var start = 0
  while bytes.count &- start >= 16 {
    // 5536 is the largest multiple of 16 not above 5552; see above.
    let byteCount = min(5536, (bytes.count &- start) & ~15)
    addBlocks(bytes.extracting(start..<start &+ byteCount), to: &sums)
    start &+= byteCount
  }
  return adler32Portable(bytes.extracting(start..<bytes.count), after: sums)
}

/// Adds a multiple of 16 bytes, at most 5536.
private func addBlocks(_ bytes: Span<UInt8>, to sums: inout Adler32Sums) {
  precondition(bytes.count % 16 == 0 && bytes.count <= 5536, "the byte count is not a multiple of 16")
  // SAFETY: every load takes 16 bytes at a multiple of 16 below the count. The bit casts are between vectors of 16
  // bytes of integers, for which every bit pattern is valid.
  unsafe bytes.withUnsafeBytes { buffer in
    let firstWeights = Int16x8(16, 15, 14, 13, 12, 11, 10, 9)
    let lastWeights = Int16x8(8, 7, 6, 5, 4, 3, 2, 1)
    // At most 346 blocks: sums of bytes are below 2²³, those of weighted bytes and of earlier sums below 2³¹.
    var byteSums = SIMD4<UInt32>.zero
    var earlierSums = SIMD4<UInt32>.zero
    var weighted = Int32x4.zero
    var offset = 0
    while offset < buffer.count {
      let block = unsafe buffer.loadUnaligned(fromByteOffset: offset, as: UInt8x16.self)
      earlierSums = earlierSums &+ byteSums
      byteSums = unsafe byteSums &+ unsafeBitCast(sumOfDifferences(block, UInt8x16()), to: SIMD4<UInt32>.self)
      weighted =
        weighted &+ multiplyAddPairs(widenLow(block), firstWeights) &+ multiplyAddPairs(widenHigh(block), lastWeights)
      offset &+= 16
    }
    let total =
      sums.high &+ sums.low &* UInt32(truncatingIfNeeded: buffer.count)
      &+ UInt32(truncatingIfNeeded: weighted.wrappedSum()) &+ earlierSums.wrappedSum() &* 16
    sums.high = total % modulus
    sums.low = (sums.low &+ byteSums.wrappedSum()) % modulus
  }
}
