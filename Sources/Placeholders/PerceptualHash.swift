// The perceptual hash known as pHash: which of the lowest terms of the cosine transform are above their median.

public import ImageCore
internal import Resampling

/// Sixty-four bits that are similar for pictures that look similar: scaled, recompressed or slightly changed copies.
///
/// The hash is that of the Python package imagehash: luminance shrunk to 32 × 32 pixels with the Lanczos filter, and the
/// 8 × 8 lowest terms of its cosine transform compared with their median. Alpha is ignored.
public struct PerceptualHash: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The bits, row by row; the most significant bit is the mean.
  public let rawValue: UInt64

  private static let size = 32
  private static let side = 8

  /// Adopts a stored hash.
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// Hashes a picture, whose samples are taken as sRGB.
  ///
  /// - Throws: `CodecError.Kind.invalidArgument` if the picture has no pixels, `CodecError.Kind.limitExceeded` if a
  ///   limit of the budget is exceeded, `CodecError.Kind.cancelled` or `CodecError.Kind.deadlineExceeded`.
  public init(_ picture: Bitmap, budget: inout ResourceBudget) throws(CodecError) {
    let luminance = try picture.luminance(&budget)
      .resized(toWidth: Self.size, height: Self.size, filter: .lanczos3, budget: &budget).packedPixels
    let cosines = CosineTable(size: Self.size, frequencyCount: Self.side)
    var terms: [Double] = []
    for v in 0..<Self.side {
      for u in 0..<Self.side {
        var sum = 0.0
        for y in 0..<Self.size {
          for x in 0..<Self.size {
            sum += Double(luminance[y * Self.size + x]) * cosines[u, x] * cosines[v, y]
          }
        }
        // Terms that are zero but for the rounding of sums are zero.
        terms.append(abs(sum) < 1e-6 ? 0 : sum)
      }
    }
    let sorted = terms.sorted()
    let median = (sorted[31] + sorted[32]) / 2
    rawValue = terms.reduce(0) { $0 << 1 | ($1 > median ? 1 : 0) }
  }

  /// Hashes a picture within the default limits. See ``init(_:budget:)``.
  public init(_ picture: Bitmap) throws(CodecError) {
    var budget = ResourceBudget(.default)
    try self.init(picture, budget: &budget)
  }

  /// Returns the number of bits that differ, 0…64. Copies of a picture rarely differ in more than 10.
  public func distance(to other: PerceptualHash) -> Int { (rawValue ^ other.rawValue).nonzeroBitCount }

  /// Sixteen hexadecimal digits.
  public var description: String {
    let digits = String(rawValue, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension Bitmap {
  /// Returns the luma of the picture, with Pillow's weights and without its alpha.
  fileprivate func luminance(_ budget: inout ResourceBudget) throws(CodecError) -> Bitmap {
    guard !isEmpty else { throw CodecError(.invalidArgument, "the picture has no pixels") }
    try budget.allocatePixels(width: width, height: height, bytesPerPixel: 5)
    return try converted(to: .rgba8, workPerPixel: 2, budget: &budget)
      .converted(to: .gray8, workPerPixel: 2, budget: &budget)
  }
}
