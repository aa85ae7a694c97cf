// The squeeze transform: averages and differences of pairs of samples (ISO/IEC 18181-1, H.6.2).

internal import ImageCoding

/// `Squeeze`: halves channels in steps.
struct SqueezeTransform: Sendable {
  /// `SqueezeParams`: one step for consecutive channels.
  struct Step: Sendable {
    var isHorizontal: Bool
    /// Whether differences follow their channels, and not all others.
    var isInPlace: Bool
    var first: Int
    var count: Int
  }

  /// The steps. An empty list is replaced with the default ones when the channels are known.
  private(set) var steps: [Step] = []

  /// The greatest reduction of a channel.
  private static let maximumShift = 30

  init(parsing bits: inout BitReader, budget: inout ResourceBudget) throws(CodecError) {
    let count = try bits.readInt(.value(0), .bits(4, offset: 1), .bits(6, offset: 9), .bits(8, offset: 41))
    try budget.chargeWork(count: count, unitsEach: 50)
    for _ in 0..<count {
      let (isHorizontal, isInPlace) = (try bits.readFlag(), try bits.readFlag())
      let first = try ModularTransform.readFirstChannel(&bits)
      let channelCount = try bits.readInt(.value(1), .value(2), .value(3), .bits(4, offset: 4))
      steps.append(Step(isHorizontal: isHorizontal, isInPlace: isInPlace, first: first, count: channelCount))
    }
  }

  /// Returns the steps that reduce an image to at most 8 × 8 samples, and chroma by two further steps.
  static func defaultSteps(_ image: ModularImage) -> [Step] {
    let first = image.metaChannelCount
    let count = image.channels.count - first
    guard count > 0 else { return [] }
    var (width, height) = (image.channels[first].width, image.channels[first].height)
    var steps: [Step] = []
    if count > 2, image.channels[first + 1].width == width, image.channels[first + 1].height == height {
      steps.append(Step(isHorizontal: true, isInPlace: false, first: first + 1, count: 2))
      steps.append(Step(isHorizontal: false, isInPlace: false, first: first + 1, count: 2))
    }
    func step(_ isHorizontal: Bool) -> Step {
      Step(isHorizontal: isHorizontal, isInPlace: true, first: first, count: count)
    }
    if height >= width, height > 8 {
      steps.append(step(false))
      height = (height + 1) / 2
    }
    while width > 8 || height > 8 {
      if width > 8 {
        steps.append(step(true))
        width = (width + 1) / 2
      }
      if height > 8 {
        steps.append(step(false))
        height = (height + 1) / 2
      }
    }
    return steps
  }

  mutating func prepare(_ image: inout ModularImage, _ budget: inout ResourceBudget) throws(CodecError) {
    if steps.isEmpty { steps = Self.defaultSteps(image) }
    for step in steps { try Self.prepare(step, &image, &budget) }
  }

  private static func prepare(
    _ step: Step, _ image: inout ModularImage, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let end = step.first + step.count
    guard end <= image.channels.count else { throw CodecError(malformed: "a squeeze exceeds the channels") }
    if step.first < image.metaChannelCount {
      guard end <= image.metaChannelCount, step.isInPlace else {
        throw CodecError(malformed: "a squeeze mixes meta channels and others")
      }
      image.metaChannelCount += step.count
    }
    try image.chargeChannels(step.count, &budget)
    var differences: [ModularChannel] = []
    for index in step.first..<end {
      var channel = image.channels[index]
      guard channel.horizontalShift <= maximumShift, channel.verticalShift <= maximumShift else {
        throw CodecError(malformed: "a channel is squeezed too often")
      }
      var difference = channel
      if step.isHorizontal {
        difference.width = channel.width / 2
        channel.width -= difference.width
        if channel.horizontalShift >= 0 { channel.horizontalShift += 1 }
        difference.horizontalShift = channel.horizontalShift
      } else {
        difference.height = channel.height / 2
        channel.height -= difference.height
        if channel.verticalShift >= 0 { channel.verticalShift += 1 }
        difference.verticalShift = channel.verticalShift
      }
      image.channels[index] = channel
      differences.append(difference)
    }
    image.channels.insert(contentsOf: differences, at: step.isInPlace ? end : image.channels.count)
  }

