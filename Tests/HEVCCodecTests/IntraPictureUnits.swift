// The coding units of pictures at random: PCM samples, and predicted blocks whose residuals are constant.

import TestSupport

extension IntraPictureCoder {
  /// Codes a coding unit of one transform block for each component (two of chroma in 4:2:2).
  mutating func codeUnit(x: Int, y: Int, log2Size: Int, depth: Int) {
    startQuantizationGroup(x: x, y: y)
    let isPCM = Int.random(in: 0...3, using: &noise) == 0
    let isBypass = picture.isBypassEnabled && Int.random(in: 0...3, using: &noise) == 0
    if picture.isBypassEnabled { encoder.encode(isBypass ? 1 : 0, model: Model.bypass) }
    if log2Size == 3 { encoder.encode(1, model: Model.partMode) }
    let mode = isPCM ? 1 : Int.random(in: 0...34, using: &noise)
    encoder.encodeTerminate(isPCM)
    let candidates = candidateModes(x: x, y: y)
    var square = Square(
      treeBlock: address, slice: slice.address, tile: tiles[address], depth: depth, mode: mode,
      isFinal: isBypass || isPCM && picture.isPCMFinal)
    mark(square, x: x, y: y, log2Size: log2Size)
    if isPCM {
      codeSamples(x: x, y: y, log2Size: log2Size)
    } else {
      codeLumaMode(mode, candidates)
      let chromaMode = picture.chromaType == 0 ? 1 : codeChromaMode(luma: mode)
      codeTransformUnit(
        x: x, y: y, log2Size: log2Size, lumaMode: mode, chromaMode: chromaMode, isBypass: isBypass)
    }
    square.qp = qp
    mark(square, x: x, y: y, log2Size: log2Size)
    quantization.previous = qp
  }

  /// Sets the squares of a block. Its edges are those at the left and at the top of it.
  private mutating func mark(_ square: Square, x: Int, y: Int, log2Size: Int) {
    for row in 0..<1 << (log2Size - 3) {
      for column in 0..<1 << (log2Size - 3) {
        var square = square
        (square.hasLeftEdge, square.hasTopEdge) = (column == 0, row == 0)
        squares[(y / 8 + row) * (picture.width / 8) + x / 8 + column] = square
      }
    }
  }

  // MARK: Quantization

  /// `QpY` of the current coding unit.
  private var qp: Int {
    let offset = picture.qpDepthOffset
    return (quantization.predicted + quantization.delta + 52 + 2 * offset) % (52 + offset) - offset
  }

  /// Section 8.6.1.
  private mutating func startQuantizationGroup(x: Int, y: Int) {
    let size = 1 << (picture.log2TreeBlock - picture.qpDeltaDepth)
    guard x % size == 0, y % size == 0 else { return }
    let neighbours = [available(x - 1, y), available(x, y - 1)]
    let values = neighbours.map { $0?.treeBlock == address ? $0?.qp ?? 0 : quantization.previous }
    quantization.predicted = (values[0] + values[1] + 1) >> 1
    (quantization.delta, quantization.isDeltaCoded, quantization.isChromaOffsetCoded) = (0, false, false)
  }

  private mutating func codeQPDelta() {
    quantization.isDeltaCoded = true
    let delta = min(max(Int.random(in: 20...46, using: &noise) - quantization.predicted, -26), 25)
    quantization.delta = delta
    let magnitude = abs(delta)
    for bin in 0..<5 where bin <= magnitude {
      encoder.encode(bin < magnitude ? 1 : 0, model: Model.qpDelta + min(bin, 1))
    }
    if magnitude >= 5 {
      // An Exp-Golomb code of order 0.
      var (rest, order) = (magnitude - 5, 0)
      while rest >= 1 << order {
        encoder.encodeBypass(1)
        rest -= 1 << order
        order += 1
      }
      encoder.encodeBypass(0)
      encodeBits(rest, order)
    }
    if magnitude > 0 { encoder.encodeBypass(delta < 0 ? 1 : 0) }
  }

  /// Codes `cu_chroma_qp_offset_flag` and `cu_chroma_qp_offset_idx`.
  private mutating func codeChromaOffset() {
    quantization.isChromaOffsetCoded = true
    let index = Int.random(in: -1..<picture.chromaOffsets.count, using: &noise)
    encoder.encode(index < 0 ? 0 : 1, model: Model.chromaOffsetFlag)
    quantization.chromaOffset = index < 0 ? (0, 0) : picture.chromaOffsets[index]
    guard index >= 0 else { return }
    for bin in 0..<picture.chromaOffsets.count - 1 where bin <= index {
      encoder.encode(bin < index ? 1 : 0, model: Model.chromaOffsetIndex)
    }
  }

