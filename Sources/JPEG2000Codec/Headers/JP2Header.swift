// The header superbox of a file: colours, palettes and channels (ITU-T T.800, I.5.3).

internal import ImageCoding

/// The content of the header superbox.
struct JP2Header: Sendable {
  /// The colours as a box specifies them.
  enum ColorSpecification: Sendable {
    /// An enumerated colour space.
    case enumerated(UInt32)
    /// CIE L*a*b*, which is an enumerated space with parameters.
    case lab(LabEncoding)
    case profile([UInt8])
    case codePoints(CodingIndependentCodePoints)
  }

  /// The table of a palette.
  struct Palette: Sendable {
    /// The depth and the sign of a column.
    struct Column: Sendable {
      let depth: Int
      let isSigned: Bool
    }

    let columns: [Column]
    /// The values of all entries, those of an entry next to one another; signed ones are offset by half their range.
    let values: [UInt16]

    var entryCount: Int { values.count / columns.count }
  }

  /// The source of a channel (cmap).
  struct ChannelMapping: Sendable {
    let component: Int
    /// The column of the palette; `nil` if the component is used as it is.
    let column: Int?
  }

  /// The meaning of a channel (cdef).
  struct ChannelDefinition: Sendable {
    let channel: Int
    /// 0 for colours, 1 for opacity, 2 for premultiplied opacity.
    let type: Int
    /// The number of the colour, from 1; 0 if the channel applies to all colours.
    let association: Int
  }

  private(set) var color: ColorSpecification?
  private(set) var palette: Palette?
  private(set) var mappings: [ChannelMapping] = []
  private(set) var definitions: [ChannelDefinition] = []
  private(set) var density: ImageMetadata.PixelDensity?
  /// The first defect; the box that has it is left out.
  private(set) var defect: CodecError?
  /// The approximation of the colours that ``color`` states, and its precedence.
  private var precedence: Int8 = .min

  init() {}

  init(
    parsing file: Span<UInt8>, _ content: Range<Int>, budget: inout ResourceBudget
  ) throws(CodecError) {
    let bytes = file.extracting(0..<content.upperBound)
    var offset = content.lowerBound
    while let box = try Box(bytes, at: offset, format: JPEG2000Decoder.type) {
      try budget.chargeWork(100, byteOffset: offset)
      let range = box.content.clamped(to: 0..<content.upperBound)
      var reader = ByteReader(bytes.extracting(range), baseOffset: range.lowerBound, format: JPEG2000Decoder.type)
      do throws(CodecError) {
        switch box.type {
        case "colr": try readColor(&reader, &budget)
        case "pclr" where palette == nil: palette = try Palette(parsing: &reader, budget: &budget)
        case "cmap" where mappings.isEmpty: try readMappings(&reader, &budget)
        case "cdef" where definitions.isEmpty: try readDefinitions(&reader, &budget)
        case "res ": readDensity(bytes, range)
        default: break
        }
      } catch {
        guard error.isDamage else { throw error }
        defect = defect ?? error
      }
      guard box.content.upperBound < content.upperBound else { break }
      offset = box.content.upperBound
    }
  }

  private mutating func readColor(_ reader: inout ByteReader, _ budget: inout ResourceBudget) throws(CodecError) {
    let method = try reader.readUInt8()
    let precedence = Int8(bitPattern: try reader.readUInt8())
    _ = try reader.readUInt8()
    guard color == nil || precedence > self.precedence else { return }
    switch method {
    case 1:
      let space = try reader.readUInt32BigEndian()
      color = space == 14 ? .lab(try LabEncoding(parsing: &reader)) : .enumerated(space)
    case 2, 3:
      guard reader.remaining > 0, budget.admitMetadata(reader.remaining) else { return }
      color = .profile(Array(copying: try reader.read(reader.remaining)))
    case 5:
      let primaries = try reader.readUInt16BigEndian()
      let transfer = try reader.readUInt16BigEndian()
      let matrix = try reader.readUInt16BigEndian()
      let isFullRange = try reader.readUInt8() & 0x80 != 0
      color = .codePoints(
        CodingIndependentCodePoints(
          colorPrimaries: UInt8(clamping: primaries), transferFunction: UInt8(clamping: transfer),
          matrixCoefficients: UInt8(clamping: matrix), isFullRange: isFullRange))
    default: return
    }
    self.precedence = precedence
  }

