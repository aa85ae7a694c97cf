// The header in the first partition (RFC 6386, sections 9.2 to 9.11 and 19.2).

/// The content of a key frame's header.
struct LossyHeader {
  /// The probabilities of the bits of segment numbers; `nil` if macroblocks have none.
  private(set) var segmentProbabilities: [UInt8]?
  /// The parameters of the loop filter.
  private(set) var filter = FilterHeader()
  /// The number of coefficient partitions: 1, 2, 4 or 8.
  private(set) var partitionCount = 1
  /// The factors of each of the four segments.
  private(set) var quantization: [QuantizationFactors] = []
  /// The probabilities of coefficient tokens, in the order of ``CoefficientProbabilities``.
  private(set) var coefficients: [UInt8] = []
  /// The probability that a macroblock is not skipped; `nil` if no macroblock can be skipped.
  private(set) var skipProbability: UInt8?

  private var segments = SegmentHeader()

  init(_ decoder: inout BoolDecoder, _ bytes: Span<UInt8>) {
    // Colour space and clamping; libwebp ignores both.
    _ = decoder.readLiteral(2, bytes)
    segments = SegmentHeader(&decoder, bytes)
    segmentProbabilities = segments.probabilities
    filter = FilterHeader(&decoder, bytes, segments: segments)
    partitionCount = 1 << decoder.readLiteral(2, bytes)
    readQuantization(&decoder, bytes)
    // Whether probabilities are kept for the next frame; irrelevant for a single frame.
    _ = decoder.readFlag(bytes)
    readCoefficientProbabilities(&decoder, bytes)
    if decoder.readFlag(bytes) { skipProbability = UInt8(truncatingIfNeeded: decoder.readLiteral(8, bytes)) }
  }

  private mutating func readQuantization(_ decoder: inout BoolDecoder, _ bytes: Span<UInt8>) {
    let index = decoder.readLiteral(7, bytes)
    var deltas = QuantizerDeltas()
    deltas.lumaDC = decoder.readOptionalSignedLiteral(4, bytes) ?? 0
    deltas.secondaryDC = decoder.readOptionalSignedLiteral(4, bytes) ?? 0
    deltas.secondaryAC = decoder.readOptionalSignedLiteral(4, bytes) ?? 0
    deltas.chromaDC = decoder.readOptionalSignedLiteral(4, bytes) ?? 0
    deltas.chromaAC = decoder.readOptionalSignedLiteral(4, bytes) ?? 0
    quantization = (0..<4).map { segment in
      QuantizationFactors(index: segments.value(segments.quantizers, segment, base: index), deltas: deltas)
    }
  }

  private mutating func readCoefficientProbabilities(_ decoder: inout BoolDecoder, _ bytes: Span<UInt8>) {
    coefficients = CoefficientProbabilities.initial
    let update = CoefficientProbabilities.update
    for index in coefficients.indices where decoder.read(update[index], bytes) {
      coefficients[index] = UInt8(truncatingIfNeeded: decoder.readLiteral(8, bytes))
    }
  }
}

/// Segments of macroblocks with separate quantizer indices and filter levels (section 9.3).
struct SegmentHeader {
  private(set) var isEnabled = false
  /// Whether values replace those of the frame; otherwise they are added. `true` is libwebp's default.
  private(set) var isAbsolute = true
  private(set) var quantizers = [0, 0, 0, 0]
  private(set) var filterLevels = [0, 0, 0, 0]
  private(set) var probabilities: [UInt8]?

  init() {}

  init(_ decoder: inout BoolDecoder, _ bytes: Span<UInt8>) {
    isEnabled = decoder.readFlag(bytes)
    guard isEnabled else { return }
    let updatesMap = decoder.readFlag(bytes)
    if decoder.readFlag(bytes) {
      isAbsolute = decoder.readFlag(bytes)
      for segment in 0..<4 { quantizers[segment] = decoder.readOptionalSignedLiteral(7, bytes) ?? 0 }
      for segment in 0..<4 { filterLevels[segment] = decoder.readOptionalSignedLiteral(6, bytes) ?? 0 }
    }
    guard updatesMap else { return }
    probabilities = [255, 255, 255]
    for node in 0..<3 where decoder.readFlag(bytes) {
      probabilities?[node] = UInt8(truncatingIfNeeded: decoder.readLiteral(8, bytes))
    }
  }

  /// Returns the value of a segment, given that of the frame.
  func value(_ values: [Int], _ segment: Int, base: Int) -> Int {
    guard isEnabled else { return base }
    return isAbsolute ? values[segment] : base + values[segment]
  }
}

/// The loop filter's parameters (sections 9.6 and 15.2).
struct FilterHeader {
  /// The kind of filter.
  enum Kind {
    case none
    /// Filters luma only.
    case simple
    case normal
  }

  private(set) var kind = Kind.none
  /// For each segment, the strengths for macroblocks predicted as a whole and by subblocks.
  private(set) var strengths: [[FilterStrength]] = []

  init() {}

  init(_ decoder: inout BoolDecoder, _ bytes: Span<UInt8>, segments: SegmentHeader) {
    let isSimple = decoder.readFlag(bytes)
    let level = decoder.readLiteral(6, bytes)
    let sharpness = decoder.readLiteral(3, bytes)
    var frameDelta = 0
    var modeDelta = 0
    if decoder.readFlag(bytes), decoder.readFlag(bytes) {
      // Four reference frames, then four modes. Key frames use only the first of each.
      for index in 0..<8 {
        let delta = decoder.readOptionalSignedLiteral(6, bytes) ?? 0
        if index == 0 { frameDelta = delta } else if index == 4 { modeDelta = delta }
      }
    }
    // A level of 0 disables the filter, regardless of segments.
    kind = level == 0 ? .none : isSimple ? .simple : .normal
    strengths = (0..<4).map { segment in
      let base = segments.value(segments.filterLevels, segment, base: level) + frameDelta
      return [
        FilterStrength(level: base, sharpness: sharpness, filtersInside: false),
        FilterStrength(level: base + modeDelta, sharpness: sharpness, filtersInside: true),
      ]
    }
  }
}

/// The strength of the loop filter for a macroblock (section 15.2).
struct FilterStrength {
  /// The largest difference across an inner edge that is filtered; 0 disables filtering. The limit of macroblock edges
  /// is greater by 4.
  let edgeLimit: UInt8
  /// The largest difference between neighbours on one side of an edge.
  let interiorLimit: UInt8
  /// The difference above which an edge has high variance.
  let varianceThreshold: UInt8
  /// Whether subblock edges are filtered even without coefficients.
  let filtersInside: Bool

  init(level: Int, sharpness: Int, filtersInside: Bool) {
    let level = min(max(level, 0), 63)
    var interior = level
    if sharpness > 0 {
      interior >>= sharpness > 4 ? 2 : 1
      interior = min(interior, 9 - sharpness)
    }
    interior = max(interior, 1)
    edgeLimit = level == 0 ? 0 : UInt8(2 * level + interior)
    interiorLimit = UInt8(interior)
    varianceThreshold = level >= 40 ? 2 : level >= 15 ? 1 : 0
    self.filtersInside = filtersInside
  }
}