  /// `qP` of a component (section 8.6.1).
  private func parameter(_ component: Int) -> Int {
    guard component > 0 else { return qp + picture.qpDepthOffset }
    let offset =
      component == 1
      ? picture.cbOffset + slice.cbOffset + quantization.chromaOffset.cb
      : picture.crOffset + slice.crOffset + quantization.chromaOffset.cr
    let index = min(max(qp + offset, -picture.qpDepthOffset), 57)
    return chromaParameter(index, chromaType: picture.chromaType) + picture.qpDepthOffset
  }

  // MARK: PCM

  private mutating func codeSamples(x: Int, y: Int, log2Size: Int) {
    var writer = BitWriter()
    // Flat enough to be filtered.
    let level = Int.random(in: 90...140, using: &noise) << (picture.bitDepth - 8)
    let spread = [0, 1, 3][Int.random(in: 0...2, using: &noise)] << (picture.bitDepth - 8)
    for component in 0..<picture.componentCount {
      let shifts = picture.shifts(component)
      for sampleY in y >> shifts.y..<(y + 1 << log2Size) >> shifts.y {
        for sampleX in x >> shifts.x..<(x + 1 << log2Size) >> shifts.x {
          let value = level + Int.random(in: -spread...spread, using: &noise)
          writer.write(value, picture.bitDepth)
          planes[component][sampleY * (picture.width >> shifts.x) + sampleX] = UInt16(value)
        }
      }
    }
    encoder.restart(after: writer.bytes)
  }

  // MARK: Modes

  /// `candModeList` (section 8.4.2).
  private func candidateModes(x: Int, y: Int) -> [Int] {
    let left = available(x - 1, y)?.mode ?? 1
    let isInTreeBlock = y & (1 << picture.log2TreeBlock - 1) > 0
    let above = isInTreeBlock ? available(x, y - 1)?.mode ?? 1 : 1
    if left == above {
      return left < 2 ? [0, 1, 26] : [left, 2 + (left + 29) % 32, 2 + (left - 2 + 1) % 32]
    }
    return [left, above] + [[0, 1, 26].first { $0 != left && $0 != above } ?? 0]
  }

  private mutating func codeLumaMode(_ mode: Int, _ candidates: [Int]) {
    guard let index = candidates.firstIndex(of: mode) else {
      encoder.encode(0, model: Model.lumaModePredicted)
      encodeBits(mode - candidates.count { $0 < mode }, 5)
      return
    }
    encoder.encode(1, model: Model.lumaModePredicted)
    encoder.encodeBypass(index > 0 ? 1 : 0)
    if index > 0 { encoder.encodeBypass(index - 1) }
  }

  /// Section 8.4.3.
  ///
  /// - Returns: the mode.
  private mutating func codeChromaMode(luma: Int) -> Int {
    let code = Int.random(in: 0...4, using: &noise)
    encoder.encode(code < 4 ? 1 : 0, model: Model.chromaMode)
    if code < 4 { encodeBits(code, 2) }
    let explicit = [0, 26, 10, 1, luma][code]
    let mode = code < 4 && explicit == luma ? 34 : explicit
    // Table 8-3: directions for samples of half the width.
    let halfWidthModes = [
      0, 1, 2, 2, 2, 2, 3, 5, 7, 8, 10, 12, 13, 15, 17, 18, 19, 20, 21, 22, 23, 23, 24, 24, 25, 25, 26, 27, 27, 28, 28,
      29, 29, 30, 31,
    ]
    return picture.chromaType == 2 ? halfWidthModes[mode] : mode
  }

  // MARK: Transform blocks

  private mutating func codeTransformUnit(
    x: Int, y: Int, log2Size: Int, lumaMode: Int, chromaMode: Int, isBypass: Bool
  ) {
    let blockCount = picture.chromaType == 2 ? 2 : 1
    var isCoded = [[Bool]](repeating: [], count: 3)
    for component in 1..<max(1, picture.componentCount) {
      for _ in 0..<blockCount {
        isCoded[component].append(Int.random(in: 0...3, using: &noise) == 0)
        encoder.encode(isCoded[component].last == true ? 1 : 0, model: Model.codedChroma)
      }
    }
    isCoded[0] = [Int.random(in: 0...1, using: &noise) == 0]
    encoder.encode(isCoded[0][0] ? 1 : 0, model: Model.codedLuma)
    if isCoded.joined().contains(true), !quantization.isDeltaCoded { codeQPDelta() }
    if !picture.chromaOffsets.isEmpty, (isCoded[1] + isCoded[2]).contains(true), !isBypass,
      !quantization.isChromaOffsetCoded
    {
      codeChromaOffset()
    }
    for component in 0..<picture.componentCount {
      let shifts = picture.shifts(component)
      let log2Size = log2Size - shifts.x
      for (index, isCoded) in isCoded[component].enumerated() {
        let blockY = y >> shifts.y + index << log2Size
        predict(
          component, x: x >> shifts.x, y: blockY, log2Size: log2Size, mode: component == 0 ? lumaMode : chromaMode)
        if isCoded {
          codeResidual(component, x: x >> shifts.x, y: blockY, log2Size: log2Size, isBypass: isBypass)
        }
      }
    }
  }

