// The rows of pixels, on one thread or on several.

internal import ImageCoding
internal import Threading

/// Converts the samples of components to pixels.
struct PixelOutput {
  private let layout: ChannelLayout
  private let size: PixelSize
  private let channels: [ChannelRows]

  /// The number of rows that a thread converts at a time.
  private static let bandHeight = 32
  /// The least number of pixels that are worth a second thread.
  private static let minimumPixelCount = 1 << 16

  /// - Parameters:
  ///   - planes: the components that the channels need.
  ///   - geometry: the image at the resolution of the planes.
  ///   - region: the part of the image that is written; `nil` for the whole image.
  init(
    _ layout: ChannelLayout, _ palette: JP2Header.Palette?, _ planes: [Int: ComponentPlane],
    _ geometry: ImageGeometry, region: PixelRegion?, budget: inout ResourceBudget
  ) throws(CodecError) {
    self.layout = layout
    var area = geometry.area
    if let region {
      let (x, y) = (area.x0 + Int64(region.x), area.y0 + Int64(region.y))
      area = GridArea(x0: x, y0: y, x1: x + Int64(region.width), y1: y + Int64(region.height))
    }
    size = PixelSize(width: Int(clamping: area.width), height: Int(clamping: area.height))
    try budget.allocate(count: size.width, bytesEach: 6 * (layout.colors.count + 1))
    var channels: [ChannelRows] = []
    for channel in layout.colors + [layout.alpha].compactMap({ $0 }) {
      guard let plane = planes[channel.component] else { continue }
      channels.append(ChannelRows(channel, plane, palette, geometry, area))
    }
    self.channels = channels
  }

  /// Writes all rows.
  func write(into bitmap: inout Bitmap, _ context: inout DecodingContext) throws(CodecError) {
    let natural = layout.natural
    var output = try RowOutput(
      natural, size: size, colorSpace: layout.colorSpace, byteOffset: 0, into: &bitmap, &context)
    guard channels.count == natural.samplesPerPixel, size.width > 0 else { return }
    var converter = PixelRowConversion(
      layout.model, channels, width: size.width, maximum: natural.sampleType == .uint8 ? 255 : 65535)
    let threadCount = ParallelRows.threadCount(context.options.parallelism)
    if threadCount > 1, size.width * size.height >= Self.minimumPixelCount {
      return try writeBands(converter, threadCount, natural, &output, into: &bitmap, &context)
    }
    for y in 0..<size.height {
      try context.budget.chargeWork(count: size.width, unitsEach: converter.unitsPerPixel)
      try output.write(into: &bitmap, &context) { converter.convert(row: y, into: &$0) }
    }
  }

  /// Converts bands of rows on several threads, then writes their rows.
  private func writeBands(
    _ converter: PixelRowConversion, _ threadCount: Int, _ natural: PixelFormat, _ output: inout RowOutput,
    into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    let size = size
    let rowByteCount = size.width * natural.bytesPerPixel
    let batchHeight = 4 * threadCount * Self.bandHeight
    for top in stride(from: 0, to: size.height, by: batchHeight) {
      let bottom = min(size.height, top + batchHeight)
      let bands = stride(from: top, to: bottom, by: Self.bandHeight).map { $0..<min(bottom, $0 + Self.bandHeight) }
      let pixels = try parallelResults(count: bands.count, parallelism: threadCount, &context.budget) {
        (index, budget) throws(CodecError) -> [UInt8] in
        try budget.allocate(count: rowByteCount, bytesEach: bands[index].count)
        var rows = PixelRowConversion(converter)
        var pixels = [UInt8](repeating: 0, count: rowByteCount * bands[index].count)
        for y in bands[index] {
          try budget.chargeWork(count: size.width, unitsEach: converter.unitsPerPixel)
          let start = (y - bands[index].lowerBound) * rowByteCount
          var row = pixels.mutableSpan._consumingExtracting(start..<start + rowByteCount)
          rows.convert(row: y, into: &row)
        }
        return pixels
      }
      for band in pixels {
        for start in stride(from: 0, to: band.count, by: rowByteCount) {
          let source = band.span.extracting(start..<start + rowByteCount)
          try output.write(into: &bitmap, &context) { row in
            for index in source.indices { row[index] = source[index] }
          }
        }
        context.budget.release(band.count)
      }
    }
  }
}
