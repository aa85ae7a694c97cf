// Files that `data:` URLs embed in a document: pictures are stripped as well.

internal import CSSStyles
internal import ImageCoding
internal import XMLDocuments

/// Strips the files that a document embeds.
struct EmbeddedData {
  /// Returns the file without its metadata; `nil` if it is not a picture.
  let rewritePicture: SVGMetadataStripper.PictureRewriting

  /// The work units for a byte that is decoded, stripped and encoded.
  private static let workPerByte = 24
  /// The work units for a URL in addition to its bytes.
  private static let workPerURL = 3_000
  /// The maximum number of bytes of a media type.
  private static let maximumTypeByteCount = 80

  /// The kinds of file that a `data:` URL can embed.
  enum Content {
    /// A picture, as a URL without its metadata.
    case picture([UInt8])
    /// A font.
    case font
    /// A style sheet.
    case styleSheet([UInt8])
    /// Neither; for example a script.
    case other
  }

  /// Returns what a URL embeds; `nil` for other URLs than `data:`.
  func content(of url: [UInt8], budget: inout ResourceBudget) throws(CodecError) -> Content? {
    // URL parsers drop tabs and line ends anywhere.
    let url = Array(url.drop(while: \.isURLControl).filter { $0 != 9 && $0 != 10 && $0 != 13 })
    guard url.count > 5, isKeyword(url.span.extracting(first: 5), "data:") else { return nil }
    try budget.chargeWork(Self.workPerURL)
    try budget.chargeWork(count: url.count, unitsEach: Self.workPerByte)
    try budget.allocate(count: url.count, bytesEach: 3)
    guard let bytes = DataURL.decode(url.span) else { return .other }
    let type = Self.mediaType(url)
    if Self.isFont(bytes) { return .font }
    if type == "text/css" { return .styleSheet(bytes) }
    try budget.descend()
    let picture = try rewritePicture(bytes, &budget)
    budget.ascend()
    guard let picture else { return .other }
    try budget.allocate(count: picture.count, bytesEach: 2)
    return .picture(Self.url(picture, type: type.hasPrefix("image/") ? type : "application/octet-stream"))
  }

  /// Returns the media type without parameters, in lower case.
  private static func mediaType(_ url: [UInt8]) -> String {
    let type = url.dropFirst(5).prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: ";") }
    guard type.count <= maximumTypeByteCount else { return "" }
    let name = String(decoding: type.map { lowercased($0) }.filter { !isSpace($0) }, as: UTF8.self)
    return name.utf8.allSatisfy(isTypeByte) ? name : ""
  }

  private static func isTypeByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"),
      UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// Returns the URL of a file.
  static func url(_ bytes: [UInt8], type: String) -> [UInt8] {
    Array("data:\(type);base64,".utf8) + Base64.encode(bytes.span)
  }

  private static func isFont(_ bytes: [UInt8]) -> Bool {
    let signatures: [[UInt8]] = [
      [0, 1, 0, 0], Array("OTTO".utf8), Array("true".utf8), Array("ttcf".utf8), Array("wOFF".utf8), Array("wOF2".utf8),
    ]
    return signatures.contains { bytes.starts(with: $0) }
  }
}

extension UInt8 {
  /// Whether URL parsers ignore the character at the start and the end of a URL.
  var isURLControl: Bool { self <= 32 }
}
