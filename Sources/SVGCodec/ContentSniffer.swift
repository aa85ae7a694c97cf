// Recognition of SVG among other text by its first bytes.

internal import ImageCoding
internal import XMLDocuments

/// Recognises SVG by content.
enum ContentSniffer {
  /// The number of bytes searched for the root element, which may follow declarations, comments and licences.
  private static let maximumByteCount = 64 << 10
  /// The same for compressed text.
  private static let maximumPackedByteCount = 4096

  static func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    if prefix.count >= 2, prefix[0] == 0x1f, prefix[1] == 0x8b { return gzip(prefix) }
    if startsSignature(prefix) { return .needs(byteCount: 64) }
    guard let text = ascii(prefix) else { return .no }
    let next = min(prefix.count * 2 + 64, maximumByteCount)
    return probe(text: text, undecided: prefix.count < maximumByteCount ? .needs(byteCount: next) : .no)
  }

  /// Returns whether these bytes are the start of a longer signature: a byte order mark, gzip, or `<` in UTF-16.
  private static func startsSignature(_ prefix: Span<UInt8>) -> Bool {
    guard prefix.count > 0, prefix.count < 3 else { return false }
    let marks: [[UInt8]] = [[0xef, 0xbb, 0xbf], [0xff, 0xfe], [0xfe, 0xff], [0x1f, 0x8b], [0, 0x3c]]
    return marks.contains { mark in
      mark.count > prefix.count && prefix.indices.allSatisfy { prefix[$0] == mark[$0] }
    }
  }

  /// Decompresses the start of a gzip stream and probes its content.
  private static func gzip(_ prefix: Span<UInt8>) -> ProbeResult {
    guard let text = TextEncoding.unpackedPrefix(prefix, count: maximumPackedByteCount), !text.isEmpty else {
      return prefix.count < maximumPackedByteCount ? .needs(byteCount: maximumPackedByteCount) : .no
    }
    guard let ascii = ascii(text.span) else { return .no }
    return probe(text: ascii, undecided: .no)
  }

  /// Returns the ASCII characters of the text; `nil` if it has too many control characters to be text.
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
    let end = min(bytes.count, maximumByteCount)
    while index < end, isSpace(bytes[index]) { index += step }
    if index >= maximumByteCount { return nil }
    // Excludes most other files.
    if index < bytes.count, bytes[index] != UInt8(ascii: "<") { return nil }
    while index < bytes.count, result.count < maximumByteCount {
      let byte = bytes[index]
      if byte < 9 { return nil }
      result.append(byte)
      index += step
    }
    return result
  }

  /// - Parameter incomplete: the result if the text ends before the root element.
  private static func probe(text: [UInt8], undecided incomplete: ProbeResult) -> ProbeResult {
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

  /// Skips a document type, which ends at the first `>` outside quotes, comments and the brackets of the internal
  /// subset.
  private static func skipDoctype(_ text: [UInt8], _ position: inout Int) -> Bool {
    var depth = 0
    var quote: UInt8 = 0
    let (open, close) = (Array("<!--".utf8), Array("-->".utf8))
    while position < text.count {
      if quote == 0, text[position...].starts(with: open) {
        position += open.count
        while position < text.count, !text[position...].starts(with: close) { position += 1 }
        position += close.count
        continue
      }
      let byte = text[position]
      position += 1
      if quote != 0 {
        if byte == quote { quote = 0 }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
      case UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ">") where depth <= 0: return true
      default: break
      }
    }
    return false
  }

  /// Returns whether the name of a start tag is `svg`, with any prefix.
  private static func startTag(_ text: ArraySlice<UInt8>, _ incomplete: ProbeResult) -> ProbeResult {
    let name = text.prefix { byte in
      !isSpace(byte) && byte != UInt8(ascii: ">") && byte != UInt8(ascii: "/")
    }
    if name.count == text.count, name.count < 64 { return incomplete }
    let local = name.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).last ?? []
    return local.elementsEqual(Array("svg".utf8)) ? .yes(SVGDecoder.type) : .no
  }
}
