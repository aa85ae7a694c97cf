// Smaller versions of a bitmap by exact area averages.

extension Bitmap {
  /// The image at a size that is smaller or the same in both directions.
  ///
  /// Every new pixel is the average of the area that it covers, in the samples' own space, weighted by alpha and
  /// rounded to nearest. Sides that are not smaller stay as they are.
  public func downscaled(to target: PixelSize) -> Bitmap {
    let size = PixelSize(width: min(max(target.width, 1), width), height: min(max(target.height, 1), height))
    if isEmpty || size == pixelSize { return self }
    var result = Bitmap()
    guard (try? result.reset(width: size.width, height: size.height, format: format, limits: .unlimited)) != nil
    else { return self }
    result.copyTags(from: self)
    var average = AreaAverage(from: self, to: size)
    for y in 0..<size.height {
      average.collect(self, forRow: y)
      var row = result.mutableRow(y)
      average.write(to: &row)
    }
    return result
  }
}

/// Sums of samples over areas. Coordinates are scaled so that both grids have whole ones: a source pixel is as wide as
/// the target has columns, a target pixel as wide as the source has columns. All sums are then exact.
private struct AreaAverage {
  private let source: PixelSize
  private let target: PixelSize
  private let format: PixelFormat
  private let samplesPerPixel: Int
  /// One for each sample of a target row. Colour is multiplied by alpha where alpha is straight.
  private var sums: [UInt64]

  init(from bitmap: Bitmap, to target: PixelSize) {
    source = bitmap.pixelSize
    self.target = target
    format = bitmap.format
    samplesPerPixel = format.samplesPerPixel
    sums = [UInt64](repeating: 0, count: target.width * samplesPerPixel)
  }

  /// Sums up the source rows under a target row.
  mutating func collect(_ bitmap: Bitmap, forRow y: Int) {
    for index in sums.indices { sums[index] = 0 }
    let top = y * source.height
    let bottom = top + source.height
    for sourceY in top / target.height...(bottom - 1) / target.height {
      let covered = min(bottom, (sourceY + 1) * target.height) - max(top, sourceY * target.height)
      add(bitmap.row(sourceY), weight: UInt64(covered))
    }
  }

  /// A source column overlaps one target column, or two where a border lies in it, because it is the narrower one.
  private mutating func add(_ row: Span<UInt8>, weight: UInt64) {
    for sourceX in 0..<source.width {
      let left = sourceX * target.width
      let right = left + target.width
      let x = left / source.width
      let border = min(right, (x + 1) * source.width)
      addPixel(row, at: sourceX, to: x, weight: weight &* UInt64(border - left))
      if border < right { addPixel(row, at: sourceX, to: x + 1, weight: weight &* UInt64(right - border)) }
    }
  }

  private mutating func addPixel(_ row: Span<UInt8>, at sourceX: Int, to x: Int, weight: UInt64) {
    let from = sourceX * samplesPerPixel
    let to = x * samplesPerPixel
    var weight = weight
    if format.alpha == .straight {
      let last = samplesPerPixel - 1
      weight = weight &* sample(row, from + last)
      sums[to + last] &+= weight
      for index in 0..<last { sums[to + index] &+= weight &* sample(row, from + index) }
    } else {
      for index in 0..<samplesPerPixel { sums[to + index] &+= weight &* sample(row, from + index) }
    }
  }

  private func sample(_ row: Span<UInt8>, _ index: Int) -> UInt64 {
    format.bytesPerSample == 1 ? UInt64(row[index]) : UInt64(nativeUInt16(row, at: index * 2))
  }

  /// Writes the averages of the row that was collected.
  func write(to row: inout MutableSpan<UInt8>) {
    let area = UInt64(source.width) &* UInt64(source.height)
    for x in 0..<target.width {
      let from = x * samplesPerPixel
      let last = samplesPerPixel - 1
      let alpha = sums[from + last]
      for index in 0...last {
        let divisor = format.alpha == .straight && index < last ? alpha : area
        let value = divisor == 0 ? 0 : (sums[from + index] &+ divisor / 2) / divisor
        store(value, at: from + index, in: &row)
      }
    }
  }

  private func store(_ value: UInt64, at index: Int, in row: inout MutableSpan<UInt8>) {
    if format.bytesPerSample == 1 {
      row[index] = UInt8(truncatingIfNeeded: value)
    } else {
      storeNativeUInt16(UInt16(truncatingIfNeeded: value), into: &row, at: index * 2)
    }
  }
}
