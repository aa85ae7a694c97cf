// Writes pictures of PCM and predicted blocks at random, and computes their samples before the filters. It is slow and
// simple: each question about neighbours is answered by maps of what has been coded.

import TestSupport

/// A picture that is being coded.
struct IntraPictureCoder {
  /// The squares of 8 × 8 luma samples that have been coded.
  struct Square {
    /// The raster address of the tree block, of the first one of its slice, and its tile.
    var treeBlock = 0
    var slice = 0
    var tile = 0
    var depth = 0
    var mode = 1
    var qp = 0
    /// Whether no filter changes the samples.
    var isFinal = false
    /// Whether the edges at the left and at the top are those of a transform block.
    var hasLeftEdge = false
    var hasTopEdge = false
  }

  let picture: IntraPicture
  /// The raster addresses of tree blocks in decoding order, and the tile of each address.
  let addresses: [Int]
  let tiles: [Int]
  var noise: TestRandom
  /// The planes before the filters.
  var planes: [[UInt16]] = []
  /// In raster order; `nil` if not coded yet.
  var squares: [Square?]
  /// Of each tree block.
  var offsets: [[SampleOffsets]]
  /// By the raster address of the first tree block.
  var slices: [Int: IntraPicture.Slice] = [:]
  /// The NAL units of slice segments, with start codes.
  private(set) var segments: [[UInt8]] = []
  /// All NAL units.
  var stream: [UInt8] { picture.parameterSets + segments.joined() }

  var slice = IntraPicture.Slice()
  var encoder = CABACEncoder(models: [])
  var address = 0
  var quantization = Quantization()
  private var wavefrontModels: [Int]?

  /// The state of section 8.6.1.
  struct Quantization {
    var previous = 0
    var predicted = 0
    var delta = 0
    var isDeltaCoded = false
    var isChromaOffsetCoded = false
    /// `CuQpOffsetCb` and `CuQpOffsetCr`.
    var chromaOffset = (cb: 0, cr: 0)
  }

  /// Sample adaptive offset of a component.
  struct SampleOffsets: Equatable {
    /// 0 for none, 1 for bands, 2 for edges.
    var type = 0
    /// The first band, or the direction.
    var position = 0
    var values = [0, 0, 0, 0]
  }

  /// Codes a picture at random.
  init(_ picture: IntraPicture, seed: UInt64) {
    self.picture = picture
    addresses = picture.addresses
    tiles = addresses.indices.map(picture.tile)
    noise = TestRandom(seed)
    for component in 0..<picture.componentCount {
      let shifts = picture.shifts(component)
      planes.append([UInt16](repeating: 0, count: (picture.width >> shifts.x) * (picture.height >> shifts.y)))
    }
    squares = [Square?](repeating: nil, count: picture.width / 8 * picture.height / 8)
    let none = [SampleOffsets](repeating: SampleOffsets(), count: 3)
    offsets = [[SampleOffsets]](repeating: none, count: picture.columns * picture.rows)
    var place = 0
    var nextIsDependent = false
    while place < addresses.count { codeSegment(&place, &nextIsDependent) }
  }

  // MARK: Neighbours

  func square(_ x: Int, _ y: Int) -> Square? {
    guard x >= 0, y >= 0, x < picture.width, y < picture.height else { return nil }
    return squares[y / 8 * (picture.width / 8) + x / 8]
  }

  /// The square at a luma sample if it is available to the current tree block (section 6.4.1).
  func available(_ x: Int, _ y: Int) -> Square? {
    guard let square = square(x, y), square.slice == slice.address, square.tile == tiles[address] else {
      return nil
    }
    return square
  }

  // MARK: Segments

  private var bytesOfSlice = 0
  private var blocksOfSlice = 0

  private mutating func codeSegment(_ place: inout Int, _ nextIsDependent: inout Bool) {
    let start = place
    let isDependent = nextIsDependent
    if !isDependent {
      slice = picture.slice(at: addresses[start], &noise)
      slices[slice.address] = slice
      (bytesOfSlice, blocksOfSlice) = (0, 0)
      quantization.chromaOffset = (0, 0)
    }
    encoder = CABACEncoder(models: encoder.models)
    var substreamEnds: [Int] = []
    while true {
      address = addresses[place]
      startBlock(place, isStart: place == start, isDependent: isDependent, &substreamEnds)
      codeTreeBlock()
      if picture.isWavefront, picture.columnInTile(address) == 1 { wavefrontModels = encoder.models }
      place += 1
      blocksOfSlice += 1
      let end = end(at: place, start: start)
      encoder.encodeTerminate(end != nil)
      guard let end else { continue }
      nextIsDependent = end == .segment
      break
    }
    encoder.finish()
    bytesOfSlice += encoder.bytes.count
    writeUnit(start: addresses[start], isDependent: isDependent, substreamEnds)
  }

