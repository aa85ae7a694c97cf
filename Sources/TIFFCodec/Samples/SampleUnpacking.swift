// Converts stored samples of any depth to the sample type of the bitmap.

internal import ImageCoding

/// The conversion of stored samples to 8-bit or 16-bit integers, or to floating-point numbers.
///
/// Integers of up to 8 bits become `uint8` and those of up to 16 bits `uint16`, scaled to the full range and rounded to
/// nearest. Deeper integers become `float32` fractions of the largest value.
struct SampleUnpacking {
  private enum Method {
    case bytes
    /// Whole bytes in file order, 2…8 of them.
    case words(byteCount: Int)
    /// 1, 2 or 4 bits.
    case nibbles(bits: Int)
    /// Any number of bits, most significant first; equal for all samples if there is one value.
    case packed([Int])
  }

  /// The type of the converted samples.
  let sampleType: SampleType
  private let method: Method
  private let isFloatingPoint: Bool
  private let isBigEndian: Bool
  /// Whether integers are kept as they are, because they are indices.
  private let keepsValues: Bool
  /// Whether samples are inverted, which costs nothing for 1, 2 and 4 bits.
  let invertsSamples: Bool
  /// The value of every sample of 1, 2 or 4 bits in a byte: eight, four or two samples.
  private let bitTable: [UInt64]

  init(_ layout: ImageLayout) {
    let bits = layout.maximumBits
    isBigEndian = layout.isBigEndian
    isFloatingPoint = layout.sampleFormat == .floatingPoint
    keepsValues = layout.photometric == .palette
    if isFloatingPoint {
      sampleType = bits == 16 ? .float16 : .float32
    } else {
      sampleType = bits <= 8 ? .uint8 : bits <= 16 ? .uint16 : .float32
    }
    switch layout.uniformBits {
    case 8: method = .bytes
    case 1, 2, 4: method = .nibbles(bits: bits)
    case 16, 24, 32, 40, 48, 56, 64: method = .words(byteCount: bits / 8)
    default: method = .packed(layout.bitsPerSample)
    }
    if case .nibbles(let bits) = method {
      invertsSamples = layout.photometric == .whiteIsZero && layout.samplesPerPixel == 1
      bitTable = Self.bitTable(bits: bits, keepsValues: keepsValues, inverts: invertsSamples)
    } else {
      invertsSamples = false
      bitTable = []
    }
  }

  /// Whether stored rows need no conversion on this machine.
  var isIdentity: Bool {
    switch method {
    case .bytes: true
    case .words(2): isBigEndian == (UInt16(bigEndian: 1) == 1)
    default: false
    }
  }

  /// The samples of every possible byte, the first one in the least significant byte of the entry.
  private static func bitTable(bits: Int, keepsValues: Bool, inverts: Bool) -> [UInt64] {
    let mask = 1 << bits - 1
    let scale = keepsValues ? 1 : 255 / mask
    return (0..<256).map { byte in
      (0..<8 / bits).reduce(UInt64(0)) { entry, index in
        let value = byte >> (8 - bits * (index + 1)) & mask
        return entry | UInt64((inverts ? mask - value : value) * scale) << UInt64(8 * index)
      }
    }
  }

  /// Converts `count` samples.
  ///
  /// - Parameters:
  ///   - output: receives samples of ``sampleType``, native-endian.
  ///   - first: the index of the first sample in the output.
  ///   - step: the distance of two samples in the output.
  func unpack(
    _ row: Span<UInt8>, count: Int, into output: inout MutableSpan<UInt8>, first: Int = 0, step: Int = 1
  ) {
    switch method {
    case .bytes: copyBytes(row, count, &output, first, step)
    case .nibbles(let bits): expandBits(row, count, bits, &output, first, step)
    case .words(2): copyWords(row, count, &output, first, step)
    case .words(let byteCount): convertWide(row, count, byteCount, &output, first, step)
    case .packed(let bits): convertPacked(row, count, bits, &output, first, step)
    }
  }

  private func copyBytes(
    _ row: Span<UInt8>, _ count: Int, _ output: inout MutableSpan<UInt8>, _ first: Int, _ step: Int
  ) {
    if step == 1 {
      let source = row.extracting(0..<count)
      var target = output._mutatingExtracting(first..<first + count)
      for index in 0..<count { target[index] = source[index] }
      return
    }
    var to = first
    for index in 0..<count {
      output[to] = row[index]
      to &+= step
    }
  }

