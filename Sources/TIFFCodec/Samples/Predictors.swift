// Undoes the predictors (TIFF 6.0, section 14; Technical Note 3).

internal import ImageCoding

/// Restores the samples of rows from stored differences.
struct PredictorUndoing {
  private let predictor: ImageLayout.Predictor
  private let bits: Int
  private let isBigEndian: Bool
  /// The distance of samples of the same kind.
  private let step: Int
  /// The bytes of a row, for the floating-point predictor.
  private var scratch: [UInt8] = []

  init(_ layout: ImageLayout) {
    predictor = layout.predictor
    bits = layout.maximumBits
    isBigEndian = layout.isBigEndian
    step = layout.samplesPerBlockPixel
  }

  /// Whether rows are stored as they are.
  var isIdentity: Bool { predictor == .none }

  /// Restores one row of `sampleCount` samples.
  mutating func restore(_ row: inout MutableSpan<UInt8>, sampleCount: Int) {
    switch predictor {
    case .none: return
    case .horizontal:
      switch bits {
      case 8: accumulateBytes(&row)
      case 16: accumulateWords(&row, sampleCount)
      case 24, 32, 64: accumulateWide(&row, sampleCount, byteCount: bits / 8)
      default: accumulatePacked(&row, sampleCount)
      }
    case .floatingPoint: restoreFloats(&row, sampleCount)
    }
  }

  private func accumulateBytes(_ row: inout MutableSpan<UInt8>) {
    switch step {
    case 1:
      var sum: UInt8 = 0
      for index in row.indices {
        sum &+= row[index]
        row[index] = sum
      }
    case 3, 4: accumulateBytePixels(&row, samplesPerPixel: step)
    default:
      var index = step
      while index < row.count {
        row[index] = row[index] &+ row[index &- step]
        index &+= 1
      }
    }
  }

  private func accumulateWords(_ row: inout MutableSpan<UInt8>, _ sampleCount: Int) {
    if step == 3 || step == 4 {
      var pixels = row._mutatingExtracting(0..<2 * sampleCount)
      let swapsBytes = isBigEndian != (UInt16(bigEndian: 1) == 1)
      return accumulateWordPixels(&pixels, samplesPerPixel: step, swapsBytes: swapsBytes)
    }
    let high = isBigEndian ? 0 : 1
    if step == 1 {
      var sum: UInt16 = 0
      var index = 0
      while index < 2 &* sampleCount {
        sum &+= UInt16(row[index &+ high]) &<< 8 | UInt16(row[index &+ 1 &- high])
        row[index &+ high] = UInt8(truncatingIfNeeded: sum &>> 8)
        row[index &+ 1 &- high] = UInt8(truncatingIfNeeded: sum)
        index &+= 2
      }
      return
    }
    var index = 2 &* step
    while index < 2 &* sampleCount {
      let before = index &- 2 &* step
      let previous = UInt16(row[before &+ high]) &<< 8 | UInt16(row[before &+ 1 &- high])
      let value = previous &+ (UInt16(row[index &+ high]) &<< 8 | UInt16(row[index &+ 1 &- high]))
      row[index &+ high] = UInt8(truncatingIfNeeded: value &>> 8)
      row[index &+ 1 &- high] = UInt8(truncatingIfNeeded: value)
      index &+= 2
    }
  }

  private func accumulateWide(_ row: inout MutableSpan<UInt8>, _ sampleCount: Int, byteCount: Int) {
    var index = step
    while index < sampleCount {
      let at = index &* byteCount
      let before = (index &- step) &* byteCount
      var carry: UInt = 0
      for place in 0..<byteCount {
        let offset = isBigEndian ? byteCount &- 1 &- place : place
        carry &+= UInt(row[at &+ offset]) &+ UInt(row[before &+ offset])
        row[at &+ offset] = UInt8(truncatingIfNeeded: carry)
        carry &>>= 8
      }
      index &+= 1
    }
  }

  /// Accumulates samples that are not whole bytes, modulo two to the power of their bits.
  private func accumulatePacked(_ row: inout MutableSpan<UInt8>, _ sampleCount: Int) {
    let mask = UInt32(1) &<< UInt32(bits) &- 1
    var index = step
    while index < sampleCount {
      let sum = packedSample(row.span, index) &+ packedSample(row.span, index &- step)
      storePackedSample(sum & mask, into: &row, index)
      index &+= 1
    }
  }

  private func packedSample(_ row: Span<UInt8>, _ index: Int) -> UInt32 {
    var value: UInt32 = 0
    for bit in index &* bits..<(index &+ 1) &* bits {
      value = value &<< 1 | UInt32(row[bit &>> 3] &>> UInt8(7 &- bit & 7)) & 1
    }
    return value
  }

  private func storePackedSample(_ value: UInt32, into row: inout MutableSpan<UInt8>, _ index: Int) {
    for place in 0..<bits {
      let bit = index &* bits &+ place
      let mask = UInt8(0x80) &>> UInt8(bit & 7)
      let isSet = value &>> UInt32(bits &- 1 &- place) & 1 == 1
      row[bit &>> 3] = isSet ? row[bit &>> 3] | mask : row[bit &>> 3] & ~mask
    }
  }

  /// Accumulates all bytes, of which the row stores the most significant of each sample first, and puts them in the
  /// file's byte order.
  private mutating func restoreFloats(_ row: inout MutableSpan<UInt8>, _ sampleCount: Int) {
    let byteCount = bits / 8
    let total = sampleCount * byteCount
    var index = step
    while index < total {
      row[index] = row[index] &+ row[index &- step]
      index &+= 1
    }
    if scratch.count < total { scratch = [UInt8](repeating: 0, count: total) }
    for index in 0..<total { scratch[index] = row[index] }
    for place in 0..<byteCount {
      let offset = isBigEndian ? place : byteCount - 1 - place
      for sample in 0..<sampleCount {
        row[sample &* byteCount &+ offset] = scratch[place &* sampleCount &+ sample]
      }
    }
  }
}
