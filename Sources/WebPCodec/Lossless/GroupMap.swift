// Which prefix codes hold where (RFC 9649, section 3.7.2.2).

/// The entropy image: the group of prefix codes of each block.
struct GroupMap {
  /// The group of each block, numbered without those that no block uses.
  private(set) var groups: [UInt16] = []
  /// Blocks of a row.
  private(set) var blocksPerRow = 0
  /// The binary logarithm of a block's side.
  private(set) var blockBits = 0
  /// Groups that the stream has, used or not.
  private(set) var codedGroupCount = 1
  private var usedGroups: [Bool] = [true]

  /// One group for the whole image.
  static let single = GroupMap()

  private init() {}

  /// - Parameter image: the entropy image; red and green hold the number of the group.
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
    var next: UInt16 = 0
    for group in 0..<codedGroupCount where usedGroups[group] {
      numbers[group] = next
      next &+= 1
    }
    for index in groups.indices { groups[index] = numbers[Int(groups[index])] }
  }

  /// Whether a block uses a group of the stream.
  func isUsed(_ codedGroup: Int) -> Bool { usedGroups[codedGroup] }
}
