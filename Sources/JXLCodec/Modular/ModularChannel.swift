// The channels of a Modular image (ISO/IEC 18181-1, H.1).

internal import ImageCoding

/// A plane of integers, of the size of the image or reduced, or a palette.
struct ModularChannel: Sendable {
  var width: Int
  var height: Int
  /// The binary logarithms of the factors by which the channel is reduced; -1 for meta channels, such as palettes.
  var horizontalShift: Int
  var verticalShift: Int
  /// Whether the picture needs the channel. Others are decoded only if a later channel of their stream is needed.
  var isNeeded = true
  /// The samples, row by row; empty before they are allocated.
  var samples: [Int32] = []

  init(width: Int, height: Int, horizontalShift: Int, verticalShift: Int) {
    (self.width, self.height) = (width, height)
    (self.horizontalShift, self.verticalShift) = (horizontalShift, verticalShift)
  }

  var isEmpty: Bool { width == 0 || height == 0 }

  func hasSameShape(as other: ModularChannel) -> Bool {
    width == other.width && height == other.height && horizontalShift == other.horizontalShift
      && verticalShift == other.verticalShift
  }

  /// Allocates the samples, as zeros.
  mutating func allocate(_ budget: inout ResourceBudget) throws(CodecError) {
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    try budget.allocate(count: overflow ? .max : count, bytesEach: 4)
    try budget.chargeWork(count / 4)
    samples = [Int32](repeating: 0, count: count)
  }

  /// Returns a rectangle of the samples as fractions of a full sample, row by row.
  func fractions(of region: PixelRegion, _ conversion: SampleConversion) -> [Float] {
    var fractions = [Float](repeating: 0, count: region.width * region.height)
    var output = fractions.mutableSpan
    for y in 0..<region.height {
      let start = (region.y + y) * width + region.x
      let row = samples.span.extracting(start..<start + region.width)
      for x in 0..<row.count { output[y &* region.width &+ x] = conversion.float(row[x]) }
    }
    return fractions
  }

  /// Frees the samples.
  mutating func free(_ budget: inout ResourceBudget) {
    budget.release(samples.count * 4)
    samples = []
  }
}

/// The list of channels that a Modular stream codes, or that its transforms produce.
struct ModularImage: Sendable {
  var channels: [ModularChannel] = []
  /// The number of meta channels at the start of the list.
  var metaChannelCount = 0
  /// The number of bits of the image's samples, on which implicit colours of palettes depend.
  var bitCount: Int

  init(bitCount: Int) {
    self.bitCount = bitCount
  }

  /// The maximum number of channels.
  static let maximumChannelCount = 1 << 16
  /// The memory of a channel without its samples.
  static let bytesPerChannel = 64

  /// Charges a change of the list that adds channels.
  func chargeChannels(_ count: Int, _ budget: inout ResourceBudget) throws(CodecError) {
    guard channels.count + count <= Self.maximumChannelCount else {
      throw CodecError(
        .malformed, "a Modular image has more than \(Self.maximumChannelCount) channels", format: JXLDecoder.type)
    }
    try budget.allocate(count: count, bytesEach: Self.bytesPerChannel)
    try budget.chargeWork(channels.count + count)
  }
}
