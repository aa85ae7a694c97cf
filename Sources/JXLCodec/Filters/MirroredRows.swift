// Coordinates beyond the edges of a frame (ISO/IEC 18181-1, J.1).

/// Returns the coordinate that is mirrored at the edges, including the edge samples: −1 is 0, and `length` is
/// `length` − 1.
@inline(__always)
package func mirrored(_ coordinate: Int, _ length: Int) -> Int {
  var coordinate = coordinate
  // Twice is enough unless the frame is narrower than a filter.
  while coordinate < 0 || coordinate >= length {
    coordinate = coordinate < 0 ? -coordinate &- 1 : 2 &* length &- 1 &- coordinate
  }
  return coordinate
}
