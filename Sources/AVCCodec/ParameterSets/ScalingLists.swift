// Scaling lists (sections 7.3.2.1.1.1 and 8.5.9) of intra-coded macroblocks.

internal import ImageCoding
internal import NALBitstreams
internal import PixelPlanes

/// The weights of transform coefficients: for each of Y, Cb and Cr, those of 4 × 4 and of 8 × 8 blocks, in the order of
/// the zigzag scan.
struct ScalingLists {
  private(set) var small: [[UInt8]]
  private(set) var large: [[UInt8]]

  /// Flat weights.
  init() {
    small = [[UInt8]](repeating: [UInt8](repeating: 16, count: 16), count: 3)
    large = [[UInt8]](repeating: [UInt8](repeating: 16, count: 64), count: 3)
  }

  /// The default weights of intra-coded blocks (tables 7-3 and 7-4).
  private static let defaultSmall: [UInt8] = [6, 13, 13, 20, 20, 20, 28, 28, 28, 28, 32, 32, 32, 37, 37, 42]
  private static let defaultLarge: [UInt8] = [
    6, 10, 10, 13, 11, 13, 16, 16, 16, 16, 18, 18, 18, 18, 18, 23, 23, 23, 23, 23, 23, 25, 25, 25, 25, 25, 25, 25, 27,
    27, 27, 27, 27, 27, 27, 27, 29, 29, 29, 29, 29, 29, 29, 31, 31, 31, 31, 31, 31, 33, 33, 33, 33, 33, 36, 36, 36, 36,
    38, 38, 38, 40, 40, 42,
  ]

  /// Reads the lists of a parameter set. Every second list is for inter-coded macroblocks; it is skipped.
  ///
  /// - Parameters:
  ///   - largeCount: the number of 8 × 8 lists, including those of inter-coded macroblocks: 0, 2 or 6.
  ///   - sequenceLists: the lists that a picture parameter set falls back to (rule B); `nil` for the default lists
  ///     (rule A).
  /// - Throws: `CodecError.Kind.malformed`.
  init(
    parsing reader: inout BitReader, largeCount: Int, fallback sequenceLists: ScalingLists?
  ) throws(CodecError) {
    self.init()
    for index in 0..<6 {
      let fallback =
        switch index {
        case 0: sequenceLists?.small[0] ?? Self.defaultSmall
        case 1, 2: small[index - 1]
        default: [UInt8](repeating: 16, count: 16)
        }
      let list = try Self.readList(&reader, fallback: fallback, default: Self.defaultSmall)
      if index < 3 { small[index] = list }
    }
    for index in 0..<6 {
      let component = index / 2
      guard index < largeCount else {
        if index % 2 == 0 {
          large[component] = component == 0 ? sequenceLists?.large[0] ?? Self.defaultLarge : large[component - 1]
        }
        continue
      }
      let fallback = component == 0 ? sequenceLists?.large[0] ?? Self.defaultLarge : large[component - 1]
      let list = try Self.readList(&reader, fallback: fallback, default: Self.defaultLarge)
      if index % 2 == 0 { large[component] = list }
    }
  }

  private static func readList(
    _ reader: inout BitReader, fallback: [UInt8], default defaultList: [UInt8]
  ) throws(CodecError) -> [UInt8] {
    guard reader.readFlag() else { return fallback }
    var list = fallback
    var last = 8
    var next = 8
    for index in list.indices {
      if next != 0 {
        next = (last + (try reader.readSigned(in: -128...127, "delta_scale")) + 256) & 255
        if index == 0, next == 0 { return defaultList }
      }
      if next != 0 { last = next }
      list[index] = UInt8(last)
    }
    return list
  }
}