  private func copyWords(
    _ row: Span<UInt8>, _ count: Int, _ output: inout MutableSpan<UInt8>, _ first: Int, _ step: Int
  ) {
    let low = isBigEndian ? 1 : 0
    var to = 2 &* first
    var from = 0
    for _ in 0..<count {
      let value = UInt16(row[from &+ low]) | UInt16(row[from &+ 1 &- low]) &<< 8
      storeNativeUInt16(value, into: &output, at: to)
      from &+= 2
      to &+= 2 &* step
    }
  }

  private func expandBits(
    _ row: Span<UInt8>, _ count: Int, _ bits: Int, _ output: inout MutableSpan<UInt8>, _ first: Int, _ step: Int
  ) {
    let perByte = 8 / bits
    let table = bitTable.span
    var index = 0
    if step == 1, perByte == 8 {
      // Eight samples at a time.
      let whole = count / 8
      var target = output._mutatingExtracting(first..<first + 8 &* whole)
      expandBitsToBytes(row.extracting(0..<whole), table, into: &target)
      index = 8 &* whole
    }
    var to = first &+ index &* step
    while index < count {
      let entry = table[Int(row[index / perByte])]
      output[to] = UInt8(truncatingIfNeeded: entry &>> UInt64(8 &* (index % perByte)))
      to &+= step
      index &+= 1
    }
  }

  private func convertWide(
    _ row: Span<UInt8>, _ count: Int, _ byteCount: Int, _ output: inout MutableSpan<UInt8>, _ first: Int, _ step: Int
  ) {
    let scale = 1 / Double(byteCount == 8 ? UInt64.max : 1 << UInt64(8 * byteCount) - 1)
    for index in 0..<count {
      var value: UInt64 = 0
      for place in 0..<byteCount {
        let offset = isBigEndian ? place : byteCount &- 1 &- place
        value = value &<< 8 | UInt64(row[index &* byteCount &+ offset])
      }
      let number =
        isFloatingPoint ? floatingPoint(value, byteCount: byteCount) : Float(Double(value) * scale)
      storeNativeUInt32(number.bitPattern, into: &output, at: 4 &* (first &+ index &* step))
    }
  }

  private func floatingPoint(_ bits: UInt64, byteCount: Int) -> Float {
    switch byteCount {
    case 3: Float(bits24: UInt32(truncatingIfNeeded: bits))
    case 4: Float(bitPattern: UInt32(truncatingIfNeeded: bits))
    default: Float(Double(bitPattern: bits))
    }
  }

  private func convertPacked(
    _ row: Span<UInt8>, _ count: Int, _ bits: [Int], _ output: inout MutableSpan<UInt8>, _ first: Int, _ step: Int
  ) {
    var position = 0
    for index in 0..<count {
      let width = bits[index % bits.count]
      var value: UInt64 = 0
      for bit in position..<position &+ width {
        value = value &<< 1 | UInt64(row[bit &>> 3] &>> UInt8(7 &- bit & 7)) & 1
      }
      position &+= width
      store(value, bits: width, into: &output, at: first &+ index &* step)
    }
  }

  private func store(_ value: UInt64, bits: Int, into output: inout MutableSpan<UInt8>, at index: Int) {
    let maximum: UInt64 = bits == 64 ? .max : 1 << UInt64(bits) - 1
    switch sampleType {
    case .uint8:
      output[index] = UInt8(truncatingIfNeeded: keepsValues ? value : (value * 255 + maximum / 2) / maximum)
    case .uint16:
      let sample = keepsValues ? value : (value * 65535 + maximum / 2) / maximum
      storeNativeUInt16(UInt16(truncatingIfNeeded: sample), into: &output, at: 2 &* index)
    default:
      let fraction = Float(Double(value) / Double(maximum))
      storeNativeUInt32(fraction.bitPattern, into: &output, at: 4 &* index)
    }
  }
}

extension Float {
  /// Converts a number with a sign, seven bits of exponent with a bias of 63, and sixteen bits of fraction (Technical
  /// Note 3).
  init(bits24 bits: UInt32) {
    let sign = (bits & 0x80_0000) << 8
    let exponent = bits >> 16 & 0x7F
    let fraction = bits & 0xFFFF
    switch exponent {
    case 0:
      // Zero and subnormal numbers: multiples of 2⁻⁷⁸.
      let magnitude = Float(fraction) * 0x1p-78
      self = Float(bitPattern: magnitude.bitPattern | sign)
    case 127: self = Float(bitPattern: sign | 0x7F80_0000 | fraction << 7)
    default: self = Float(bitPattern: sign | (exponent + 64) << 23 | fraction << 7)
    }
  }
}
