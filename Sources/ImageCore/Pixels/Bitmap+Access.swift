// Reading and writing pixels: rows as spans for speed, single pixels as values for tests and tools.

extension Bitmap {
  /// All bytes, row after row, ``bytesPerRow`` apart.
  public var pixels: Span<UInt8> {
    @_lifetime(borrow self)
    get { storage.span }
  }

  /// All bytes, row after row, ``bytesPerRow`` apart, to be written.
  public var mutablePixels: MutableSpan<UInt8> {
    @_lifetime(&self)
    mutating get { storage.mutableSpan }
  }

  /// The bytes of one row, without padding. 16-bit samples are native-endian.
  @_lifetime(borrow self)
  public func row(_ y: Int) -> Span<UInt8> {
    precondition(y >= 0 && y < height, "row out of range")
    return storage.span.extracting(y * bytesPerRow..<y * bytesPerRow + width * format.bytesPerPixel)
  }

  /// The bytes of one row, without padding, to be written.
  @_lifetime(&self)
  public mutating func mutableRow(_ y: Int) -> MutableSpan<UInt8> {
    precondition(y >= 0 && y < height, "row out of range")
    return storage.mutableSpan._consumingExtracting(
      y * bytesPerRow..<y * bytesPerRow + width * format.bytesPerPixel)
  }

  /// The samples of one row of a 16-bit format.
  @_lifetime(borrow self)
  public func row16(_ y: Int) -> Span<UInt16> {
    precondition(format.bitsPerSample == 16, "the samples have \(format.bitsPerSample) bits")
    return samples16(of: row(y))
  }

  /// The bytes without padding, row after row.
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

  /// Whether every pixel's alpha is full. Looks at every pixel of a format that has alpha.
  public func isFullyOpaque() -> Bool {
    guard format.hasAlpha else { return true }
    let step = format.bytesPerPixel
    for y in 0..<height {
      let row = row(y)
      var index = step - format.bytesPerSample
      while index < row.count {
        if row[index] != 255 || row[row.count > index + 1 && format.bytesPerSample == 2 ? index + 1 : index] != 255 {
          return false
        }
        index += step
      }
    }
    return true
  }

  /// Copies all rows of a picture of the same width and format, as far as there is room below `top`.
  package mutating func copyRows(of picture: Bitmap, toRow top: Int) {
    for y in 0..<max(0, min(picture.height, height - top)) {
      let source = picture.row(y)
      var target = mutableRow(top + y)
      for index in 0..<min(source.count, target.count) { target[index] = source[index] }
    }
  }

  /// One pixel as straight-alpha RGBA of 8 bits, converted as ``converted(to:)`` does. Slow: for tests and tools.
  public subscript(x: Int, y: Int) -> RGBA8 {
    precondition(x >= 0 && x < width, "column out of range")
    let pixel = row(y).extracting(x * format.bytesPerPixel..<(x + 1) * format.bytesPerPixel)
    var converter = PixelRowConverter(from: format, to: .rgba8)
    var samples: [UInt8] = [0, 0, 0, 0]
    var output = samples.mutableSpan
    converter.convert(pixel, into: &output)
    return RGBA8(red: samples[0], green: samples[1], blue: samples[2], alpha: samples[3])
  }
}

/// A colour of four 8-bit samples with straight alpha.
public struct RGBA8: Hashable, Sendable {
  /// Red, 0…255.
  public var red: UInt8
  /// Green, 0…255.
  public var green: UInt8
  /// Blue, 0…255.
  public var blue: UInt8
  /// Alpha, 0 (transparent) … 255 (opaque).
  public var alpha: UInt8

  /// Creates a colour.
  public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }
}
