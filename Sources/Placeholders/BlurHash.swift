// BlurHash (github.com/woltapp/blurhash): the lowest terms of the cosine transform of linear light, as text in base 83.

public import ImageCore

/// A blurred version of a picture in a short text.
public struct BlurHash: Hashable, Sendable {
  /// The hash as it is stored or transmitted: 6 characters for one term, 2 more for each other term.
  public let text: String
  /// The number of horizontal terms, 1…9.
  public let horizontalTermCount: Int
  /// The number of vertical terms, 1…9.
  public let verticalTermCount: Int

  /// The longer side of the pictures that are hashed; larger ones are shrunk first.
  private static let maximumSide = 64

  /// Hashes a picture, whose samples are taken as sRGB. Alpha is ignored.
  ///
  /// - Parameters:
  ///   - picture: the picture.
  ///   - horizontalTermCount: how much of the horizontal detail is kept, 1…9.
  ///   - verticalTermCount: how much of the vertical detail is kept, 1…9.
  ///   - budget: charged with memory and work before they are spent.
  /// - Throws: `CodecError.Kind.invalidArgument` if the picture has no pixels or a count is out of range,
  ///   `CodecError.Kind.limitExceeded` if a limit of the budget is exceeded, `CodecError.Kind.cancelled` or
  ///   `CodecError.Kind.deadlineExceeded`.
  public init(
    _ picture: Bitmap, horizontalTermCount: Int = 4, verticalTermCount: Int = 3, budget: inout ResourceBudget
  ) throws(CodecError) {
    guard (1...9).contains(horizontalTermCount), (1...9).contains(verticalTermCount) else {
      throw CodecError(.invalidArgument, "the number of terms is not 1…9 in each direction")
    }
    let small = try picture.shrunk(toFit: Self.maximumSide, &budget)
    let termCount = horizontalTermCount * verticalTermCount
    try budget.chargeWork(count: small.width * small.height, unitsEach: 3 * termCount)
    let terms = LinearTerms(small, columns: horizontalTermCount, rows: verticalTermCount)
    text = terms.blurHashText
    self.horizontalTermCount = horizontalTermCount
    self.verticalTermCount = verticalTermCount
  }

  /// Hashes a picture within the default limits. See ``init(_:horizontalTermCount:verticalTermCount:budget:)``.
  public init(_ picture: Bitmap, horizontalTermCount: Int = 4, verticalTermCount: Int = 3) throws(CodecError) {
    var budget = ResourceBudget(.default)
    try self.init(
      picture, horizontalTermCount: horizontalTermCount, verticalTermCount: verticalTermCount, budget: &budget)
  }

  /// Adopts a stored hash.
  ///
  /// - Throws: `CodecError.Kind.malformed` unless the text is a BlurHash.
  public init(text: String) throws(CodecError) {
    guard let digits = Base83.digits(text), let flags = digits.first, flags < 81 else {
      throw CodecError(.malformed, "a BlurHash contains an unknown character or is empty")
    }
    horizontalTermCount = flags % 9 + 1
    verticalTermCount = flags / 9 + 1
    guard digits.count == 4 + 2 * horizontalTermCount * verticalTermCount else {
      throw CodecError(.malformed, "a BlurHash has \(digits.count) characters instead of the number it states")
    }
    guard Base83.number(digits[2..<6]) < 1 << 24 else {
      throw CodecError(.malformed, "a BlurHash states an impossible colour")
    }
    self.text = text
  }

  /// The average colour.
  public var averageColor: RGBA8 {
    let value = Base83.number((Base83.digits(text) ?? [])[2..<6])
    return RGBA8(
      red: UInt8(truncatingIfNeeded: value >> 16), green: UInt8(truncatingIfNeeded: value >> 8),
      blue: UInt8(truncatingIfNeeded: value))
  }

  /// Draws the blurred picture in RGB.
  ///
  /// - Parameters:
  ///   - width: the width in pixels; 32 is enough for most uses, because the picture can be enlarged.
  ///   - height: the height in pixels.
  ///   - contrast: a factor for all terms but the average; 1 by default.
  ///   - limits: what the picture may cost: memory and work.
  /// - Throws: `CodecError.Kind.invalidArgument` if the size is not positive, `CodecError.Kind.limitExceeded` if it
  ///   exceeds the limits.
  public func makeBitmap(
    width: Int, height: Int, contrast: Double = 1, limits: DecodingLimits = .default
  ) throws(CodecError) -> Bitmap {
    guard width > 0, height > 0, contrast.isFinite else {
      throw CodecError(.invalidArgument, "a picture of \(width) × \(height) pixels cannot be drawn")
    }
    var budget = ResourceBudget(limits)
    try budget.allocatePixels(width: width, height: height, bytesPerPixel: 3)
    budget.allowWork(forPixelCount: width * height)
    let terms = LinearTerms(
      blurHashDigits: Base83.digits(text) ?? [], columns: horizontalTermCount, rows: verticalTermCount,
      contrast: contrast)
    return try terms.makeBitmap(width: width, height: height, &budget)
  }
}

/// Numbers as texts of BlurHash's 83 digits, most significant first.
enum Base83 {
  private static let characters = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8)

  static func text(_ value: Int, digitCount: Int) -> String {
    var value = value
    var digits: [UInt8] = []
    for _ in 0..<digitCount {
      digits.append(characters[value % 83])
      value /= 83
    }
    return String(decoding: digits.reversed(), as: UTF8.self)
  }

  /// Returns the value of each character; `nil` if one is not a digit.
  static func digits(_ text: String) -> [Int]? {
    var digits: [Int] = []
    for character in text.utf8 {
      guard let digit = characters.firstIndex(of: character) else { return nil }
      digits.append(digit)
    }
    return digits
  }

  static func number(_ digits: some Sequence<Int>) -> Int { digits.reduce(0) { $0 * 83 + $1 } }
}
