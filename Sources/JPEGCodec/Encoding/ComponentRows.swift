// Converts rows of pixels to rows of samples, one row of MCUs at a time: colours are converted, chroma is averaged, and
// edges are repeated up to whole blocks. Which samples are repeated, and in which order, follows libjpeg (jcprepct.c,
// jcsample.c).

internal import ImageCoding
internal import PixelPlanes

/// The samples of the row of MCUs being filled.
struct ComponentRows {
  private let frame: EncodingFrame
  /// For each component, the rows of one row of MCUs, `sampleWidth` wide.
  private(set) var bands: [[UInt8]]
  /// For subsampled components, the rows of the picture that are averaged to one row of samples.
  private var groups: [[UInt8]]
  /// The distance between rows of a group, in samples.
  private let groupStrides: [Int]
  /// The number of rows of the picture in the band.
  private(set) var rowCount = 0
  private var pixels: PixelSource
  /// Receives the unneeded planes of a conversion that produces three.
  private var discarded: [UInt8] = []
  /// A row of inks as 8-bit samples; empty where rows have these already.
  private var inkRow: [UInt8] = []

  /// Allocates empty rows and charges the memory.
  init(
    _ frame: EncodingFrame, format: PixelFormat, background: RGBA8, budget: inout ResourceBudget
  ) throws(CodecError) {
    self.frame = frame
    pixels = PixelSource(format, width: frame.width, transform: frame.transform, background: background)
    bands = []
    groups = []
    var strides: [Int] = []
    for component in frame.components {
      let bandByteCount = component.sampleWidth * component.verticalFactor * 8
      let isReduced = component.columnRatio > 1 || component.rowRatio > 1
      let stride = component.sampleWidth * component.columnRatio
      let groupByteCount = isReduced ? stride * component.rowRatio : 0
      try budget.allocate(count: bandByteCount + groupByteCount, bytesEach: 1)
      bands.append(budget.bufferPool.buffer(bandByteCount))
      groups.append(budget.bufferPool.buffer(groupByteCount))
      strides.append(stride)
    }
    groupStrides = strides
    if frame.transform == .gray { discarded = [UInt8](repeating: 0, count: frame.width) }
    if format.colorModel == .cmyk, !format.hasAlpha, format != .cmyk8 {
      try budget.allocate(count: frame.width, bytesEach: 4)
      inkRow = [UInt8](repeating: 0, count: frame.width * 4)
    }
  }

  /// Returns the buffers to the pool.
  mutating func recycleBuffers(_ pool: BufferPool?) {
    for index in bands.indices {
      pool.recycle(&bands[index])
      pool.recycle(&groups[index])
    }
  }

  /// Whether the row of MCUs is complete.
  var isFull: Bool { rowCount == frame.mcuHeight }

  /// Adds a row of pixels.
  mutating func append(_ row: Span<UInt8>) {
    let y = rowCount
    rowCount += 1
    switch frame.transform {
    case .gray: appendGray(row, y)
    case .yCbCr, .ycck: appendColors(row, y)
    case .cmyk, .rgb: break
    }
    if frame.transform == .cmyk || frame.transform == .ycck { convertInks(row, y) }
    for index in frame.components.indices { finishRow(y, component: index) }
  }

  /// Repeats the last row until the row of MCUs is complete.
  mutating func pad() {
    let rowRatio = frame.maximumVerticalFactor
    // Repeat the rows of the picture up to a whole row of samples, then the rows of samples.
    let groupEnd = (rowCount + rowRatio - 1) / rowRatio * rowRatio
    for (index, component) in frame.components.enumerated() {
      let isReduced = groups[index].count > 0
      if isReduced, component.rowRatio > 1, rowCount < groupEnd {
        let stride = groupStrides[index]
        let last = (rowCount - 1) % component.rowRatio
        var group: [UInt8] = []
        swap(&group, &groups[index])
        for y in last + 1..<component.rowRatio { repeatRow(&group, from: last * stride, to: y * stride, count: stride) }
        swap(&group, &groups[index])
        downsample(component: index, toRow: (rowCount - 1) / component.rowRatio)
      }
      let stride = component.sampleWidth
      let filled = isReduced ? groupEnd / component.rowRatio : rowCount
      var band: [UInt8] = []
      swap(&band, &bands[index])
      for y in filled..<component.verticalFactor * 8 {
        repeatRow(&band, from: (filled - 1) * stride, to: y * stride, count: stride)
      }
      swap(&band, &bands[index])
    }
    rowCount = frame.mcuHeight
  }

  /// Begins the next row of MCUs.
  mutating func clear() { rowCount = 0 }
}

// MARK: Colours

extension ComponentRows {
  /// The location where a row of a component is written: its band or its group.
  private func target(_ index: Int, _ y: Int) -> (isGroup: Bool, start: Int) {
    let component = frame.components[index]
    if groups[index].isEmpty { return (false, y * component.sampleWidth) }
    return (true, y % component.rowRatio * groupStrides[index])
  }

  private mutating func take(_ index: Int) -> [UInt8] {
    var rows: [UInt8] = []
    if groups[index].isEmpty { swap(&rows, &bands[index]) } else { swap(&rows, &groups[index]) }
    return rows
  }

