// From the rows of a sensor to the rows of a picture: levels → corrections → white balance → demosaicing → corrections →
// colours → encoding. A few rows are held at a time.

internal import ImageCoding

/// Develops the sensor data of a DNG.
struct Development {
  private let layout: SensorLayout
  private let color: CameraColor
  private let encoding: OutputEncoding
  private let linearOpcodes: OpcodeList
  private let colorOpcodes: OpcodeList
  private let storedOpcodes: OpcodeList
  private var demosaic: Demosaic
  /// The number of filters of a side of the block that becomes a pixel.
  let factor: Int
  private let colorSpace: ColorSpace
  /// The part of the demosaiced rows that is the picture.
  private let window: PixelRegion
  /// The black levels of the rows of a period.
  private var blackRows: [[Float]] = []
  /// The factors of the samples of the rows of a period.
  private var balanceRows: [[Float]] = []

  /// The work units for converting a pixel to its encoded form.
  private static let workPerPixel = 20
  /// The work units for scaling a sample.
  private static let workPerSample = 6

  /// Prepares for an image, and charges the memory of its rows.
  init(
    _ layout: SensorLayout, sensor: borrowing RawFields, main: borrowing RawFields, _ context: inout DecodingContext,
    target: PixelSize?
  ) throws(CodecError) {
    self.layout = layout
    color = CameraColor(main, context.options.rawColorSpace)
    let active = PixelSize(width: layout.activeArea.width, height: layout.activeArea.height)
    colorSpace = layout.planeCount == 1 ? .sRGB : context.options.rawColorSpace.colorSpace
    let isToned = context.options.rawRendering == .toned
    encoding = OutputEncoding(
      matrix: layout.planeCount == 1 ? nil : color.matrix,
      exposure: isToned ? main.number(.baselineExposure) ?? 0 : nil)
    storedOpcodes = try OpcodeList(
      .opcodeList1, sensor, size: layout.size, planeCount: layout.samplesPerPixel, &context)
    linearOpcodes = try OpcodeList(.opcodeList2, sensor, size: active, planeCount: layout.samplesPerPixel, &context)
    factor = layout.reduction(for: target)
    colorOpcodes =
      factor == 1
      ? try OpcodeList(.opcodeList3, sensor, size: active, planeCount: layout.planeCount, &context) : OpcodeList()
    let crop = layout.crop
    window =
      factor == 1
      ? crop : PixelRegion(x: 0, y: 0, width: crop.width / factor, height: crop.height / factor)
    try context.budget.allocate(
      count: active.width * layout.samplesPerPixel, bytesEach: 24 + 2 * MemoryLayout<[Float]>.stride)
    try context.budget.allocate(OutputEncoding.byteCount)
    demosaic = try Self.demosaic(layout, active, factor: factor, window: window, &context)
    try prepareRows(active, &context)
  }

  private static func demosaic(
    _ layout: SensorLayout, _ active: PixelSize, factor: Int, window: PixelRegion, _ context: inout DecodingContext
  ) throws(CodecError) -> Demosaic {
    guard let mosaic = layout.mosaic else {
      let count = active.width * layout.planeCount
      try context.budget.allocate(count: count, bytesEach: 4)
      return .none(planeCount: layout.planeCount, output: [Float](repeating: 0, count: count))
    }
    if factor > 1 {
      try context.budget.allocate(BinningDemosaic.byteCount(width: window.width))
      return .binning(
        BinningDemosaic(mosaic, factor: factor, origin: (layout.crop.x, layout.crop.y), width: window.width))
    }
    if mosaic.period == 2 {
      try context.budget.allocate(DirectionalDemosaic.byteCount(width: active.width))
      return .directional(DirectionalDemosaic(mosaic, size: active))
    }
    try context.budget.allocate(WindowDemosaic.byteCount(width: active.width))
    return .window(WindowDemosaic(mosaic, size: active))
  }

  /// Calculates the levels and factors of the rows of a period.
  private mutating func prepareRows(_ active: PixelSize, _ context: inout DecodingContext) throws(CodecError) {
    let count = active.width * layout.samplesPerPixel
    for y in 0..<min(layout.levels.period ?? 0, active.height) {
      try context.budget.chargeWork(count: count, unitsEach: 10)
      try context.budget.allocate(count: count, bytesEach: 4)
      blackRows.append(layout.levels.blackRow(y, width: active.width))
    }
    guard layout.planeCount == 3 else { return }
    for y in 0..<(layout.mosaic?.period ?? 1) {
      try context.budget.chargeWork(count: count, unitsEach: 4)
      try context.budget.allocate(count: count, bytesEach: 4)
      balanceRows.append(
        (0..<count).map { index in color.whiteBalance[layout.mosaic?.color(index, y) ?? index % 3] })
    }
  }

  /// The size of the picture.
  var size: PixelSize { PixelSize(width: window.width, height: window.height) }

