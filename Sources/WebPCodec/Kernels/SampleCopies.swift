// Copies of samples between buffers.

/// Copies a macroblock in the layout of ``MacroblockLayout`` to the planes of a picture.
///
/// - Parameter stride: the number of luma samples from one row to the next; that of chroma is half.
func copyMacroblock(
  _ samples: Span<UInt8>, luma: inout MutableSpan<UInt8>, lumaOffset: Int, u: inout MutableSpan<UInt8>,
  v: inout MutableSpan<UInt8>, chromaOffset: Int, stride: Int
) {
  precondition(
    samples.count >= MacroblockLayout.byteCount && stride >= 16 && stride < 1 << 24 && lumaOffset >= 0
      && chromaOffset >= 0 && luma.count >= 15 &* stride &+ 16 && lumaOffset <= luma.count &- 15 &* stride &- 16
      && u.count == v.count && u.count >= 7 &* (stride / 2) &+ 8
      && chromaOffset <= u.count &- 7 &* (stride / 2) &- 8, "the macroblock is not within the planes")
  // SAFETY: sixteen rows of sixteen samples and eight of eight are within the planes by the precondition.
  unsafe samples.withUnsafeBytes { source in
    unsafe luma.withUnsafeMutableBytes { target in
      for y in 0..<16 {
        let row = unsafe source.loadUnaligned(
          fromByteOffset: MacroblockLayout.luma &+ y &* MacroblockLayout.stride, as: SIMD16<UInt8>.self)
        unsafe target.storeBytes(of: row, toByteOffset: lumaOffset &+ y &* stride, as: SIMD16<UInt8>.self)
      }
    }
    unsafe u.withUnsafeMutableBytes { u in
      unsafe v.withUnsafeMutableBytes { v in
        for y in 0..<8 {
          let offset = y &* MacroblockLayout.stride
          let target = chromaOffset &+ y &* (stride / 2)
          let uRow = unsafe source.loadUnaligned(fromByteOffset: MacroblockLayout.u &+ offset, as: UInt64.self)
          let vRow = unsafe source.loadUnaligned(fromByteOffset: MacroblockLayout.v &+ offset, as: UInt64.self)
          unsafe u.storeBytes(of: uRow, toByteOffset: target, as: UInt64.self)
          unsafe v.storeBytes(of: vRow, toByteOffset: target, as: UInt64.self)
        }
      }
    }
  }
}

/// Moves the samples from an index on to the start of the buffer. The ranges do not overlap.
func moveToStart(_ samples: inout MutableSpan<UInt8>, from index: Int) {
  precondition(index >= 0 && index <= samples.count && samples.count &- index <= index, "the ranges overlap")
  // SAFETY: both ranges are within the buffer by the precondition.
  unsafe samples.withUnsafeMutableBufferPointer { buffer in
    guard let base = buffer.baseAddress else { return }
    unsafe base.update(from: base + index, count: buffer.count &- index)
  }
}

/// Copies sixteen samples.
@inline(__always)
func copySixteen(_ source: Span<UInt8>, from start: Int, to target: inout MutableSpan<UInt8>, at index: Int) {
  precondition(
    start >= 0 && start <= source.count &- 16 && index >= 0 && index <= target.count &- 16, "samples are out of range")
  // SAFETY: both ranges are within the buffers by the precondition.
  unsafe source.withUnsafeBytes { source in
    unsafe target.withUnsafeMutableBytes { target in
      unsafe target.storeBytes(
        of: source.loadUnaligned(fromByteOffset: start, as: SIMD16<UInt8>.self), toByteOffset: index,
        as: SIMD16<UInt8>.self)
    }
  }
}

/// Copies eight samples.
@inline(__always)
func copyEight(_ source: Span<UInt8>, from start: Int, to target: inout MutableSpan<UInt8>, at index: Int) {
  precondition(
    start >= 0 && start <= source.count &- 8 && index >= 0 && index <= target.count &- 8, "samples are out of range")
  // SAFETY: both ranges are within the buffers by the precondition.
  unsafe source.withUnsafeBytes { source in
    unsafe target.withUnsafeMutableBytes { target in
      unsafe target.storeBytes(
        of: source.loadUnaligned(fromByteOffset: start, as: UInt64.self), toByteOffset: index, as: UInt64.self)
    }
  }
}
