// The transforms of an image and their inverses, row by row (RFC 9649, section 3.5).

internal import ImageCoding

/// A transform with its data.
enum LosslessTransform {
  /// Pixels are differences from predictions, with a mode per block (section 3.5.1).
  case predictor(modes: [UInt8], blockBits: Int)
  /// Red and blue are differences from predictions from green and red, with factors per block (section 3.5.2).
  case color(factors: [UInt32], blockBits: Int)
  /// Green was subtracted from red and blue (section 3.5.3).
  case subtractGreen
  /// Green contains one or several palette indices (section 3.5.4). If several, `colors` are those of
  /// ``colorsOfPackedIndices(_:packingBits:)``.
  case palette(colors: [UInt32], packingBits: Int)
}

extension LosslessTransform {
  /// The work of inverting the transform of a pixel.
  fileprivate var workPerPixel: Int {
    switch self {
    case .predictor: 6
    case .color, .palette: 2
    case .subtractGreen: 1
    }
  }
}

/// Inverts all transforms of an image, one row at a time.
struct InverseTransforms {
  /// The transforms in stream order; they are inverted from last to first.
  private(set) var transforms: [LosslessTransform] = []
  /// The width of the picture.
  let width: Int
  /// The width of the coded pixels, which is smaller if a palette packs indices.
  private(set) var codedWidth: Int
  /// The current row.
  private var row: [UInt32] = []
  /// The row above, as the inverse predictor produced it, with room for one more pixel.
  private var upper: [UInt32] = []
  private var hasPredictor = false

  init(width: Int) {
    self.width = width
    codedWidth = width
  }

  /// The work of inverting all transforms of a pixel.
  private(set) var workPerPixel = 0

  mutating func append(_ transform: LosslessTransform) {
    workPerPixel += transform.workPerPixel
    if case .palette(_, let packingBits) = transform {
      codedWidth = Self.blockCount(codedWidth, bits: packingBits)
    }
    if case .predictor = transform { hasPredictor = true }
    transforms.append(transform)
  }

  /// Returns the number of blocks of 2ᵇⁱᵗˢ pixels that cover a length.
  static func blockCount(_ length: Int, bits: Int) -> Int { (length + (1 << bits) - 1) >> bits }

  /// Allocates the rows. All transforms must be known.
  mutating func allocate(_ budget: inout ResourceBudget) throws(CodecError) {
    try budget.allocate(count: width * 2 + 2, bytesEach: 4)
    row = [UInt32](repeating: 0, count: width + 1)
    if hasPredictor { upper = [UInt32](repeating: 0, count: width + 1) }
  }

  /// Inverts the transforms of a row.
  ///
  /// - Parameters:
  ///   - pixels: contains the coded pixels of the row from `start` on; positions are masked.
  ///   - body: receives the pixels of the picture.
  mutating func invert(
    _ pixels: Span<UInt32>, start: Int, mask: Int, y: Int, _ body: (Span<UInt32>) throws(CodecError) -> Void
  ) throws(CodecError) {
    try Self.invert(
      transforms, pixels, start: start, mask: mask, y: y, width: width, codedWidth: codedWidth, &row, &upper, body)
  }

  private static func invert(
    _ transforms: [LosslessTransform], _ pixels: Span<UInt32>, start: Int, mask: Int, y: Int, width: Int,
    codedWidth: Int, _ row: inout [UInt32], _ upper: inout [UInt32], _ body: (Span<UInt32>) throws(CodecError) -> Void
  ) throws(CodecError) {
    let place = start & mask
    let first = min(codedWidth, pixels.count - place)
    if transforms.isEmpty, first == width { return try body(pixels.extracting(place..<place + width)) }
    var rowSpan = row.mutableSpan
    copyWords(pixels.extracting(place..<place + first), into: &rowSpan, at: 0)
    if first < codedWidth { copyWords(pixels.extracting(0..<codedWidth - first), into: &rowSpan, at: first) }
    var currentWidth = codedWidth
    for transform in transforms.reversed() {
      switch transform {
      case .subtractGreen: addGreen(&rowSpan, count: currentWidth)
      case .color(let factors, let blockBits):
        let blocksPerRow = blockCount(currentWidth, bits: blockBits)
        let blockRow = (y >> blockBits) * blocksPerRow
        addColorDifferences(
          &rowSpan, count: currentWidth, blockBits: blockBits,
          factors: factors.span.extracting(blockRow..<blockRow + blocksPerRow))
      case .predictor(let modes, let blockBits):
        let blocksPerRow = blockCount(currentWidth, bits: blockBits)
        let blockRow = (y >> blockBits) * blocksPerRow
        var upperSpan = upper.mutableSpan
        addPredictions(
          &rowSpan, upper: &upperSpan, count: currentWidth, blockBits: blockBits,
          modes: modes.span.extracting(blockRow..<blockRow + blocksPerRow), isFirstRow: y == 0)
        copyWords(rowSpan.span.extracting(0..<currentWidth), into: &upperSpan, at: 0)
      case .palette(let colors, let packingBits):
        currentWidth = unpackedWidth(currentWidth, packingBits: packingBits, width: width)
        if packingBits == 0 {
          lookUpColors(&rowSpan, count: currentWidth, colors: colors.span)
        } else {
          expandPackedIndices(&rowSpan, count: currentWidth, groups: colors.span, packingBits: packingBits)
        }
      }
    }
    try body(rowSpan.span.extracting(0..<width))
  }

  /// There is at most one palette, so that the unpacked width is that of the picture.
  private static func unpackedWidth(_ packed: Int, packingBits: Int, width: Int) -> Int {
    packingBits == 0 ? packed : width
  }
}

// MARK: Inverses

/// Adds green to red and blue.
func addGreen(_ row: inout MutableSpan<UInt32>, count: Int) {
  var part = row._mutatingExtracting(0..<count)
  var index = 0
  while index < part.count {
    let color = part[index]
    let green = (color &>> 8) & 0xFF
    let redBlue = (color & 0x00FF_00FF) &+ (green | green &<< 16)
    part[index] = (color & 0xFF00_FF00) | (redBlue & 0x00FF_00FF)
    index &+= 1
  }
}

/// Adds the predictions of the colour transform.
///
/// - Parameter factors: the factors of each block: green to red in the lowest byte, then green to blue and red to blue.
func addColorDifferences(_ row: inout MutableSpan<UInt32>, count: Int, blockBits: Int, factors: Span<UInt32>) {
  var start = 0
  for block in factors.indices {
    let end = min(count, start + 1 << blockBits)
    var part = row._mutatingExtracting(start..<end)
    addColorDifferences(&part, factors[block])
    start = end
  }
}

/// Replaces indices, in the green samples of the row, by colours.
///
/// - Parameter colors: one colour for every possible index.
func lookUpColors(_ row: inout MutableSpan<UInt32>, count: Int, colors: Span<UInt32>) {
  for index in 0..<count { row[index] = colors[Int(row[index] >> 8 & 0xFF)] }
}
