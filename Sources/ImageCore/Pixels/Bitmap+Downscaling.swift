// Downscaling of bitmaps by exact area averages.

extension Bitmap {
  /// Returns the image at a size that is smaller or equal in both dimensions.
  ///
  /// Each new pixel is the average of the area it covers, computed on the samples as stored, weighted by alpha and
  /// rounded to nearest. A dimension that would grow is left as it is.
  public func downscaled(to target: PixelSize) -> Bitmap {
    let size = PixelSize(width: min(max(target.width, 1), width), height: min(max(target.height, 1), height))
    if isEmpty || size == pixelSize { return self }
    var result = Bitmap()
    guard (try? result.reset(width: size.width, height: size.height, format: format, limits: .unlimited)) != nil
    else { return self }
    result.copyTags(from: self)
    if format.sampleType.isFloatingPoint {
      average(into: &result, Double.self)
    } else {
      average(into: &result, UInt64.self)
    }
    return result
  }

  private func average<Sum: AreaSum>(into result: inout Bitmap, _ sum: Sum.Type) {
    var average = AreaAverage<Sum>(from: self, to: result.pixelSize)
    for y in 0..<result.height {
      average.collect(self, forRow: y)
      var row = result.mutableRow(y)
      average.write(to: &row)
    }
  }
}

/// The type of sums of samples: exact integers, or floating-point numbers.
private protocol AreaSum: Numeric {
  init(count: Int)
  /// Loads a sample from a row of the given type.
  static func load(_ row: Span<UInt8>, _ index: Int, _ type: SampleType) -> Self
  /// Stores the quotient of two sums; 0 if the divisor is 0.
  static func store(
    _ dividend: Self, dividedBy divisor: Self, _ row: inout MutableSpan<UInt8>, _ index: Int, _ type: SampleType)
}

extension UInt64: AreaSum {
  init(count: Int) { self.init(count) }

  @inline(__always)
  static func load(_ row: Span<UInt8>, _ index: Int, _ type: SampleType) -> UInt64 {
    UInt64(type == .uint8 ? UInt8Samples.load(row, index) : UInt16Samples.load(row, index))
  }

  @inline(__always)
  static func store(
    _ dividend: UInt64, dividedBy divisor: UInt64, _ row: inout MutableSpan<UInt8>, _ index: Int, _ type: SampleType
  ) {
    let value = UInt32(truncatingIfNeeded: divisor == 0 ? 0 : (dividend &+ divisor / 2) / divisor)
    if type == .uint8 { UInt8Samples.store(value, &row, index) } else { UInt16Samples.store(value, &row, index) }
  }
}

extension Double: AreaSum {
  init(count: Int) { self.init(count) }

  @inline(__always)
  static func load(_ row: Span<UInt8>, _ index: Int, _ type: SampleType) -> Double {
    Double(type == .float16 ? Float16Samples.loadFloat(row, index) : Float32Samples.loadFloat(row, index))
  }

  @inline(__always)
  static func store(
    _ dividend: Double, dividedBy divisor: Double, _ row: inout MutableSpan<UInt8>, _ index: Int, _ type: SampleType
  ) {
    let value = divisor == 0 ? 0 : Float(dividend / divisor)
    if type == .float16 { Float16Samples.store(value, &row, index) } else { Float32Samples.store(value, &row, index) }
  }
}

/// Sums samples over areas. Coordinates are scaled so that the boundaries of both grids are integers: the width of a
/// source pixel is the number of target columns, and vice versa. All sums of integers are therefore exact.
private struct AreaAverage<Sum: AreaSum> {
  private let source: PixelSize
  private let target: PixelSize
  private let format: PixelFormat
  private let samplesPerPixel: Int
  /// One sum per sample of a target row. Colour is multiplied by alpha if alpha is straight.
  private var sums: [Sum]

  init(from bitmap: Bitmap, to target: PixelSize) {
    source = bitmap.pixelSize
    self.target = target
    format = bitmap.format
    samplesPerPixel = format.samplesPerPixel
    sums = [Sum](repeating: Sum.zero, count: target.width * samplesPerPixel)
  }

  /// Sums the source rows covered by a target row.
  mutating func collect(_ bitmap: Bitmap, forRow y: Int) {
    for index in sums.indices { sums[index] = Sum.zero }
    // Products of both sizes, which 32 bits need not hold.
    let (height, top) = (Int64(target.height), Int64(y) * Int64(source.height))
    let bottom = top + Int64(source.height)
    for sourceY in top / height...(bottom - 1) / height {
      let covered = min(bottom, (sourceY + 1) * height) - max(top, sourceY * height)
      add(bitmap.row(Int(sourceY)), weight: Sum(count: Int(covered)))
    }
  }

  /// A source column is no wider than a target column, so it overlaps one target column, or two if a boundary falls
  /// within it.
  private mutating func add(_ row: Span<UInt8>, weight: Sum) {
    let (sourceWidth, targetWidth) = (Int64(source.width), Int64(target.width))
    for sourceX in 0..<source.width {
      let left = Int64(sourceX) * targetWidth
      let right = left + targetWidth
      let x = left / sourceWidth
      let border = min(right, (x + 1) * sourceWidth)
      addPixel(row, at: sourceX, to: Int(x), weight: weight * Sum(count: Int(border - left)))
      if border < right { addPixel(row, at: sourceX, to: Int(x) + 1, weight: weight * Sum(count: Int(right - border))) }
    }
  }

  private mutating func addPixel(_ row: Span<UInt8>, at sourceX: Int, to x: Int, weight: Sum) {
    let from = sourceX * samplesPerPixel
    let to = x * samplesPerPixel
    var weight = weight
    if format.alpha == .straight {
      let last = samplesPerPixel - 1
      weight = weight * sample(row, from + last)
      sums[to + last] += weight
      for index in 0..<last { sums[to + index] += weight * sample(row, from + index) }
    } else {
      for index in 0..<samplesPerPixel { sums[to + index] += weight * sample(row, from + index) }
    }
  }

  private func sample(_ row: Span<UInt8>, _ index: Int) -> Sum {
    Sum.load(row, index, format.sampleType)
  }

  /// Writes the averages of the collected row.
  func write(to row: inout MutableSpan<UInt8>) {
    let area = Sum(count: source.width) * Sum(count: source.height)
    for x in 0..<target.width {
      let from = x * samplesPerPixel
      let last = samplesPerPixel - 1
      let alpha = sums[from + last]
      for index in 0...last {
        let divisor = format.alpha == .straight && index < last ? alpha : area
        Sum.store(sums[from + index], dividedBy: divisor, &row, from + index, format.sampleType)
      }
    }
  }
}
