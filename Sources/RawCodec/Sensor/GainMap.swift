// A grid of gains that corrects the shading of a lens (DNG 1.7, GainMap).

internal import ImageCoding

/// Gains between which values are interpolated bilinearly.
struct GainMap {
  private let rowCount: Int
  private let columnCount: Int
  private let planeCount: Int
  /// The gains, row by row, point by point, plane by plane.
  private let gains: [Float]
  /// The position of a pixel in the grid is `pixel · scale + offset`, in points.
  private let scaleX: Float
  private let offsetX: Float
  private let scaleY: Float
  private let offsetY: Float

  /// Reads a map.
  ///
  /// - Parameter size: the size of the picture, of which positions in the map are fractions.
  init(parsing reader: inout ByteReader, size: PixelSize) throws(CodecError) {
    rowCount = Int(clamping: try reader.readUInt32BigEndian())
    columnCount = Int(clamping: try reader.readUInt32BigEndian())
    let spacingY = try reader.readDouble()
    let spacingX = try reader.readDouble()
    let originY = try reader.readDouble()
    let originX = try reader.readDouble()
    planeCount = Int(clamping: try reader.readUInt32BigEndian())
    let limit = reader.remaining / 4
    guard rowCount > 0, columnCount > 0, planeCount > 0, rowCount <= limit, columnCount <= limit / rowCount,
      planeCount <= limit / rowCount / columnCount
    else { throw reader.error(.malformed, "a gain map is empty or incomplete") }
    // A row of the map is interpolated for each row of the picture.
    guard columnCount <= max(size.width, 2) else {
      throw reader.error(.malformed, "a gain map has more columns than the picture")
    }
    func axis(_ count: Int, _ spacing: Double, _ origin: Double, _ length: Int) -> (Float, Float) {
      guard count > 1, spacing > 0 else { return (0, 0) }
      return (Float(1 / spacing / Double(length)), Float((0.5 / Double(length) - origin) / spacing))
    }
    (scaleX, offsetX) = axis(columnCount, spacingX, originX, size.width)
    (scaleY, offsetY) = axis(rowCount, spacingY, originY, size.height)
    var gains: [Float] = []
    gains.reserveCapacity(rowCount * columnCount * planeCount)
    for _ in 0..<rowCount * columnCount * planeCount {
      let gain = Float(bitPattern: try reader.readUInt32BigEndian())
      gains.append(gain.isFinite ? min(max(gain, 0), 1_000) : 1)
    }
    self.gains = gains
  }

  /// Returns the gains of a row of the grid at a height of the picture, interpolated between two rows.
  func row(_ y: Int, plane: Int) -> [Float] {
    let (first, weight) = Self.position(Float(y) * scaleY + offsetY, count: rowCount)
    let second = min(first + 1, rowCount - 1)
    let plane = min(plane, planeCount - 1)
    return (0..<columnCount).map { column in
      let upper = gains[(first * columnCount + column) * planeCount + plane]
      let lower = gains[(second * columnCount + column) * planeCount + plane]
      return upper + (lower - upper) * weight
    }
  }

  /// Returns the gain of a column between the gains of a row of the grid.
  func gain(_ row: Span<Float>, x: Int) -> Float {
    let (first, weight) = Self.position(Float(x) * scaleX + offsetX, count: columnCount)
    return row[first] + (row[min(first + 1, columnCount - 1)] - row[first]) * weight
  }

  private static func position(_ value: Float, count: Int) -> (index: Int, weight: Float) {
    let clamped = value.limited(to: Float(count - 1))
    let index = min(Int(clamped), count - 1)
    return (index, clamped - Float(index))
  }
}
