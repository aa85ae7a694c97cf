// The horizontal predictor for pixels of three and four samples: all samples of a pixel at once.

/// Replaces every pixel of four samples, or of three, by the sum of the pixels up to it, modulo 256.
package func accumulateBytePixels(_ row: inout MutableSpan<UInt8>, samplesPerPixel: Int) {
  precondition(samplesPerPixel == 3 || samplesPerPixel == 4, "a pixel has three or four samples")
  accumulate(&row, stride: samplesPerPixel, zero: SIMD4<UInt8>()) { $0 }
}

/// The same for samples of 16 bits, modulo 65,536.
///
/// - Parameter swapsBytes: whether the byte order of the samples is not that of this machine.
package func accumulateWordPixels(_ row: inout MutableSpan<UInt8>, samplesPerPixel: Int, swapsBytes: Bool) {
  precondition(samplesPerPixel == 3 || samplesPerPixel == 4, "a pixel has three or four samples")
  let stride = 2 &* samplesPerPixel
  if swapsBytes {
    accumulate(&row, stride: stride, zero: SIMD4<UInt16>()) { $0 &<< 8 | $0 &>> 8 }
  } else {
    accumulate(&row, stride: stride, zero: SIMD4<UInt16>()) { $0 }
  }
}

/// Accumulates whole pixels. A vector may be longer than a pixel: what it stores beyond is replaced by the next pixel,
/// which has been loaded before, or, after the last one, by the bytes that were there.
@inline(__always)
private func accumulate<Lanes: SIMD>(
  _ row: inout MutableSpan<UInt8>, stride: Int, zero: Lanes, swapped: (Lanes) -> Lanes
) where Lanes.Scalar: FixedWidthInteger {
  let size = MemoryLayout<Lanes>.size
  let pixelCount = row.count / stride
  guard pixelCount > 0 else { return }
  // Pixels of which a whole vector is in the row.
  let vectorCount = row.count < size ? 0 : min(pixelCount, (row.count &- size) / stride &+ 1)
  var sum = zero
  unsafe row.withUnsafeMutableBytes { bytes in
    // SAFETY: a vector at the offset of each of the first `vectorCount` pixels is within the row; vectors of integers are
    // trivial and need no alignment.
    if vectorCount > 0 {
      var next = unsafe bytes.loadUnaligned(fromByteOffset: 0, as: Lanes.self)
      var offset = 0
      for _ in 1..<vectorCount {
        sum &+= swapped(next)
        next = unsafe bytes.loadUnaligned(fromByteOffset: offset &+ stride, as: Lanes.self)
        unsafe bytes.storeBytes(of: swapped(sum), toByteOffset: offset, as: Lanes.self)
        offset &+= stride
      }
      unsafe bytes.storeBytes(of: next, toByteOffset: offset, as: Lanes.self)
    }
  }
  // The last pixels, sample by sample.
  let sampleSize = MemoryLayout<Lanes.Scalar>.size
  let samplesPerPixel = stride / sampleSize
  for pixel in max(0, vectorCount &- 1)..<pixelCount {
    var value = zero
    for sample in 0..<samplesPerPixel {
      var bits: Lanes.Scalar = 0
      for place in 0..<sampleSize {
        let byte = Lanes.Scalar(truncatingIfNeeded: row[pixel &* stride &+ sample &* sampleSize &+ place])
        bits |= byte &<< Lanes.Scalar(truncatingIfNeeded: 8 &* place)
      }
      value[sample] = bits.littleEndian
    }
    sum &+= swapped(value)
    let result = swapped(sum)
    for sample in 0..<samplesPerPixel {
      let bits = result[sample].littleEndian
      for place in 0..<sampleSize {
        row[pixel &* stride &+ sample &* sampleSize &+ place] =
          UInt8(truncatingIfNeeded: bits &>> Lanes.Scalar(truncatingIfNeeded: 8 &* place))
      }
    }
  }
}
