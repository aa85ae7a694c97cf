// Typed access to the values of a directory's fields.

internal import ImageCoding
internal import MetadataFormats

/// The fields of one directory together with the structure that contains their values.
struct RawFields: ~Escapable {
  let bytes: Span<UInt8>
  let header: TIFFHeader
  let directory: TIFFDirectory

  @_lifetime(copy bytes)
  init(_ directory: TIFFDirectory, _ bytes: Span<UInt8>, _ header: TIFFHeader) {
    self.bytes = bytes
    self.header = header
    self.directory = directory
  }

  /// Returns whether there is a field.
  func contains(_ tag: RawTag) -> Bool { directory[tag.rawValue] != nil }

  /// Returns the number of values of a field; 0 if it is absent.
  func count(_ tag: RawTag) -> Int { directory[tag.rawValue]?.count ?? 0 }

  /// Returns a value as an integer; `nil` if it is absent, not an integer or outside the structure.
  func integer(_ tag: RawTag, at index: Int = 0) -> Int? {
    directory[tag.rawValue]?.integer(at: index, in: bytes, header: header)
  }

  /// Returns the integers of a field, at most `maximumCount` of them, as far as they are in the structure.
  func integers(_ tag: RawTag, maximumCount: Int) -> [Int] {
    guard let field = directory[tag.rawValue] else { return [] }
    return (0..<min(field.count, maximumCount)).compactMap { field.integer(at: $0, in: bytes, header: header) }
  }

  /// Returns the range of a field's values in the structure; `nil` if the field is absent or not contained in it.
  func range(_ tag: RawTag) -> Range<Int>? {
    guard let field = directory[tag.rawValue], field.isContained(in: bytes) else { return nil }
    return field.values
  }

  /// Returns a value of any numeric type; `nil` if it is absent, not finite or outside the structure.
  func number(_ tag: RawTag, at index: Int = 0) -> Double? {
    guard let field = directory[tag.rawValue], index >= 0, index < field.count, field.isContained(in: bytes) else {
      return nil
    }
    let start = field.values.lowerBound + index * field.type.byteCount
    var reader = ByteReader(bytes.extracting(start..<start + field.type.byteCount))
    func word(_ reader: inout ByteReader) -> UInt32 {
      UInt32(truncatingIfNeeded: (try? reader.readInteger(byteCount: 4, isBigEndian: header.isBigEndian)) ?? 0)
    }
    let value: Double
    switch field.type {
    case .rational:
      let numerator = word(&reader)
      value = Double(numerator) / Double(word(&reader))
    case .signedRational:
      let numerator = Int32(bitPattern: word(&reader))
      value = Double(numerator) / Double(Int32(bitPattern: word(&reader)))
    case .float: value = Double(Float(bitPattern: word(&reader)))
    case .double:
      value = Double(
        bitPattern: (try? reader.readInteger(byteCount: 8, isBigEndian: header.isBigEndian)) ?? 0)
    default: return field.integer(at: index, in: bytes, header: header).map { Double($0) }
    }
    return value.isFinite ? value : nil
  }

  /// Returns the values of a field; `nil` unless it has exactly `count` of them, all finite numbers.
  func numbers(_ tag: RawTag, count: Int) -> [Double]? {
    guard self.count(tag) == count else { return nil }
    let values = (0..<count).compactMap { number(tag, at: $0) }
    return values.count == count ? values : nil
  }

  /// Returns a text up to its first zero byte; empty if it is absent. At most 256 bytes are read.
  func text(_ tag: RawTag) -> String {
    guard let range = range(tag) else { return "" }
    var text = ""
    for index in range.prefix(256) {
      if bytes[index] == 0 { break }
      text.unicodeScalars.append(Unicode.Scalar(bytes[index]))
    }
    return text
  }
}
