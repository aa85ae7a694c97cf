// Access to rows of pixels as spans, and to all of them as bytes.

extension Bitmap {
  /// All bytes, row by row; rows start ``bytesPerRow`` bytes apart.
  public var pixels: Span<UInt8> {
    @_lifetime(borrow self)
    get { storage.span }
  }

  /// All bytes as a mutable span, row by row; rows start ``bytesPerRow`` bytes apart.
  public var mutablePixels: MutableSpan<UInt8> {
    @_lifetime(&self)
    mutating get { storage.mutableSpan }
  }

  /// The bytes of one row, without padding. 16-bit samples are native-endian. The span is valid while the bitmap is
  /// borrowed.
  ///
  /// - Precondition: `y` is in `0..<height`, as for the other functions that return rows.
  @_lifetime(borrow self)
  public func row(_ y: Int) -> Span<UInt8> {
    precondition(heldRows.contains(y), "the row is out of range")
    let start = (y - heldRows.lowerBound) * bytesPerRow
    return storage.span.extracting(start..<start + width * format.bytesPerPixel)
  }

  /// The bytes of one row as a mutable span, without padding. The span is valid while the bitmap is mutably borrowed.
  @_lifetime(&self)
  public mutating func mutableRow(_ y: Int) -> MutableSpan<UInt8> {
    precondition(heldRows.contains(y), "the row is out of range")
    let start = (y - heldRows.lowerBound) * bytesPerRow
    return storage.mutableSpan._consumingExtracting(start..<start + width * format.bytesPerPixel)
  }

  /// The samples of one row in a 16-bit format, or their bits if they are floating-point numbers.
  ///
  /// - Precondition: samples have 16 bits.
  @_lifetime(borrow self)
  public func row16(_ y: Int) -> Span<UInt16> {
    precondition(format.bytesPerSample == 2, "samples have \(format.bitsPerSample) bits, not 16")
    return samples16(of: row(y))
  }

  /// Calls a closure that writes the samples of one row in a 16-bit format, or their bits if they are floating-point
  /// numbers.
  ///
  /// - Precondition: samples have 16 bits.
  public mutating func withMutableRow16<Result, Failure: Error>(
    _ y: Int, _ body: (inout MutableSpan<UInt16>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(format.bytesPerSample == 2, "samples have \(format.bitsPerSample) bits, not 16")
    var row = mutableRow(y)
    return try withMutableSamples16(of: &row, body)
  }

  /// All bytes as an array that shares the bitmap's storage, row by row; rows start ``bytesPerRow`` bytes apart. An
  /// array can be passed to C functions as a pointer, and to `Data.init`.
  public var bytes: [UInt8] { storage }

  /// All bytes without padding, row by row.
  public var packedPixels: [UInt8] {
    let rowLength = width * format.bytesPerPixel
    if rowLength == bytesPerRow { return storage }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(rowLength * height)
    for y in 0..<height {
      bytes.append(contentsOf: storage[y * bytesPerRow..<y * bytesPerRow + rowLength])
    }
    return bytes
  }

  /// Whether every pixel is opaque. Examines every pixel if the format has alpha.
  public func isFullyOpaque() -> Bool {
    guard format.hasAlpha, !isEmpty else { return true }
    return (0..<height).allSatisfy { y in
      switch format.sampleType {
      case .uint8: hasFullAlpha(row(y)) { row, index in row[index] == 255 }
      case .uint16: hasFullAlpha(row(y)) { row, index in nativeUInt16(row, at: index * 2) == 65535 }
      case .float16: hasFullAlpha(row(y)) { row, index in Float16Samples.loadFloat(row, index) >= 1 }
      case .float32: hasFullAlpha(row(y)) { row, index in Float32Samples.loadFloat(row, index) >= 1 }
      }
    }
  }

  @inline(__always)
  private func hasFullAlpha(_ row: Span<UInt8>, _ isFull: (Span<UInt8>, Int) -> Bool) -> Bool {
    let step = format.samplesPerPixel
    var index = step - 1
    let end = width * step
    while index < end {
      if !isFull(row, index) { return false }
      index += step
    }
    return true
  }

  /// Copies the rows of a picture of equal width and format, as far as they fit.
  package mutating func copyRows(of picture: Bitmap) {
    for y in 0..<min(picture.height, height) {
      var target = mutableRow(y)
      let source = picture.row(y)
      copyBytes(source.extracting(first: target.count), into: &target)
    }
  }
}
