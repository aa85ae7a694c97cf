// The description of a bitmap in logs and test failures: its shape, not its pixels.

extension Bitmap: CustomStringConvertible, CustomDebugStringConvertible {
  /// The size and format, such as `"640 × 480 rgba8"`.
  public var description: String {
    var text = "\(width) × \(height) \(format)"
    if orientation != .up { text += ", orientation \(orientation.rawValue)" }
    if scale != 1 { text += ", scale \(scale)" }
    return text
  }

  /// The ``description`` with the type's name.
  public var debugDescription: String { "Bitmap(\(description))" }
}

#if !hasFeature(Embedded)
  extension Bitmap: CustomReflectable {
    /// The size, format and tags, without pixels.
    public var customMirror: Mirror {
      Mirror(
        self,
        children: [
          "width": width, "height": height, "format": format, "colorSpace": colorSpace, "orientation": orientation,
          "scale": scale,
        ], displayStyle: .struct)
    }
  }
#endif

extension Bitmap {
  /// Whether two bitmaps have the same size, format, tags and pixels. Padding between rows is ignored.
  public static func == (left: Bitmap, right: Bitmap) -> Bool {
    guard left.width == right.width, left.height == right.height, left.format == right.format,
      left.orientation == right.orientation, left.scale == right.scale,
      left.significantBits == right.significantBits, left.colorSpace == right.colorSpace
    else { return false }
    if left.bytesPerRow == right.bytesPerRow, left.isPacked { return left.storage == right.storage }
    return (0..<left.height).allSatisfy { y in
      let (one, other) = (left.row(y), right.row(y))
      return one.indices.allSatisfy { one[$0] == other[$0] }
    }
  }

  /// Hashes the size, the format and the first and last row, which suffices to distinguish pictures without reading all
  /// of their pixels.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(width)
    hasher.combine(height)
    hasher.combine(format)
    guard !isEmpty else { return }
    for y in [0, height - 1] {
      let row = row(y)
      for index in row.indices { hasher.combine(row[index]) }
    }
  }

  /// Whether rows are contiguous, without padding.
  private var isPacked: Bool { bytesPerRow == width * format.bytesPerPixel }
}