  private mutating func startBlock(_ place: Int, isStart: Bool, isDependent: Bool, _ substreamEnds: inout [Int]) {
    let isFirstInTile = place == 0 || tiles[address] != tiles[addresses[place - 1]]
    let isFirstInRow = picture.isWavefront && picture.columnInTile(address) == 0
    if !isStart, isFirstInTile || isFirstInRow {
      encoder.encodeTerminate(true)
      encoder.restart()
      substreamEnds.append(encoder.bytes.count)
    }
    let size = 1 << picture.log2TreeBlock
    let (x, y) = (address % picture.columns * size, address / picture.columns * size)
    if isFirstInTile {
      encoder.models = initialModels(qp: slice.qp)
    } else if isFirstInRow {
      let isSynchronized = available(x + size, y - size) != nil
      encoder.models = isSynchronized ? wavefrontModels ?? [] : initialModels(qp: slice.qp)
    } else if isStart, !isDependent {
      encoder.models = initialModels(qp: slice.qp)
    }
    if isFirstInTile || isFirstInRow || isStart && !isDependent { quantization.previous = slice.qp }
  }

  private enum End {
    case slice
    case segment
  }

  /// Returns the unit that ends before a place in decoding order: a slice, a segment, or neither.
  private func end(at place: Int, start: Int) -> End? {
    guard place < addresses.count else { return .slice }
    let isTileEnd = tiles[addresses[place]] != tiles[addresses[place - 1]]
    let isRowEnd = isTileEnd || picture.columnInTile(addresses[place]) == 0
    func startsInRow(_ address: Int) -> Bool { picture.isWavefront && picture.columnInTile(address) > 0 }
    let end: End?
    switch picture.division {
    case .none: return nil
    case .places(let slices, let dependent):
      return slices.contains(place) ? .slice : dependent.contains(place) ? .segment : nil
    case .counts(let slice, let segment):
      end = blocksOfSlice >= slice ? .slice : place - start >= segment ? .segment : nil
    case .bytes(let slice, let segment):
      let byteCount = encoder.bytes.count
      end = bytesOfSlice + byteCount >= slice ? .slice : byteCount >= segment ? .segment : nil
    }
    // With wavefronts, what starts within a row ends in it. With tiles, slices are within one.
    if isTileEnd || isRowEnd && startsInRow(slice.address) { return .slice }
    if end == nil, isRowEnd, startsInRow(addresses[start]) { return .segment }
    return end
  }

  private mutating func writeUnit(start: Int, isDependent: Bool, _ substreamEnds: [Int]) {
    // Emulation prevention bytes count. A header ends with a bit of 1, so that none depends on it.
    let ends = substreamEnds.map { escaped(Array(encoder.bytes.prefix($0))).count }
    let sizes = zip(ends, [0] + ends).map { $0 - $1 }
    let header = picture.header(slice, address: start, isDependent: isDependent, substreamSizes: sizes)
    segments.append(nalUnit(19, header + encoder.bytes))
  }

  // MARK: Tree blocks

  private mutating func codeTreeBlock() {
    let (column, row) = (address % picture.columns, address / picture.columns)
    if slice.isSAOLumaEnabled || slice.isSAOChromaEnabled { codeOffsets(column, row) }
    codeTree(
      x: column << picture.log2TreeBlock, y: row << picture.log2TreeBlock, log2Size: picture.log2TreeBlock, depth: 0)
  }

  private mutating func codeOffsets(_ column: Int, _ row: Int) {
    let (x, y) = (column << picture.log2TreeBlock, row << picture.log2TreeBlock)
    if available(x - 1, y) != nil {
      let merges = Int.random(in: 0...3, using: &noise) == 0
      encoder.encode(merges ? 1 : 0, model: Model.saoMerge)
      if merges {
        offsets[address] = offsets[address - 1]
        return
      }
    }
    if available(x, y - 1) != nil {
      let merges = Int.random(in: 0...3, using: &noise) == 0
      encoder.encode(merges ? 1 : 0, model: Model.saoMerge)
      if merges {
        offsets[address] = offsets[address - picture.columns]
        return
      }
    }
    for component in 0..<picture.componentCount {
      guard component == 0 ? slice.isSAOLumaEnabled : slice.isSAOChromaEnabled else { continue }
      codeOffsets(component)
    }
  }

