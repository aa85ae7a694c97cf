// Converts palette indices to RGBA pixels, one row at a time.

/// Sets each pixel of a row to the colour of its index. Pixels with the transparent index are left unchanged.
///
/// - Parameters:
///   - colors: 256 pixels in memory order.
///   - row: four bytes per index.
package func drawIndices(
  _ indices: Span<UInt8>, colors: Span<UInt32>, transparentIndex: UInt8?, onto row: inout MutableSpan<UInt8>
) {
  let count = indices.count
  precondition(colors.count == 256 && row.count == count * 4, "the row and the indices differ in length")
  // SAFETY: an index is below 256, and the row has four bytes for each.
  unsafe indices.withUnsafeBufferPointer { indexBuffer in
    unsafe colors.withUnsafeBufferPointer { colorBuffer in
      unsafe row.withUnsafeMutableBufferPointer { rowBuffer in
        guard let source = indexBuffer.baseAddress, let table = colorBuffer.baseAddress,
          let target = rowBuffer.baseAddress
        else { return }
        if let transparentIndex {
          unsafe drawOver(source, count, table, transparentIndex, UnsafeMutableRawPointer(target))
        } else {
          unsafe replace(source, from: 0, to: count, table, UnsafeMutableRawPointer(target))
        }
      }
    }
  }
}

@inline(__always)
private func replace(
  _ indices: UnsafePointer<UInt8>, from: Int, to end: Int, _ colors: UnsafePointer<UInt32>,
  _ row: UnsafeMutableRawPointer
) {
  var index = from
  while index < end {
    let color = unsafe colors[Int(indices[index])]
    unsafe row.storeBytes(of: color, toByteOffset: index &* 4, as: UInt32.self)
    index &+= 1
  }
}

/// Handles eight indices at a time; most groups are either entirely transparent or entirely opaque.
@inline(__always)
private func drawOver(
  _ indices: UnsafePointer<UInt8>, _ count: Int, _ colors: UnsafePointer<UInt32>, _ transparentIndex: UInt8,
  _ row: UnsafeMutableRawPointer
) {
  let ones: UInt64 = 0x0101_0101_0101_0101
  let pattern = UInt64(transparentIndex) &* ones
  var index = 0
  while index &+ 8 <= count {
    let difference = unsafe UnsafeRawPointer(indices + index).loadUnaligned(as: UInt64.self) ^ pattern
    if difference != 0 {
      if (difference &- ones) & ~difference & (ones &* 0x80) == 0 {
        unsafe replace(indices, from: index, to: index &+ 8, colors, row)
      } else {
        unsafe replaceOpaque(indices, from: index, to: index &+ 8, colors, transparentIndex, row)
      }
    }
    index &+= 8
  }
  unsafe replaceOpaque(indices, from: index, to: count, colors, transparentIndex, row)
}

@inline(__always)
private func replaceOpaque(
  _ indices: UnsafePointer<UInt8>, from: Int, to end: Int, _ colors: UnsafePointer<UInt32>,
  _ transparentIndex: UInt8, _ row: UnsafeMutableRawPointer
) {
  var position = from
  while position < end {
    let index = unsafe indices[position]
    // Branchless, because the branch would be unpredictable here.
    let below = unsafe row.loadUnaligned(fromByteOffset: position &* 4, as: UInt32.self)
    let color = unsafe colors[Int(index)]
    unsafe row.storeBytes(of: index == transparentIndex ? below : color, toByteOffset: position &* 4, as: UInt32.self)
    position &+= 1
  }
}
