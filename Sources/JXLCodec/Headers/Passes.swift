// The passes in which groups are refined (ISO/IEC 18181-1, F.3).

internal import ImageCoding

/// `Passes`.
struct Passes: Hashable, Sendable {
  /// The number of passes, 1…11.
  private(set) var count = 1
  /// The number of low bits that the coefficients of each pass lack.
  private(set) var shifts = [0]
  /// The reductions of the image that passes complete: the factor, and the last pass that it needs.
  private(set) var reductions: [Reduction] = []

  /// A reduced image.
  struct Reduction: Hashable, Sendable {
    var factor: Int
    var lastPass: Int
  }

  init() {}

  init(parsing bits: inout BitReader) throws(CodecError) {
    count = try bits.readInt(.value(1), .value(2), .value(3), .bits(3, offset: 4))
    guard count > 1 else { return }
    let reductionCount = try bits.readInt(.value(0), .value(1), .value(2), .bits(1, offset: 3))
    guard reductionCount < count else { throw bits.error(.malformed, "there are more reduced images than passes") }
    shifts = []
    for _ in 1..<count { shifts.append(try bits.readInt(2)) }
    shifts.append(0)
    var factors: [Int] = []
    for _ in 0..<reductionCount { factors.append(try bits.readInt(.value(1), .value(2), .value(4), .value(8))) }
    for factor in factors {
      let lastPass = try bits.readInt(.value(0), .value(1), .value(2), .bits(3))
      let isInOrder = reductions.last.map { $0.factor > factor && $0.lastPass < lastPass } ?? true
      guard isInOrder, lastPass < count else { throw bits.error(.malformed, "the reduced images are not in order") }
      reductions.append(Reduction(factor: factor, lastPass: lastPass))
    }
  }

  /// The number of passes, from the first one on, that suffice for an image reduced by a factor.
  func count(forReductionBy factor: Int) -> Int {
    // Greater factors are first.
    reductions.first { $0.factor <= factor }.map { $0.lastPass + 1 } ?? count
  }

  /// The shifts of the Modular channels that a pass codes.
  func channelShifts(ofPass pass: Int) -> ClosedRange<Int>? {
    var (minimum, maximum) = (3, 2)
    for index in 0...pass {
      for reduction in reductions where reduction.lastPass == index {
        minimum = reduction.factor.trailingZeroBitCount
      }
      if index == count - 1 { minimum = 0 }
      if index != pass { maximum = minimum - 1 }
    }
    return minimum <= maximum ? minimum...maximum : nil
  }
}
