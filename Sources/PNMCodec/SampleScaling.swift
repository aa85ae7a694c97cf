// Samples of a maximum other than that of the decoded format, scaled and rounded to nearest.

internal import ImageCoding

/// Expands stored samples.
struct SampleScaling: Sendable {
  private let maximum: UInt32
  private let isDeep: Bool
  /// 256 scaled samples of 8 bits.
  private let table: [UInt8]

  init(_ header: PNMHeader) {
    let maximum = header.maximum
    self.maximum = UInt32(maximum)
    isDeep = maximum > 255
    let isInverted = header.isInverted
    table = (0..<256).map { value in
      let scaled = UInt8((min(value, maximum) * 255 + maximum / 2) / maximum)
      return isInverted ? 255 - scaled : scaled
    }
  }

  /// Stores a sample.
  ///
  /// - Returns: whether the sample is at most the maximum.
  @inline(__always)
  func store(_ sample: UInt32, into output: inout MutableSpan<UInt8>, at index: Int) -> Bool {
    if isDeep {
      let scaled = (min(sample, maximum) &* 65535 &+ maximum / 2) / maximum
      storeNativeUInt16(UInt16(truncatingIfNeeded: scaled), into: &output, at: index &* 2)
    } else {
      output[index] = table[Int(min(sample, 255))]
    }
    return sample <= maximum
  }

  /// Expands a row of bytes or of 16-bit integers, big-endian. Returns whether all samples are at most the maximum.
  func expand(_ row: Span<UInt8>, count: Int, into output: inout MutableSpan<UInt8>) -> Bool {
    var isValid = true
    for index in 0..<count {
      let sample =
        isDeep ? UInt32(row[index &* 2]) &<< 8 | UInt32(row[index &* 2 &+ 1]) : UInt32(row[index])
      if !store(sample, into: &output, at: index) { isValid = false }
    }
    return isValid
  }

  /// Expands a row of bits.
  func expandBits(_ row: Span<UInt8>, count: Int, into output: inout MutableSpan<UInt8>) {
    for x in 0..<count {
      _ = store(UInt32(row[x &>> 3] &>> UInt8(7 &- x & 7)) & 1, into: &output, at: x)
    }
  }

  /// Converts a row of 32-bit floating-point samples.
  static func expandFloats(
    _ row: Span<UInt8>, count: Int, isLittleEndian: Bool, into output: inout MutableSpan<UInt8>
  ) {
    for index in 0..<count {
      let start = index &* 4
      var bits: UInt32 = 0
      for byte in 0..<4 { bits = bits &<< 8 | UInt32(row[start &+ (isLittleEndian ? 3 &- byte : byte)]) }
      storeNativeUInt32(bits, into: &output, at: start)
    }
  }
}
