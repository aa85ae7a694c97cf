// An XMP packet: RDF in XML between two processing instructions (ISO 16684-1, section 7.3).

public import ImageCore

/// The text of an XMP packet, with access to its simple properties.
///
/// Properties are found by a text search, not an XML parser: as an attribute or as an element with its usual prefix,
/// which is how all common writers store them.
public struct XMPPacket: Hashable, Sendable {
  /// The XML without the packet's processing instructions and padding.
  public let text: String

  /// Reads a packet in UTF-8, or in UTF-16 of either byte order.
  ///
  /// - Throws: `CodecError.Kind.malformed` if there is no XMP element.
  public init(_ bytes: [UInt8]) throws(CodecError) {
    let decoded = Self.decode(bytes)
    guard let start = decoded.range(ofASCII: "<x:xmpmeta") ?? decoded.range(ofASCII: "<rdf:RDF") else {
      throw CodecError(.malformed, "the XMP packet contains no XMP element")
    }
    var end = decoded.count
    if let trailer = decoded.range(ofASCII: "<?xpacket end", from: start.lowerBound) { end = trailer.lowerBound }
    while end > start.lowerBound, decoded[end - 1] <= 0x20 { end -= 1 }
    text = String(decoding: decoded[start.lowerBound..<end], as: UTF8.self)
  }

  /// Returns the value of a property such as `"xmp:CreatorTool"`, or the first item of its list; `nil` if there is
  /// none.
  public func value(of property: String) -> String? {
    let bytes = Array(text.utf8)
    if let attribute = bytes.range(ofASCII: " \(property)=") {
      guard attribute.upperBound < bytes.count else { return nil }
      let quote = bytes[attribute.upperBound]
      let value = bytes[(attribute.upperBound + 1)...].prefix { $0 != quote }
      return Self.unescaped(value)
    }
    guard let element = bytes.range(ofASCII: "<\(property)>") ?? bytes.range(ofASCII: "<\(property) ") else {
      return nil
    }
    let end = bytes.range(ofASCII: "</\(property)>", from: element.upperBound)?.lowerBound ?? bytes.count
    let content = Array(bytes[element.upperBound..<end])
    guard let item = content.range(ofASCII: "<rdf:li") else {
      return content.contains(UInt8(ascii: "<")) ? nil : Self.unescaped(content[...])
    }
    guard let open = content[item.upperBound...].firstIndex(of: UInt8(ascii: ">")) else { return nil }
    return Self.unescaped(content[(open + 1)...].prefix { $0 != UInt8(ascii: "<") })
  }

  /// Returns all items of a property's list, in order, or its only value; empty if there is none.
  public func values(of property: String) -> [String] {
    let bytes = Array(text.utf8)
    guard bytes.range(ofASCII: " \(property)=") == nil,
      let element = bytes.range(ofASCII: "<\(property)>") ?? bytes.range(ofASCII: "<\(property) ")
    else { return value(of: property).map { [$0] } ?? [] }
    let end = bytes.range(ofASCII: "</\(property)>", from: element.upperBound)?.lowerBound ?? bytes.count
    let content = Array(bytes[element.upperBound..<end])
    guard content.range(ofASCII: "<rdf:li") != nil else { return value(of: property).map { [$0] } ?? [] }
    var items: [String] = []
    var position = 0
    while let item = content.range(ofASCII: "<rdf:li", from: position),
      let open = content[item.upperBound...].firstIndex(of: UInt8(ascii: ">"))
    {
      let value = content[(open + 1)...].prefix { $0 != UInt8(ascii: "<") }
      items.append(Self.unescaped(value))
      position = value.endIndex
    }
    return items
  }

  /// Converts a packet to UTF-8. The encoding is detected from its first bytes.
  private static func decode(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count >= 4 else { return bytes }
    let isBigEndian: Bool
    switch (bytes[0], bytes[1]) {
    case (0xFE, 0xFF), (0, 0x3C): isBigEndian = true
    case (0xFF, 0xFE), (0x3C, 0): isBigEndian = false
    default: return bytes
    }
    return Array(utf16Text(bytes, isBigEndian: isBigEndian).utf8)
  }

  /// Replaces the five predefined entities of XML.
  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
    let entities: [(name: String, letter: UInt8)] = [
      ("&lt;", UInt8(ascii: "<")), ("&gt;", UInt8(ascii: ">")), ("&quot;", UInt8(ascii: "\"")),
      ("&apos;", UInt8(ascii: "'")), ("&amp;", UInt8(ascii: "&")),
    ]
    var result: [UInt8] = []
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if bytes[index] == UInt8(ascii: "&"),
        let entity = entities.first(where: { bytes[index...].starts(with: $0.name.utf8) })
      {
        result.append(entity.letter)
        index += entity.name.utf8.count
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

extension Array where Element == UInt8 {
  /// Returns the range of the first occurrence of a text.
  fileprivate func range(ofASCII text: String, from start: Int = 0) -> Range<Int>? {
    let pattern = Array(text.utf8)
    guard let first = pattern.first, pattern.count <= count else { return nil }
    var index = start
    while index <= count - pattern.count {
      if self[index] == first, self[index..<index + pattern.count].elementsEqual(pattern) {
        return index..<index + pattern.count
      }
      index += 1
    }
    return nil
  }
}
