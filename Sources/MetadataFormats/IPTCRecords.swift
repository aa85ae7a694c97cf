// IPTC-IIM: a sequence of data sets (IPTC Information Interchange Model 4.2, section 1.5).

public import ImageCore

/// The data sets of an IPTC-IIM block.
public struct IPTCRecords: Hashable, Sendable {
  /// A value with its data set number.
  public struct DataSet: Hashable, Sendable {
    /// The record number; 2 is the application record.
    public let record: UInt8
    /// The data set number within the record.
    public let number: UInt8
    /// The value as stored; texts have the encoding that record 1:90 states.
    public let bytes: [UInt8]
  }

  /// The data sets in file order; in a damaged block, those before the damage.
  public let dataSets: [DataSet]
  private let isUTF8: Bool

  /// Reads a block.
  ///
  /// - Parameters:
  ///   - bytes: the data sets.
  ///   - limits: each data set counts as a piece of metadata (`DecodingLimits.maximumMetadataChunkCount`). Data sets
  ///     that exceed the limits are left out.
  /// - Throws: `CodecError.Kind.malformed` unless it starts with a data set.
  public init(_ bytes: [UInt8], limits: DecodingLimits = .default) throws(CodecError) {
    guard bytes.first == 0x1C else {
      throw CodecError(.malformed, "IPTC-IIM does not start with the tag marker 1C", byteOffset: 0)
    }
    var sets: [DataSet] = []
    var reader = ByteReader(bytes.span)
    var budget = ResourceBudget(limits)
    while reader.remaining >= 5, budget.metadataAllowance > 0, let set = try? Self.readDataSet(&reader) {
      if budget.admitMetadata(set.bytes.count) { sets.append(set) }
    }
    dataSets = sets
    // The ISO 2022 escape sequence for UTF-8 in the coded character set, 1:90.
    isUTF8 = sets.first { $0.record == 1 && $0.number == 90 }?.bytes == [0x1B, 0x25, 0x47]
  }

  private static func readDataSet(_ reader: inout ByteReader) throws(CodecError) -> DataSet {
    guard try reader.readUInt8() == 0x1C else { throw reader.error(.malformed, "a data set has no tag marker") }
    let record = try reader.readUInt8()
    let number = try reader.readUInt8()
    var byteCount = Int(try reader.readUInt16BigEndian())
    if byteCount & 0x8000 != 0 {
      // Extended data set: the lower bits are the number of bytes of the length.
      let width = byteCount & 0x7FFF
      guard (1...4).contains(width) else { throw reader.error(.malformed, "a length of \(width) bytes") }
      byteCount = Int(clamping: try reader.readInteger(byteCount: width, isBigEndian: true))
    }
    return DataSet(record: record, number: number, bytes: Array(copying: try reader.read(byteCount)))
  }

  /// Returns the texts of a data set of record 2, in file order.
  public func texts(_ number: UInt8) -> [String] {
    dataSets.filter { $0.record == 2 && $0.number == number }.map { set in
      if isUTF8 { return String(decoding: set.bytes, as: UTF8.self) }
      return exifText(set.bytes.span)
    }
  }

  /// The title, 2:05.
  public var objectName: String? { texts(5).first }
  /// The keywords, 2:25.
  public var keywords: [String] { texts(25) }
  /// The date of creation as `CCYYMMDD`, 2:55.
  public var dateCreated: String? { texts(55).first }
  /// The creators of the image, 2:80.
  public var bylines: [String] { texts(80) }
  /// The city, 2:90.
  public var city: String? { texts(90).first }
  /// The country, 2:101.
  public var country: String? { texts(101).first }
  /// The headline, 2:105.
  public var headline: String? { texts(105).first }
  /// The credit line, 2:110.
  public var credit: String? { texts(110).first }
  /// The copyright notice, 2:116.
  public var copyrightNotice: String? { texts(116).first }
  /// The caption, 2:120.
  public var caption: String? { texts(120).first }

  /// Returns the name of a data set of record 2; `nil` if unknown.
  public static func name(of number: UInt8) -> String? { dataSetNames[number] }
}

private let dataSetNames: [UInt8: String] = [
  0: "RecordVersion", 3: "ObjectTypeReference", 5: "ObjectName", 7: "EditStatus", 10: "Urgency", 12: "SubjectReference",
  15: "Category", 20: "SupplementalCategory", 22: "FixtureIdentifier", 25: "Keywords", 26: "ContentLocationCode",
  27: "ContentLocationName", 30: "ReleaseDate", 35: "ReleaseTime", 40: "SpecialInstructions", 55: "DateCreated",
  60: "TimeCreated", 62: "DigitalCreationDate", 63: "DigitalCreationTime", 65: "OriginatingProgram",
  70: "ProgramVersion", 80: "By-line", 85: "By-lineTitle", 90: "City", 92: "Sub-location", 95: "Province/State",
  100: "Country/PrimaryLocationCode", 101: "Country/PrimaryLocationName", 103: "OriginalTransmissionReference",
  105: "Headline", 110: "Credit", 115: "Source", 116: "CopyrightNotice", 118: "Contact", 120: "Caption/Abstract",
  122: "Writer/Editor",
]

/// Returns Photoshop image resources that contain only IPTC-IIM records.
package func imageResources(iptcRecords records: [UInt8]) -> [UInt8] {
  var resource = ByteWriter(.bigEndian, after: Array("8BIM".utf8))
  resource.append(0x0404 as UInt16)
  // An empty name, padded to an even length.
  resource.append(0 as UInt16)
  resource.append(UInt32(truncatingIfNeeded: records.count))
  resource.append(records)
  if records.count & 1 == 1 { resource.append(0 as UInt8) }
  return resource.bytes
}

/// Returns the range of the IPTC-IIM records in Photoshop image resources (resource 0x0404); `nil` if there are none.
package func iptcRecords(inImageResources bytes: Span<UInt8>) -> Range<Int>? {
  var reader = ByteReader(bytes)
  while reader.remaining >= 12 {
    guard (try? reader.readUInt32BigEndian()) == 0x3842_494D, let identifier = try? reader.readUInt16BigEndian(),
      let nameByteCount = try? reader.readUInt8(),
      // Name and content are padded to even lengths.
      (try? reader.skip(Int(nameByteCount) | 1)) != nil, let byteCount = try? reader.readUInt32BigEndian(),
      let content = try? reader.read(Int(clamping: byteCount))
    else { return nil }
    if identifier == 0x0404 { return reader.position - content.count..<reader.position }
    if byteCount & 1 == 1 { try? reader.skip(1) }
  }
  return nil
}
