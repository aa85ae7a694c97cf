// The groups that a frame is divided into (ISO/IEC 18181-1, F.2 and F.6).

internal import ImageCoding

/// The grids of groups and the numbers of the sections.
struct FrameLayout: Hashable, Sendable {
  /// The size of the coded samples.
  let size: PixelSize
  /// The binary logarithm of the size of a group.
  let groupShift: Int
  let passCount: Int
  let groupColumns: Int
  let groupRows: Int
  let lowFrequencyColumns: Int
  let lowFrequencyRows: Int

  init(_ header: FrameHeader) {
    size = header.codedSize
    groupShift = header.groupSizeShift
    passCount = header.passes.count
    func count(_ length: Int, _ shift: Int) -> Int { (length - 1) >> shift + 1 }
    groupColumns = count(size.width, groupShift)
    groupRows = count(size.height, groupShift)
    lowFrequencyColumns = count(size.width, groupShift + 3)
    lowFrequencyRows = count(size.height, groupShift + 3)
  }

  /// Counts of at most 2⁴⁶ groups as 64-bit numbers.
  private var groupCount64: UInt64 { UInt64(groupColumns) * UInt64(groupRows) }

  /// The number of sections; `nil` if there are too many for any file.
  var sectionCount: Int? {
    if groupCount64 == 1, passCount == 1 { return 1 }
    let lowFrequency = UInt64(lowFrequencyColumns) * UInt64(lowFrequencyRows)
    let count = 2 + lowFrequency + UInt64(passCount) * groupCount64
    return count <= 1 << 28 ? Int(count) : nil
  }

  var groupCount: Int { groupColumns * groupRows }
  var lowFrequencyGroupCount: Int { lowFrequencyColumns * lowFrequencyRows }
  /// Whether all parts are in one section, one after the other.
  var isSingleSection: Bool { groupCount == 1 && passCount == 1 }
  /// The size of a group.
  var groupSize: Int { 1 << groupShift }

  /// The number of the section of a low-frequency group.
  func lowFrequencySection(_ group: Int) -> Int { 1 + group }
  /// The number of the section with the global high-frequency data.
  var highFrequencySection: Int { 1 + lowFrequencyGroupCount }
  /// The number of the section of a group in a pass.
  func section(ofGroup group: Int, pass: Int) -> Int { 2 + lowFrequencyGroupCount + pass * groupCount + group }
}
