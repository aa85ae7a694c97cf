// The compression of planes: bytes below 128 precede one more literal byte than their value, other bytes are the length
// of a run plus 125 and precede the byte that is repeated.

/// Planes that were decompressed one after the other.
struct PlanarRuns {
  /// The planes, of which those after the end of the data are shorter.
  private(set) var planes: [[UInt8]] = []
  /// Whether a run or a sequence of literal bytes exceeds its plane. The rest of it is dropped.
  private(set) var exceedsPlane = false
  /// Whether there are no bytes after the last plane.
  private(set) var usesAllBytes = false

  /// The number of pixels that all planes have.
  var pixelCount: Int { planes.map { $0.count }.min() ?? 0 }

  /// Decompresses planes of the given number of bytes each.
  init(_ data: Span<UInt8>, planeCount: Int, pixelCount: Int) {
    var position = 0
    for _ in 0..<planeCount {
      var plane: [UInt8] = []
      plane.reserveCapacity(pixelCount)
      while plane.count < pixelCount, position < data.count {
        let control = Int(data[position])
        let isRun = control >= 128
        let count = isRun ? control - 125 : control + 1
        let missing = pixelCount - plane.count
        exceedsPlane = exceedsPlane || count > missing
        let start = position + 1
        position = min(data.count, start + (isRun ? 1 : count))
        if isRun, start < data.count {
          plane.append(contentsOf: repeatElement(data[start], count: min(count, missing)))
        } else {
          for index in start..<max(start, min(position, start + missing)) { plane.append(data[index]) }
        }
      }
      planes.append(plane)
    }
    usesAllBytes = position == data.count
  }
}
