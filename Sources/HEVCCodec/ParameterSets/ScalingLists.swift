// Scaling lists (sections 7.3.4 and 7.4.5): the quantization weights of coefficients, by transform size and component.

internal import ImageCoding
internal import NALBitstreams
internal import PixelPlanes

/// Weights of coefficients, as they are coded: four sizes of six lists, three of which are for intra-coded blocks.
struct ScalingLists {
  /// Bytes of the weights of one size and component: up to 32 × 32.
  static let blockByteCount = 1024
  /// Bytes of all factors, and the work for them.
  static let factorByteCount = 12 * blockByteCount

  private var lists: [[UInt8]]
  /// The weights of the first coefficients of the two larger sizes.
  private var firstWeights = [UInt8](repeating: 16, count: 24)

  /// The lists of tables 7-5 and 7-6.
  init() {
    lists = (0..<24).map { Self.defaultList(size: $0 / 6, matrix: $0 % 6) }
  }

  /// - Throws: `CodecError.Kind.malformed`.
  init(parsing reader: inout BitReader) throws(CodecError) {
    self.init()
    for size in 0..<4 {
      let step = size == 3 ? 3 : 1
      for matrix in stride(from: 0, to: 6, by: step) {
        if reader.readFlag() {
          try readList(&reader, size: size, matrix: matrix)
        } else {
          let distance = try reader.readUnsigned(in: 0...matrix / step, "scaling_list_pred_matrix_id_delta") * step
          let (target, source) = (size * 6 + matrix, size * 6 + matrix - distance)
          lists[target] = distance == 0 ? Self.defaultList(size: size, matrix: matrix) : lists[source]
          firstWeights[target] = distance == 0 ? 16 : firstWeights[source]
        }
      }
    }
  }

  /// Returns the weights of each size, 4 × 4 first, and each of the three components of intra-coded blocks, in raster
  /// order. Sizes larger than 8 × 8 repeat each weight of an 8 × 8 list.
  ///
  /// - Parameter hasFullChroma: whether `ChromaArrayType` is 3. The 32 × 32 transforms of chroma then have the lists of
  ///   16 × 16 ones.
  func factors(hasFullChroma: Bool) -> [UInt8] {
    var factors = [UInt8](repeating: 16, count: Self.factorByteCount)
    for size in 0..<4 {
      for component in 0..<3 {
        let isLargeChroma = hasFullChroma && size == 3 && component > 0
        let index = (isLargeChroma ? 2 : size) * 6 + component
        let base = (size * 3 + component) * Self.blockByteCount
        let (width, ratio) = (4 << size, size < 2 ? 0 : size - 1)
        for (place, value) in zip(size == 0 ? DiagonalScan.blocks4 : DiagonalScan.blocks8, lists[index]) {
          for y in place.y << ratio..<(place.y + 1) << ratio {
            for x in place.x << ratio..<(place.x + 1) << ratio { factors[base + y * width + x] = value }
          }
        }
        if size >= 2 { factors[base] = firstWeights[index] }
      }
    }
    return factors
  }

  private mutating func readList(_ reader: inout BitReader, size: Int, matrix: Int) throws(CodecError) {
    var next = 8
    if size > 1 {
      next = try reader.readSigned(in: -7...247, "scaling_list_dc_coef_minus8") + 8
      firstWeights[size * 6 + matrix] = UInt8(next)
    }
    var list: [UInt8] = []
    for _ in 0..<(size == 0 ? 16 : 64) {
      next = (next + (try reader.readSigned(in: -128...127, "scaling_list_delta_coef")) + 256) % 256
      list.append(UInt8(next))
    }
    lists[size * 6 + matrix] = list
  }

  private static func defaultList(size: Int, matrix: Int) -> [UInt8] {
    if size == 0 { return [UInt8](repeating: 16, count: 16) }
    return matrix < 3 ? intra : inter
  }

  /// Table 7-6, in the order of the diagonal scan.
  private static let intra: [UInt8] = [
    16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 17, 16, 17, 16, 17, 18, 17, 18, 18, 17, 18, 21, 19, 20, 21, 20, 19, 21,
    24, 22, 22, 24, 24, 22, 22, 24, 25, 25, 27, 30, 27, 25, 25, 29, 31, 35, 35, 31, 29, 36, 41, 44, 41, 36, 47, 54,
    54, 47, 65, 70, 65, 88, 88, 115,
  ]
  private static let inter: [UInt8] = [
    16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 17, 17, 17, 17, 17, 18, 18, 18, 18, 18, 18, 20, 20, 20, 20, 20, 20, 20,
    24, 24, 24, 24, 24, 24, 24, 24, 25, 25, 25, 25, 25, 25, 25, 28, 28, 28, 28, 28, 28, 33, 33, 33, 33, 33, 41, 41,
    41, 41, 54, 54, 54, 71, 71, 91,
  ]
}

/// The up-right diagonal scan of section 6.5.3.
enum DiagonalScan {
  static let blocks4 = places(width: 4)
  static let blocks8 = places(width: 8)

  private static func places(width: Int) -> [(x: Int, y: Int)] {
    var places: [(x: Int, y: Int)] = []
    for diagonal in 0..<2 * width - 1 {
      for x in 0...diagonal where x < width && diagonal - x < width { places.append((x, diagonal - x)) }
    }
    return places
  }
}
