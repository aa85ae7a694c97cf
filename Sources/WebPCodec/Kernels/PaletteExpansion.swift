// The inverse of the palette transform where several indices share a byte (RFC 9649, section 4.4).

/// Returns the colours of the pixels that each value of a byte of packed indices represents: 256 groups, in each of
/// which the first pixel is first.
///
/// - Parameters:
///   - colors: one colour for every possible index.
///   - packingBits: the binary logarithm of the number of indices in a byte, 1…3.
package func colorsOfPackedIndices(_ colors: Span<UInt32>, packingBits: Int) -> [UInt32] {
  let bits = 8 >> packingBits
  let indexMask = 1 << bits - 1
  var groups: [UInt32] = []
  groups.reserveCapacity(256 << packingBits)
  for byte in 0..<256 {
    for pixel in 0..<1 << packingBits { groups.append(colors[(byte >> (pixel * bits)) & indexMask]) }
  }
  return groups
}

/// Replaces packed indices by the colours of their pixels.
///
/// - Parameters:
///   - row: packed indices in the green samples; receives `count` colours.
///   - groups: the result of ``colorsOfPackedIndices(_:packingBits:)``.
package func expandPackedIndices(_ row: inout MutableSpan<UInt32>, count: Int, groups: Span<UInt32>, packingBits: Int) {
  precondition(
    packingBits >= 1 && packingBits <= 3 && count >= 0 && count <= row.count && groups.count >= 256 &<< packingBits,
    "the row or the table is too short")
  let wholeCount = count &>> packingBits
  // Runs from right to left, so that indices are read before they are overwritten.
  if wholeCount &<< packingBits < count {
    let group = Int((row[wholeCount] &>> 8) & 0xFF) &<< packingBits
    for index in wholeCount &<< packingBits..<count {
      row[index] = groups[group &+ index &- wholeCount &<< packingBits]
    }
  }
  // SAFETY: a byte selects one of 256 groups, which the table has; group n is stored at n times its size, at most
  // `count` minus its size, which is within the row.
  unsafe row.withUnsafeMutableBytes { row in
    unsafe groups.withUnsafeBytes { groups in
      var place = wholeCount
      while place > 0 {
        place &-= 1
        let packed = unsafe row.loadUnaligned(fromByteOffset: place &* 4, as: UInt32.self)
        let source = Int((packed &>> 8) & 0xFF) &<< (packingBits &+ 2)
        let target = place &<< (packingBits &+ 2)
        if packingBits == 1 {
          let pair = unsafe groups.loadUnaligned(fromByteOffset: source, as: UInt64.self)
          unsafe row.storeBytes(of: pair, toByteOffset: target, as: UInt64.self)
        } else {
          var offset = 0
          while offset < 4 &<< packingBits {
            let four = unsafe groups.loadUnaligned(fromByteOffset: source &+ offset, as: SIMD4<UInt32>.self)
            unsafe row.storeBytes(of: four, toByteOffset: target &+ offset, as: SIMD4<UInt32>.self)
            offset &+= 16
          }
        }
      }
    }
  }
}
