// Planes as the payload of a .yuv file, which has no header.

extension PlanarPicture {
  /// The number of bytes that ``rawPlanes()`` returns.
  public var rawPlanesByteCount: Int {
    Component.allCases.reduce(0) { count, component in
      guard let plane = plane(component) else { return count }
      return count + plane.width * plane.height * (plane.isWide ? 2 : 1)
    }
  }

  /// Returns all samples without header and padding: the rows of Y from top to bottom, then those of U, V and alpha. A
  /// sample of 8 bits takes one byte. A deeper one takes two, little-endian, with its value in the low bits.
  public func rawPlanes() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(rawPlanesByteCount)
    for component in Component.allCases {
      guard let plane = plane(component) else { continue }
      for y in 0..<plane.height {
        if plane.isWide {
          let row = plane.wideRow(y)
          for x in row.indices {
            bytes.append(UInt8(truncatingIfNeeded: row[x]))
            bytes.append(UInt8(truncatingIfNeeded: row[x] >> 8))
          }
        } else {
          let row = plane.narrowRow(y)
          for x in row.indices { bytes.append(row[x]) }
        }
      }
    }
    return bytes
  }
}
