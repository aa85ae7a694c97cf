// The geometry of a frame to be encoded: components, blocks and MCUs. ITU-T T.81, sections A.1 and A.2.

internal import ImageCoding

/// A frame to be encoded.
struct EncodingFrame {
  /// The conversion of pixel samples to components.
  enum ColorTransform: Hashable {
    case gray, yCbCr, cmyk, ycck
    /// Only in files whose coefficients come from another file.
    case rgb

    /// The components that are coded, or from which they are converted.
    var colorModel: PixelFormat.ColorModel {
      switch self {
      case .gray: .gray
      case .yCbCr, .rgb: .rgb
      case .cmyk, .ycck: .cmyk
      }
    }
  }

  /// A component and its geometry in the frame.
  struct Component {
    /// The identifier (Ci).
    var identifier: UInt8
    /// The horizontal sampling factor (Hi).
    var horizontalFactor: Int
    /// The vertical sampling factor (Vi).
    var verticalFactor: Int
    /// The destination of its Huffman tables: 0 or 1.
    var table: Int
    /// The destination of its quantisation table, 0…3.
    var quantizationTable: Int
    /// The number of blocks in a row that contain samples.
    var blocksPerRow = 0
    /// The number of block rows that contain samples.
    var blockRowCount = 0
    /// The number of blocks in a row, rounded up to whole MCUs.
    var paddedBlocksPerRow = 0
    /// The number of block rows, rounded up to whole MCUs.
    var paddedBlockRowCount = 0
    /// The number of picture columns per sample.
    var columnRatio = 1
    /// The number of picture rows per sample.
    var rowRatio = 1

    /// The number of samples in a row, rounded up to whole blocks.
    var sampleWidth: Int { blocksPerRow * 8 }
    /// The number of the component's blocks in an MCU of an interleaved scan.
    var blocksPerMCU: Int { horizontalFactor * verticalFactor }
  }

  let width: Int
  let height: Int
  let transform: ColorTransform
  private(set) var components: [Component]
  let maximumVerticalFactor: Int
  let maximumHorizontalFactor: Int
  let mcusPerRow: Int
  let mcuRowCount: Int

  /// Creates the frame of a picture of 1…65,535 rows and columns.
  init(width: Int, height: Int, transform: ColorTransform, subsampling: JPEGEncoder.Options.Subsampling) {
    let (h, v): (Int, Int) =
      switch subsampling {
      case .yuv444, .gray: (1, 1)
      case .yuv422: (2, 1)
      case .yuv420: (2, 2)
      case .yuv440: (1, 2)
      case .yuv411: (4, 1)
      }
    func component(_ identifier: UInt8, _ factors: (Int, Int), _ table: Int) -> Component {
      Component(
        identifier: identifier, horizontalFactor: factors.0, verticalFactor: factors.1, table: table,
        quantizationTable: table)
    }
    var components: [Component]
    switch transform {
    case .gray: components = [component(1, (1, 1), 0)]
    case .yCbCr: components = [component(1, (h, v), 0), component(2, (1, 1), 1), component(3, (1, 1), 1)]
    case .rgb: components = "RGB".utf8.map { component($0, (1, 1), 0) }
    case .cmyk: components = "CMYK".utf8.map { component($0, (1, 1), 0) }
    case .ycck:
      components = [
        component(1, (h, v), 0), component(2, (1, 1), 1), component(3, (1, 1), 1), component(4, (h, v), 0),
      ]
    }
    self.init(width: width, height: height, transform: transform, components: components)
  }

  /// Creates a frame of components with any sampling factors.
  init(width: Int, height: Int, transform: ColorTransform, components: [Component]) {
    (self.width, self.height, self.transform) = (width, height, transform)
    self.components = components
    let maximumHorizontal = components.map { $0.horizontalFactor }.max() ?? 1
    let maximumVertical = components.map { $0.verticalFactor }.max() ?? 1
    (maximumHorizontalFactor, maximumVerticalFactor) = (maximumHorizontal, maximumVertical)
    mcusPerRow = (width + maximumHorizontal * 8 - 1) / (maximumHorizontal * 8)
    mcuRowCount = (height + maximumVertical * 8 - 1) / (maximumVertical * 8)
    for index in components.indices {
      let (h, v) = (components[index].horizontalFactor, components[index].verticalFactor)
      self.components[index].columnRatio = maximumHorizontal / h
      self.components[index].rowRatio = maximumVertical / v
      self.components[index].blocksPerRow = (width * h + maximumHorizontal * 8 - 1) / (maximumHorizontal * 8)
      self.components[index].blockRowCount = (height * v + maximumVertical * 8 - 1) / (maximumVertical * 8)
      self.components[index].paddedBlocksPerRow = mcusPerRow * h
      self.components[index].paddedBlockRowCount = mcuRowCount * v
    }
  }

  /// The number of picture rows in a row of MCUs.
  var mcuHeight: Int { maximumVerticalFactor * 8 }
  /// The number of blocks in an MCU of a scan of all components.
  var blocksPerMCU: Int { components.reduce(0) { $0 + $1.blocksPerMCU } }

  /// The number of MCUs in a row of a scan; an MCU is a single block if the scan has one component.
  func mcusPerRow(ofScan components: [Int]) -> Int {
    components.count == 1 ? self.components[components[0]].blocksPerRow : mcusPerRow
  }

  /// The number of MCUs between restart markers of a scan; 0 for none.
  func restartInterval(_ interval: JPEGEncoder.Options.RestartInterval, ofScan components: [Int]) -> Int {
    switch interval {
    case .none: 0
    case .mcus(let count): count
    case .rows(let count): min(count * mcusPerRow(ofScan: components), 65_535)
    }
  }
}
