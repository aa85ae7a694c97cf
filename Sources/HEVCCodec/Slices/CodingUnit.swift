// Coding units of intra-coded slices (sections 7.3.8.5 and 7.3.8.7).

internal import PixelPlanes

/// The coding unit that is being decoded.
struct CodingUnit {
  var x = 0
  var y = 0
  var log2Size = 3
  var isBypass = false
  /// Whether luma is predicted in four parts.
  var isPartitioned = false
  /// The luma modes of the parts; all the same for one part.
  var lumaModes = InlineArray<4, UInt8>(repeating: 1)
  /// The chroma modes of the parts: `IntraPredModeC`.
  var chromaModes = InlineArray<4, UInt8>(repeating: 1)
  /// Whether the chroma modes are those of luma: `intra_chroma_pred_mode` is 4.
  var isChromaDerived = InlineArray<4, Bool>(repeating: false)
}

/// The luma modes that replace those of chroma in 4:2:2 (table 8-3).
private let modesOf422: InlineArray<35, UInt8> = [
  0, 1, 2, 2, 2, 2, 3, 5, 7, 8, 10, 12, 13, 15, 17, 18, 19, 20, 21, 22, 23, 23, 24, 24, 25, 25, 26, 27, 27, 28, 28, 29,
  29, 30, 31,
]

extension SliceDecoder {
  mutating func decodeCodingUnit(
    x: Int, y: Int, log2Size: Int, depth: Int, _ picture: inout DecodedPicture, _ bytes: Span<UInt8>
  ) {
    unit.x = x
    unit.y = y
    unit.log2Size = log2Size
    unit.isPartitioned = false
    unit.isBypass = false
    if parameters.isBypassEnabled {
      unit.isBypass = cabac.decode(ContextIndex.transquantBypass, &models, bytes) == 1
    }
    if log2Size == parameters.log2MinimumCodingBlock {
      unit.isPartitioned = cabac.decode(ContextIndex.partMode, &models, bytes) == 0
    }
    if parameters.hasPCM, !unit.isPartitioned, parameters.log2PCMSizes.contains(log2Size),
      cabac.decodeTerminate(bytes)
    {
      decodePCM(&picture, bytes)
      setModes(x: x, y: y, count: 1 << (log2Size - 2), 1)
      if parameters.isPCMFinal { picture.blocks.setFinal(x: x, y: y, log2Size: log2Size) }
    } else {
      readModes(bytes)
      decodeTransformTree(
        TransformUnit(x: x, y: y, baseX: x, baseY: y, log2Size: log2Size, depth: 0, index: 0, cb: 1, cr: 1), &picture,
        bytes)
    }
    if unit.isBypass { picture.blocks.setFinal(x: x, y: y, log2Size: log2Size) }
    quantization.previous = quantization.qp
    picture.blocks.setQP(Int8(truncatingIfNeeded: quantization.qp), x: x, y: y, log2Size: log2Size)
    let count = 1 &<< (log2Size &- 3)
    for offset in 0..<count {
      neighbours.depthsLeft[(y &>> 3 &+ offset) & 7] = UInt8(truncatingIfNeeded: depth)
      neighbours.depthsAbove[x &>> 3 &+ offset] = UInt8(truncatingIfNeeded: depth)
    }
  }

  /// Remembers the mode of a square, for the prediction of modes; `count` is its size in units of four samples.
  @inline(__always)
  private mutating func setModes(x: Int, y: Int, count: Int, _ mode: UInt8) {
    for offset in 0..<count {
      neighbours.modesAbove[(x &>> 2 &+ offset) & 15] = mode
      neighbours.modesLeft[(y &>> 2 &+ offset) & 15] = mode
    }
  }

  // MARK: Modes

