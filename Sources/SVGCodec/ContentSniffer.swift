// Tells SVG from other text by its first bytes.

internal import ImageCore

/// Recognises SVG by content.
enum ContentSniffer {
  /// The most bytes that are looked at.
  private static let maximumByteCount = 4096

  static func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    if prefix.count >= 2, prefix[0] == 0x1f, prefix[1] == 0x8b { return gzip(prefix) }
    guard let text = ascii(prefix) else { return .no }
    return probe(text: text, isWhole: prefix.count < maximumByteCount)
  }

  /// What a gzip stream holds shows only when it is unpacked.
  private static func gzip(_ prefix: Span<UInt8>) -> ProbeResult {
    guard let text = TextEncoding.unpackedPrefix(prefix, count: maximumByteCount), !text.isEmpty else {
      return prefix.count < maximumByteCount ? .needs(byteCount: maximumByteCount) : .no
    }
    guard let ascii = ascii(text.span) else { return .no }
    return probe(text: ascii, isWhole: false)
  }

  /// The characters of ASCII in the text; `nil` when there are too many control characters for a text.
  private static func ascii(_ bytes: Span<UInt8>) -> [UInt8]? {
    var start = 0
    var step = 1
    if bytes.count >= 3, bytes[0] == 0xef, bytes[1] == 0xbb, bytes[2] == 0xbf { start = 3 }
    if bytes.count >= 2 {
      if bytes[0] == 0xff && bytes[1] == 0xfe { (start, step) = (2, 2) }
      if bytes[0] == 0xfe && bytes[1] == 0xff { (start, step) = (3, 2) }
      if bytes[0] == 0x3c && bytes[1] == 0 { (start, step) = (0, 2) }
      if bytes[0] == 0 && bytes[1] == 0x3c { (start, step) = (1, 2) }
    }
    var result: [UInt8] = []
    var index = start
    while index < bytes.count, result.count < maximumByteCount {
      let byte = bytes[index]
      if byte < 9 { return nil }
      result.append(byte)
      index += step
    }
    return result
  }

  private static func probe(text: [UInt8], isWhole: Bool) -> ProbeResult {
    let incomplete: ProbeResult = isWhole ? .needs(byteCount: maximumByteCount) : .no
    var position = 0
    func starts(_ literal: StaticString) -> Bool {
      text[position...].starts(with: Array("\(literal)".utf8))
    }
    func skip(past literal: StaticString) -> Bool {
      let pattern = Array("\(literal)".utf8)
      while position + pattern.count <= text.count {
        if text[position..<position + pattern.count].elementsEqual(pattern) {
          position += pattern.count
          return true
        }
        position += 1
      }
      return false
    }
    while true {
      while position < text.count, isSpace(text[position]) { position += 1 }
      guard position < text.count else { return incomplete }
      guard text[position] == UInt8(ascii: "<") else { return .no }
      if starts("<!--") {
        guard skip(past: "-->") else { return incomplete }
      } else if starts("<?") {
        guard skip(past: "?>") else { return incomplete }
      } else if starts("<!") {
        guard skipDoctype(text, &position) else { return incomplete }
      } else {
        return startTag(text[(position + 1)...], incomplete)
      }
    }
  }

  private static func skipDoctype(_ text: [UInt8], _ position: inout Int) -> Bool {
    var depth = 0
    while position < text.count {
      let byte = text[position]
      position += 1
      if byte == UInt8(ascii: "[") { depth += 1 }
      if byte == UInt8(ascii: "]") { depth -= 1 }
      if byte == UInt8(ascii: ">"), depth <= 0 { return true }
    }
    return false
  }

  /// Whether a start tag is called `svg`, with any prefix.
  private static func startTag(_ text: ArraySlice<UInt8>, _ incomplete: ProbeResult) -> ProbeResult {
    let name = text.prefix { byte in
      !isSpace(byte) && byte != UInt8(ascii: ">") && byte != UInt8(ascii: "/")
    }
    if name.count == text.count, name.count < 64 { return incomplete }
    let local = name.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).last ?? []
    return local.elementsEqual(Array("svg".utf8)) ? .yes(SVGDecoder.type) : .no
  }
}
