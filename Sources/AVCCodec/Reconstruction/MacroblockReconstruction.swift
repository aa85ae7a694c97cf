// The samples of a macroblock: prediction, and residuals from levels (sections 8.3 and 8.5).

internal import ImageCoding

/// Reconstructs macroblocks in the buffer of samples.
struct MacroblockReconstruction {
  let format: PictureFormat
  /// `chroma_qp_index_offset` of Cb and Cr.
  var chromaOffsets = (cb: 0, cr: 0)
  var scales: LevelScales
  /// The component whose scaling lists apply to the first one: that of a separate plane.
  var firstComponent = 0
  private let maximum: Int32

  init(_ format: PictureFormat, _ budget: inout ResourceBudget) throws(CodecError) {
    try budget.allocate(LevelScales.byteCount)
    try budget.chargeWork(LevelScales.work)
    self.format = format
    maximum = format.maximumSample
    scales = LevelScales(nil)
  }

  /// Prepares for the slices that refer to a picture parameter set.
  mutating func start(_ picture: PictureParameterSet, plane: Int) {
    chromaOffsets = (picture.cbOffset, picture.crOffset)
    scales = LevelScales(picture.scalingLists)
    firstComponent = plane
  }

  /// Reconstructs a macroblock, and clears its levels.
  ///
  /// - Parameter positions: of its first sample in each of its planes.
  /// - Returns: `false` if a prediction mode needs samples that are not available.
  func reconstruct(
    _ data: MacroblockData, _ levels: inout [Int32], dc dcLevels: inout [Int32], _ neighbours: MacroblockNeighbours,
    _ positions: InlineArray<3, SamplePosition>, _ samples: inout SampleBuffer
  ) -> Bool {
    var values = samples.values.mutableSpan
    var coefficients = levels.mutableSpan
    var dc = dcLevels.mutableSpan
    if data.kind == .pcm {
      for component in 0..<(format.chromaType == 0 ? 1 : 3) {
        store(&coefficients, component, &values, positions[component])
      }
      return true
    }
    for component in 0..<format.lumaLikeCount {
      let isValid =
        data.kind == .intra16x16
        ? reconstruct16x16(data, component, &coefficients, &dc, neighbours, &values, positions[component])
        : reconstructBlocks(data, component, &coefficients, neighbours, &values, positions[component])
      if !isValid { return false }
    }
    guard format.hasSubsampledChroma else { return true }
    for component in 1...2 {
      guard reconstructChroma(data, component, &coefficients, &dc, neighbours, &values, positions[component]) else {
        return false
      }
    }
    return true
  }

  private func store(
    _ samples: inout MutableSpan<Int32>, _ component: Int, _ values: inout MutableSpan<UInt16>,
    _ position: SamplePosition
  ) {
    let (width, height) = (format.macroblockWidth(component), format.macroblockHeight(component))
    for y in 0..<height {
      for x in 0..<width {
        let index = component &* 256 &+ y &* width &+ x
        values[position.index &+ y &* position.stride &+ x] = UInt16(truncatingIfNeeded: samples[index])
        samples[index] = 0
      }
    }
  }

  /// `QP′Y` or `QP′C`.
  private func qp(_ data: MacroblockData, _ component: Int) -> Int {
    if component == 0 { return data.qp + format.depthOffset }
    let offset = component == 1 ? chromaOffsets.cb : chromaOffsets.cr
    return ChromaQP.value(data.qp, offset: offset, depthOffset: format.depthOffset) + format.depthOffset
  }

  // MARK: Luma

  private func reconstructBlocks(
    _ data: MacroblockData, _ component: Int, _ coefficients: inout MutableSpan<Int32>,
    _ neighbours: MacroblockNeighbours, _ values: inout MutableSpan<UInt16>, _ position: SamplePosition
  ) -> Bool {
    let isLarge = data.hasLargeTransform
    let qp = qp(data, component)
    for block in stride(from: 0, to: 16, by: isLarge ? 4 : 1) {
      let (x, y) = MacroblockData.place(block)
      let place = Self.place(x, y, position)
      let available = Self.availability(block, isLarge: isLarge, neighbours)
      guard let mode = BlockMode(rawValue: data.modes[y &* 4 &+ x]), mode.isValid(available) else { return false }
      let size = isLarge ? 8 : 4
      PredictedBlock(position: place, size: size, available: available, mode: mode, bitDepth: format.bitDepth)
        .predict(&values)
      guard data.isCoded(component, block) else { continue }
      let start = component &* 256 &+ block &* 16
      if data.isLossless {
        if mode == .vertical || mode == .horizontal {
          accumulateResiduals(
            &coefficients, at: start, width: size, height: size, isHorizontal: mode == .horizontal)
        }
        addResiduals(&coefficients, at: start, size: size, maximum: maximum, to: &values, place)
      } else if isLarge {
        addLargeBlock(
          &coefficients, at: start, scales.large.span, largeScale(component, qp: qp), maximum: maximum, to: &values,
          place)
      } else {
        addSmallBlock(
          &coefficients, at: start, scales.small.span, smallScale(component, qp: qp, keepsDC: false), maximum: maximum,
          to: &values, place)
      }
    }
    return true
  }

