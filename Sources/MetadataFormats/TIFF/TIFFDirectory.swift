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

/// A field of a directory: what it is called and where its values stand.
package struct TIFFField: Hashable, Sendable {
  /// The number that says what the field is about.
  package let tag: UInt16
  /// How values are stored.
  package let type: TIFFFieldType
  /// The number of values.
  package let count: Int
  /// Where the values stand, counted from the start of the header. May lie outside of the input.
  package let values: Range<Int>
}

/// The fields of a directory, in file order.
package struct TIFFDirectory: Hashable, Sendable {
  /// The fields whose type is known and whose count is possible.
  package private(set) var fields: [TIFFField] = []
  /// Where the next directory stands; 0 where there is none.
  package private(set) var nextOffset: UInt64 = 0

  /// Reads a directory.
  ///
  /// - Parameters:
  ///   - bytes: the structure from its header on.
  ///   - offset: where the directory stands, counted from the header.
  ///   - maximumFieldCount: fields to keep at most.
  ///   - keepsIncomplete: whether a directory that is cut off has the fields before the cut.
  /// - Throws: ``DecodeError/Kind/truncated`` when the directory lies behind the end of the input.
  package init(
    _ bytes: Span<UInt8>, at offset: UInt64, header: TIFFHeader, maximumFieldCount: Int = 65_535,
    keepsIncomplete: Bool = false, format: AssetType? = nil
  ) throws(DecodeError) {
    var reader = ByteReader(bytes, format: format)
    try reader.seek(to: Int(clamping: offset))
    let isBigEndian = header.isBigEndian
    let wideByteCount = header.isBig ? 8 : 4
    let fieldCount = try reader.readInteger(byteCount: header.isBig ? 8 : 2, isBigEndian: isBigEndian)
    guard fieldCount <= 65_535 else { throw reader.error(.malformed, "a directory of \(fieldCount) fields") }
    do throws(DecodeError) {
      for _ in 0..<fieldCount {
        let field = try TIFFField(parsing: &reader, header: header)
        if let field, fields.count < maximumFieldCount { fields.append(field) }
      }
    } catch {
      guard keepsIncomplete else { throw error }
      return
    }
    nextOffset = (try? reader.readInteger(byteCount: wideByteCount, isBigEndian: isBigEndian)) ?? 0
  }

  /// The first field with a tag.
  package subscript(tag: UInt16) -> TIFFField? {
    fields.first { $0.tag == tag }
  }
}

extension TIFFField {
  /// Reads a field; `nil` for one of an unknown type or of a count that has no place in any file.
  fileprivate init?(parsing reader: inout ByteReader, header: TIFFHeader) throws(DecodeError) {
    let isBigEndian = header.isBigEndian
    let wideByteCount = header.isBig ? 8 : 4
    tag = UInt16(try reader.readInteger(byteCount: 2, isBigEndian: isBigEndian))
    let type = TIFFFieldType(rawValue: UInt16(try reader.readInteger(byteCount: 2, isBigEndian: isBigEndian)))
    let count = try reader.readInteger(byteCount: wideByteCount, isBigEndian: isBigEndian)
    let inlineStart = reader.position
    let stored = try reader.readInteger(byteCount: wideByteCount, isBigEndian: isBigEndian)
    // The bound on counts also keeps the products below from overflowing.
    guard let type, count < 1 << 31 else { return nil }
    let byteCount = Int(count) * type.byteCount
    let start = byteCount <= wideByteCount ? inlineStart : Int(clamping: stored)
    guard start <= Int.max - byteCount else { return nil }
    self.type = type
    self.count = Int(count)
    values = start..<start + byteCount
  }

  /// One value as an integer; `nil` where it is none, or lies outside of the input.
  package func integer(at index: Int = 0, in bytes: Span<UInt8>, header: TIFFHeader) -> Int? {
    guard index >= 0, index < count else { return nil }
    let size = type.byteCount
    var reader = ByteReader(bytes)
    guard (try? reader.seek(to: values.lowerBound + index * size)) != nil,
      let raw = try? reader.readInteger(byteCount: size, isBigEndian: header.isBigEndian)
    else { return nil }
    switch type {
    case .byte, .short, .long, .undefined, .directory, .long8, .directory8: return Int(exactly: raw)
    case .signedByte: return Int(Int8(truncatingIfNeeded: raw))
    case .signedShort: return Int(Int16(truncatingIfNeeded: raw))
    case .signedLong: return Int(Int32(truncatingIfNeeded: raw))
    case .signedLong8: return Int(truncatingIfNeeded: raw)
    case .ascii, .rational, .signedRational, .float, .double: return nil
    }
  }

  /// Whether all values lie within the input.
  package func isContained(in bytes: Span<UInt8>) -> Bool {
    values.upperBound <= bytes.count
  }
}