  /// Develops all rows. Returns whether sensor data are missing.
  mutating func run(
    _ file: Span<UInt8>, _ decoder: RawDecoder, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> Bool {
    context.budget.allowWork(forPixelCount: layout.size.width * layout.size.height)
    var output = try RowOutput(
      layout.planeCount == 1 ? .gray16 : .rgb16, size: size, colorSpace: colorSpace, byteOffset: 0, into: &bitmap,
      &context)
    // Pixels of cameras take half a byte or more, also compressed.
    let (likelyCount, overflow) = file.count.multipliedReportingOverflow(by: 2)
    context.budget.allowWork(
      forPixelCount: min(layout.size.width * layout.size.height, overflow ? .max : likelyCount),
      unitsEach: likelyWorkPerPixel, byteCount: file.count)
    var rows = try SensorRowReader(layout, decoder, opcodes: storedOpcodes, budget: &context.budget)
    var stored = [UInt16](repeating: 0, count: layout.size.width * layout.samplesPerPixel)
    var values = [Float](repeating: 0, count: layout.activeArea.width * layout.samplesPerPixel)
    try context.budget.allocate(stored.count * 2 + values.count * 4)
    var y = 0
    for frameY in 0..<layout.size.height {
      var span = stored.mutableSpan
      try rows.readRow(file, into: &span, &context)
      guard frameY >= layout.activeArea.y, frameY < layout.activeArea.y + layout.activeArea.height else { continue }
      try context.budget.chargeWork(linearOpcodes.workPerRow)
      try context.budget.chargeWork(
        count: values.count,
        unitsEach: Self.workPerSample + demosaic.workPerSample + linearOpcodes.workPerSample)
      balance(stored.span, y: frameY - layout.activeArea.y, into: &values)
      if demosaic.append(values.span) {
        try emit(y, &output, into: &bitmap, &context)
        y += 1
      }
      if rows.isExhausted, !output.isComplete {
        try output.endEarly(&bitmap, at: file.count, &context)
        return true
      }
    }
    while let isReady = demosaic.appendReflection() {
      guard isReady else { continue }
      try context.budget.chargeWork(count: values.count, unitsEach: demosaic.workPerSample)
      try emit(y, &output, into: &bitmap, &context)
      y += 1
    }
    return rows.isDamaged
  }

  /// The work units that a pixel of a camera's file takes, with four opcodes at most.
  private var likelyWorkPerPixel: Int {
    let corrections = min(storedOpcodes.workPerSample + linearOpcodes.workPerSample, OpcodeList.workPerOpcode * 4)
    let perSample = SensorRowReader.maximumWorkPerSample + Self.workPerSample + demosaic.workPerSample + corrections
    return perSample * layout.samplesPerPixel + Self.workPerPixel
  }

  /// Maps a row of samples to 0…1, corrects them and balances their colours, which saturate at 1.
  private func balance(_ stored: Span<UInt16>, y: Int, into values: inout [Float]) {
    let start = layout.activeArea.x * layout.samplesPerPixel
    let samples = stored.extracting(start..<start + values.count)
    var span = values.mutableSpan
    let black =
      layout.levels.period.map { blackRows[y % $0] } ?? layout.levels.blackRow(y, width: layout.activeArea.width)
    layout.levels.apply(samples, black: black.span, into: &span)
    linearOpcodes.apply(to: &span, y: y, planeCount: layout.samplesPerPixel)
    guard !balanceRows.isEmpty else { return }
    let factors = balanceRows[y % balanceRows.count]
    for index in 0..<span.count { span[index] = min(span[index] * factors[index], 1) }
  }

  /// Corrects a demosaiced row. The corrections apply to the colours before white balance.
  private func correct(_ row: inout [Float], y: Int, width: Int) {
    let count = layout.planeCount
    let factors = count == 3 ? color.whiteBalance : [Float](repeating: 1, count: count)
    var pixels = row
    for index in 0..<row.count {
      let plane = index / width
      pixels[index % width * count + plane] = row[index] / factors[plane]
    }
    var span = pixels.mutableSpan
    colorOpcodes.apply(to: &span, y: y, planeCount: count)
    for index in 0..<row.count {
      let plane = index / width
      row[index] = min(pixels[index % width * count + plane] * factors[plane], 1)
    }
  }

  /// Encodes a demosaiced row if it is part of the picture.
  private func emit(
    _ y: Int, _ output: inout RowOutput, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    guard y >= window.y, y < window.y + window.height else { return }
    var row = demosaic.output
    let width = row.count / layout.planeCount
    try context.budget.chargeWork(count: window.width, unitsEach: Self.workPerPixel)
    if !colorOpcodes.isEmpty {
      try context.budget.chargeWork(colorOpcodes.workPerRow)
      try context.budget.chargeWork(count: row.count, unitsEach: colorOpcodes.workPerSample + 8)
      correct(&row, y: y, width: width)
    }
    let columns = window.x..<window.x + window.width
    try output.write(into: &bitmap, &context) { target in
      encoding.encode(row.span, width: width, columns: columns, into: &target)
    }
  }
}

extension SensorLayout {
  /// The number of planes of the developed picture: one if the sensor sees no colours.
  var planeCount: Int { mosaic == nil ? samplesPerPixel : 3 }

  /// Returns the side of the blocks that may become pixels of a picture of a size.
  ///
  /// - Parameter target: the least size, as stored; `nil` for full size.
  func reduction(for target: PixelSize?) -> Int {
    guard let target, let factor = mosaic?.binningFactor, crop.width / factor >= max(1, target.width),
      crop.height / factor >= max(1, target.height)
    else { return 1 }
    return factor
  }
}
