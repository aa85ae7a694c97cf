// The factors of levels (section 8.5.9): the weights of scaling lists times those that the transform requires.

internal import ImageCoding

/// `LevelScale4x4` and `LevelScale8x8` of Y, Cb and Cr for each remainder of the quantization parameter.
struct LevelScales: Sendable {
  private(set) var small: [Int32]
  private(set) var large: [Int32]

  /// `v` of equations 8-313 and 8-318: by the classes of columns and rows of a coefficient.
  private static let smallFactors: [[Int32]] = [
    [10, 16, 13], [11, 18, 14], [13, 20, 16], [14, 23, 18], [16, 25, 20], [18, 29, 23],
  ]
  private static let largeFactors: [[Int32]] = [
    [20, 18, 32, 19, 25, 24], [22, 19, 35, 21, 28, 26], [26, 23, 42, 24, 33, 31], [28, 25, 45, 26, 35, 33],
    [32, 28, 51, 30, 40, 38], [36, 32, 58, 34, 46, 43],
  ]

  static let byteCount = 3 * 6 * (16 + 64) * MemoryLayout<Int32>.stride
  /// The work of calculating them.
  static let work = 10_000

  init(_ lists: ScalingLists?) {
    let lists = lists ?? ScalingLists()
    (small, large) = ([], [])
    for component in 0..<3 {
      for remainder in 0..<6 {
        var factors = [Int32](repeating: 0, count: 16)
        for index in 0..<16 {
          let place = Int(CoefficientScan.frame4x4[index])
          let weight = Int32(lists.small[component][index])
          factors[place] = weight * Self.smallFactors[remainder][Self.smallClass(x: place & 3, y: place >> 2)]
        }
        small += factors
      }
      for remainder in 0..<6 {
        var factors = [Int32](repeating: 0, count: 64)
        for index in 0..<64 {
          let place = Int(CoefficientScan.frame8x8[index])
          let weight = Int32(lists.large[component][index])
          factors[place] = weight * Self.largeFactors[remainder][Self.largeClass(x: place & 7, y: place >> 3)]
        }
        large += factors
      }
    }
  }

  private static func smallClass(x: Int, y: Int) -> Int {
    if x & 1 == 0, y & 1 == 0 { return 0 }
    return x & 1 == 1 && y & 1 == 1 ? 1 : 2
  }

  private static func largeClass(x: Int, y: Int) -> Int {
    switch (x & 3, y & 3) {
    case (0, 0): 0
    case (1, 1), (1, 3), (3, 1), (3, 3): 1
    case (2, 2): 2
    case (0, 1), (0, 3), (1, 0), (3, 0): 3
    case (0, 2), (2, 0): 4
    default: 5
    }
  }

  /// The index of the factors of a component for a quantization parameter of 0 or more.
  @inline(__always)
  static func smallIndex(_ component: Int, qp: Int) -> Int { (component &* 6 &+ qp % 6) &* 16 }
  @inline(__always)
  static func largeIndex(_ component: Int, qp: Int) -> Int { (component &* 6 &+ qp % 6) &* 64 }
}

/// The scaling of levels by factors and powers of two.
@inline(__always)
func scaledLevel(_ level: Int32, _ factor: Int32, qp: Int, base: Int) -> Int32 {
  let shift = Int32(truncatingIfNeeded: qp / 6 &- base)
  let product = level &* factor
  return shift >= 0 ? product &<< shift : (product &+ (1 &<< (-1 &- shift))) &>> (0 &- shift)
}
