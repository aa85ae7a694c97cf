// Lossless files whose channels are squeezed, made by a simple encoder that shares nothing with the decoder.

/// A plane of a squeezed picture: averages or differences.
struct SqueezedPlane {
  var width: Int
  var height: Int
  /// The binary logarithms of the reduction.
  var right = 0
  var down = 0
  var samples: [Int]

  /// The rows.
  private var rows: [[Int]] { (0..<height).map { Array(samples[$0 * width..<($0 + 1) * width]) } }
  private var columns: [[Int]] { (0..<width).map { x in (0..<height).map { samples[$0 * width + x] } } }

  private static func fromRows(_ rows: [[Int]], like other: SqueezedPlane) -> SqueezedPlane {
    SqueezedPlane(
      width: rows.first?.count ?? 0, height: rows.count, right: other.right, down: other.down,
      samples: rows.flatMap { $0 })
  }

  private static func fromColumns(_ columns: [[Int]], height: Int, like other: SqueezedPlane) -> SqueezedPlane {
    SqueezedPlane(
      width: columns.count, height: height, right: other.right, down: other.down,
      samples: (0..<height).flatMap { y in columns.map { $0[y] } })
  }

  /// The averages and differences of pairs of columns, or of rows.
  func squeezed(isHorizontal: Bool) -> (averages: SqueezedPlane, differences: SqueezedPlane) {
    let parts = (isHorizontal ? rows : columns).map(Self.squeezed)
    var shape = self
    if isHorizontal {
      shape.right += 1
      return (.fromRows(parts.map { $0.0 }, like: shape), .fromRows(parts.map { $0.1 }, like: shape))
    }
    shape.down += 1
    return (
      .fromColumns(parts.map { $0.0 }, height: (height + 1) / 2, like: shape),
      .fromColumns(parts.map { $0.1 }, height: height / 2, like: shape)
    )
  }

  /// The plane whose averages this one and whose differences another one are.
  func joined(_ differences: SqueezedPlane, isHorizontal: Bool) -> SqueezedPlane {
    var shape = self
    if isHorizontal {
      shape.right -= 1
      guard differences.width > 0 else { return .fromRows(rows, like: shape) }
      return .fromRows(zip(rows, differences.rows).map(Self.joined), like: shape)
    }
    shape.down -= 1
    guard differences.height > 0 else { return .fromRows(rows, like: shape) }
    return .fromColumns(
      zip(columns, differences.columns).map(Self.joined), height: height + differences.height, like: shape)
  }

  /// Averages, which are rounded towards the first sample of a pair, and differences less the expected ones.
  private static func squeezed(_ line: [Int]) -> (averages: [Int], differences: [Int]) {
    var averages = (0..<line.count / 2).map { index in
      let (first, second) = (line[2 * index], line[2 * index + 1])
      return (first + second + (first > second ? 1 : 0)) >> 1
    }
    if line.count % 2 == 1 { averages.append(line[line.count - 1]) }
    let differences = (0..<line.count / 2).map { index in
      let expected = expectedDifference(
        index > 0 ? line[2 * index - 1] : averages[0], averages[index],
        index + 1 < averages.count ? averages[index + 1] : averages[index])
      return line[2 * index] - line[2 * index + 1] - expected
    }
    return (averages, differences)
  }

  private static func joined(_ averages: [Int], _ differences: [Int]) -> [Int] {
    var line: [Int] = []
    for (index, difference) in differences.enumerated() {
      let total =
        difference
        + expectedDifference(
          line.last ?? averages[0], averages[index],
          index + 1 < averages.count ? averages[index + 1] : averages[index])
      line.append(averages[index] + total / 2)
      line.append(averages[index] + total / 2 - total)
    }
    if averages.count > differences.count { line.append(averages[differences.count]) }
    return line
  }

  /// The tendency of ISO/IEC 18181-1, H.6.2.2, of falling sequences, and of rising ones as falling ones upside down.
  private static func expectedDifference(_ a: Int, _ b: Int, _ c: Int) -> Int {
    guard (a >= b && b >= c) || (a <= b && b <= c) else { return 0 }
    guard a >= b, b >= c else { return -expectedDifference(-a, -b, -c) }
    var x = (4 * a - 3 * c - b + 6) / 12
    if x - (x & 1) > 2 * (a - b) { x = 2 * (a - b) + 1 }
    if x + (x & 1) > 2 * (b - c) { x = 2 * (b - c) }
    return x
  }
}

/// A picture of one to four channels, of which the last of an even number is alpha, squeezed by the default steps.
struct SqueezedFile {
  let width: Int
  let height: Int
  let groupShift: Int
  /// Whether three colours are stored as YCoCg.
  var usesColorTransform = false
  var orientation = 1
  /// The channels that are coded, in order.
  private(set) var planes: [SqueezedPlane]
  /// Steps: whether they are horizontal, the index of the first channel, and the number of channels.
  private var steps: [(isHorizontal: Bool, isInPlace: Bool, first: Int, count: Int)] = []
  /// The channels of the pictures reduced by powers of two, by their binary logarithms.
  private(set) var reduced: [Int: [Int: SqueezedPlane]] = [:]

