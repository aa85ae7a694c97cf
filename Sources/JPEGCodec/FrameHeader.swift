// SOFn: what is coded and how, and the geometry that follows from it. ITU-T T.81, sections B.2.2 and A.1, A.2.

internal import ImageCore

/// The parsed header of a frame.
struct FrameHeader {
  /// How samples are coded.
  enum Process: Hashable {
    /// SOF0, or SOF1 and SOF9: coefficients whole, in one scan each.
    case sequential
    /// SOF2 and SOF10: coefficients in parts.
    case progressive
  }

  /// A component and its place in the geometry of the frame.
  struct Component: Hashable {
    /// Its identifier (Ci).
    var identifier: UInt8
    /// Its horizontal sampling factor (Hi), 1…4.
    var horizontalFactor: Int
    /// Its vertical sampling factor (Vi), 1…4.
    var verticalFactor: Int
    /// Where its quantisation table is stored (Tqi), 0…3.
    var quantizationTable: Int
    /// Samples in a row, without padding (xi).
    var width = 0
    /// Rows of samples, without padding (yi).
    var height = 0
    /// Blocks in a row of a scan of this component alone.
    var blocksPerRow = 0
    /// Block rows of a scan of this component alone.
    var blockRowCount = 0
    /// Blocks in a row, whole MCUs.
    var paddedBlocksPerRow = 0
    /// Block rows, whole MCUs.
    var paddedBlockRowCount = 0
    /// Samples across and down that a block becomes: 8, or less when the picture is decoded at a fraction of its size.
    var blockSize = 8
  }

  /// The marker: which SOFn it is.
  var marker: Marker
  /// How samples are coded.
  var process: Process
  /// Whether entropy coding is arithmetic instead of Huffman.
  var isArithmetic: Bool
  /// Bits of a sample (P): 8 or 12.
  var precision: Int
  /// Columns (X).
  private(set) var width: Int
  /// Rows (Y); 0 until a DNL segment says.
  private(set) var height: Int
  /// The components in the order of the header.
  private(set) var components: [Component]
  /// The largest horizontal sampling factor.
  var maximumHorizontalFactor: Int
  /// The largest vertical sampling factor.
  var maximumVerticalFactor: Int
  /// MCUs of an interleaved scan in a row.
  private(set) var mcusPerRow = 0
  /// Rows of MCUs of an interleaved scan.
  private(set) var mcuRowCount = 0

  /// Parses the segment of a SOFn marker.
  ///
  /// - Throws: ``DecodeError/Kind/unsupported`` naming the process, ``DecodeError/Kind/malformed``.
  init(parsing reader: inout ByteReader, marker: Marker) throws(DecodeError) {
    self.marker = marker
    (process, isArithmetic) = try Self.process(of: marker, reader)
    precision = Int(try reader.readUInt8())
    guard precision == 8 || (precision == 12 && marker.rawValue != 0xC0) else {
      throw reader.error(.unsupported, "samples of \(precision) bits are not decoded")
    }
    height = Int(try reader.readUInt16BigEndian())
    width = Int(try reader.readUInt16BigEndian())
    let count = Int(try reader.readUInt8())
    guard width > 0, count > 0 else { throw reader.error(.malformed, "a frame without columns or components") }
    guard count == 1 || count == 3 || count == 4 else {
      throw reader.error(.unsupported, "frames of \(count) components are not decoded")
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
      // The factors of a lone component say nothing: its scans are not interleaved.
      components[0].horizontalFactor = 1
      components[0].verticalFactor = 1
    }
    maximumHorizontalFactor = components.map(\.horizontalFactor).max() ?? 1
    maximumVerticalFactor = components.map(\.verticalFactor).max() ?? 1
    if height > 0 { layOut() }
  }

  /// Sets the number of rows that a DNL segment gives.
  mutating func setHeight(_ rows: Int) {
    height = rows
    layOut()
  }

  /// Whether an interleaved scan of all components is possible: at most ten blocks in an MCU.
  var blocksPerMCU: Int { components.reduce(0) { $0 + $1.horizontalFactor * $1.verticalFactor } }
  /// Samples for each unit of a sampling factor.
  private(set) var samplesPerFactor = 8
  /// Samples across and down that a block of the component of the highest resolution becomes.
  private(set) var blockSize = 8
  /// Columns of an MCU of an interleaved scan.
  var mcuWidth: Int { samplesPerFactor * maximumHorizontalFactor }
  /// Rows of an MCU of an interleaved scan.
  var mcuHeight: Int { samplesPerFactor * maximumVerticalFactor }
  /// Rows of samples of a component in an MCU.
  func bandRowCount(_ component: Component) -> Int { samplesPerFactor * component.verticalFactor }

  /// The geometry of the picture at `eighths` / 8 of its size; blocks and MCUs are as they were.
  ///
  /// A component of less resolution keeps more samples of a block, as far as that makes its resolution that of the
  /// picture: libjpeg's choice, which leaves less to upsampling. Factors then count samples.
  func scaled(toEighths eighths: Int) -> FrameHeader {
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
      while size < 8, result.maximumHorizontalFactor % (horizontal * size * 2) == 0,
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

  /// The least number of eighths at which the picture is not smaller than `target`: 1, 2, 4 or 8.
  func eighths(for target: PixelSize?) -> Int {
    guard let target else { return 8 }
    return [1, 2, 4].first {
      (width * $0 + 7) / 8 >= target.width && (height * $0 + 7) / 8 >= target.height
    } ?? 8
  }

  private static func process(
    of marker: Marker, _ reader: borrowing ByteReader
  ) throws(DecodeError) -> (Process, isArithmetic: Bool) {
    switch marker.rawValue {
    case 0xC0, 0xC1: return (.sequential, false)
    case 0xC2: return (.progressive, false)
    case 0xC9: return (.sequential, true)
    case 0xCA: return (.progressive, true)
    case 0xC3, 0xCB: throw reader.error(.unsupported, "the lossless process is not decoded")
    default: throw reader.error(.unsupported, "hierarchical processes are not decoded")
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
