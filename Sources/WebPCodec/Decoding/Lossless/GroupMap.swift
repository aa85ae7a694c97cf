// The assignment of prefix codes to blocks (RFC 9649, section 3.7.2.2).

/// The entropy image: the prefix code group of each block.
struct GroupMap {
  /// The group of each block, in a numbering without unused groups.
  private(set) var groups: [UInt16] = []
  /// The number of blocks per row.
  private(set) var blocksPerRow = 0
  /// The binary logarithm of a block's side.
  private(set) var blockBits = 0
  /// The number of groups in the stream, used or not.
  private(set) var codedGroupCount = 1
  private var usedGroups: [Bool] = [true]
  /// The number of groups that blocks use.
  private(set) var usedGroupCount = 1

  /// A single group for the whole image.
  static let single = GroupMap()

  private init() {}

  /// - Parameter image: the entropy image; its red and green samples are the group number.
  init(_ image: Span<UInt32>, blocksPerRow: Int, blockBits: Int) {
    self.blocksPerRow = blocksPerRow
    self.blockBits = blockBits
    groups = [UInt16](repeating: 0, count: image.count)
    var highest = 0
    for index in image.indices {
      let group = image[index] >> 8 & 0xFFFF
      groups[index] = UInt16(group)
      highest = max(highest, Int(group))
    }
    codedGroupCount = highest + 1
    usedGroups = [Bool](repeating: false, count: codedGroupCount)
    for group in groups { usedGroups[Int(group)] = true }
    var numbers = [UInt16](repeating: 0, count: codedGroupCount)
    usedGroupCount = 0
    for group in 0..<codedGroupCount where usedGroups[group] {
      numbers[group] = UInt16(truncatingIfNeeded: usedGroupCount)
      usedGroupCount += 1
    }
    for index in groups.indices { groups[index] = numbers[Int(groups[index])] }
  }

  /// Returns whether a block uses a group of the stream.
  func isUsed(_ codedGroup: Int) -> Bool { usedGroups[codedGroup] }
}