  init(width: Int, height: Int, channels: [[Int]], groupShift: Int = 7) {
    (self.width, self.height, self.groupShift) = (width, height, groupShift)
    planes = channels.map { SqueezedPlane(width: width, height: height, samples: $0) }
    let count = channels.count
    reduced[0] = Dictionary(uniqueKeysWithValues: planes.enumerated().map { ($0, $1) })
    if count > 2 {
      steps.append((true, false, 1, 2))
      steps.append((false, false, 1, 2))
    }
    var (w, h) = (width, height)
    if h >= w, h > 8 {
      steps.append((false, true, 0, count))
      h = (h + 1) / 2
    }
    while w > 8 || h > 8 {
      if w > 8 {
        steps.append((true, true, 0, count))
        w = (w + 1) / 2
      }
      if h > 8 {
        steps.append((false, true, 0, count))
        h = (h + 1) / 2
      }
    }
    for step in steps { apply(step) }
  }

  private mutating func apply(_ step: (isHorizontal: Bool, isInPlace: Bool, first: Int, count: Int)) {
    var differences: [SqueezedPlane] = []
    for index in step.first..<step.first + step.count {
      let (averages, difference) = planes[index].squeezed(isHorizontal: step.isHorizontal)
      planes[index] = averages
      differences.append(difference)
      if averages.right == averages.down { reduced[averages.right, default: [:]][index] = averages }
    }
    planes.insert(contentsOf: differences, at: step.isInPlace ? step.first + step.count : planes.count)
  }

  /// The channels of the picture that consists of given planes.
  func channels(of planes: [SqueezedPlane]) -> [[Int]] {
    var list = planes
    for step in steps.reversed() {
      let start = step.isInPlace ? step.first + step.count : list.count - step.count
      for index in 0..<step.count {
        list[step.first + index] = list[step.first + index].joined(
          list[start + index], isHorizontal: step.isHorizontal)
      }
      list.removeSubrange(start..<start + step.count)
    }
    return list.map(\.samples)
  }

  // MARK: Sections

  /// The number of planes in the first section.
  var globalPlaneCount: Int {
    planes.firstIndex { max($0.width, $0.height) > 1 << groupShift } ?? planes.count
  }

  private func count(_ length: Int, _ shift: Int) -> Int { (length - 1) >> shift + 1 }
  var groupColumns: Int { count(width, groupShift) }
  var groupRows: Int { count(height, groupShift) }
  var lowFrequencyCount: Int { count(width, groupShift + 3) * count(height, groupShift + 3) }
  /// Whether all parts are in one section.
  var isSingleSection: Bool { groupColumns * groupRows == 1 }

  /// Returns the number of the section that contains a sample of a plane.
  func section(ofPlane plane: Int, x: Int, y: Int) -> Int {
    guard plane >= globalPlaneCount else { return 0 }
    let (right, down) = (planes[plane].right, planes[plane].down)
    if right >= 3, down >= 3 {
      let columns = count(width, groupShift + 3)
      let (row, column) = ((y << down) >> (groupShift + 3), (x << right) >> (groupShift + 3))
      return 1 + row * columns + column
    }
    let (row, column) = ((y << down) >> groupShift, (x << right) >> groupShift)
    return 2 + lowFrequencyCount + row * groupColumns + column
  }

  /// The sections of the frame.
  var sections: [[UInt8]] {
    var file = image
    file.residuals = planes[..<globalPlaneCount].map(\.samples)
    // The default steps, after a colour transform.
    var squeeze = BitWriter()
    squeeze.write(2, 2)
    squeeze.writeU32(form: 0)
    file.transforms = [squeeze]
    if usesColorTransform {
      var transform = BitWriter()
      transform.write(0, 2)
      transform.writeU32(form: 0, 0, 3)
      transform.writeU32(form: 0)
      file.transforms = [transform, squeeze]
    }
    guard !isSingleSection else { return [file.section.bytes] }
    var writers = [BitWriter?](repeating: nil, count: 2 + lowFrequencyCount + groupColumns * groupRows)
    writers[0] = file.section
    for index in globalPlaneCount..<planes.count {
      let plane = planes[index]
      for y in 0..<plane.height {
        for x in 0..<plane.width {
          let section = section(ofPlane: index, x: x, y: y)
          if writers[section] == nil {
            // The global tree, default weights, no transforms.
            var writer = BitWriter()
            writer.write(3, 2)
            writer.writeU32(form: 0)
            writers[section] = writer
          }
          if var writer = writers[section] {
            writers[section] = nil
            ModularFile.writeValue(&writer, ModularFile.packed(plane.samples[y * plane.width + x]))
            writers[section] = writer
          }
        }
      }
    }
    return writers.map { $0?.bytes ?? [] }
  }

  private var image: ModularFile {
    let count = reduced[0]?.count ?? 0
    var file = ModularFile(
      width: width, height: height, channels: [[Int]](repeating: [], count: count), orientation: orientation)
    file.groupShift = groupShift
    return file
  }

  /// The codestream of given sections, in order.
  func codestream(_ sections: [[UInt8]]) -> [UInt8] {
    var writer = BitWriter()
    writer.write(0x0AFF, 16)
    image.writeHeaders(&writer)
    writer.align()
    image.writeFrameHeader(&writer)
    ModularFile.writeSections(sections, to: &writer)
    return writer.bytes
  }
}
