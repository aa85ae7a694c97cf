// Palettes (ISO/IEC 18181-1, H.6.4).

internal import ImageCoding

/// `Palette`: an index channel and a meta channel with colours replace one or more channels. Some colours are
/// differences from predictions; colours beyond the palette are implicit.
struct PaletteTransform: Sendable {
  private let first: Int
  private let channelCount: Int
  /// The number of colours that are not differences.
  private let colorCount: Int
  /// The number of differences, which are first in the palette.
  private let differenceCount: Int
  private let predictor: Predictor

  init(parsing bits: inout BitReader) throws(CodecError) {
    first = try ModularTransform.readFirstChannel(&bits)
    channelCount = try bits.readInt(.value(1), .value(3), .value(4), .bits(13, offset: 1))
    colorCount = try bits.readInt(
      .bits(8), .bits(10, offset: 256), .bits(12, offset: 1280), .bits(16, offset: 5376))
    differenceCount = try bits.readInt(
      .value(0), .bits(8, offset: 1), .bits(10, offset: 257), .bits(16, offset: 1281))
    guard let predictor = Predictor(rawValue: UInt8(try bits.readInt(4))) else {
      throw bits.error(.malformed, "the predictor of a palette does not exist")
    }
    self.predictor = predictor
  }

  /// Whether no colour is a difference from neighbours.
  var isLocal: Bool { differenceCount == 0 && predictor == .zero }

  func prepare(_ image: inout ModularImage, _ budget: inout ResourceBudget) throws(CodecError) {
    let end = first + channelCount
    guard end <= image.channels.count else { throw CodecError(malformed: "a palette exceeds the channels") }
    let isMeta = first < image.metaChannelCount
    guard image.channels[first..<end].allSatisfy({ $0.hasSameShape(as: image.channels[first]) }),
      !isMeta || end <= image.metaChannelCount
    else { throw CodecError(malformed: "the channels of a palette differ in size") }
    image.metaChannelCount += isMeta ? 2 - channelCount : 1
    try image.chargeChannels(1, &budget)
    image.channels.removeSubrange(first + 1..<end)
    image.channels.insert(
      ModularChannel(
        width: colorCount + differenceCount, height: channelCount, horizontalShift: -1, verticalShift: -1),
      at: 0)
  }

  func undo(
    _ image: inout ModularImage, _ weights: WeightedParameters, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    guard first + 1 < image.channels.count, image.metaChannelCount > 0 else {
      throw CodecError(malformed: "a palette exceeds the channels")
    }
    let palette = image.channels.removeFirst()
    // The list without the palette: the indices are in the first of the channels that they become.
    image.metaChannelCount += first + 1 < image.metaChannelCount ? channelCount - 2 : -1
    var indices = image.channels[first]
    image.channels[first].samples = []
    try image.chargeChannels(channelCount - 1, &budget)
    var channels: [ModularChannel] = []
    for component in 0..<channelCount {
      var channel = indices
      channel.samples = []
      try channel.allocate(&budget)
      if !channel.isEmpty {
        try expand(component, indices, palette, into: &channel, weights, bitCount: image.bitCount, &budget)
      }
      channels.append(channel)
    }
    indices.free(&budget)
    budget.release(palette.samples.count * 4)
    image.channels.replaceSubrange(first...first, with: channels)
  }