  func undo(_ image: inout ModularImage, _ budget: inout ResourceBudget) throws(CodecError) {
    for step in steps.reversed() { try Self.undo(step, &image, &budget) }
  }

  private static func undo(
    _ step: Step, _ image: inout ModularImage, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let end = step.first + step.count
    let firstDifference = step.isInPlace ? end : image.channels.count - step.count
    guard firstDifference >= end, firstDifference + step.count <= image.channels.count else {
      throw CodecError(malformed: "a squeeze exceeds the channels")
    }
    for index in 0..<step.count {
      guard image.channels[firstDifference + index].isNeeded else {
        image.channels[firstDifference + index].free(&budget)
        continue
      }
      var average = image.channels[step.first + index]
      var difference = image.channels[firstDifference + index]
      image.channels[step.first + index].samples = []
      image.channels[firstDifference + index].samples = []
      image.channels[step.first + index] =
        step.isHorizontal
        ? try joinHorizontally(&average, &difference, &budget) : try joinVertically(&average, &difference, &budget)
    }
    image.channels.removeSubrange(firstDifference..<firstDifference + step.count)
    if step.first < image.metaChannelCount { image.metaChannelCount -= step.count }
  }

  private static func joinHorizontally(
    _ average: inout ModularChannel, _ difference: inout ModularChannel, _ budget: inout ResourceBudget
  ) throws(CodecError) -> ModularChannel {
    var result = average
    result.samples = []
    result.width += difference.width
    if result.horizontalShift > 0 { result.horizontalShift -= 1 }
    guard average.height == difference.height, !difference.isEmpty else {
      result.samples = average.samples
      return result
    }
    try result.allocate(&budget)
    var samples = result.samples
    result.samples = []
    for y in 0..<result.height {
      try budget.chargeWork(count: result.width, unitsEach: 5)
      joinRow(
        average.samples.span.extracting(y * average.width..<(y + 1) * average.width),
        difference.samples.span.extracting(y * difference.width..<(y + 1) * difference.width), &samples,
        at: y * result.width)
    }
    result.samples = samples
    average.free(&budget)
    difference.free(&budget)
    return result
  }

  private static func joinRow(
    _ averages: Span<Int32>, _ differences: Span<Int32>, _ samples: inout [Int32], at start: Int
  ) {
    var output = samples.mutableSpan
    var left = averages[0]
    for x in 0..<differences.count {
      let average = averages[x]
      let next = x &+ 1 < averages.count ? averages[x &+ 1] : average
      let (first, second) = SqueezedPair.samples(average, differences[x], left, next)
      output[start &+ 2 &* x] = first
      output[start &+ 2 &* x &+ 1] = second
      left = second
    }
    if averages.count > differences.count {
      output[start &+ 2 &* differences.count] = averages[differences.count]
    }
  }

  private static func joinVertically(
    _ average: inout ModularChannel, _ difference: inout ModularChannel, _ budget: inout ResourceBudget
  ) throws(CodecError) -> ModularChannel {
    var result = average
    result.samples = []
    result.height += difference.height
    if result.verticalShift > 0 { result.verticalShift -= 1 }
    guard average.width == difference.width, !difference.isEmpty else {
      result.samples = average.samples
      return result
    }
    try result.allocate(&budget)
    var samples = result.samples
    result.samples = []
    let width = result.width
    for y in 0..<difference.height {
      try budget.chargeWork(count: width, unitsEach: 10)
      let averages = average.samples.span
      let differences = difference.samples.span
      var output = samples.mutableSpan
      let source = y * width
      let nextRow = y + 1 < average.height ? source + width : source
      let target = 2 * y * width
      for x in 0..<width {
        let value = averages[source &+ x]
        let above = y > 0 ? output[target &- width &+ x] : value
        let (first, second) = SqueezedPair.samples(value, differences[source &+ x], above, averages[nextRow &+ x])
        output[target &+ x] = first
        output[target &+ width &+ x] = second
      }
    }
    if average.height > difference.height {
      let source = difference.height * width
      let target = 2 * difference.height * width
      for x in 0..<width { samples[target &+ x] = average.samples[source &+ x] }
    }
    result.samples = samples
    average.free(&budget)
    difference.free(&budget)
    return result
  }
}
