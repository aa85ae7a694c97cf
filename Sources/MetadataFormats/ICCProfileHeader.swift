// The header and the description of an ICC profile.

public import ImageCore

/// The content of the header and the description tag of an ICC profile (ICC.1, sections 7.2 and 9.2).
public struct ICCProfileHeader: Hashable, Sendable {
  /// The four-character signature of the data colour space, such as `"RGB "` or `"GRAY"`.
  public let dataColorSpace: String
  /// The four-character signature of the profile class, such as `"mntr"`.
  public let profileClass: String
  /// The four-character signature of the profile connection space: `"XYZ "` or `"Lab "`.
  public let connectionSpace: String
  /// The major version: 4 in version 4.3.
  public let majorVersion: Int
  /// The minor version: 3 in version 4.3.
  public let minorVersion: Int
  /// The profile description, such as `"sRGB IEC61966-2.1"`; `nil` if there is none.
  public let profileDescription: String?

  /// Reads a profile. The header is required, the description optional.
  ///
  /// - Throws: `CodecError.Kind.malformed` if the signature `acsp` is missing, `CodecError.Kind.truncated`.
  public init(parsing bytes: Span<UInt8>) throws(CodecError) {
    var reader = ByteReader(bytes)
    try reader.seek(to: 8)
    let version = try reader.readUInt16BigEndian()
    majorVersion = Int(version >> 8)
    minorVersion = Int(version >> 4 & 15)
    try reader.skip(2)
    profileClass = String(utf8: try reader.read(4).upToNUL())
    dataColorSpace = String(utf8: try reader.read(4).upToNUL())
    connectionSpace = String(utf8: try reader.read(4).upToNUL())
    try reader.seek(to: 36)
    guard String(utf8: try reader.read(4).upToNUL()) == "acsp" else {
      throw CodecError(.malformed, "the ICC profile lacks the signature acsp")
    }
    profileDescription = try? Self.readDescription(bytes)
  }

  private static func readDescription(_ bytes: Span<UInt8>) throws(CodecError) -> String? {
    guard let range = try ICCTagTable(parsing: bytes)["desc"] else { return nil }
    return try readText(bytes.extracting(range))
  }

  /// Reads the text of a `desc` (version 2) or `mluc` (version 4) element.
  private static func readText(_ element: Span<UInt8>) throws(CodecError) -> String? {
    var reader = ByteReader(element)
    let type = String(utf8: try reader.read(4).upToNUL())
    try reader.skip(4)
    switch type {
    case "desc":
      let count = Int(clamping: try reader.readUInt32BigEndian())
      let text = try reader.read(min(count, reader.remaining))
      return String(utf8: text.upToNUL())
    case "mluc":
      guard try reader.readUInt32BigEndian() > 0 else { return nil }
      try reader.skip(4 + 4)
      let byteCount = Int(clamping: try reader.readUInt32BigEndian())
      try reader.seek(to: Int(clamping: try reader.readUInt32BigEndian()))
      var units: [UInt16] = []
      for _ in 0..<min(byteCount, reader.remaining) / 2 { units.append(try reader.readUInt16BigEndian()) }
      // Some writers end the text with NUL, as that of version 2 ends.
      return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
    default:
      return nil
    }
  }
}