  private mutating func putBack(_ rows: consuming [UInt8], _ index: Int, isGroup: Bool) {
    if isGroup { groups[index] = rows } else { bands[index] = rows }
  }

  private mutating func appendGray(_ row: Span<UInt8>, _ y: Int) {
    let start = target(0, y).start
    var luma = take(0)
    var unusedCb = discarded
    var unusedCr = discarded
    var lumaRow = luma.mutableSpan
    var target = lumaRow._mutatingExtracting(start..<start + frame.width)
    if pixels.isGray {
      pixels.copyGray(row, into: &target)
    } else {
      var cb = unusedCb.mutableSpan
      var cr = unusedCr.mutableSpan
      pixels.separate(row, luma: &target, cb: &cb, cr: &cr)
    }
    putBack(luma, 0, isGroup: false)
  }

  private mutating func appendColors(_ row: Span<UInt8>, _ y: Int) {
    let places = (target(0, y), target(1, y), target(2, y))
    let width = frame.width
    var first = take(0)
    var second = take(1)
    var third = take(2)
    var firstRows = first.mutableSpan
    var secondRows = second.mutableSpan
    var thirdRows = third.mutableSpan
    var luma = firstRows._mutatingExtracting(places.0.start..<places.0.start + width)
    var cb = secondRows._mutatingExtracting(places.1.start..<places.1.start + width)
    var cr = thirdRows._mutatingExtracting(places.2.start..<places.2.start + width)
    pixels.separate(row, luma: &luma, cb: &cb, cr: &cr)
    putBack(first, 0, isGroup: places.0.isGroup)
    putBack(second, 1, isGroup: places.1.isGroup)
    putBack(third, 2, isGroup: places.2.isGroup)
  }

  /// Appends inverted inks: all four, or only black after YCC.
  /// Adds the inks of a row, rounded to 8 bits where they have other samples.
  private mutating func convertInks(_ row: Span<UInt8>, _ y: Int) {
    guard !inkRow.isEmpty else { return appendInks(row, y) }
    var inks: [UInt8] = []
    swap(&inks, &inkRow)
    var output = inks.mutableSpan
    pixels.copyInks(row, into: &output)
    appendInks(inks.span, y)
    swap(&inks, &inkRow)
  }

  private mutating func appendInks(_ row: Span<UInt8>, _ y: Int) {
    let isYCCK = frame.transform == .ycck
    for ink in (isYCCK ? 3 : 0)..<4 {
      let start = target(ink, y).start
      var samples = take(ink)
      var rows = samples.mutableSpan
      for x in 0..<frame.width { rows[start &+ x] = ~row[4 &* x &+ ink] }
      putBack(samples, ink, isGroup: false)
    }
  }
}

// MARK: Edges and averages

extension ComponentRows {
  /// Repeats the last sample of a row, and averages a group once it is complete.
  private mutating func finishRow(_ y: Int, component index: Int) {
    let component = frame.components[index]
    let place = target(index, y)
    let stride = place.isGroup ? groupStrides[index] : component.sampleWidth
    if stride > frame.width {
      var rows = take(index)
      var samples = rows.mutableSpan
      let last = samples[place.start + frame.width - 1]
      for x in place.start + frame.width..<place.start + stride { samples[x] = last }
      putBack(rows, index, isGroup: place.isGroup)
    }
    if place.isGroup, (y + 1) % component.rowRatio == 0 { downsample(component: index, toRow: y / component.rowRatio) }
  }

  private mutating func downsample(component index: Int, toRow row: Int) {
    let component = frame.components[index]
    let stride = groupStrides[index]
    let count = component.sampleWidth
    let samples = groups[index]
    let group = samples.span
    var band: [UInt8] = []
    swap(&band, &bands[index])
    var rows = band.mutableSpan
    var output = rows._mutatingExtracting(row * count..<(row + 1) * count)
    switch (component.columnRatio, component.rowRatio) {
    case (2, 1): halveColumns(group, count: count, into: &output)
    case (2, 2):
      halveBoth(group.extracting(0..<stride), group.extracting(stride..<2 * stride), count: count, into: &output)
    default:
      average(group, component, stride: stride, into: &output)
    }
    swap(&band, &bands[index])
  }

  /// Averages any whole number of columns and rows, rounding to nearest.
  private func average(
    _ group: Span<UInt8>, _ component: EncodingFrame.Component, stride: Int, into output: inout MutableSpan<UInt8>
  ) {
    let (columns, rows) = (component.columnRatio, component.rowRatio)
    let area = UInt32(truncatingIfNeeded: columns * rows)
    for x in output.indices {
      var sum: UInt32 = area / 2
      for row in 0..<rows {
        for column in 0..<columns { sum &+= UInt32(group[row &* stride &+ x &* columns &+ column]) }
      }
      output[x] = UInt8(truncatingIfNeeded: sum / area)
    }
  }
}

private func repeatRow(_ samples: inout [UInt8], from source: Int, to target: Int, count: Int) {
  var rows = samples.mutableSpan
  for x in 0..<count { rows[target &+ x] = rows[source &+ x] }
}