  /// Which neighbours of a block precede it and are available (section 6.4.11).
  private static func availability(
    _ block: Int, isLarge: Bool, _ neighbours: MacroblockNeighbours
  ) -> BlockAvailability {
    let (x, y) = MacroblockData.place(block)
    let last = isLarge ? 2 : 3
    let aboveRight =
      if y == 0 {
        x < last ? neighbours.hasAbove : neighbours.hasAboveRight
      } else if isLarge {
        x == 0
      } else {
        // Blocks at the right of the current one in the order of coding are not decoded yet.
        x < 3 && block & 3 != 3
      }
    let aboveLeft =
      y > 0 ? x > 0 || neighbours.hasLeft : x > 0 ? neighbours.hasAbove : neighbours.hasAboveLeft
    return BlockAvailability(
      left: x > 0 || neighbours.hasLeft, above: y > 0 || neighbours.hasAbove, aboveLeft: aboveLeft,
      aboveRight: aboveRight)
  }

  private static func availability(_ neighbours: MacroblockNeighbours) -> BlockAvailability {
    BlockAvailability(
      left: neighbours.hasLeft, above: neighbours.hasAbove, aboveLeft: neighbours.hasAboveLeft,
      aboveRight: neighbours.hasAboveRight)
  }

  private func reconstruct16x16(
    _ data: MacroblockData, _ component: Int, _ coefficients: inout MutableSpan<Int32>,
    _ dc: inout MutableSpan<Int32>, _ neighbours: MacroblockNeighbours, _ values: inout MutableSpan<UInt16>,
    _ position: SamplePosition
  ) -> Bool {
    let available = Self.availability(neighbours)
    let mode = MacroblockPrediction.Mode(luma: data.mode16x16)
    guard mode.isValid(available) else { return false }
    MacroblockPrediction(
      width: 16, height: 16, position: position, available: available, bitDepth: format.bitDepth
    ).predict(mode, &values)
    let hasDC = data.codedDC >> component & 1 == 1
    guard hasDC || data.codedPattern & 15 != 0 else { return true }
    let qp = qp(data, component)
    let firstDC = component &* 16
    if hasDC, !data.isLossless {
      InverseTransform.transformDC4x4(&dc, at: firstDC)
      let factor = scales.small[LevelScales.smallIndex(component &+ firstComponent, qp: qp)]
      for index in firstDC..<firstDC &+ 16 { dc[index] = scaledLevel(dc[index], factor, qp: qp, base: 6) }
    }
    for block in 0..<16 {
      let (x, y) = MacroblockData.place(block)
      let place = firstDC &+ y &* 4 &+ x
      coefficients[component &* 256 &+ block &* 16] = dc[place]
      dc[place] = 0
      addBlock(
        &coefficients, component, block, qp: qp, isCoded: data.isCoded(component, block),
        lossless: data.isLossless ? mode : nil, &values, Self.place(x, y, position))
    }
    return true
  }

  // MARK: Chroma