  private mutating func readMappings(_ reader: inout ByteReader, _ budget: inout ResourceBudget) throws(CodecError) {
    try budget.allocate(reader.remaining / 4 * MemoryLayout<ChannelMapping>.stride)
    while reader.remaining >= 4 {
      let component = Int(try reader.readUInt16BigEndian())
      let usesPalette = try reader.readUInt8() == 1
      let column = Int(try reader.readUInt8())
      mappings.append(ChannelMapping(component: component, column: usesPalette ? column : nil))
    }
  }

  private mutating func readDefinitions(
    _ reader: inout ByteReader, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let count = Int(try reader.readUInt16BigEndian())
    try budget.allocate(reader.remaining / 6 * MemoryLayout<ChannelDefinition>.stride)
    while reader.remaining >= 6, definitions.count < count {
      let channel = Int(try reader.readUInt16BigEndian())
      let type = Int(try reader.readUInt16BigEndian())
      let association = Int(try reader.readUInt16BigEndian())
      definitions.append(ChannelDefinition(channel: channel, type: type, association: association))
    }
  }

  /// Reads the resolution of the capture, or that of the display if there is no other.
  private mutating func readDensity(_ bytes: Span<UInt8>, _ content: Range<Int>) {
    var offset = content.lowerBound
    while let box = try? Box(bytes.extracting(0..<content.upperBound), at: offset, format: JPEG2000Decoder.type) {
      let range = box.content.clamped(to: 0..<content.upperBound)
      if box.type == "resc" || (box.type == "resd" && density == nil) {
        var reader = ByteReader(bytes.extracting(range), baseOffset: range.lowerBound, format: JPEG2000Decoder.type)
        if let value = try? Self.density(&reader) { density = value }
      }
      guard box.content.upperBound < content.upperBound else { break }
      offset = box.content.upperBound
    }
  }

  private static func density(_ reader: inout ByteReader) throws(CodecError) -> ImageMetadata.PixelDensity? {
    let (yNumerator, yDenominator) = (try reader.readUInt16BigEndian(), try reader.readUInt16BigEndian())
    let (xNumerator, xDenominator) = (try reader.readUInt16BigEndian(), try reader.readUInt16BigEndian())
    let (yExponent, xExponent) = (try reader.readUInt8(), try reader.readUInt8())
    guard yNumerator > 0, xNumerator > 0, yDenominator > 0, xDenominator > 0 else { return nil }
    func value(_ numerator: UInt16, _ denominator: UInt16, _ exponent: UInt8) -> Double {
      let power = Int8(bitPattern: exponent)
      let scale = (0..<abs(Int(power))).reduce(1.0) { value, _ in value * 10 }
      let quotient = Double(numerator) / Double(denominator)
      return power < 0 ? quotient / scale : quotient * scale
    }
    return ImageMetadata.PixelDensity(
      x: value(xNumerator, xDenominator, xExponent), y: value(yNumerator, yDenominator, yExponent), unit: .perMeter)
  }
}

extension JP2Header.Palette {
  fileprivate init(parsing reader: inout ByteReader, budget: inout ResourceBudget) throws(CodecError) {
    let entryCount = Int(try reader.readUInt16BigEndian())
    let columnCount = Int(try reader.readUInt8())
    guard (1...1024).contains(entryCount), columnCount > 0 else {
      throw reader.error(.malformed, "the palette has \(entryCount) entries of \(columnCount) columns")
    }
    try budget.allocate(count: entryCount * columnCount, bytesEach: 2, byteOffset: reader.byteOffset)
    try budget.allocate(columnCount * MemoryLayout<Column>.stride)
    var columns: [Column] = []
    for _ in 0..<columnCount {
      let depth = try reader.readUInt8()
      guard depth & 0x7F < 16 else {
        throw reader.error(.unsupported, "palettes of more than 16 bits are not supported")
      }
      columns.append(Column(depth: Int(depth & 0x7F) + 1, isSigned: depth & 0x80 != 0))
    }
    var values: [UInt16] = []
    for _ in 0..<entryCount {
      for column in columns {
        let value = column.depth > 8 ? try reader.readUInt16BigEndian() : UInt16(try reader.readUInt8())
        let maximum = UInt16.max >> UInt16(16 - column.depth)
        values.append(
          column.isSigned ? (value & maximum) ^ 1 << UInt16(column.depth - 1) : min(value, maximum))
      }
    }
    self.columns = columns
    self.values = values
  }
}
