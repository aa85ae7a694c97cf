// The colours of the filters on a sensor (TIFF/EP; DNG 1.7, CFAPattern).

internal import ImageCoding

/// A pattern of colour filters that repeats: 2 × 2 in any order, or 6 × 6.
struct Mosaic: Hashable {
  /// The number of rows and of columns.
  let period: Int
  /// The index of the colour in the camera's matrices, 0…2, row by row.
  let colors: [UInt8]

  /// Reads the pattern of an image.
  ///
  /// - Throws: `CodecError.Kind.unsupported` for other sizes, layouts and colours.
  init(_ fields: borrowing RawFields) throws(CodecError) {
    let dimensions = fields.integers(.cfaRepeatPatternDim, maximumCount: 2)
    let planes = fields.contains(.cfaPlaneColor) ? fields.integers(.cfaPlaneColor, maximumCount: 4) : [0, 1, 2]
    func unsupported(_ reason: String) -> CodecError {
      CodecError(.unsupported, reason, format: RawFormat.dng.type)
    }
    guard dimensions == [2, 2] || dimensions == [6, 6] else {
      throw unsupported("mosaics of \(dimensions.map { String($0) }.joined(separator: " × ")) are not supported")
    }
    guard fields.integer(.cfaLayout) ?? 1 == 1 else { throw unsupported("staggered mosaics are not supported") }
    period = dimensions[0]
    let pattern = fields.integers(.cfaPattern, maximumCount: period * period)
    guard planes.sorted() == [0, 1, 2], pattern.count == period * period, pattern.allSatisfy({ planes.contains($0) })
    else { throw unsupported("mosaics of other colours than red, green and blue are not supported") }
    colors = pattern.map { UInt8(planes.firstIndex(of: $0) ?? 0) }
    guard Set(colors).count == 3 else { throw unsupported("mosaics without all three colours are not supported") }
    if period == 2, !isBayer { throw unsupported("mosaics of 2 × 2 without two green filters are not supported") }
  }

  /// Returns the colour at a position.
  @inline(__always)
  func color(_ x: Int, _ y: Int) -> Int { Int(colors[y % period * period + x % period]) }

  /// Whether the two green filters are on a diagonal.
  private var isBayer: Bool {
    let isGreen = colors.map { $0 == 1 }
    return isGreen == [true, false, false, true] || isGreen == [false, true, true, false]
  }

  /// The size of blocks of which each contains all colours: half of the period for 6 × 6, which is coarser than binning
  /// by two.
  var binningFactor: Int? {
    if period == 2 { return 2 }
    for top in [0, 3] {
      for left in [0, 3] {
        let block = Set((0..<9).map { color(left + $0 % 3, top + $0 / 3) })
        if block.count < 3 { return nil }
      }
    }
    return 3
  }
}
