// The macroblocks of a slice of a synthetic picture.

import TestSupport

/// Writes PCM macroblocks, and others of which nothing but the prediction is coded.
struct SliceWriter {
  private let picture: SyntheticPicture
  private let field: Int
  private let plane: Int
  private let addresses: Range<Int>
  private(set) var bits: BitWriter
  private var encoder: CABACEncoder
  /// The macroblocks of the slice so far: whether each is PCM.
  private var isPCM: [Int: Bool] = [:]
  private var isFieldPair: [Int: Bool] = [:]

  /// `m` and `n` of the models that are used: of mb_type, mb_qp_delta, intra_chroma_pred_mode, mb_field_decoding_flag
  /// and coded_block_flag of DC blocks.
  private static let models: [(index: Int, m: Int, n: Int)] = [
    (3, 20, -15), (4, 2, 54), (5, 3, 74), (6, -28, 127), (7, -23, 104), (8, -6, 53), (9, -1, 54), (10, 7, 51),
    (60, 0, 41), (64, -9, 83), (70, 0, 11), (71, 1, 55), (72, 0, 69),
    (85, -17, 123), (86, -12, 115), (87, -16, 122), (88, -11, 115),
    (460, -17, 123), (461, -12, 115), (462, -16, 122), (463, -11, 115),
    (472, -17, 123), (473, -12, 115), (474, -16, 122), (475, -11, 115),
  ]

  init(
    _ picture: SyntheticPicture, field: Int, plane: Int, addresses: Range<Int>, _ header: BitWriter
  ) {
    (self.picture, self.field, self.plane, self.addresses, bits) = (picture, field, plane, addresses, header)
    var states = [Int](repeating: 0, count: 1024)
    for model in Self.models {
      let value = min(max((model.m * 26) >> 4 + model.n, 1), 126)
      states[model.index] = value < 64 ? (63 - value) * 2 : (value - 64) * 2 + 1
    }
    encoder = CABACEncoder(models: states)
  }

  mutating func write(_ frame: inout KnownFrame, _ noise: inout TestRandom) {
    // Bits of alignment are ones before CABAC.
    if picture.isCABAC { while bits.bitCount % 8 != 0 { bits.write(1, 1) } }
    for address in addresses {
      writeMacroblock(address, &frame, &noise)
      guard picture.isCABAC else { continue }
      let isEnd = address == addresses.upperBound - 1
      if picture.structure != .pairs || address % 2 == 1 { encoder.encodeTerminate(isEnd) }
    }
    if picture.isCABAC {
      encoder.finish()
      for byte in encoder.bytes { bits.write(Int(byte), 8) }
    } else {
      bits.write(1, 1)
    }
  }

  private func place(_ address: Int) -> (column: Int, row: Int) {
    picture.structure == .pairs
      ? (address / 2 % picture.columns, address / 2 / picture.columns * 2)
      : (address % picture.columns, address / picture.columns)
  }

  /// The neighbours of a macroblock in the slice; in pairs, some macroblock of theirs.
  private func neighbours(_ address: Int) -> (left: Int?, above: Int?) {
    let scale = picture.structure == .pairs ? 2 : 1
    let unit = address / scale
    let left = unit % picture.columns > 0 ? (unit - 1) * scale : -1
    var above = (unit - picture.columns) * scale
    if scale == 2, address % 2 == 1, isFieldPair[unit] == false { above = address - 1 }
    return (isPCM[left] == nil ? nil : left, isPCM[above] == nil ? nil : above)
  }