  private mutating func readModes(_ bytes: Span<UInt8>) {
    let partCount = unit.isPartitioned ? 4 : 1
    var isPredicted = InlineArray<4, Bool>(repeating: false)
    for part in 0..<partCount {
      isPredicted[part] = cabac.decode(ContextIndex.lumaModePredicted, &models, bytes) == 1
    }
    let partSize = (1 &<< unit.log2Size) &>> (unit.isPartitioned ? 1 : 0)
    for part in 0..<partCount {
      let (x, y) = (unit.x &+ (part & 1) &* partSize, unit.y &+ (part &>> 1) &* partSize)
      let mode = readLumaMode(x: x, y: y, isPredicted: isPredicted[part], bytes)
      unit.lumaModes[part] = mode
      setModes(x: x, y: y, count: partSize &>> 2, mode)
    }
    if partCount == 1 { unit.lumaModes = InlineArray(repeating: unit.lumaModes[0]) }
    guard parameters.chromaType > 0 else { return }
    let chromaCount = parameters.chromaType == 3 ? partCount : 1
    for part in 0..<chromaCount { readChromaMode(part, bytes) }
    if chromaCount == 1 {
      unit.chromaModes = InlineArray(repeating: unit.chromaModes[0])
      unit.isChromaDerived = InlineArray(repeating: unit.isChromaDerived[0])
    }
  }

  /// Section 8.4.2.
  private mutating func readLumaMode(x: Int, y: Int, isPredicted: Bool, _ bytes: Span<UInt8>) -> UInt8 {
    // modesLeft and modesAbove are those of DC where no neighbour is available.
    let left = neighbours.modesLeft[(y &>> 2) & 15]
    let above = y > position.y ? neighbours.modesAbove[(x &>> 2) & 15] : 1
    var (first, second, third): (UInt8, UInt8, UInt8)
    if left == above {
      if left < 2 {
        (first, second, third) = (0, 1, 26)
      } else {
        (first, second, third) = (left, 2 &+ (left &+ 29) & 31, 2 &+ (left &- 2 &+ 1) & 31)
      }
    } else {
      (first, second) = (left, above)
      third = left != 0 && above != 0 ? 0 : left != 1 && above != 1 ? 1 : 26
    }
    if isPredicted {
      if cabac.decodeBypass(bytes) == 0 { return first }
      return cabac.decodeBypass(bytes) == 0 ? second : third
    }
    var mode = UInt8(truncatingIfNeeded: cabac.decodeBypass(count: 5, bytes))
    if first > second { swap(&first, &second) }
    if first > third { swap(&first, &third) }
    if second > third { swap(&second, &third) }
    if mode >= first { mode &+= 1 }
    if mode >= second { mode &+= 1 }
    if mode >= third { mode &+= 1 }
    return mode
  }

  /// Section 8.4.3.
  private mutating func readChromaMode(_ part: Int, _ bytes: Span<UInt8>) {
    let luma = unit.lumaModes[part]
    var mode = luma
    let isExplicit = cabac.decode(ContextIndex.chromaMode, &models, bytes) == 1
    if isExplicit {
      switch cabac.decodeBypass(count: 2, bytes) {
      case 0: mode = 0
      case 1: mode = 26
      case 2: mode = 10
      default: mode = 1
      }
      if mode == luma { mode = 34 }
    }
    unit.isChromaDerived[part] = !isExplicit
    unit.chromaModes[part] = parameters.chromaType == 2 ? modesOf422[Int(min(mode, 34))] : mode
  }

  // MARK: PCM

  /// Samples that are coded as they are (section 7.3.8.7).
  private mutating func decodePCM(_ picture: inout DecodedPicture, _ bytes: Span<UInt8>) {
    markEdges(x: unit.x, y: unit.y, log2Size: unit.log2Size, &picture.blocks)
    let start = cabac.alignedIndex
    var reader = BitReader(bytes.extracting(start..<bytes.count))
    for component in 0..<parameters.componentCount {
      let shifts = parameters.shifts(component)
      let depth = component == 0 ? parameters.pcmLumaBitDepth : parameters.pcmChromaBitDepth
      let width = (1 << unit.log2Size) >> shifts.x
      for y in 0..<(1 << unit.log2Size) >> shifts.y {
        let row = picture.samples.index(component, x: unit.x >> shifts.x, y: unit.y >> shifts.y + y)
        for x in 0..<width {
          picture.samples.values[row + x] = UInt16(reader.read(depth)) << UInt16(parameters.bitDepth - depth)
        }
      }
    }
    cabac.restart(at: start + (reader.position + 7) / 8, bytes)
  }
}
