// SOFn: the coding process, the components, and the geometry derived from them. ITU-T T.81, sections B.2.2, A.1 and
// A.2.

internal import ImageCoding

/// The parsed header of a frame.
struct FrameHeader {
  /// The coding process (ITU-T T.81, section 4.11).
  enum Process: Hashable {
    /// SOF0, or SOF1 and SOF9: each coefficient is coded whole, in a single scan.
    case sequential
    /// SOF2 and SOF10: coefficients are coded in several scans.
    case progressive
  }

  /// A component and its geometry in the frame.
  struct Component: Hashable {
    /// The identifier (Ci).
    var identifier: UInt8
    /// The horizontal sampling factor (Hi), 1…4.
    var horizontalFactor: Int
    /// The vertical sampling factor (Vi), 1…4.
    var verticalFactor: Int
    /// The destination of the quantisation table (Tqi), 0…3.
    var quantizationTable: Int
    /// The number of samples in a row, without padding (xi).
    var width = 0
    /// The number of sample rows, without padding (yi).
    var height = 0
    /// The number of blocks in a row of a non-interleaved scan.
    var blocksPerRow = 0
    /// The number of block rows in a non-interleaved scan.
    var blockRowCount = 0
    /// The number of blocks in a row, rounded up to whole MCUs.
    var paddedBlocksPerRow = 0
    /// The number of block rows, rounded up to whole MCUs.
    var paddedBlockRowCount = 0
    /// The width and height in samples to which a block is decoded: 8, or less if the picture is decoded at a reduced
    /// size.
    var blockSize = 8
  }

  /// The marker, which identifies the SOFn.
  var marker: Marker
  /// The coding process (ITU-T T.81, section 4.11).
  var process: Process
  /// Whether entropy coding is arithmetic instead of Huffman.
  var isArithmetic: Bool
  /// The number of bits per sample (P): 8 or 12.
  var precision: Int
  /// The number of columns (X).
  private(set) var width: Int
  /// The number of rows (Y); 0 until a DNL segment specifies it.
  private(set) var height: Int
  /// The components, in the order of the header.
  private(set) var components: [Component]
  /// The largest horizontal sampling factor.
  var maximumHorizontalFactor: Int
  /// The largest vertical sampling factor.
  var maximumVerticalFactor: Int
  /// The number of MCUs in a row of an interleaved scan.
  private(set) var mcusPerRow = 0
  /// The number of MCU rows in an interleaved scan.
  private(set) var mcuRowCount = 0

  /// Parses an SOFn segment.
  ///
  /// - Throws: `CodecError.Kind.unsupported`, naming the process, or `CodecError.Kind.malformed`.
  init(parsing reader: inout ByteReader, marker: Marker) throws(CodecError) {
    self.marker = marker
    (process, isArithmetic) = try Self.process(of: marker, reader)
    precision = Int(try reader.readUInt8())
    guard precision == 8 || (precision == 12 && marker.rawValue != 0xC0) else {
      throw reader.error(.unsupported, "\(precision)-bit samples are not supported")
    }
    height = Int(try reader.readUInt16BigEndian())
    width = Int(try reader.readUInt16BigEndian())
    let count = Int(try reader.readUInt8())
    guard width > 0, count > 0 else { throw reader.error(.malformed, "the frame has no columns or no components") }
    guard count == 1 || count == 3 || count == 4 else {
      throw reader.error(.unsupported, "frames of \(count) components are not supported")
    }
    components = []
    for _ in 0..<count {
      let identifier = try reader.readUInt8()
      let factors = Int(try reader.readUInt8())
      let table = Int(try reader.readUInt8())
      guard (1...4).contains(factors >> 4), (1...4).contains(factors & 15) else {
        throw reader.error(.malformed, "a sampling factor is not 1…4")
      }
      guard table < 4 else { throw reader.error(.malformed, "a quantisation table selector is not 0…3") }
      components.append(
        Component(
          identifier: identifier, horizontalFactor: factors >> 4, verticalFactor: factors & 15,
          quantizationTable: table))
    }
    if count == 1 {
      // The sampling factors of a single component are irrelevant, because its scans are not interleaved.
      components[0].horizontalFactor = 1
      components[0].verticalFactor = 1
    }
    maximumHorizontalFactor = components.map { $0.horizontalFactor }.max() ?? 1
    maximumVerticalFactor = components.map { $0.verticalFactor }.max() ?? 1
    if height > 0 { layOut() }
  }

