// The states of the samples of a code-block, four of a column in a word.

/// The bits of a word with the states of four samples, one below the other, and of their neighbours.
///
/// The significance of a window of 3 columns and 6 rows is in bits 0…17, row by row: that of the neighbours of sample k
/// starts with bit 3k. The other states of sample k are 3k bits above those of sample 0. Bit 19 + 3k is set if sample k is
/// negative; bits 18 and 31 are those of the samples above and below.
enum SampleFlags {
  /// The significance of the window.
  static let window: UInt32 = 0x3FFFF
  /// The significance of sample 0, and that of its neighbours.
  static let significant: UInt32 = 1 << 4
  static let neighbors: UInt32 = 0x1EF
  /// Whether sample 0 has been refined.
  static let refined: UInt32 = 1 << 20
  /// Whether sample 0 has been visited by the significance propagation pass of the plane.
  static let visited: UInt32 = 1 << 21
  /// The significance of all four samples.
  static let anySignificant: UInt32 = significant | significant << 3 | significant << 6 | significant << 9
  /// The visits of all four samples.
  static let anyVisited: UInt32 = visited | visited << 3 | visited << 6 | visited << 9

  /// Marks a sample as significant in its own word and those of its neighbours.
  ///
  /// - Parameters:
  ///   - index: the index of the sample's word.
  ///   - k: the row of the sample in its word, 0…3.
  ///   - pitch: the number of words of a stripe.
  ///   - isCausal: whether the stripe above does not depend on this one.
  @inline(__always)
  static func setSignificant(
    _ flags: inout MutableSpan<UInt32>, _ index: Int, _ k: UInt32, isNegative: UInt32, pitch: Int, isCausal: Bool
  ) {
    let row = 3 &* k &+ 3
    flags[index &- 1] |= 4 &<< row
    flags[index] |= (2 &<< row) | (isNegative &<< (19 &+ 3 &* k))
    flags[index &+ 1] |= 1 &<< row
    if k == 0, !isCausal {
      let above = index &- pitch
      flags[above &- 1] |= 1 &<< 17
      flags[above] |= (1 &<< 16) | (isNegative &<< 31)
      flags[above &+ 1] |= 1 &<< 15
    } else if k == 3 {
      let below = index &+ pitch
      flags[below &- 1] |= 1 &<< 2
      flags[below] |= (1 &<< 1) | (isNegative &<< 18)
      flags[below &+ 1] |= 1
    }
  }

  /// The index of the table of sign contexts for a sample.
  @inline(__always)
  static func signIndex(_ word: UInt32, left: UInt32, right: UInt32, _ k: UInt32) -> Int {
    let shift = 3 &* k
    let window = word &>> shift
    let significance = (window &>> 1 & 1) | (window &>> 2 & 2) | (window &>> 3 & 4) | (window &>> 4 & 8)
    let above = (k == 0 ? word &>> 18 : word &>> (16 &+ shift)) & 1
    let signs =
      above | (left &>> (19 &+ shift) & 1) &<< 1 | (right &>> (19 &+ shift) & 1) &<< 2
      | (word &>> (22 &+ shift) & 1) &<< 3
    return Int(significance | signs &<< 4)
  }
}
