// Parameters of the in-loop filters (sections 5.9.11, 5.9.19 and 5.9.20).

internal import ImageCoding
internal import PixelPlanes

/// The levels of the deblocking filter.
struct LoopFilterParameters: Sendable {
  /// `loop_filter_level`: of luma's vertical edges, its horizontal edges, U and V.
  private(set) var levels: InlineArray<4, Int> = [0, 0, 0, 0]
  /// `loop_filter_sharpness`.
  private(set) var sharpness = 0
  /// `loop_filter_delta_enabled`.
  private(set) var hasDeltas = false
  /// `loop_filter_ref_deltas[ INTRA_FRAME ]`.
  private(set) var intraDelta = 1

  private static let referenceCount = 8
  private static let modeCount = 2

  /// A frame that is not filtered.
  init() {}

  init(parsing reader: inout BitReader, planeCount: Int) {
    levels[0] = reader.readInt(6)
    levels[1] = reader.readInt(6)
    if planeCount > 1, levels[0] > 0 || levels[1] > 0 {
      levels[2] = reader.readInt(6)
      levels[3] = reader.readInt(6)
    }
    sharpness = reader.readInt(3)
    hasDeltas = reader.readFlag()
    guard hasDeltas, reader.readFlag() else { return }
    for index in 0..<Self.referenceCount + Self.modeCount where reader.readFlag() {
      let delta = reader.readSigned(7)
      if index == 0 { intraDelta = delta }
    }
  }

  /// Whether any edge of the frame is filtered.
  var isEnabled: Bool { levels[0] > 0 || levels[1] > 0 }
}

/// The strengths of the constrained directional enhancement filter.
struct CDEFParameters: Sendable {
  /// The strengths of one set: multiples of 1 for 8 bits.
  struct Strengths: Sendable {
    let lumaPrimary: Int
    let lumaSecondary: Int
    let chromaPrimary: Int
    let chromaSecondary: Int

    var isZero: Bool { lumaPrimary | lumaSecondary | chromaPrimary | chromaSecondary == 0 }
  }

  /// `CdefDamping`.
  private(set) var damping = 3
  /// `cdef_bits`.
  private(set) var indexBitCount = 0
  private(set) var strengths = [
    Strengths(lumaPrimary: 0, lumaSecondary: 0, chromaPrimary: 0, chromaSecondary: 0)
  ]

  /// A frame that is not filtered.
  init() {}

  init(parsing reader: inout BitReader, planeCount: Int) {
    damping = reader.readInt(2) + 3
    indexBitCount = reader.readInt(2)
    strengths = []
    for _ in 0..<1 << indexBitCount {
      let (lumaPrimary, lumaSecondary) = (reader.readInt(4), Self.readSecondary(&reader))
      let hasChroma = planeCount > 1
      strengths.append(
        Strengths(
          lumaPrimary: lumaPrimary, lumaSecondary: lumaSecondary, chromaPrimary: hasChroma ? reader.readInt(4) : 0,
          chromaSecondary: hasChroma ? Self.readSecondary(&reader) : 0))
    }
  }

  private static func readSecondary(_ reader: inout BitReader) -> Int {
    let value = reader.readInt(2)
    return value == 3 ? 4 : value
  }

  /// Whether any block of the frame is filtered.
  var isEnabled: Bool { strengths.contains { !$0.isZero } }
}

/// `FrameRestorationType` and `restoration_type`.
enum RestorationType: UInt8, Sendable {
  case none
  case wiener
  case selfGuided
  case switchable
}

/// The units of loop restoration.
struct RestorationParameters: Sendable {
  /// `FrameRestorationType` of each plane.
  private(set) var types: InlineArray<3, RestorationType> = [.none, .none, .none]
  /// `LoopRestorationSize` of each plane, as a logarithm: 5…8.
  private(set) var log2UnitSizes: InlineArray<3, Int> = [6, 6, 6]

  /// `Remap_Lr_Type`.
  private static let codedTypes: InlineArray<4, RestorationType> = [.none, .switchable, .wiener, .selfGuided]

  /// A frame that is not restored.
  init() {}

  init(parsing reader: inout BitReader, _ sequence: SequenceHeader) {
    var usesChroma = false
    for plane in 0..<sequence.color.planeCount {
      types[plane] = Self.codedTypes[reader.readInt(2)]
      if plane > 0, types[plane] != .none { usesChroma = true }
    }
    guard isEnabled else { return }
    var log2Size = 6
    if sequence.hasLargeSuperblocks {
      log2Size += reader.readInt(1) + 1
    } else if reader.readFlag() {
      log2Size += reader.readInt(1) + 1
    }
    let isSubsampled = sequence.color.subsamplingX == 1 && sequence.color.subsamplingY == 1
    let chromaShift = isSubsampled && usesChroma ? reader.readInt(1) : 0
    log2UnitSizes = [log2Size, log2Size - chromaShift, log2Size - chromaShift]
  }

  /// Whether any plane is restored.
  var isEnabled: Bool { types[0] != .none || types[1] != .none || types[2] != .none }
}
