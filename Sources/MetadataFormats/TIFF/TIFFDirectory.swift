// One image file directory: its fields as ranges of the input, so that no value is copied before it is asked for
// (TIFF 6.0, section 2).

package import ImageCore

/// How a field's values are stored. Raw values are those of the file.
package enum TIFFFieldType: UInt16, Hashable, Sendable {
  case byte = 1
  case ascii = 2
  case short = 3
  case long = 4
  case rational = 5
  case signedByte = 6
  case undefined = 7
  case signedShort = 8
  case signedLong = 9
  case signedRational = 10
  case float = 11
  case double = 12
  case directory = 13
  case long8 = 16
  case signedLong8 = 17
  case directory8 = 18

  /// Bytes of one value.
  package var byteCount: Int {
    switch self {
    case .byte, .ascii, .signedByte, .undefined: 1
    case .short, .signedShort: 2
    case .long, .signedLong, .float, .directory: 4
    case .rational, .signedRational, .double, .long8, .signedLong8, .directory8: 8
    }
  }
}

/// A field of a directory: its tag and the position of its values.
package struct TIFFField: Hashable, Sendable {
  /// The number that says what the field is about.
  package let tag: UInt16
  /// How values are stored.
  package let type: TIFFFieldType
  /// The number of values.
  package let count: Int
  /// The offsets of the values, counted from the start of the header. May be outside of the input.
  package let values: Range<Int>
}

/// The fields of a directory, in file order.
package struct TIFFDirectory: Hashable, Sendable {
  /// The fields whose type is known and whose count is possible.
  package private(set) var fields: [TIFFField] = []
  /// The offset of the next directory; 0 where there is none.
  package private(set) var nextOffset: UInt64 = 0

  /// Units of work that reading a field costs.
  package static let workPerField = 60

  /// Reads a directory.
  ///
  /// - Parameters:
  ///   - bytes: the structure from its header on.
  ///   - offset: the directory's offset, counted from the header.
  ///   - maximumFieldCount: the number of fields after which the others are skipped.
  ///   - keepsIncomplete: whether a directory that is cut off has the fields before the cut.
  ///   - budget: is charged for every field that is read.
  /// - Throws: ``CodecError/Kind/truncated`` when the directory is not wholly in the input, what `budget` throws.
  package init(
    _ bytes: Span<UInt8>, at offset: UInt64, header: TIFFHeader, maximumFieldCount: Int = .max,
    keepsIncomplete: Bool = false, format: AssetType? = nil, budget: inout ResourceBudget
  ) throws(CodecError) {
    let layout = try TIFFDirectoryLayout(bytes, at: offset, header: header, format: format)
    // Entries beyond the end of the input cost nothing.
    let presentCount = min(layout.fieldCount, max(0, bytes.count - layout.firstEntry) / layout.entryByteCount)
    try budget.chargeWork(count: 1 + presentCount, unitsEach: Self.workPerField)
    for index in 0..<presentCount where fields.count < maximumFieldCount {
      guard let field = try layout.field(at: index, in: bytes, format: format) else { continue }
      if fields.count == fields.capacity {
        try budget.allocate(count: max(16, fields.count), bytesEach: MemoryLayout<TIFFField>.stride)
        fields.reserveCapacity(max(16, fields.count * 2))
      }
      fields.append(field)
    }
    if presentCount < layout.fieldCount, !keepsIncomplete {
      // Throws, with the bytes that are needed.
      _ = try layout.field(at: presentCount, in: bytes, format: format)
    }
    // The last directory of a file may lack the offset.
    nextOffset = layout.nextOffset(in: bytes)
  }

  /// The first field with a tag.
  package subscript(tag: UInt16) -> TIFFField? {
    fields.first { $0.tag == tag }
  }
}

extension TIFFField {
  /// Reads a field; `nil` for one of an unknown type or an impossible count.
  init?(parsing reader: inout ByteReader, header: TIFFHeader) throws(CodecError) {
    let isBigEndian = header.isBigEndian
    let wideByteCount = header.isBig ? 8 : 4
    tag = UInt16(try reader.readInteger(byteCount: 2, isBigEndian: isBigEndian))
    let type = TIFFFieldType(rawValue: UInt16(try reader.readInteger(byteCount: 2, isBigEndian: isBigEndian)))
    let count = try reader.readInteger(byteCount: wideByteCount, isBigEndian: isBigEndian)
    let inlineStart = reader.position
    let stored = try reader.readInteger(byteCount: wideByteCount, isBigEndian: isBigEndian)
    guard let type, count <= UInt64(Int32.max), let valueCount = Int(exactly: count) else { return nil }
    let (byteCount, overflow) = valueCount.multipliedReportingOverflow(by: type.byteCount)
    if overflow { return nil }
    let start = byteCount <= wideByteCount ? inlineStart : Int(clamping: stored)
    guard start <= Int.max - byteCount else { return nil }
    self.type = type
    self.count = valueCount
    values = start..<start + byteCount
  }

  /// One value as an integer; `nil` where it is none, or is outside of the input.
  package func integer(at index: Int = 0, in bytes: Span<UInt8>, header: TIFFHeader) -> Int? {
    guard index >= 0, index < count else { return nil }
    let size = type.byteCount
    var reader = ByteReader(bytes)
    guard index <= values.count / size, (try? reader.seek(to: values.lowerBound + index * size)) != nil,
      let raw = try? reader.readInteger(byteCount: size, isBigEndian: header.isBigEndian)
    else { return nil }
    switch type {
    case .byte, .short, .long, .undefined, .directory, .long8, .directory8: return Int(exactly: raw)
    case .signedByte: return Int(Int8(truncatingIfNeeded: raw))
    case .signedShort: return Int(Int16(truncatingIfNeeded: raw))
    case .signedLong: return Int(Int32(truncatingIfNeeded: raw))
    case .signedLong8: return Int(exactly: Int64(bitPattern: raw))
    case .ascii, .rational, .signedRational, .float, .double: return nil
    }
  }

  /// Whether all values are within the input.
  package func isContained(in bytes: Span<UInt8>) -> Bool {
    values.upperBound <= bytes.count
  }
}
