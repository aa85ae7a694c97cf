// The steps of rendering from decoded colours to pixels, for a part of a frame.

internal import ImageCoding

/// Renders the pixels of tiles of a VarDCT frame that covers the canvas.
///
/// If filters are followed by nothing but noise and colours, each row passes all steps. Otherwise the filtered samples of
/// a tile are held, to which patches and splines are added, and from which rows are enlarged.
struct PixelRenderer: Sendable {
  private let tiles: TileRenderer
  private let colors: ColorConversion
  private let output: RenderedOutput
  private let patches: PatchStage?
  private let splines: SplineStage?
  private let upsampling: Upsampling?
  let noise: NoiseStage?
  /// The dots of all splines.
  private let dots: [SplineStage.Dot]
  /// The conversions of the extra channels, and the number of the channel of opacity.
  private let conversions: [SampleConversion]
  private let alphaIndex: Int?
  private let codedSize: PixelSize
  private let size: PixelSize

  /// - Parameter number: the numbers of shown frames so far and of frames since the last one.
  init(
    _ frame: FrameDecoder, _ slots: ReferenceSlots, number: (visible: UInt32, invisible: UInt32),
    budget: inout ResourceBudget
  ) throws(CodecError) {
    let (header, image) = (frame.header, frame.image)
    tiles = TileRenderer(frame)
    colors = ColorConversion(image, isYCbCr: header.isYCbCr)
    output = RenderedOutput(image, SampleOutput(image).natural)
    patches = frame.patches.map { PatchStage($0, image, slots) }
    splines = frame.splines.map { SplineStage($0, frame.correlation, colorCount: frame.colorCount) }
    upsampling = header.upsampling > 1 ? Upsampling(header.upsampling, image.transform) : nil
    noise = NoiseStage(frame, number: number)
    dots = try splines?.dots(header.codedSize, budget: &budget) ?? []
    conversions = image.extraChannels.map { SampleConversion($0.bitDepth) }
    alphaIndex = image.alphaIndex
    (codedSize, size) = (header.codedSize, header.sampleSize)
  }

  /// The factor by which the frame is enlarged.
  var factor: Int { upsampling?.factor ?? 1 }

  /// The number of rows after a tile that it needs.
  var reach: Int { tiles.reach + (upsampling == nil ? 0 : Upsampling.reach) }

  /// The width of tiles.
  var tileWidth: Int { TileRenderer.tileWidth / factor }

  /// Patches and dots of splines.
  struct Additions: Sendable {
    fileprivate var placements: [Int] = []
    fileprivate var dots: [SplineStage.Dot] = []
  }

  /// The greatest memory of ``additions(toRows:budget:)``.
  var additionByteCount: Int {
    (patches?.placementCount ?? 0) * MemoryLayout<Int>.stride + dots.count * MemoryLayout<SplineStage.Dot>.stride
  }

  /// Returns what is added to some rows of the coded frame.
  func additions(toRows rows: Range<Int>, budget: inout ResourceBudget) throws(CodecError) -> Additions {
    var additions = Additions()
    let rows = rows.lowerBound - Upsampling.reach..<rows.upperBound + Upsampling.reach
    if let patches { additions.placements = try patches.placements(inRows: rows, budget: &budget) }
    try budget.chargeWorkInParts(count: dots.count, unitsEach: 2)
    additions.dots = dots.filter { $0.rows.overlaps(rows) }
    return additions
  }

  /// The samples of a frame.
  struct Source {
    let samples: SampleGroups
    /// The random numbers of noise, if the frame has any.
    let numbers: SampleGroups?
    let additions: Additions
    /// The extra channels of the whole frame.
    let extraChannels: [ModularChannel]
  }

  /// Renders the pixels of a tile of the coded frame, which become more by upsampling.
  func pixels(
    _ tile: PixelRegion, of source: Source, budget: inout ResourceBudget
  ) throws(CodecError) -> PixelTile {
    let region = PixelRegion(
      x: tile.x * factor, y: tile.y * factor, width: min(tile.width * factor, size.width - tile.x * factor),
      height: min(tile.height * factor, size.height - tile.y * factor))
    let rowByteCount = region.width * output.bytesPerPixel
    try budget.allocate(count: rowByteCount, bytesEach: region.height)
    let held = budget.heldByteCount
    defer { budget.settle(heldByteCount: held) }
    var target = Target(
      region: region, rowByteCount: rowByteCount,
      bytes: [UInt8](repeating: 0, count: rowByteCount * region.height),
      rows: ColorRows(width: region.width, hasAlpha: alphaIndex != nil))
    if noise != nil {
      target.noise = try NoiseRows(size, columns: region.x..<region.x + region.width, budget: &budget)
    }
    if patches == nil, splines == nil, upsampling == nil {
      try renderRows(tile, of: source, into: &target, &budget)
    } else {
      try renderTile(tile, of: source, into: &target, &budget)
    }
    return PixelTile(region: region, bytes: target.bytes)
  }

