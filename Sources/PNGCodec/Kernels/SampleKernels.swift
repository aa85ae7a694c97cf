// Converts rows of palette indices and of 16-bit samples to 8-bit pixels, and distributes pixels of interlaced images.

/// Maps 8-bit indices through a table of 256 pixels of three or four bytes.
///
/// `table` has four bytes per entry; the last one is unused for three-byte pixels.
@inline(__always)
func expandIndices(
  _ row: Span<UInt8>, pixelCount: Int, table: Span<UInt8>, bytesPerPixel: Int, into output: inout MutableSpan<UInt8>
) {
  precondition(
    (bytesPerPixel == 3 || bytesPerPixel == 4) && table.count >= 1024 && pixelCount <= row.count
      && pixelCount * bytesPerPixel <= output.count, "the output row is too short")
  // SAFETY: an 8-bit index is within the table's 256 entries. The store of a three-byte pixel also writes one byte of
  // the next pixel, which is stored afterwards; the last pixel is written bytewise.
  unsafe row.withUnsafeBufferPointer { source in
    unsafe table.withUnsafeBytes { entries in
      unsafe output.withUnsafeMutableBytes { target in
        guard pixelCount > 0, let from = source.baseAddress, let pixels = entries.baseAddress,
          let to = target.baseAddress
        else { return }
        var pixel = 0
        while pixel < pixelCount &- 1 {
          let color = unsafe pixels.loadUnaligned(fromByteOffset: Int(from[pixel]) &* 4, as: UInt32.self)
          unsafe to.storeBytes(of: color, toByteOffset: pixel &* bytesPerPixel, as: UInt32.self)
          pixel &+= 1
        }
        for byte in 0..<bytesPerPixel {
          unsafe target[pixel &* bytesPerPixel &+ byte] = entries[Int(from[pixel]) &* 4 &+ byte]
        }
      }
    }
  }
}

/// Converts big-endian 16-bit samples to 8 bits: `round(v / 257)`.
func narrowSamples(_ row: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
  let sampleCount = row.count / 2
  precondition(sampleCount <= output.count, "the output row is too short")
  // SAFETY: all loads are within sampleCount * 2 bytes and all stores within sampleCount, as checked.
  unsafe row.withUnsafeBufferPointer { source in
    unsafe output.withUnsafeMutableBufferPointer { target in
      guard let from = source.baseAddress, let to = target.baseAddress else { return }
      var sample = 0
      while sample < sampleCount {
        let value = unsafe UInt32(from[sample &* 2]) &<< 8 | UInt32(from[sample &* 2 &+ 1])
        unsafe to[sample] = UInt8(truncatingIfNeeded: (value &* 255 &+ 32895) &>> 16)
        sample &+= 1
      }
    }
  }
}

/// Copies `count` pixels to every `step` bytes of a row, starting at the byte `start`.
package func spreadPixels(
  _ pixels: Span<UInt8>, count: Int, bytesPerPixel: Int, into row: inout MutableSpan<UInt8>, from start: Int, step: Int
) {
  precondition(
    count >= 0 && bytesPerPixel > 0 && step >= bytesPerPixel && start >= 0 && pixels.count >= count * bytesPerPixel
      && (count == 0 || start + (count - 1) * step + bytesPerPixel <= row.count), "the row is too short")
  // SAFETY: the pixels are within `count * bytesPerPixel` bytes, and their places within the row, as checked.
  unsafe pixels.withUnsafeBytes { source in
    unsafe row.withUnsafeMutableBytes { target in
      guard count > 0, var from = source.baseAddress, var to = unsafe target.baseAddress.map({ unsafe $0 + start })
      else { return }
      let end = unsafe from + count &* bytesPerPixel
      // The last step may lead beyond the row, but nothing is stored there.
      if bytesPerPixel == 4 {
        while unsafe from < end {
          unsafe to.storeBytes(of: from.loadUnaligned(as: UInt32.self), as: UInt32.self)
          unsafe from += 4
          unsafe to += step
        }
      } else {
        while unsafe from < end {
          var byte = 0
          while byte < bytesPerPixel {
            unsafe to.storeBytes(
              of: from.load(fromByteOffset: byte, as: UInt8.self), toByteOffset: byte, as: UInt8.self)
            byte &+= 1
          }
          unsafe from += bytesPerPixel
          unsafe to += step
        }
      }
    }
  }
}
