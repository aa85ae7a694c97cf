// The parts of large Modular channels that a group codes (ISO/IEC 18181-1, G.2.3 and G.4.2).

internal import ImageCoding

/// A rectangle of the channels that are coded in groups.
struct ModularGroup: Sendable {
  /// The number of the section of the group.
  let section: Int
  /// The index of the Modular stream.
  private let streamIndex: Int
  private let column: Int
  private let row: Int
  /// The binary logarithm of the size of the rectangle in a channel that is not reduced.
  private let sizeShift: Int
  /// The first channel that is coded in groups.
  private let firstChannel: Int
  /// The shifts of the channels that the group codes; `nil` for those of low-frequency groups.
  private let shifts: ClosedRange<Int>?

  /// The number of streams of quantisation tables.
  private static let tableCount = 17

  /// The part of a low-frequency group.
  init(lowFrequency group: Int, _ layout: FrameLayout, firstChannel: Int) {
    section = layout.lowFrequencySection(group)
    streamIndex = 1 + layout.lowFrequencyGroupCount + group
    (row, column) = group.quotientAndRemainder(dividingBy: layout.lowFrequencyColumns)
    sizeShift = layout.groupShift + 3
    self.firstChannel = firstChannel
    shifts = nil
  }

  /// The part of a group in a pass.
  init(_ group: Int, pass: Int, shifts: ClosedRange<Int>, _ layout: FrameLayout, firstChannel: Int) {
    section = layout.section(ofGroup: group, pass: pass)
    streamIndex = 1 + 3 * layout.lowFrequencyGroupCount + Self.tableCount + layout.groupCount * pass + group
    (row, column) = group.quotientAndRemainder(dividingBy: layout.groupColumns)
    sizeShift = layout.groupShift
    self.firstChannel = firstChannel
    self.shifts = shifts
  }

  /// Returns the rectangle of a channel that the group codes; `nil` if there is none.
  private func rectangle(_ channel: ModularChannel) -> PixelRegion? {
    let (horizontal, vertical) = (channel.horizontalShift, channel.verticalShift)
    guard let shifts else {
      guard horizontal >= 3, vertical >= 3 else { return nil }
      return clipped(channel)
    }
    guard horizontal < 3 || vertical < 3, shifts.contains(min(horizontal, vertical)) else { return nil }
    return clipped(channel)
  }

  private func clipped(_ channel: ModularChannel) -> PixelRegion? {
    func range(_ index: Int, _ shift: Int, _ length: Int) -> Range<Int> {
      guard shift <= sizeShift else { return 0..<(index == 0 ? length : 0) }
      let start = min(index << (sizeShift - shift), length)
      return start..<min(start + 1 << (sizeShift - shift), length)
    }
    let columns = range(column, channel.horizontalShift, channel.width)
    let rows = range(row, channel.verticalShift, channel.height)
    guard !columns.isEmpty, !rows.isEmpty else { return nil }
    return PixelRegion(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
  }

  /// Whether the group codes a part of any channel that is needed.
  func isUsed(_ image: ModularImage) -> Bool {
    image.channels[firstChannel...].contains { $0.isNeeded && rectangle($0) != nil }
  }

  /// Whether the group codes a part of any channel that is needed for a region of a squeezed frame.
  func isUsed(_ image: ModularImage, in region: SqueezedRegion) -> Bool {
    image.channels[firstChannel...].contains { channel in
      channel.isNeeded && rectangle(channel).map { region.needs($0, of: channel) } == true
    }
  }

  /// Decodes the rectangles. Of damaged ones, the rows before the damage remain, and others are zeros.
  func decode(
    _ bits: inout BitReader, _ image: ModularImage, _ tree: DecisionTree?, budget: inout ResourceBudget
  ) throws(CodecError) -> Decoded {
    var part = ModularImage(bitCount: image.bitCount)
    var places: [Place] = []
    for index in firstChannel..<image.channels.count {
      let channel = image.channels[index]
      guard let region = rectangle(channel) else { continue }
      places.append(Place(channel: index, x: region.x, y: region.y))
      var rectangle = ModularChannel(
        width: region.width, height: region.height, horizontalShift: channel.horizontalShift,
        verticalShift: channel.verticalShift)
      rectangle.isNeeded = channel.isNeeded
      part.channels.append(rectangle)
    }
    let stream = try ModularStream(parsing: &bits, &part, budget: &budget)
    var damage: CodecError?
    _ = try stream.decode(
      &bits, &part, index: streamIndex, globalTree: tree, maximumSize: .max, &damage, budget: &budget)
    try stream.undoTransforms(&part, budget: &budget)
    guard part.channels.count == places.count else {
      throw bits.error(.malformed, "the transforms of a group change its channels")
    }
    return Decoded(channels: part.channels, places: places, damage: damage)
  }

  /// The location of a rectangle.
  struct Place: Sendable {
    var channel: Int
    var x: Int
    var y: Int
  }

  /// The decoded rectangles.
  struct Decoded: Sendable {
    let channels: [ModularChannel]
    let places: [Place]
    /// The damage at which decoding ended.
    let damage: CodecError?

    /// Copies the rectangles of channels that are needed to their places.
    func store(into image: inout ModularImage) {
      for (source, place) in zip(channels, places) {
        let stride = image.channels[place.channel].width
        let samples = source.samples.span
        guard source.isNeeded, samples.count == source.width * source.height else { continue }
        var target = image.channels[place.channel].samples.mutableSpan
        for y in 0..<source.height {
          let from = y * source.width
          let to = (place.y + y) * stride + place.x
          for x in 0..<source.width { target[to &+ x] = samples[from &+ x] }
        }
      }
    }

    /// Credits the memory of the rectangles.
    func release(_ budget: inout ResourceBudget) {
      budget.release(channels.reduce(0) { $0 + $1.samples.count * 4 })
    }
  }
}
