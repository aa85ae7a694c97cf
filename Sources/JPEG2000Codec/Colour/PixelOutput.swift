// The rows of pixels: palettes, chroma and depths (ITU-T T.800, I.5.3).

internal import ImageCoding

/// Converts the samples of components to pixels.
struct PixelOutput {
  private let layout: ChannelLayout
  private let size: PixelSize
  private var channels: [ChannelRows] = []

  /// - Parameters:
  ///   - planes: the components that the channels need.
  ///   - geometry: the image at the resolution of the planes.
  ///   - region: the part of the image that is written; `nil` for the whole image.
  init(
    _ layout: ChannelLayout, _ palette: JP2Header.Palette?, _ planes: [Int: ComponentPlane],
    _ geometry: ImageGeometry, region: PixelRegion?
  ) {
    self.layout = layout
    var area = geometry.area
    if let region {
      let (x, y) = (area.x0 + Int64(region.x), area.y0 + Int64(region.y))
      area = GridArea(x0: x, y0: y, x1: x + Int64(region.width), y1: y + Int64(region.height))
    }
    size = PixelSize(width: Int(clamping: area.width), height: Int(clamping: area.height))
    for channel in layout.colors + [layout.alpha].compactMap({ $0 }) {
      guard let plane = planes[channel.component] else { continue }
      channels.append(ChannelRows(channel, plane, palette, geometry, area))
    }
  }

  /// Writes all rows.
  mutating func write(into bitmap: inout Bitmap, _ context: inout DecodingContext) throws(CodecError) {
    let natural = layout.natural
    var output = try RowOutput(
      natural, size: size, colorSpace: layout.colorSpace, byteOffset: 0, into: &bitmap, &context)
    guard channels.count == natural.samplesPerPixel, size.width > 0 else { return }
    try context.budget.allocate(count: size.width, bytesEach: channels.count * 6)
    let maximum = natural.sampleType == .uint8 ? 255 : 65535
    for index in channels.indices { channels[index].prepare(width: size.width, maximum: maximum) }
    for y in 0..<size.height {
      try context.budget.chargeWork(size.width * channels.count)
      for index in channels.indices { channels[index].load(row: y) }
      if layout.model == .yCbCr { convertChroma() }
      let count = channels.count
      try output.write(into: &bitmap, &context) { pixels in
        for index in 0..<count { channels[index].store(into: &pixels, offset: index, step: count, maximum: maximum) }
      }
    }
  }

  /// Converts luma and chroma of ITU-R BT.601 with full range to red, green and blue.
  private mutating func convertChroma() {
    let maximum = Float(channels[0].maximum)
    let (blueScale, redScale) = (maximum / Float(channels[1].maximum), maximum / Float(channels[2].maximum))
    let (blueHalf, redHalf) = (Float(channels[1].half), Float(channels[2].half))
    for x in 0..<size.width {
      let y = Float(channels[0].samples[x])
      let cb = (Float(channels[1].samples[x]) - blueHalf) * blueScale
      let cr = (Float(channels[2].samples[x]) - redHalf) * redScale
      channels[0].samples[x] = Self.clamp(y + 1.402 * cr, maximum)
      channels[1].samples[x] = Self.clamp(y - 0.344136 * cb - 0.714136 * cr, maximum)
      channels[2].samples[x] = Self.clamp(y + 1.772 * cb, maximum)
    }
    channels[1].adoptDepth(of: channels[0])
    channels[2].adoptDepth(of: channels[0])
  }

  private static func clamp(_ value: Float, _ maximum: Float) -> UInt16 {
    UInt16(max(0, min(value, maximum)) + 0.5)
  }
}

/// The rows of a channel at the size of the image.
private struct ChannelRows {
  private let channel: ChannelLayout.Channel
  private let plane: ComponentPlane
  private let palette: JP2Header.Palette?
  private let geometry: ImageGeometry
  private let area: GridArea
  /// The number of bits of samples.
  private var depth: Int
  /// The column of the plane for each pixel.
  private var columns: [Int32] = []
  /// The samples of the current row.
  var samples: [UInt16] = []
  /// The outputs for all values of a sample; empty if they are the same.
  private var scaled: [UInt16] = []
  private var scaledDepth = 0

  init(
    _ channel: ChannelLayout.Channel, _ plane: ComponentPlane, _ palette: JP2Header.Palette?,
    _ geometry: ImageGeometry, _ area: GridArea
  ) {
    self.geometry = geometry
    self.channel = channel
    self.plane = plane
    self.palette = channel.column == nil ? nil : palette
    self.area = area
    depth = channel.depth
  }

  var maximum: Int { 1 << depth - 1 }
  var half: Int { 1 << (depth - 1) }

  mutating func adoptDepth(of other: ChannelRows) {
    depth = other.depth
    scale(to: scaledMaximum)
  }

  private var scaledMaximum = 255

  mutating func prepare(width: Int, maximum: Int) {
    samples = [UInt16](repeating: 0, count: width)
    columns = (0..<width).map {
      Int32(clamping: index((area.x0 + Int64($0)) * geometry.dx, plane.dx, plane.area.x0, plane.width))
    }
    scaledMaximum = maximum
    scale(to: maximum)
  }

  /// Calculates the table of outputs unless it exists.
  private mutating func scale(to target: Int) {
    guard scaledDepth != depth else { return }
    scaledDepth = depth
    let maximum = self.maximum
    scaled = maximum == target ? [] : (0...maximum).map { UInt16(($0 * target + maximum / 2) / maximum) }
  }

  /// The index of the sample that a pixel shows: the one at its position or before.
  private func index(_ position: Int64, _ distance: Int, _ start: Int64, _ count: Int) -> Int {
    max(0, min(Int(clamping: position / Int64(distance) - start), count - 1))
  }

  mutating func load(row y: Int) {
    guard plane.width > 0, plane.height > 0 else { return }
    let start = index((area.y0 + Int64(y)) * geometry.dy, plane.dy, plane.area.y0, plane.height) * plane.width
    // Moved out, so that the other properties can be read at the same time.
    var row = samples
    samples = []
    defer { samples = row }
    let source = plane.samples.span.extracting(start..<start + plane.width)
    let columns = columns.span
    var target = row.mutableSpan
    guard let palette, let column = channel.column else {
      for x in target.indices { target[x] = source[Int(columns[x])] }
      return
    }
    let values = palette.values.span
    let (count, last) = (palette.columns.count, palette.entryCount - 1)
    for x in target.indices {
      target[x] = values[min(Int(source[Int(columns[x])]), last) &* count &+ column]
    }
  }

  /// Writes the row to every `step`th sample of pixels.
  func store(into pixels: inout MutableSpan<UInt8>, offset: Int, step: Int, maximum: Int) {
    let samples = samples.span
    if maximum == 255 {
      if scaled.isEmpty {
        for x in samples.indices { pixels[x &* step &+ offset] = UInt8(truncatingIfNeeded: samples[x]) }
      } else {
        let table = scaled.span
        for x in samples.indices { pixels[x &* step &+ offset] = UInt8(truncatingIfNeeded: table[Int(samples[x])]) }
      }
    } else {
      let table = scaled.span
      for x in samples.indices {
        let value = scaled.isEmpty ? samples[x] : table[Int(samples[x])]
        storeNativeUInt16(value, into: &pixels, at: (x &* step &+ offset) &* 2)
      }
    }
  }
}
