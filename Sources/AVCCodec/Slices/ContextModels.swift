// The context models of intra-coded slices (section 9.3.1.1). They have the numbers of the specification, `ctxIdx`.

/// The first model of each syntax element.
enum ContextIndex {
  static let macroblockType = 3
  static let qpDelta = 60
  static let chromaMode = 64
  static let predictedMode = 68
  static let remainingMode = 69
  static let fieldMacroblock = 70
  static let codedLuma = 73
  static let codedChroma = 77
  static let largeTransform = 399
}

/// The states of all models: twice the probability state plus the more probable symbol.
struct ContextModels {
  static let count = 1024
  var states = InlineArray<1024, UInt8>(repeating: 0)

  /// - Parameter qp: `SliceQPY`.
  init(qp: Int) {
    let qp = min(max(qp, 0), 51)
    let values = initialContextValues
    for index in 0..<values.count / 2 {
      let value = (Int(values[2 * index]) * qp) >> 4 + Int(values[2 * index + 1])
      let state = min(max(value, 1), 126)
      states[index < 11 ? index : index + 49] = UInt8(state >= 64 ? (state - 64) * 2 + 1 : (63 - state) * 2)
    }
    for copy in Self.copies {
      for index in 0..<copy.count { states[copy.first + index] = states[copy.source + index] }
    }
  }

  /// The models of Cb and Cr in 4:4:4 pictures, and the models of luma with the same initial values.
  private static let copies: [(first: Int, source: Int, count: Int)] = [
    // coded_block_flag
    (460, 85, 12), (472, 85, 12), (1012, 93, 4), (1016, 93, 4), (1020, 93, 4),
    // significant_coeff_flag and last_significant_coeff_flag of 4 × 4 blocks in frames, then in fields
    (484, 105, 44), (528, 105, 44), (572, 166, 44), (616, 166, 44),
    (776, 277, 44), (820, 277, 44), (864, 338, 44), (908, 338, 44),
    // of 8 × 8 blocks
    (660, 402, 15), (675, 436, 15), (690, 417, 9), (699, 451, 9),
    (718, 402, 15), (733, 436, 15), (748, 417, 9), (757, 451, 9),
    // coeff_abs_level_minus1
    (708, 426, 10), (766, 426, 10), (952, 227, 30), (982, 227, 30),
  ]
}

/// The kinds of transform blocks (table 9-42), without the distinction of Y, Cb and Cr.
enum BlockCategory: Int {
  /// DC and AC coefficients of 16 × 16 prediction.
  case intra16x16DC
  case intra16x16AC
  case small
  case chromaDC
  case chromaAC
  case large
}

/// The first models of the syntax elements of a kind of block (table 9-34).
struct BlockContexts {
  let codedBlockFlag: Int
  let significant: Int
  let last: Int
  let level: Int

  /// - Parameter component: 1 and 2 for Cb and Cr if they are coded as luma, otherwise 0.
  init(_ category: BlockCategory, component: Int, isField: Bool) {
    if category == .large {
      codedBlockFlag = 1012 + 4 * component
      let (frame, field) = ([402, 660, 718], [436, 675, 733])
      significant = isField ? field[component] : frame[component]
      let (lastFrame, lastField) = ([417, 690, 748], [451, 699, 757])
      last = isField ? lastField[component] : lastFrame[component]
      level = [426, 708, 766][component]
      return
    }
    let index = category.rawValue
    codedBlockFlag = [85, 460, 472][component] + 4 * index
    let mapOffset = [0, 15, 29, 44, 47][index]
    significant = (isField ? [277, 776, 820] : [105, 484, 528])[component] + mapOffset
    last = (isField ? [338, 864, 908] : [166, 572, 616])[component] + mapOffset
    level = [227, 952, 982][component] + [0, 10, 20, 30, 39][index]
  }

  /// The contexts of all blocks: indexed by field, component and category.
  static let all: [BlockContexts] = {
    var all: [BlockContexts] = []
    for isField in [false, true] {
      for component in 0..<3 {
        for category in 0..<6 {
          all.append(
            BlockContexts(BlockCategory(rawValue: category) ?? .small, component: component, isField: isField))
        }
      }
    }
    return all
  }()

  static func index(_ category: BlockCategory, component: Int, isField: Bool) -> Int {
    ((isField ? 3 : 0) &+ component) &* 6 &+ category.rawValue
  }
}
