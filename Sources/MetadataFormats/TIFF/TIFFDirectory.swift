// An image file directory. Its fields are ranges of the input, so that no value is copied before it is needed (TIFF
// 6.0, section 2).

package import ImageCore

/// The type of a field's values. Raw values are those in the file.
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

  /// The number of bytes of one value.
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
  /// The tag.
  package let tag: UInt16
  /// The type of the values.
  package let type: TIFFFieldType
  /// The number of values.
  package let count: Int
  /// The range of the values, relative to the start of the header. May be outside the input.
  package let values: Range<Int>
}

/// The fields of a directory, in file order.
package struct TIFFDirectory: Hashable, Sendable {
  /// The fields with a known type and a valid count.
  package private(set) var fields: [TIFFField] = []
  /// The offset of the next directory; 0 if there is none.
  package private(set) var nextOffset: UInt64 = 0

  /// The work units for reading a field.
  package static let workPerField = 60

  /// Reads a directory.
  ///
  /// - Parameters:
  ///   - bytes: the structure, starting with its header.
  ///   - offset: the offset of the directory, relative to the header.
  ///   - maximumFieldCount: the number of fields after which the rest are skipped.
  ///   - keepsIncomplete: whether the complete fields of a truncated directory are kept.
  ///   - budget: the budget to which every field read is charged.
  /// - Throws: `CodecError.Kind.truncated` if the directory is not completely in the input; errors of `budget`.
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
      // Throws an error with the needed byte count.
      _ = try layout.field(at: presentCount, in: bytes, format: format)
    }
    // The last directory of a file may lack the link.
    nextOffset = layout.nextOffset(in: bytes)
  }

  /// The first field with a tag.
  package subscript(tag: UInt16) -> TIFFField? {
    fields.first { $0.tag == tag }
  }
}

extension TIFFField {
  /// Reads a field; `nil` if its type is unknown or its count is invalid.
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

  /// Returns one value as an integer; `nil` if it is not an integer or outside the input.
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

  /// Returns whether all values are within the input.
  package func isContained(in bytes: Span<UInt8>) -> Bool {
    values.upperBound <= bytes.count
  }
}
