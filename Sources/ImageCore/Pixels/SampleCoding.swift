// Loading and storing of samples by type. Row conversions are generic loops over these types, so that the type is
// examined once per row.

/// Access to samples of one type in a row of bytes.
protocol SampleCoding {
  /// Loads the sample at an index, as a fraction of a full sample.
  static func loadFloat(_ row: Span<UInt8>, _ index: Int) -> Float
  /// Stores a fraction of a full sample. Integer samples are clamped and rounded to nearest.
  static func store(_ value: Float, _ row: inout MutableSpan<UInt8>, _ index: Int)
}

/// Access to integer samples.
protocol IntegerSampleCoding: SampleCoding {
  /// Loads the sample at an index.
  static func load(_ row: Span<UInt8>, _ index: Int) -> UInt32
  /// Stores a sample.
  static func store(_ value: UInt32, _ row: inout MutableSpan<UInt8>, _ index: Int)
  /// The value of a full sample.
  static var maximum: UInt32 { get }
}

extension IntegerSampleCoding {
  @inline(__always)
  static func loadFloat(_ row: Span<UInt8>, _ index: Int) -> Float {
    Float(load(row, index)) / Float(maximum)
  }

  @inline(__always)
  static func store(_ value: Float, _ row: inout MutableSpan<UInt8>, _ index: Int) {
    // The first comparison is false for NaN, which becomes 0.
    let clamped = value > 0 ? min(value, 1) : 0
    store(UInt32(clamped * Float(maximum) + 0.5), &row, index)
  }
}

/// ``SampleType/uint8``.
enum UInt8Samples: IntegerSampleCoding {
  static var maximum: UInt32 {
    @inline(__always) get { 255 }
  }

  @inline(__always)
  static func load(_ row: Span<UInt8>, _ index: Int) -> UInt32 { UInt32(row[index]) }

  @inline(__always)
  static func store(_ value: UInt32, _ row: inout MutableSpan<UInt8>, _ index: Int) {
    row[index] = UInt8(truncatingIfNeeded: value)
  }
}

/// ``SampleType/uint16``.
enum UInt16Samples: IntegerSampleCoding {
  static var maximum: UInt32 {
    @inline(__always) get { 65535 }
  }

  @inline(__always)
  static func load(_ row: Span<UInt8>, _ index: Int) -> UInt32 { UInt32(nativeUInt16(row, at: index &* 2)) }

  @inline(__always)
  static func store(_ value: UInt32, _ row: inout MutableSpan<UInt8>, _ index: Int) {
    storeNativeUInt16(UInt16(truncatingIfNeeded: value), into: &row, at: index &* 2)
  }
}

/// ``SampleType/float16``.
enum Float16Samples: SampleCoding {
  @inline(__always)
  static func loadFloat(_ row: Span<UInt8>, _ index: Int) -> Float {
    Float(halfPrecisionBits: nativeUInt16(row, at: index &* 2))
  }

  @inline(__always)
  static func store(_ value: Float, _ row: inout MutableSpan<UInt8>, _ index: Int) {
    storeNativeUInt16(value.halfPrecisionBits, into: &row, at: index &* 2)
  }
}

/// ``SampleType/float32``.
enum Float32Samples: SampleCoding {
  @inline(__always)
  static func loadFloat(_ row: Span<UInt8>, _ index: Int) -> Float {
    Float(bitPattern: nativeUInt32(row, at: index &* 4))
  }

  @inline(__always)
  static func store(_ value: Float, _ row: inout MutableSpan<UInt8>, _ index: Int) {
    storeNativeUInt32(value.bitPattern, into: &row, at: index &* 4)
  }
}
