// Opcode lists: corrections that a raw file prescribes (DNG 1.7, chapter 7).

internal import ImageCoding
internal import MetadataFormats

/// The opcodes of a list that are applied: MapTable, MapPolynomial and GainMap. Others are skipped.
struct OpcodeList {
  /// An operation on some samples of a picture.
  struct Opcode {
    /// The operation on a value of 0…1.
    enum Operation {
      case table([UInt16])
      /// The coefficients, from that of the constant on.
      case polynomial([Float])
      case gains(GainMap)
    }

    let area: Area
    let operation: Operation
  }

  /// The samples that an opcode changes.
  struct Area {
    let rows: Range<Int>
    let columns: Range<Int>
    let planes: Range<Int>
    let rowPitch: Int
    let columnPitch: Int

    /// Reads an area, cut off at the size of the picture.
    init(parsing reader: inout ByteReader, size: PixelSize, planeCount: Int) throws(CodecError) {
      func value(_ reader: inout ByteReader) throws(CodecError) -> Int {
        Int(clamping: try reader.readUInt32BigEndian())
      }
      let (top, left) = (try value(&reader), try value(&reader))
      let (bottom, right) = (try value(&reader), try value(&reader))
      let (plane, planes) = (try value(&reader), try value(&reader))
      rowPitch = max(1, try value(&reader))
      columnPitch = max(1, try value(&reader))
      rows = min(top, size.height)..<max(min(top, size.height), min(bottom, size.height))
      columns = min(left, size.width)..<max(min(left, size.width), min(right, size.width))
      let first = min(plane, planeCount)
      self.planes = first..<min(planeCount, first + min(planes, planeCount))
    }

    /// Whether samples of a row are changed.
    func contains(row y: Int) -> Bool { rows.contains(y) && (y - rows.lowerBound) % rowPitch == 0 }
  }

  private(set) var opcodes: [Opcode] = []

  /// The maximum number of opcodes of a list: the work on a row is done between two checkpoints.
  private static let maximumCount = 24
  /// The work units for reading a byte of an opcode.
  private static let workPerByte = 10

  /// A list without opcodes.
  init() {}

  /// Reads a list.
  ///
  /// - Parameters:
  ///   - size: the size of the picture to which the list applies.
  ///   - planeCount: the number of its samples per pixel.
  /// - Throws: in strict mode, `CodecError.Kind.unsupported` for a mandatory opcode that is not applied, and
  ///   `CodecError.Kind.malformed`.
  init(
    _ tag: RawTag, _ fields: borrowing RawFields, size: PixelSize, planeCount: Int, _ context: inout DecodingContext
  ) throws(CodecError) {
    guard let range = fields.range(tag) else { return }
    do throws(CodecError) {
      try context.budget.chargeWork(count: range.count, unitsEach: Self.workPerByte)
      try context.budget.allocate(range.count)
      var reader = ByteReader(fields.bytes.extracting(range), baseOffset: range.lowerBound, format: context.format)
      let count = Int(clamping: try reader.readUInt32BigEndian())
      for _ in 0..<min(count, Self.maximumCount) {
        let identifier = try reader.readUInt32BigEndian()
        try reader.skip(4)
        let isOptional = try reader.readUInt32BigEndian() & 1 == 1
        let data = try reader.read(Int(clamping: try reader.readUInt32BigEndian()))
        var content = ByteReader(data, format: context.format)
        if let opcode = try Opcode(identifier, &content, size: size, planeCount: planeCount) {
          opcodes.append(opcode)
          continue
        }
        let reason = "the opcode \(Self.name(identifier)) is not applied"
        if isOptional {
          context.noteOnce(.warning, reason, byteOffset: nil)
        } else {
          try context.tolerateOnce(CodecError(.unsupported, reason, format: context.format), as: .warning)
        }
      }
    } catch {
      if !error.isDamage { throw error }
      try context.tolerate(error, as: .damage)
    }
  }

  private static func name(_ identifier: UInt32) -> String {
    let names = [
      "WarpRectilinear", "WarpFisheye", "FixVignetteRadial", "FixBadPixelsConstant", "FixBadPixelsList", "TrimBounds",
      "MapTable", "MapPolynomial", "GainMap", "DeltaPerRow", "DeltaPerColumn", "ScalePerRow", "ScalePerColumn",
      "WarpRectilinear2",
    ]
    let index = Int(clamping: identifier) - 1
    return names.indices.contains(index) ? names[index] : "\(identifier)"
  }

  /// Whether nothing is changed.
  var isEmpty: Bool { opcodes.isEmpty }
  /// The work units for applying the list to a sample.
  var workPerSample: Int { opcodes.count * Self.workPerOpcode }
  /// The work units for preparing the opcodes for a row.
  var workPerRow: Int { opcodes.count * 200 }
  /// The work units for applying an opcode to a sample.
  static let workPerOpcode = 12
}

extension OpcodeList.Opcode {
  /// Reads the content of an opcode; `nil` if it is not one of those that are applied.
  fileprivate init?(
    _ identifier: UInt32, _ reader: inout ByteReader, size: PixelSize, planeCount: Int
  ) throws(CodecError) {
    switch identifier {
    case 7:
      area = try OpcodeList.Area(parsing: &reader, size: size, planeCount: planeCount)
      let count = Int(clamping: try reader.readUInt32BigEndian())
      guard (1...65_536).contains(count), count <= reader.remaining / 2 else {
        throw reader.error(.malformed, "the table of MapTable is empty or incomplete")
      }
      var table: [UInt16] = []
      table.reserveCapacity(count)
      for _ in 0..<count { table.append(try reader.readUInt16BigEndian()) }
      operation = .table(table)
    case 8:
      area = try OpcodeList.Area(parsing: &reader, size: size, planeCount: planeCount)
      let degree = Int(clamping: try reader.readUInt32BigEndian())
      guard degree <= 8 else { throw reader.error(.malformed, "the degree of MapPolynomial exceeds 8") }
      var coefficients: [Float] = []
      for _ in 0...degree { coefficients.append(Float(try reader.readDouble())) }
      operation = .polynomial(coefficients)
    case 9:
      area = try OpcodeList.Area(parsing: &reader, size: size, planeCount: planeCount)
      operation = .gains(try GainMap(parsing: &reader, size: size))
    default: return nil
    }
  }
}

extension ByteReader {
  /// Reads a big-endian number of 64 bits. Those that are not finite become 0.
  @_lifetime(self: copy self)
  mutating func readDouble() throws(CodecError) -> Double {
    let value = Double(bitPattern: try readInteger(byteCount: 8, isBigEndian: true))
    return value.isFinite ? value : 0
  }
}