  private func reconstructChroma(
    _ data: MacroblockData, _ component: Int, _ coefficients: inout MutableSpan<Int32>,
    _ dc: inout MutableSpan<Int32>, _ neighbours: MacroblockNeighbours, _ values: inout MutableSpan<UInt16>,
    _ position: SamplePosition
  ) -> Bool {
    let available = Self.availability(neighbours)
    let mode = MacroblockPrediction.Mode(chroma: data.chromaMode)
    guard mode.isValid(available) else { return false }
    MacroblockPrediction(
      width: 8, height: format.macroblockHeight(component), position: position, available: available,
      bitDepth: format.bitDepth
    ).predict(mode, &values)
    guard data.codedPattern >> 4 > 0 else { return true }
    let qp = qp(data, component)
    let firstDC = component &* 16
    if data.codedDC >> component & 1 == 1, !data.isLossless { transformChromaDC(component, qp: qp, &dc) }
    for block in 0..<format.chromaBlockCount {
      coefficients[component &* 256 &+ block &* 16] = dc[firstDC &+ block]
      dc[firstDC &+ block] = 0
      addBlock(
        &coefficients, component, block, qp: qp, isCoded: data.isCoded(component, block),
        lossless: data.isLossless ? mode : nil, &values, Self.place(block & 1, block &>> 1, position))
    }
    return true
  }

  private func transformChromaDC(_ component: Int, qp: Int, _ dc: inout MutableSpan<Int32>) {
    let first = component &* 16
    if format.chromaBlockCount == 4 {
      InverseTransform.transformChromaDC(&dc, at: first, rowCount: 2)
      let factor = scales.small[LevelScales.smallIndex(component, qp: qp)]
      for index in first..<first &+ 4 {
        dc[index] = ((dc[index] &* factor) &<< Int32(truncatingIfNeeded: qp / 6)) &>> 5
      }
    } else {
      InverseTransform.transformChromaDC(&dc, at: first, rowCount: 4)
      let qp = qp + 3
      let factor = scales.small[LevelScales.smallIndex(component, qp: qp)]
      for index in first..<first &+ 8 { dc[index] = scaledLevel(dc[index], factor, qp: qp, base: 6) }
    }
  }

  // MARK: Residuals

  private func smallScale(_ component: Int, qp: Int, keepsDC: Bool) -> BlockScale {
    BlockScale(
      firstFactor: LevelScales.smallIndex(component &+ firstComponent, qp: qp), qp: qp, base: 4, keepsDC: keepsDC)
  }

  private func largeScale(_ component: Int, qp: Int) -> BlockScale {
    BlockScale(
      firstFactor: LevelScales.largeIndex(component &+ firstComponent, qp: qp), qp: qp, base: 6, keepsDC: false)
  }

  /// The place of a 4 × 4 block of a macroblock.
  @inline(__always)
  private static func place(_ x: Int, _ y: Int, _ position: SamplePosition) -> SamplePosition {
    SamplePosition(index: position.index &+ 4 &* y &* position.stride &+ 4 &* x, stride: position.stride)
  }

  /// Adds the residuals of a 4 × 4 block whose DC coefficient is scaled already.
  ///
  /// - Parameters:
  ///   - isCoded: whether it has other coefficients.
  ///   - mode: the prediction mode if there is no transform.
  private func addBlock(
    _ coefficients: inout MutableSpan<Int32>, _ component: Int, _ block: Int, qp: Int, isCoded: Bool,
    lossless mode: MacroblockPrediction.Mode?, _ values: inout MutableSpan<UInt16>, _ place: SamplePosition
  ) {
    let start = component &* 256 &+ block &* 16
    switch mode {
    case .horizontal: addDifferences(&coefficients, at: start, step: 1, &values, place)
    case .vertical: addDifferences(&coefficients, at: start, step: place.stride, &values, place)
    case .dc, .plane: addResiduals(&coefficients, at: start, size: 4, maximum: maximum, to: &values, place)
    case nil:
      guard isCoded || coefficients[start] != 0 else { return }
      addSmallBlock(
        &coefficients, at: start, scales.small.span, isCoded ? smallScale(component, qp: qp, keepsDC: true) : nil,
        maximum: maximum, to: &values, place)
    }
  }

  /// Adds residuals to samples at a distance, of which they are the differences. This equals the sums of residuals that
  /// section 8.5.15 adds to the prediction, and continues those of preceding blocks.
  private func addDifferences(
    _ differences: inout MutableSpan<Int32>, at start: Int, step: Int, _ values: inout MutableSpan<UInt16>,
    _ position: SamplePosition
  ) {
    for y in 0..<4 {
      for x in 0..<4 {
        let index = position.index &+ y &* position.stride &+ x
        let sum = Int32(values[index &- step]) &+ differences[start &+ y &* 4 &+ x]
        values[index] = UInt16(truncatingIfNeeded: min(max(sum, 0), maximum))
        differences[start &+ y &* 4 &+ x] = 0
      }
    }
  }
}