  private mutating func writeMacroblock(_ address: Int, _ frame: inout KnownFrame, _ noise: inout TestRandom) {
    let pair = address / 2
    if picture.structure == .pairs, address % 2 == 0 {
      let isField = Bool.random(using: &noise)
      isFieldPair[pair] = isField
      let neighbours = [pair % picture.columns > 0 ? pair - 1 : -1, pair - picture.columns]
      let increment = neighbours.filter { isFieldPair[$0] == true }.count
      if picture.isCABAC {
        encoder.encode(isField ? 1 : 0, model: 70 + increment)
      } else {
        bits.write(isField ? 1 : 0, 1)
      }
    }
    let isPCM = picture.isPCMOnly || picture.structure == .pairs || Bool.random(using: &noise)
    let near = neighbours(address)
    if isPCM {
      writePCM(address, near, &frame, &noise)
    } else {
      writePredicted(near)
      let (column, row) = place(address)
      for component in 0..<(picture.hasSeparatePlanes ? 1 : picture.planeCount) {
        frame.predict(
          component + plane, column: column, row: row, field: picture.structure == .fields ? field : nil,
          hasLeft: near.left != nil, hasAbove: near.above != nil,
          isChroma: component > 0 && picture.chromaType < 3)
      }
    }
    self.isPCM[address] = isPCM
  }

  private mutating func writePCM(
    _ address: Int, _ near: (left: Int?, above: Int?), _ frame: inout KnownFrame, _ noise: inout TestRandom
  ) {
    var content = BitWriter()
    let (column, row) = place(address)
    for component in 0..<(picture.hasSeparatePlanes ? 1 : picture.planeCount) {
      let size = picture.macroblockSize(component)
      for y in 0..<size.height {
        for x in 0..<size.width {
          let value = Int.random(in: 0..<1 << picture.bitDepth, using: &noise)
          content.write(value, picture.bitDepth)
          var (line, field) = (row * size.height + y, picture.structure == .fields ? field : nil)
          if picture.structure == .pairs {
            if isFieldPair[address / 2] == true {
              line = row * size.height / 2 + y
              field = address % 2
            } else {
              line += address % 2 * size.height
            }
          }
          let index = frame.index(component + plane, x: column * size.width + x, y: line, field: field)
          frame.planes[component + plane][index] = UInt16(value)
        }
      }
    }
    if picture.isCABAC {
      encoder.encode(1, model: 3 + kindIncrement(near))
      encoder.encodeTerminate(true)
      encoder.restart(after: content.bytes)
    } else {
      bits.unsigned(25)
      while bits.bitCount % 8 != 0 { bits.write(0, 1) }
      for byte in content.bytes { bits.write(Int(byte), 8) }
    }
  }

  private func kindIncrement(_ near: (left: Int?, above: Int?)) -> Int {
    (near.left == nil ? 0 : 1) + (near.above == nil ? 0 : 1)
  }

  private mutating func writePredicted(_ near: (left: Int?, above: Int?)) {
    let hasChroma = picture.chromaType == 1 || picture.chromaType == 2
    let lumaLikeCount = picture.chromaType == 3 && !picture.hasSeparatePlanes ? 3 : 1
    guard picture.isCABAC else {
      // I_16x16_2_0_0, intra_chroma_pred_mode, mb_qp_delta, coeff_token.
      bits.unsigned(3)
      if hasChroma { bits.unsigned(0) }
      bits.unsigned(0)
      for _ in 0..<lumaLikeCount { writeEmptyBlock(near) }
      return
    }
    encoder.encode(1, model: 3 + kindIncrement(near))
    encoder.encodeTerminate(false)
    for (bin, model) in [(0, 6), (0, 7), (1, 9), (0, 10)] { encoder.encode(bin, model: model) }
    if hasChroma { encoder.encode(0, model: 64) }
    encoder.encode(0, model: 60)
    let increment =
      (near.left.map { isPCM[$0] == true } ?? true ? 1 : 0) + (near.above.map { isPCM[$0] == true } ?? true ? 2 : 0)
    for component in 0..<lumaLikeCount { encoder.encode(0, model: [85, 460, 472][component] + increment) }
  }

  /// The code of no coefficients, which depends on those of the neighbours: sixteen in PCM.
  private mutating func writeEmptyBlock(_ near: (left: Int?, above: Int?)) {
    let counts = [near.left, near.above].compactMap { $0 }.map { isPCM[$0] == true ? 16 : 0 }
    let count = counts.isEmpty ? 0 : (counts.reduce(0, +) + counts.count - 1) / counts.count
    switch count {
    case 0..<2: bits.write(1, 1)
    case 2..<4: bits.write(3, 2)
    case 4..<8: bits.write(15, 4)
    default: bits.write(3, 6)
    }
  }
}
