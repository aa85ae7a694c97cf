// From distances in scan order to distance codes, of which the first 120 denote neighbouring pixels (RFC 9649, section
// 3.6.2.2). The inverse of ``DistanceMap``.

/// The distance codes of an image's width.
struct PlaneDistances {
  private let width: Int
  /// The code of each neighbour, indexed as the values of ``DistanceMap/codes``.
  private let codes: [UInt8]

  init(width: Int) {
    self.width = width
    var codes = [UInt8](repeating: 0, count: 128)
    for (index, neighbor) in DistanceMap.codes.enumerated() { codes[Int(neighbor)] = UInt8(index + 1) }
    self.codes = codes
  }

  /// Returns the code of a distance of at least 1.
  @inline(__always)
  func code(_ distance: Int) -> Int {
    let rows = distance / width
    let columns = distance &- rows &* width
    var code: UInt8 = 0
    if columns <= 8, rows < 8 {
      code = codes[rows &* 16 &+ 8 &- columns]
    } else if width &- columns < 8, rows < 7 {
      code = codes[(rows &+ 1) &* 16 &+ 8 &+ width &- columns]
    }
    // Not every position of the table is a neighbour.
    return code > 0 ? Int(code) : distance &+ 120
  }
}