  /// Sets the number of rows, from a DNL segment.
  mutating func setHeight(_ rows: Int) {
    height = rows
    layOut()
  }

  /// The number of blocks in an MCU of all components. An interleaved scan is possible only with at most ten.
  var blocksPerMCU: Int { components.reduce(0) { $0 + $1.horizontalFactor * $1.verticalFactor } }
  /// The number of samples per unit of a sampling factor.
  private(set) var samplesPerFactor = 8
  /// The width and height in samples to which a block of the component of highest resolution is decoded.
  private(set) var blockSize = 8
  /// The number of columns in an MCU of an interleaved scan.
  var mcuWidth: Int { samplesPerFactor * maximumHorizontalFactor }
  /// The number of rows in an MCU of an interleaved scan.
  var mcuHeight: Int { samplesPerFactor * maximumVerticalFactor }
  /// The number of sample rows of a component in an MCU.
  func bandRowCount(_ component: Component) -> Int { samplesPerFactor * component.verticalFactor }

  /// Returns the geometry of the picture at `eighths` / 8 of its size. Blocks and MCUs stay the same.
  ///
  /// A subsampled component keeps more samples per block if that brings it to the resolution of the picture. This is
  /// libjpeg's choice; it leaves less to upsample. Sampling factors then count samples.
  ///
  /// - Parameter keepsSubsampling: whether subsampled components have `eighths` samples per block too.
  func scaled(toEighths eighths: Int, keepsSubsampling: Bool = false) -> FrameHeader {
    if eighths == 8 { return self }
    var result = self
    result.samplesPerFactor = 1
    result.blockSize = eighths
    result.width = (width * eighths + 7) / 8
    result.height = (height * eighths + 7) / 8
    result.maximumHorizontalFactor = maximumHorizontalFactor * eighths
    result.maximumVerticalFactor = maximumVerticalFactor * eighths
    for (index, component) in components.enumerated() {
      let horizontal = component.horizontalFactor
      let vertical = component.verticalFactor
      var size = eighths
      while !keepsSubsampling, size < 8, result.maximumHorizontalFactor % (horizontal * size * 2) == 0,
        result.maximumVerticalFactor % (vertical * size * 2) == 0
      {
        size *= 2
      }
      result.components[index].blockSize = size
      result.components[index].horizontalFactor = horizontal * size
      result.components[index].verticalFactor = vertical * size
      let (acrossAll, downAll) = (maximumHorizontalFactor * 8, maximumVerticalFactor * 8)
      result.components[index].width = (width * horizontal * size + acrossAll - 1) / acrossAll
      result.components[index].height = (height * vertical * size + downAll - 1) / downAll
    }
    return result
  }

  /// The smallest number of eighths at which the picture is not smaller than `target`: 1, 2, 4 or 8.
  func eighths(for target: PixelSize?) -> Int {
    guard let target else { return 8 }
    return [1, 2, 4].first {
      (width * $0 + 7) / 8 >= target.width && (height * $0 + 7) / 8 >= target.height
    } ?? 8
  }

  private static func process(
    of marker: Marker, _ reader: borrowing ByteReader
  ) throws(CodecError) -> (Process, isArithmetic: Bool) {
    switch marker.rawValue {
    case 0xC0, 0xC1: return (.sequential, false)
    case 0xC2: return (.progressive, false)
    case 0xC9: return (.sequential, true)
    case 0xCA: return (.progressive, true)
    case 0xC3, 0xCB: throw reader.error(.unsupported, "the lossless process is not supported")
    default: throw reader.error(.unsupported, "hierarchical processes are not supported")
    }
  }

  private mutating func layOut() {
    mcusPerRow = (width + mcuWidth - 1) / mcuWidth
    mcuRowCount = (height + mcuHeight - 1) / mcuHeight
    for index in components.indices {
      let horizontal = components[index].horizontalFactor
      let vertical = components[index].verticalFactor
      components[index].width = (width * horizontal + maximumHorizontalFactor - 1) / maximumHorizontalFactor
      components[index].height = (height * vertical + maximumVerticalFactor - 1) / maximumVerticalFactor
      components[index].blocksPerRow = (components[index].width + 7) / 8
      components[index].blockRowCount = (components[index].height + 7) / 8
      components[index].paddedBlocksPerRow = mcusPerRow * horizontal
      components[index].paddedBlockRowCount = mcuRowCount * vertical
    }
  }
}
