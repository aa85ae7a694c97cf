// The demosaicing of a picture at a reduced size: each block of filters becomes a pixel.

internal import ImageCoding

/// Averages blocks that contain all colours.
struct BinningDemosaic {
  private let factor: Int
  private let width: Int
  private let mosaic: Mosaic
  /// The column and the row of the first block.
  private let origin: (x: Int, y: Int)
  private var sums: [Float]
  private var counts: [Float]
  private var next = 0
  /// The last row that was completed: three planes.
  private(set) var output: [Float]

  static func byteCount(width: Int) -> Int { width * 36 }

  /// - Parameters:
  ///   - origin: the position of the first block.
  ///   - width: the number of blocks in a row.
  init(_ mosaic: Mosaic, factor: Int, origin: (x: Int, y: Int), width: Int) {
    self.mosaic = mosaic
    self.factor = factor
    self.origin = origin
    self.width = width
    sums = [Float](repeating: 0, count: width * 3)
    counts = [Float](repeating: 0, count: width * 3)
    output = [Float](repeating: 0, count: width * 3)
  }

  /// Adds a row. Returns whether ``output`` holds a new row.
  mutating func append(_ row: Span<Float>) -> Bool {
    let y = next
    next += 1
    guard y >= origin.y else { return false }
    for column in 0..<width {
      for index in 0..<factor {
        let x = origin.x &+ column &* factor &+ index
        let place = mosaic.color(x, y) &* width &+ column
        sums[place] += row[x]
        counts[place] += 1
      }
    }
    guard (y - origin.y) % factor == factor - 1 else { return false }
    for index in 0..<sums.count {
      output[index] = counts[index] > 0 ? sums[index] / counts[index] : 0
      sums[index] = 0
      counts[index] = 0
    }
    return true
  }
}
