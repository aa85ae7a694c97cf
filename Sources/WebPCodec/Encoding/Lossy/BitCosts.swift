// The costs of booleans, modes and levels, in units of 1/256 bit.

internal import ImageCoding

/// The costs of booleans and modes that are the same for all images.
struct BitCosts: Sendable {
  /// The cost of `false` for each probability; that of `true` is at 256 minus the probability.
  private let values: [UInt16]
  /// For each mode of the subblock above and the one to the left, the costs of the ten modes.
  let subblockModes: [UInt16]
  /// The costs of the modes of whole macroblocks, with that of the flag.
  let lumaModes: [UInt16]
  let chromaModes: [UInt16]
  /// The cost of the flag of subblocks.
  let subblockFlag: UInt16
  /// For each level, the cost of its sign and of extra bits with fixed probabilities.
  let fixedLevels: [UInt16]

  static let shared = BitCosts()

  private init() {
    let inverse = -256 / ElementaryFunctions.logarithm(2)
    let values = (0...256).map { probability -> UInt16 in
      // 0 does not occur; it is as good as the smallest.
      UInt16(ElementaryFunctions.logarithm(Double(max(1, probability)) / 256) * inverse + 0.5)
    }
    func cost(_ bits: [(Bool, UInt8)]) -> UInt16 {
      bits.reduce(0) { $0 + values[$1.0 ? 256 - Int($1.1) : Int($1.1)] }
    }
    self.values = values
    subblockFlag = cost([(false, 145)])
    lumaModes = (0..<4 as Range<UInt8>).map { cost([(true, 145)] + ModeTree.luma($0)) }
    chromaModes = (0..<4 as Range<UInt8>).map { cost(ModeTree.chroma($0)) }
    var subblockModes: [UInt16] = []
    for context in 0..<100 {
      for mode in 0..<10 as Range<UInt8> { subblockModes.append(cost(ModeTree.subblock(mode, context: context))) }
    }
    self.subblockModes = subblockModes
    fixedLevels = (0...Int(PairQuantizer.greatestLevel)).map { level in
      level == 0 ? 0 : 256 + cost(LevelCategory.extraBits(of: level))
    }
  }

  /// Returns the cost of a boolean.
  @inline(__always)
  func cost(_ bit: Bool, _ probability: UInt8) -> Int32 {
    Int32(values[bit ? 256 &- Int(probability) : Int(probability)])
  }
}

/// The trees of modes (RFC 6386, sections 11.2 to 11.4) as the booleans that lead to each mode.
enum ModeTree {
  static func luma(_ mode: UInt8) -> [(Bool, UInt8)] {
    switch mode {
    case PredictionMode.dc: [(false, 156), (false, 163)]
    case PredictionMode.vertical: [(false, 156), (true, 163)]
    case PredictionMode.horizontal: [(true, 156), (false, 128)]
    default: [(true, 156), (true, 128)]
    }
  }

  static func chroma(_ mode: UInt8) -> [(Bool, UInt8)] {
    switch mode {
    case PredictionMode.dc: [(false, 142)]
    case PredictionMode.vertical: [(true, 142), (false, 114)]
    case PredictionMode.horizontal: [(true, 142), (true, 114), (false, 183)]
    default: [(true, 142), (true, 114), (true, 183)]
    }
  }

  /// - Parameter context: ten times the mode of the subblock above, plus that of the one to the left.
  static func subblock(_ mode: UInt8, context: Int) -> [(Bool, UInt8)] {
    let nodes: [(Bool, Int)]
    switch mode {
    case PredictionMode.dc: nodes = [(false, 0)]
    case PredictionMode.trueMotion: nodes = [(true, 0), (false, 1)]
    case PredictionMode.vertical: nodes = [(true, 0), (true, 1), (false, 2)]
    case PredictionMode.horizontal: nodes = [(true, 0), (true, 1), (true, 2), (false, 3), (false, 4)]
    case PredictionMode.rightDown: nodes = [(true, 0), (true, 1), (true, 2), (false, 3), (true, 4), (false, 5)]
    case PredictionMode.verticalRight: nodes = [(true, 0), (true, 1), (true, 2), (false, 3), (true, 4), (true, 5)]
    case PredictionMode.leftDown: nodes = [(true, 0), (true, 1), (true, 2), (true, 3), (false, 6)]
    case PredictionMode.verticalLeft: nodes = [(true, 0), (true, 1), (true, 2), (true, 3), (true, 6), (false, 7)]
    case PredictionMode.horizontalDown:
      nodes = [(true, 0), (true, 1), (true, 2), (true, 3), (true, 6), (true, 7), (false, 8)]
    default: nodes = [(true, 0), (true, 1), (true, 2), (true, 3), (true, 6), (true, 7), (true, 8)]
    }
    return nodes.map { ($0.0, SubblockModeProbabilities.values[context * 9 + $0.1]) }
  }
}

/// The extra bits of large levels (RFC 6386, section 13.2).
enum LevelCategory {
  /// The probabilities of the extra bits of the categories from 11, 19, 35 and 67 on.
  static let large: [[UInt8]] = [
    [173, 148, 140], [176, 155, 140, 135], [180, 157, 141, 134, 130],
    [254, 254, 243, 230, 196, 177, 153, 140, 133, 130, 129],
  ]

  /// Returns the number of the category of a level of at least 11.
  @inline(__always)
  static func index(_ level: Int) -> Int { level < 19 ? 0 : level < 35 ? 1 : level < 67 ? 2 : 3 }

  /// Returns the extra bits of a level and their probabilities.
  static func extraBits(of level: Int) -> [(Bool, UInt8)] {
    switch level {
    case ..<5: return []
    case 5, 6: return [(level == 6, 159)]
    case 7..<11: return [(level >= 9, 165), (level % 2 == 0, 145)]
    default:
      let category = index(level)
      let probabilities = large[category]
      let offset = level - 3 - (8 << category)
      return probabilities.indices.map { (offset >> (probabilities.count - 1 - $0) & 1 == 1, probabilities[$0]) }
    }
  }
}