  /// Section 8.4.4.2.
  private mutating func predict(_ component: Int, x: Int, y: Int, log2Size: Int, mode: Int) {
    let (size, shifts) = (1 << log2Size, picture.shifts(component))
    let width = picture.width >> shifts.x
    func neighbour(_ x: Int, _ y: Int) -> Int? {
      available(x << shifts.x, y << shifts.y) == nil ? nil : Int(planes[component][y * width + x])
    }
    let left = (0..<2 * size).reversed().map { neighbour(x - 1, y + $0) }
    let top = (0..<2 * size).map { neighbour(x + $0, y - 1) }
    var prediction = SlowPrediction(left + [neighbour(x - 1, y - 1)] + top, bitDepth: picture.bitDepth)
    if component == 0 || picture.chromaType == 3, mode != 1, log2Size > 2 {
      let thresholds = [3: 7, 4: 1, 5: 0]
      if min(abs(mode - 26), abs(mode - 10)) > thresholds[log2Size] ?? 0 {
        prediction.smoothen(isStrong: component == 0 && log2Size == 5)
      }
    }
    for offsetY in 0..<size {
      for offsetX in 0..<size {
        let value = prediction.sample(offsetX, offsetY, mode: mode, blendsEdges: component == 0 && log2Size < 5)
        planes[component][(y + offsetY) * width + x + offsetX] = UInt16(value)
      }
    }
  }

  /// Codes a residual of one coefficient, the first.
  private mutating func codeResidual(_ component: Int, x: Int, y: Int, log2Size: Int, isBypass: Bool) {
    let magnitude = Int.random(in: 1...3, using: &noise)
    let level = Bool.random(using: &noise) ? -magnitude : magnitude
    let isChroma = component > 0
    encoder.encode(0, model: Model.lastColumn + (isChroma ? 3 : log2Size - 3))
    encoder.encode(0, model: Model.lastRow + (isChroma ? 3 : log2Size - 3))
    encoder.encode(magnitude > 1 ? 1 : 0, model: Model.greaterThan1 + (isChroma ? 1 : 0))
    if magnitude > 1 { encoder.encode(magnitude > 2 ? 1 : 0, model: Model.greaterThan2 + (isChroma ? 1 : 0)) }
    encoder.encodeBypass(level < 0 ? 1 : 0)
    if magnitude > 2 { encoder.encodeRemaining(magnitude - 3, rice: 0) }
    // Without a transform, the coefficient is the residual of the first sample.
    let size = isBypass ? 1 : 1 << log2Size
    let residual = isBypass ? level : constantResidual(level, component, log2Size: log2Size)
    let width = picture.width >> picture.shifts(component).x
    for row in y..<y + size {
      for index in row * width + x..<row * width + x + size {
        let value = Int(planes[component][index]) + residual
        planes[component][index] = UInt16(min(max(value, 0), 1 << picture.bitDepth - 1))
      }
    }
  }

  /// The residual of all samples whose only coefficient is the first (sections 8.6.4.2 and 8.6.4.3).
  private func constantResidual(_ level: Int, _ component: Int, log2Size: Int) -> Int {
    let qp = parameter(component)
    let shift = picture.bitDepth + log2Size - 5
    let scaled = level * 16 * [40, 45, 51, 57, 64, 72][qp % 6] << (qp / 6)
    func clip(_ value: Int) -> Int { min(max(value, -32768), 32767) }
    let column = clip((64 * clip((scaled + 1 << (shift - 1)) >> shift) + 64) >> 7)
    return (64 * column + 1 << (19 - picture.bitDepth)) >> (20 - picture.bitDepth)
  }
}

/// `QpC` of `qPi` (table 8-10).
func chromaParameter(_ index: Int, chromaType: Int) -> Int {
  guard chromaType == 1 else { return min(index, 51) }
  return index < 30
    ? index : index >= 43 ? index - 6 : [29, 30, 31, 32, 33, 33, 34, 34, 35, 35, 36, 36, 37][index - 30]
}
