// Where each block and coefficient of a transformed picture comes from. Edges that end within an MCU cannot be mirrored:
// which blocks remain where they are follows jpegtran.

internal import ImageCoding

/// The geometry of a lossless transform.
struct TransformGeometry {
  let operation: JPEGTransformer.Operation
  /// The number of columns of the result.
  private(set) var width: Int
  /// The number of rows of the result.
  private(set) var height: Int
  /// The number of MCU columns cropped at the left.
  private let croppedMCUColumns: Int
  /// The number of MCU rows cropped at the top.
  private let croppedMCURows: Int
  /// The number of whole MCUs in a row before the crop, which can be mirrored.
  private let mirroredMCUColumns: Int
  /// The number of whole MCU rows before the crop.
  private let mirroredMCURows: Int

  /// Lays out the result.
  ///
  /// - Throws: `CodecError.Kind.invalidArgument` if the crop is not within the turned picture,
  ///   `CodecError.Kind.unsupported` if edges cannot be mirrored and must be.
  init(
    source: FrameHeader, operation: JPEGTransformer.Operation, edges: JPEGTransformer.EdgeHandling, crop: PixelRegion?
  ) throws(CodecError) {
    self.operation = operation
    let isTransposed = operation.isTransposed
    let fullWidth = isTransposed ? source.height : source.width
    let fullHeight = isTransposed ? source.width : source.height
    let mcuWidth = 8 * (isTransposed ? source.maximumVerticalFactor : source.maximumHorizontalFactor)
    let mcuHeight = 8 * (isTransposed ? source.maximumHorizontalFactor : source.maximumVerticalFactor)
    (mirroredMCUColumns, mirroredMCURows) = (fullWidth / mcuWidth, fullHeight / mcuHeight)
    let mirrorsAll =
      (!operation.mirrorsColumns || fullWidth % mcuWidth == 0)
      && (!operation.mirrorsRows || fullHeight % mcuHeight == 0)
    if edges == .reject, !mirrorsAll {
      throw CodecError(
        .unsupported, "the transform is not perfect: an edge is not on a border between MCUs", format: JPEGDecoder.type)
    }
    let region = crop ?? PixelRegion(x: 0, y: 0, width: fullWidth, height: fullHeight)
    guard region.x >= 0, region.y >= 0, region.width > 0, region.height > 0, region.width <= fullWidth,
      region.height <= fullHeight, region.x <= fullWidth - region.width, region.y <= fullHeight - region.height
    else {
      throw CodecError(
        .invalidArgument, "the crop is not within the picture of \(fullWidth) × \(fullHeight) pixels",
        format: JPEGDecoder.type)
    }
    (croppedMCUColumns, croppedMCURows) = (region.x / mcuWidth, region.y / mcuHeight)
    width = region.width + region.x % mcuWidth
    height = region.height + region.y % mcuHeight
    guard edges == .trim else { return }
    let columns = width / mcuWidth
    if operation.mirrorsColumns, columns > 0, croppedMCUColumns + columns == mirroredMCUColumns {
      width = columns * mcuWidth
    }
    let rows = height / mcuHeight
    if operation.mirrorsRows, rows > 0, croppedMCURows + rows == mirroredMCURows { height = rows * mcuHeight }
  }

  /// A block of the source and how it is mirrored.
  struct Origin {
    var column: Int
    var row: Int
    /// The index of the table of places that applies.
    var table: Int
  }

  /// The origin of a block of a component of the result.
  @inline(__always)
  func origin(column: Int, row: Int, of component: EncodingFrame.Component) -> Origin {
    var x = column &+ croppedMCUColumns &* component.horizontalFactor
    var y = row &+ croppedMCURows &* component.verticalFactor
    var table = 0
    let mirroredWidth = mirroredMCUColumns &* component.horizontalFactor
    let mirroredHeight = mirroredMCURows &* component.verticalFactor
    if operation.mirrorsColumns, x < mirroredWidth {
      x = mirroredWidth &- 1 &- x
      table = 1
    }
    if operation.mirrorsRows, y < mirroredHeight {
      y = mirroredHeight &- 1 &- y
      table |= 2
    }
    return operation.isTransposed ? Origin(column: y, row: x, table: table) : Origin(column: x, row: y, table: table)
  }

  /// For blocks that are not mirrored, mirrored left to right, top to bottom and both: the new zigzag index of each
  /// zigzag index, plus 64 if the coefficient is negated.
  func places() -> [UInt8] {
    var zigzag = [UInt8](repeating: 0, count: 64)
    for (index, natural) in CoefficientOrder.natural.enumerated() { zigzag[Int(natural)] = UInt8(index) }
    return (0..<4).flatMap { table in
      CoefficientOrder.natural.map { natural -> UInt8 in
        let (row, column) = operation.isTransposed ? (natural & 7, natural >> 3) : (natural >> 3, natural & 7)
        // Mirroring negates the odd frequencies of its direction.
        let isNegated = (table & 1 != 0 && column & 1 == 1) != (table & 2 != 0 && row & 1 == 1)
        return zigzag[Int(row << 3 | column)] | (isNegated ? 64 : 0)
      }
    }
  }

  /// The frame of the result.
  func encodingFrame(of source: CoefficientImage) -> EncodingFrame {
    let components = source.frame.components.enumerated().map { index, component in
      EncodingFrame.Component(
        identifier: component.identifier,
        horizontalFactor: operation.isTransposed ? component.verticalFactor : component.horizontalFactor,
        verticalFactor: operation.isTransposed ? component.horizontalFactor : component.verticalFactor,
        table: source.colorTransform.hasChroma && (index == 1 || index == 2) ? 1 : 0,
        quantizationTable: component.quantizationTable)
    }
    return EncodingFrame(width: width, height: height, transform: source.colorTransform, components: components)
  }
}

extension EncodingFrame.ColorTransform {
  /// Whether the second and third components are chroma.
  var hasChroma: Bool { self == .yCbCr || self == .ycck }
}