  /// The pixels of a tile, and the row that is on its way to them.
  private struct Target {
    let region: PixelRegion
    let rowByteCount: Int
    var bytes: [UInt8]
    var rows: ColorRows
    var noise: NoiseRows?

    /// Replaces a row of pixels.
    mutating func withPixels(_ y: Int, _ body: (_ rows: ColorRows, _ pixels: inout MutableSpan<UInt8>) -> Void) {
      let (rows, start) = (rows, (y - region.y) * rowByteCount)
      let range = start..<start + rowByteCount
      var all = bytes.mutableSpan
      var row = all._mutatingExtracting(range)
      body(rows, &row)
    }
  }

  /// Passes rows from the filters to the pixels.
  private func renderRows(
    _ tile: PixelRegion, of source: Source, into target: inout Target, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    try tiles.filtered(tile, of: source.samples, &budget) { (y, window, budget) throws(CodecError) in
      if noise == nil, case .xyb(let stage) = colors, stage.writesPixels, output.writesVectors {
        try budget.chargeWork(count: tile.width * 3, unitsEach: colors.unitsPerSample + 1)
        let starts = (window.index(0, y), window.index(1, y), window.index(2, y))
        return target.withPixels(y) { _, row in
          stage.writePixels(window.samples.span, starts, count: tile.width, into: &row)
        }
      }
      target.rows.copy(window, row: y)
      if let alphaIndex {
        target.rows.setAlpha(source.extraChannels[alphaIndex], conversions[alphaIndex], x: tile.x, y: y)
      }
      try finish(y, source, &target, &budget)
    }
  }

  /// Adds noise to a row, converts its colours, and writes its pixels.
  private func finish(
    _ y: Int, _ source: Source, _ target: inout Target, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    try budget.chargeWork(count: target.region.width * 3, unitsEach: colors.unitsPerSample + 1)
    if let noise, let numbers = source.numbers {
      try budget.chargeWork(count: target.region.width, unitsEach: NoiseStage.unitsPerPixel)
      target.noise?.advance(to: y, numbers)
      let filtered = target.noise?.filtered ?? []
      target.rows.change { first, second, third in noise.add(filtered.span, to: &first, &second, &third) }
    }
    target.rows.convert(colors)
    target.withPixels(y) { rows, pixels in rows.write(output, into: &pixels) }
  }

  /// Adds patches and splines to the filtered samples of a tile, and enlarges them.
  private func renderTile(
    _ tile: PixelRegion, of source: Source, into target: inout Target, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    var region = tile
    if upsampling != nil {
      // Filtered tiles start at multiples of the size of blocks.
      region.x = max(0, tile.x - 8)
      region.y = max(0, tile.y - Upsampling.reach)
      region.width = min(codedSize.width, tile.x + tile.width + Upsampling.reach) - region.x
      region.height = min(codedSize.height, tile.y + tile.height + Upsampling.reach) - region.y
    }
    var part = RenderedFrame(
      PixelSize(width: region.width, height: region.height),
      planes: try tiles.planes(region, of: source.samples, budget: &budget).map { $0.samples })
    for (index, channel) in source.extraChannels.enumerated() {
      try budget.allocate(count: region.width * region.height, bytesEach: 4)
      try budget.chargeWork(count: region.width * region.height, unitsEach: 2)
      part.planes.append(channel.fractions(of: region, conversions[index]))
    }
    try patches?.run(source.additions.placements, on: &part, x: region.x, y: region.y, budget: &budget)
    try splines?.draw(source.additions.dots, on: &part, x: region.x, y: region.y, budget: &budget)
    guard let upsampling else {
      for y in tile.y..<tile.y + tile.height {
        let start = (y - tile.y) * tile.width
        target.rows.copy(part, start: start, alphaPlane: alphaIndex.map { 3 + $0 })
        try finish(y, source, &target, &budget)
      }
      return
    }
    try enlarge(tile, part, PlanePart(region: region, frame: codedSize), upsampling, source, into: &target, &budget)
  }

  /// Enlarges the rows of a tile.
  private func enlarge(
    _ tile: PixelRegion, _ part: RenderedFrame, _ place: PlanePart, _ upsampling: Upsampling, _ source: Source,
    into target: inout Target, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let planes = [0, 1, 2] + (alphaIndex.map { [3 + $0] } ?? [])
    try budget.allocate(count: planes.count, bytesEach: UpsamplingRows.byteCount(width: tile.width))
    var rows = planes.map { _ in UpsamplingRows(columns: tile.x..<tile.x + tile.width) }
    for y in tile.y..<tile.y + tile.height {
      try budget.chargeWork(count: tile.width * planes.count, unitsEach: upsampling.unitsPerSample)
      for index in planes.indices {
        let samples = part.planes[planes[index]]
        rows[index].load(y, samples.span, place)
      }
      for dy in 0..<min(upsampling.factor, size.height - y * upsampling.factor) {
        for index in planes.indices {
          target.rows.replace(index) { row in upsampling.enlarge(rows[index], position: dy, into: &row) }
        }
        try finish(y * upsampling.factor + dy, source, &target, &budget)
      }
    }
  }
}
