// Parameters of film grain (section 5.9.30).

internal import ImageCoding
internal import PixelPlanes

/// The noise that is added to a frame when it is shown.
struct FilmGrainParameters {
  /// A point of a piecewise linear function from sample values to scales of noise.
  struct Point {
    let value: Int
    let scale: Int
  }

  /// The mixing of a chroma plane and the luma plane that selects the scale of its noise.
  struct ChromaMixing {
    var chroma = 0
    var luma = 0
    var offset = 0
  }

  /// `grain_seed`.
  let seed: Int
  /// The points of Y, Cb and Cr; none for a plane without noise.
  private(set) var points: [[Point]] = [[], [], []]
  /// `chroma_scaling_from_luma`.
  let scalesChromaByLuma: Bool
  /// `grain_scaling_minus_8` + 8.
  let scalingShift: Int
  /// `ar_coeff_lag`.
  let lag: Int
  /// The coefficients of the autoregressive filters of Y, Cb and Cr.
  private(set) var coefficients: [[Int]] = [[], [], []]
  /// `ar_coeff_shift_minus_6` + 6.
  let coefficientShift: Int
  /// `grain_scale_shift`.
  let grainShift: Int
  /// `cb_mult`, `cb_luma_mult`, `cb_offset`, and those of Cr, without their biases.
  private(set) var mixing = (cb: ChromaMixing(), cr: ChromaMixing())
  /// `overlap_flag`.
  let hasOverlap: Bool
  /// `clip_to_restricted_range`.
  let isClippedToLimitedRange: Bool

  /// Reads the parameters after `apply_grain`.
  ///
  /// - Throws: `CodecError.Kind.malformed`.
  init(parsing reader: inout BitReader, _ color: ColorConfiguration) throws(CodecError) {
    seed = reader.readInt(16)
    points[0] = try Self.readPoints(&reader, maximumCount: 14)
    scalesChromaByLuma = !color.isMonochrome && reader.readFlag()
    let isSubsampled = color.subsamplingX == 1 && color.subsamplingY == 1
    if !color.isMonochrome, !scalesChromaByLuma, !isSubsampled || !points[0].isEmpty {
      points[1] = try Self.readPoints(&reader, maximumCount: 10)
      points[2] = try Self.readPoints(&reader, maximumCount: 10)
      guard !isSubsampled || points[1].isEmpty == points[2].isEmpty else {
        throw CodecError(.malformed, "only one chroma plane has film grain")
      }
    }
    scalingShift = reader.readInt(2) + 8
    lag = reader.readInt(2)
    let count = 2 * lag * (lag + 1)
    let hasLuma = !points[0].isEmpty
    if hasLuma { coefficients[0] = Self.readCoefficients(&reader, count) }
    for plane in 1...2 where scalesChromaByLuma || !points[plane].isEmpty {
      coefficients[plane] = Self.readCoefficients(&reader, hasLuma ? count + 1 : count)
    }
    coefficientShift = reader.readInt(2) + 6
    grainShift = reader.readInt(2)
    if !points[1].isEmpty { mixing.cb = Self.readMixing(&reader) }
    if !points[2].isEmpty { mixing.cr = Self.readMixing(&reader) }
    hasOverlap = reader.readFlag()
    isClippedToLimitedRange = reader.readFlag()
  }

  private static func readPoints(_ reader: inout BitReader, maximumCount: Int) throws(CodecError) -> [Point] {
    let count = reader.readInt(4)
    guard count <= maximumCount else { throw CodecError(.malformed, "film grain has \(count) points") }
    var points: [Point] = []
    for _ in 0..<count {
      let point = Point(value: reader.readInt(8), scale: reader.readInt(8))
      if let last = points.last, point.value <= last.value {
        throw CodecError(.malformed, "the points of film grain are not in ascending order")
      }
      points.append(point)
    }
    return points
  }

  private static func readCoefficients(_ reader: inout BitReader, _ count: Int) -> [Int] {
    var values: [Int] = []
    for _ in 0..<count { values.append(reader.readInt(8) - 128) }
    return values
  }

  private static func readMixing(_ reader: inout BitReader) -> ChromaMixing {
    let (chroma, luma) = (reader.readInt(8) - 128, reader.readInt(8) - 128)
    return ChromaMixing(chroma: chroma, luma: luma, offset: reader.readInt(9) - 256)
  }

  /// Whether noise is added to a plane.
  func applies(to plane: Int) -> Bool { !points[plane].isEmpty || (plane > 0 && scalesChromaByLuma) }
}
