// The rows of a channel: those of its component or of a column of the palette, at the size of the image.

internal import ImageCoding

/// The rows of a channel at the size of the image.
struct ChannelRows: Sendable {
  private let channel: ChannelLayout.Channel
  private let plane: ComponentPlane
  private let palette: JP2Header.Palette?
  private let geometry: ImageGeometry
  private let area: GridArea
  /// The column of the plane for each pixel; empty if they are the same.
  private let columns: [Int32]

  init(
    _ channel: ChannelLayout.Channel, _ plane: ComponentPlane, _ palette: JP2Header.Palette?,
    _ geometry: ImageGeometry, _ area: GridArea
  ) {
    self.geometry = geometry
    self.channel = channel
    self.plane = plane
    self.palette = channel.column == nil ? nil : palette
    self.area = area
    let columns = (0..<Int(clamping: area.width)).map {
      Int32(
        clamping: Self.index((area.x0 + Int64($0)) * geometry.dx, plane.dx, plane.area.x0, plane.width))
    }
    let isIdentity = columns.count == plane.width && columns.indices.allSatisfy { columns[$0] == Int32(clamping: $0) }
    self.columns = isIdentity ? [] : columns
  }

  /// The largest sample.
  var maximum: Int { 1 << channel.depth - 1 }
  /// The sample in the middle.
  var half: Int { 1 << (channel.depth - 1) }

  /// The index of the sample that a pixel shows: the one at its position or before.
  private static func index(_ position: Int64, _ distance: Int, _ start: Int64, _ count: Int) -> Int {
    max(0, min(Int(clamping: position / Int64(distance) - start), count - 1))
  }

  /// Reads the samples of a row.
  func load(row y: Int, into target: inout [UInt16]) {
    guard plane.width > 0, plane.height > 0 else { return }
    let row = Self.index((area.y0 + Int64(y)) * geometry.dy, plane.dy, plane.area.y0, plane.height)
    let (strip, range) = plane.row(row)
    let source = strip.span.extracting(range)
    var target = target.mutableSpan
    guard let palette, let column = channel.column else {
      if columns.isEmpty {
        let source = source.extracting(0..<target.count)
        for x in target.indices { target[x] = source[x] }
      } else {
        let columns = columns.span
        for x in target.indices { target[x] = source[Int(columns[x])] }
      }
      return
    }
    let values = palette.values.span
    let (count, last) = (palette.columns.count, palette.entryCount - 1)
    for x in target.indices {
      let index = columns.isEmpty ? x : Int(columns[x])
      target[x] = values[min(Int(source[index]), last) &* count &+ column]
    }
  }
}
