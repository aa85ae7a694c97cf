// ThumbHash (evanw.github.io/thumbhash): luminance, two colour differences and alpha as the lowest terms of their cosine
// transforms, quantised to four bits.

public import ImageCore

/// A blurred version of a picture in about 25 bytes, with its aspect ratio and transparency.
public struct ThumbHash: Hashable, Sendable {
  /// The hash as it is stored or transmitted.
  public let bytes: [UInt8]

  /// The longer side of the pictures that are hashed; larger ones are shrunk first.
  private static let maximumSide = 100

  /// Hashes a picture, whose samples are taken as sRGB.
  ///
  /// - Throws: `CodecError.Kind.invalidArgument` if the picture has no pixels, `CodecError.Kind.limitExceeded` if a
  ///   limit of the budget is exceeded, `CodecError.Kind.cancelled` or `CodecError.Kind.deadlineExceeded`.
  public init(_ picture: Bitmap, budget: inout ResourceBudget) throws(CodecError) {
    let small = try picture.shrunk(toFit: Self.maximumSide, &budget)
    try budget.chargeWork(count: small.width * small.height, unitsEach: 200)
    bytes = ThumbHashEncoder(small).bytes
  }

  /// Hashes a picture within the default limits. See ``init(_:budget:)``.
  public init(_ picture: Bitmap) throws(CodecError) {
    var budget = ResourceBudget(.default)
    try self.init(picture, budget: &budget)
  }

  /// The hash in base64, as it is embedded in pages.
  public var base64: String { String(decoding: Base64.encode(bytes.span), as: UTF8.self) }

  /// Adopts a stored hash.
  ///
  /// - Throws: `CodecError.Kind.malformed` if there are fewer bytes than the hash states; any others are dropped.
  public init(bytes: [UInt8]) throws(CodecError) {
    let header = ThumbHashHeader(bytes)
    guard let header, bytes.count >= header.byteCount else {
      throw CodecError(.malformed, "a ThumbHash is cut off after \(bytes.count) bytes")
    }
    self.bytes = Array(bytes.prefix(header.byteCount))
  }

  private var header: ThumbHashHeader { ThumbHashHeader(bytes) ?? ThumbHashHeader() }

  /// The approximate width divided by the height, 1/7 to 7.
  public var aspectRatio: Double { header.aspectRatio }

  /// The average colour with the average alpha.
  public var averageColor: RGBA8 { header.averageColor }

  /// Draws the blurred picture, with a longer side of 32 pixels, in straight RGBA.
  public func makeBitmap() throws(CodecError) -> Bitmap {
    try ThumbHashDrawing(header, bytes).makeBitmap()
  }
}

/// The constant part of a hash.
struct ThumbHashHeader {
  /// The mean of each channel: luminance, yellow − blue, red − green, alpha.
  var means = (l: 0.0, p: 0.0, q: 0.0, a: 1.0)
  /// The largest varying term of each channel.
  var scales = (l: 0.0, p: 0.0, q: 0.0, a: 0.0)
  var hasAlpha = false
  /// The number of horizontal and vertical terms of luminance as stored, before it is raised to 3.
  var columns = 7
  var rows = 7

  init() {}

  /// Returns `nil` if there are too few bytes.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 5 else { return nil }
    let header24 = Int(bytes[0]) | Int(bytes[1]) << 8 | Int(bytes[2]) << 16
    let header16 = Int(bytes[3]) | Int(bytes[4]) << 8
    hasAlpha = header24 >> 23 == 1
    guard !hasAlpha || bytes.count >= 6 else { return nil }
    means.l = Double(header24 & 63) / 63
    means.p = Double(header24 >> 6 & 63) / 31.5 - 1
    means.q = Double(header24 >> 12 & 63) / 31.5 - 1
    scales.l = Double(header24 >> 18 & 31) / 31
    scales.p = Double(header16 >> 3 & 63) / 63
    scales.q = Double(header16 >> 9 & 63) / 63
    if hasAlpha {
      means.a = Double(bytes[5] & 15) / 15
      scales.a = Double(bytes[5] >> 4) / 15
    }
    let isLandscape = header16 >> 15 == 1
    let (longer, shorter) = (hasAlpha ? 5 : 7, header16 & 7)
    (columns, rows) = isLandscape ? (longer, shorter) : (shorter, longer)
  }

  /// The number of terms of luminance.
  var luminanceTerms: (columns: Int, rows: Int) { (max(3, columns), max(3, rows)) }

  var byteCount: Int {
    let (columns, rows) = luminanceTerms
    let count =
      TriangularTerms(columns, rows).varying.count + 2 * TriangularTerms(3, 3).varying.count
      + (hasAlpha ? TriangularTerms(5, 5).varying.count : 0)
    return (hasAlpha ? 6 : 5) + (count + 1) / 2
  }

  var aspectRatio: Double { Double(max(1, columns)) / Double(max(1, rows)) }

  var averageColor: RGBA8 { ThumbHashColor(l: means.l, p: means.p, q: means.q, a: means.a).rgba }
}

/// The terms of a channel: those below the diagonal of a rectangle of frequencies, row by row.
struct TriangularTerms {
  /// All terms but the mean.
  let varying: [(x: Int, y: Int)]

  init(_ columns: Int, _ rows: Int) {
    var terms: [(x: Int, y: Int)] = []
    for y in 0..<rows {
      var x = y == 0 ? 1 : 0
      while x * rows < columns * (rows - y) {
        terms.append((x, y))
        x += 1
      }
    }
    varying = terms
  }
}

/// A colour in the channels of a hash.
struct ThumbHashColor {
  var l: Double
  var p: Double
  var q: Double
  var a: Double

  /// The colour in red, green and blue, truncated to 8 bits.
  var rgba: RGBA8 {
    let blue = l - 2.0 / 3.0 * p
    let red = (3 * l - blue + q) / 2
    return RGBA8(red: Self.sample(red), green: Self.sample(red - q), blue: Self.sample(blue), alpha: Self.sample(a))
  }

  private static func sample(_ value: Double) -> UInt8 { UInt8(255 * min(max(value, 0), 1)) }
}
