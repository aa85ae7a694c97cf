// Links in attributes other than `href`: those of HTML inside of a document, and those that animations set.

internal import ImageCoding
internal import XMLDocuments

/// Finds `data:` URLs in attributes.
struct EmbeddedLinks {
  let embedded: EmbeddedData

  /// The attributes whose value is a URL.
  private static let names: Set<String> = ["src", "poster", "data", "background", "to", "from", "by"]

  /// Returns the value of an attribute with the pictures that it embeds stripped; `nil` if it embeds nothing.
  func rewritten(
    _ value: [UInt8], of name: String, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8]? {
    switch name {
    // The parts of such a list are separated by semicolons, which pictures in base64 contain: it shows none.
    case "values": return Self.embedsData(value) ? [] : nil
    case "srcset": return Self.embedsData(value) ? try candidates(value, &budget) : nil
    case let name where Self.names.contains(name): return try url(value, &budget)
    default: return nil
    }
  }

  private func url(_ url: [UInt8], _ budget: inout ResourceBudget) throws(CodecError) -> [UInt8]? {
    switch try embedded.content(of: url, budget: &budget) {
    case .picture(let stripped): stripped
    case .styleSheet, .other: Array("data:,".utf8)
    case .font, nil: nil
    }
  }

  /// Returns the candidates of `srcset`, URLs with descriptions (HTML, 4.8.4.2.1).
  private func candidates(_ list: [UInt8], _ budget: inout ResourceBudget) throws(CodecError) -> [UInt8] {
    var result: [UInt8] = []
    var index = 0
    while index < list.count {
      let start = index
      while index < list.count, isSpace(list[index]) || list[index] == UInt8(ascii: ",") { index += 1 }
      result += list[start..<index]
      let first = index
      while index < list.count, !isSpace(list[index]) { index += 1 }
      var end = index
      while end > first, list[end - 1] == UInt8(ascii: ",") { end -= 1 }
      let candidate = Array(list[first..<end])
      result += try url(candidate, &budget) ?? candidate
      // Commas after a URL end the candidate, and so does the one after a description.
      if end == index {
        while index < list.count, list[index] != UInt8(ascii: ",") { index += 1 }
      }
      result += list[end..<index]
    }
    return result
  }

  /// Returns whether a text contains the scheme of URLs that embed.
  private static func embedsData(_ text: [UInt8]) -> Bool {
    let scheme = Array("data:".utf8)
    guard text.count > scheme.count else { return false }
    return (0...text.count - scheme.count).contains { start in
      scheme.indices.allSatisfy { lowercased(text[start + $0]) == scheme[$0] }
    }
  }
}
