// The start of an ICC profile: enough to say what it is called and which samples it is for.

public import ImageCore

/// What the header and the description tag of an ICC profile say. ICC.1, sections 7.2 and 9.2.
public struct ICCProfileHeader: Hashable, Sendable {
  /// The four-character signature of the data colour space, such as `"RGB "` or `"GRAY"`.
  public let dataColorSpace: String
  /// The four-character signature of the profile class, such as `"mntr"`.
  public let profileClass: String
  /// The version, such as 4.3 as `(4, 3)` reads.
  public let majorVersion: Int
  /// The digit behind the version's point.
  public let minorVersion: Int
  /// The profile description, such as `"sRGB IEC61966-2.1"`; `nil` where there is none.
  public let profileDescription: String?

  /// Reads a profile. The description is optional; the header is not.
  ///
  /// - Throws: ``DecodeError/Kind/malformed`` without the signature `acsp`, ``DecodeError/Kind/truncated``.
  public init(parsing bytes: Span<UInt8>) throws(DecodeError) {
    var reader = ByteReader(bytes)
    try reader.seek(to: 8)
    let version = try reader.readUInt16BigEndian()
    majorVersion = Int(version >> 8)
    minorVersion = Int(version >> 4 & 15)
    try reader.skip(2)
    profileClass = asciiString(try reader.read(4))
    dataColorSpace = asciiString(try reader.read(4))
    try reader.seek(to: 36)
    guard asciiString(try reader.read(4)) == "acsp" else {
      throw DecodeError(.malformed, "an ICC profile has no signature acsp")
    }
    profileDescription = try? Self.readDescription(bytes)
  }

  private static func readDescription(_ bytes: Span<UInt8>) throws(DecodeError) -> String? {
    var reader = ByteReader(bytes)
    try reader.seek(to: 128)
    let tagCount = min(try reader.readUInt32BigEndian(), 200)
    for _ in 0..<tagCount {
      let signature = asciiString(try reader.read(4))
      let offset = Int(try reader.readUInt32BigEndian())
      let byteCount = Int(try reader.readUInt32BigEndian())
      guard signature == "desc" else { continue }
      try reader.seek(to: offset)
      return try readText(try reader.read(min(byteCount, reader.remaining)))
    }
    return nil
  }

  /// A `desc` (version 2) or `mluc` (version 4) element.
  private static func readText(_ element: Span<UInt8>) throws(DecodeError) -> String? {
    var reader = ByteReader(element)
    let type = asciiString(try reader.read(4))
    try reader.skip(4)
    switch type {
    case "desc":
      let count = Int(try reader.readUInt32BigEndian())
      let text = try reader.read(min(count, reader.remaining))
      return asciiString(text)
    case "mluc":
      guard try reader.readUInt32BigEndian() > 0 else { return nil }
      try reader.skip(4 + 4)
      let byteCount = Int(try reader.readUInt32BigEndian())
      try reader.seek(to: Int(try reader.readUInt32BigEndian()))
      var units: [UInt16] = []
      for _ in 0..<min(byteCount, reader.remaining) / 2 { units.append(try reader.readUInt16BigEndian()) }
      return String(decoding: units, as: UTF16.self)
    default:
      return nil
    }
  }
}

/// Bytes up to the first NUL as ASCII; anything else becomes a replacement character.
private func asciiString(_ bytes: Span<UInt8>) -> String {
  var text: [UInt8] = []
  for index in bytes.indices {
    if bytes[index] == 0 { break }
    text.append(bytes[index])
  }
  return String(decoding: text, as: UTF8.self)
}