  private mutating func codeOffsets(_ component: Int) {
    var result = SampleOffsets()
    if component == 2 {
      result.type = offsets[address][1].type
    } else {
      result.type = Int.random(in: 0...2, using: &noise)
      encoder.encode(result.type > 0 ? 1 : 0, model: Model.saoType)
      if result.type > 0 { encoder.encodeBypass(result.type - 1) }
    }
    guard result.type > 0 else { return }
    let maximum = 1 << (min(picture.bitDepth, 10) - 5) - 1
    for index in 0..<4 {
      let value = Int.random(in: 0...maximum, using: &noise)
      for bin in 0..<maximum where bin <= value { encoder.encodeBypass(bin < value ? 1 : 0) }
      result.values[index] = value
    }
    if result.type == 1 {
      for index in 0..<4 where result.values[index] > 0 {
        let isNegative = Bool.random(using: &noise)
        encoder.encodeBypass(isNegative ? 1 : 0)
        if isNegative { result.values[index] *= -1 }
      }
      // Bands that occur: samples are around the middle.
      result.position = Int.random(in: 10...18, using: &noise)
      encodeBits(result.position, 5)
    } else {
      result.values[2] *= -1
      result.values[3] *= -1
      result.position = component == 2 ? offsets[address][1].position : Int.random(in: 0...3, using: &noise)
      if component < 2 { encodeBits(result.position, 2) }
    }
    offsets[address][component] = result
  }

  mutating func encodeBits(_ value: Int, _ count: Int) {
    for bit in (0..<count).reversed() { encoder.encodeBypass(value >> bit & 1) }
  }

  private mutating func codeTree(x: Int, y: Int, log2Size: Int, depth: Int) {
    let size = 1 << log2Size
    var isSplit = log2Size > 3
    if isSplit, x + size <= picture.width, y + size <= picture.height {
      isSplit = log2Size == 6 || Int.random(in: 0...2, using: &noise) == 0
      let left = (available(x - 1, y)?.depth ?? 0) > depth ? 1 : 0
      let top = (available(x, y - 1)?.depth ?? 0) > depth ? 1 : 0
      encoder.encode(isSplit ? 1 : 0, model: Model.splitCodingUnit + left + top)
    }
    guard isSplit else { return codeUnit(x: x, y: y, log2Size: log2Size, depth: depth) }
    for part in 0..<4 {
      let (partX, partY) = (x + (part & 1) * size / 2, y + (part >> 1) * size / 2)
      guard partX < picture.width, partY < picture.height else { continue }
      codeTree(x: partX, y: partY, log2Size: log2Size - 1, depth: depth + 1)
    }
  }
}

// MARK: Context models

/// The context models that occur, and their initial values (tables 9-5 to 9-37).
enum Model {
  static let saoMerge = 0
  static let saoType = 1
  static let splitCodingUnit = 2
  static let partMode = 5
  static let lumaModePredicted = 6
  static let chromaMode = 7
  static let codedLuma = 8
  static let codedChroma = 9
  /// `cu_qp_delta_abs`: the first bin, the others.
  static let qpDelta = 10
  /// The first bins of last_sig_coeff_x_prefix and last_sig_coeff_y_prefix: of luma blocks of 8, 16 and 32, of chroma.
  static let lastColumn = 12
  static let lastRow = 16
  /// coeff_abs_level_greater1_flag and coeff_abs_level_greater2_flag of the first coefficient: luma, chroma.
  static let greaterThan1 = 20
  static let greaterThan2 = 22
  static let bypass = 24
  static let chromaOffsetFlag = 25
  static let chromaOffsetIndex = 26

  static let initialValues = [
    153, 200, 139, 141, 157, 184, 184, 63, 141, 94, 154, 154, 125, 125, 111, 108, 125, 125, 111, 108, 92, 179, 138, 152,
    154, 154, 154,
  ]
}

/// Section 9.3.2.2.
func initialModels(qp: Int) -> [Int] {
  Model.initialValues.map { value in
    let (slope, offset) = ((value >> 4) * 5 - 45, (value & 15) << 3 - 16)
    let state = min(max((slope * min(max(qp, 0), 51)) >> 4 + offset, 1), 126)
    return state <= 63 ? (63 - state) << 1 : (state - 64) << 1 | 1
  }
}