  /// Replaces the indices by one component of their colours.
  private func expand(
    _ component: Int, _ indices: ModularChannel, _ palette: ModularChannel, into channel: inout ModularChannel,
    _ weights: WeightedParameters, bitCount: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let (width, height) = (channel.width, channel.height)
    try budget.chargeWork(palette.width)
    let colors = PaletteColors(palette, component: component, bitCount: bitCount)
    let clamps = channelCount == 1 && differenceCount == 0 && predictor == .zero
    let usesDifferences = !(differenceCount == 0 && predictor == .zero)
    var state = WeightedPrediction(weights)
    var errors = WeightedErrors(width: predictor == .weighted ? width : 0)
    var samples = channel.samples
    channel.samples = []
    for y in 0..<height {
      try budget.chargeWork(count: width, unitsEach: predictor == .weighted ? 20 : 3)
      let source = indices.samples.span.extracting(y * width..<(y + 1) * width)
      var target = samples.mutableSpan
      if predictor == .weighted {
        expandWeighted(source, y, colors, into: &target, &state, &errors)
      } else if usesDifferences {
        for x in 0..<width {
          var value = colors[source[x]]
          if source[x] < differenceCount {
            let prediction = Neighbours(target, x: x, y: y, width: width).prediction(predictor)
            value = Int32(truncatingIfNeeded: prediction &+ Int64(value))
          }
          target[y &* width &+ x] = value
        }
      } else {
        for x in 0..<width {
          target[y &* width &+ x] = colors[clamps ? min(max(source[x], 0), colors.lastIndex) : source[x]]
        }
      }
    }
    channel.samples = samples
  }

  /// Replaces a row of indices if the weighted predictor predicts what differences are added to.
  private func expandWeighted(
    _ source: Span<Int32>, _ y: Int, _ colors: PaletteColors, into target: inout MutableSpan<Int32>,
    _ state: inout WeightedPrediction, _ errors: inout WeightedErrors
  ) {
    errors.startRow()
    let width = source.count
    let (trueAbove, reciprocals) = (errors.trueAbove, WeightedPrediction.reciprocals)
    // Moved to variables while in use, so that nothing is copied.
    var (aboveErrors, currentErrors, trueCurrentErrors) = (errors.above, errors.current, errors.trueCurrent)
    (errors.above, errors.current, errors.trueCurrent) = ([], [], [])
    defer { (errors.above, errors.current, errors.trueCurrent) = (aboveErrors, currentErrors, trueCurrentErrors) }
    var above = aboveErrors.mutableSpan
    var current = currentErrors.mutableSpan
    var trueCurrent = trueCurrentErrors.mutableSpan
    for x in 0..<width {
      var value = colors[source[x]]
      if source[x] < differenceCount {
        // The state remains that of the latest difference otherwise, as in libjxl.
        let prediction = state.predict(
          Neighbours(target, x: x, y: y, width: width), x: x, width: width, above: above, trueAbove: trueAbove.span,
          trueCurrent: trueCurrent, reciprocals: reciprocals.span)
        value = Int32(truncatingIfNeeded: prediction &+ Int64(value))
      }
      target[y &* width &+ x] = value
      state.update(value, x: x, above: &above, current: &current, trueCurrent: &trueCurrent)
    }
  }
}

/// The colours of one component, including implicit ones.
private struct PaletteColors {
  private let colors: [Int32]
  private let component: Int
  private let bitCount: Int

  init(_ palette: ModularChannel, component: Int, bitCount: Int) {
    colors = Array(palette.samples[component * palette.width..<(component + 1) * palette.width])
    self.component = component
    self.bitCount = min(bitCount, 24)
  }

  var lastIndex: Int32 { Int32(truncatingIfNeeded: max(0, colors.count - 1)) }

  subscript(index: Int32) -> Int32 {
    if index >= 0, index < colors.count { return colors[Int(index)] }
    return implicit(index)
  }

  private func implicit(_ index: Int32) -> Int32 {
    guard component < 3 else { return 0 }
    if index < 0 {
      let place = Int((-(Int64(index) + 1)) % 143)
      let entry = Int32(PaletteDifferences.values[(place + 1) / 2 * 3 + component])
      let value = place & 1 == 0 ? -entry : entry
      return bitCount > 8 ? value << Int32(bitCount - 8) : value
    }
    let full = Int64(1) << Int64(bitCount) - 1
    var place = Int64(index) - Int64(colors.count)
    if place < 64 {
      let level = (place >> Int64(2 * component)) & 3
      return Int32(truncatingIfNeeded: level * full / 4 + 1 << Int64(max(0, bitCount - 3)))
    }
    place -= 64
    for _ in 0..<component { place /= 5 }
    return Int32(truncatingIfNeeded: place % 5 * full / 4)
  }
}
