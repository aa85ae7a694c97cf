// XML, encodings, the decoder contract.

import SVGCodec
import Testing

@Suite struct ReaderTests {
  private static let square = "<rect width='2' height='2'/>"

  private func count(_ bytes: [UInt8]) throws -> Int {
    try coveredCount(SVGDocument(parsing: bytes).render())
  }

  private func document(_ text: String) -> [UInt8] { Array(text.utf8) }

  private static let open = "<svg xmlns='http://www.w3.org/2000/svg' width='4' height='4'>"

  @Test func encodings() throws {
    let text = "<?xml version='1.0'?><!-- \u{e4} --><!DOCTYPE svg>" + Self.open + Self.square + "</svg>"
    #expect(try count(document(text)) == 4)
    #expect(try count([0xef, 0xbb, 0xbf] + document(text)) == 4)
    let little = text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    #expect(try count([0xff, 0xfe] + little) == 4)
    #expect(try count([0xfe, 0xff] + big) == 4)
    #expect(try count(little) == 4)
    let latin = document("<?xml version='1.0' encoding='ISO-8859-1'?>" + Self.open + "<g id='") + [0xe4]
    #expect(try count(latin + document("'/>" + Self.square + "</svg>")) == 4)
  }

  @Test func entities() throws {
    let subset =
      "<!DOCTYPE svg [<!ENTITY w '2'><!ENTITY r \"<rect width='&w;' height='&#50;'/>\"><!ENTITY % p 'x'><!ENTITY e SYSTEM 'file:///etc/passwd'>]>"
    #expect(try count(document(subset + Self.open + "&r;&e;&unknown;</svg>")) == 4)
    #expect(try count(document(subset + Self.open + "<rect width='&w;' height='&#x32;'/></svg>")) == 4)
    #expect(try count(document(subset + Self.open + "<rect width='2&#47;' height='2'/>" + Self.square + "</svg>")) == 4)
    // References to characters are replaced where an entity is declared, and may be markup afterwards; if they are escaped,
    // they are characters (XML 1.0, appendix D).
    let escaped = "<!DOCTYPE svg [<!ENTITY a '&#60;rect width=\"2\" height=\"2\"/>'><!ENTITY b '&#38;#60;rect/>'>]>"
    #expect(try count(document(escaped + Self.open + "&a;</svg>")) == 4)
    #expect(try count(document(escaped + Self.open + "<title>&b;</title>&b;" + Self.square + "</svg>")) == 4)
  }

  /// Line ends and tabs in attributes become one space each (XML 1.0, sections 2.11 and 3.3.3), also in an entity that is
  /// used twice, in which they may not be replaced but by as many bytes.
  @Test(arguments: ["\n", "\r\n", "\r", "\t", "&#32;"], [1, 40])
  func whiteSpaceInAttributes(space: String, count: Int) throws {
    let word = String(repeating: "a", count: count)
    let style = "<style>rect{display:none}[class='\(word) b \(word)']{display:inline}</style>"
    func rect(_ x: Int) -> String {
      "<rect class='\(word)\(space)b\(space)\(word)' x='\(x)' width='2' height='2'/>"
    }
    #expect(try self.count(document(Self.open + style + rect(0) + rect(2) + "</svg>")) == 8)
    let entity = "<!DOCTYPE svg [<!ENTITY r \"\(rect(0))\">]>"
    let twice = "&r;<g transform='translate(2)'>&r;</g>"
    #expect(try self.count(document(entity + Self.open + style + twice + "</svg>")) == 8)
  }

  /// All white space separates the numbers of path data, of which more than 32 bytes are scanned at once.
  @Test(arguments: ["\n", "\r\n", "\r", "\t", "&#13;&#10;"], [0, 12])
  func whiteSpaceInPathData(space: String, count: Int) throws {
    let pieces = ["M0", "0", "H2"] + Array(repeating: "H2", count: count) + ["V2", "H0", "z"]
    let path = "<path d='\(space)\(pieces.joined(separator: space))\(space)'/>"
    #expect(try self.count(document(Self.open + path + "</svg>")) == 4)
    let entity = "<!DOCTYPE svg [<!ENTITY p \"\(path)\">]>"
    let twice = "&p;<g transform='translate(2)'>&p;</g>"
    #expect(try self.count(document(entity + Self.open + twice + "</svg>")) == 8)
  }

  @Test func namespaces() throws {
    let prefixed =
      "<s:svg xmlns:s='http://www.w3.org/2000/svg' width='4' height='4'><s:rect width='2' height='2'/><rect width='4' height='4'/></s:svg>"
    #expect(try count(document(prefixed)) == 4)
    #expect(try count(document("<svg width='4' height='4'>" + Self.square + "</svg>")) == 4)
    #expect(throws: CodecError.self) { try SVGDocument(parsing: document("<svg xmlns='urn:other'/>")) }
    #expect(throws: CodecError.self) { try SVGDocument(parsing: document("<html/>")) }
  }

  @Test(arguments: ["<rect", "<g></h>", "<g a=1/>", "<g a='<'/>", "<g", "</svg2>"])
  func damageKeepsWhatCameBefore(damage: String) throws {
    let bytes = document(Self.open + Self.square + damage)
    let lenient = try SVGDocument(parsing: bytes)
    #expect(try coveredCount(lenient.render()) == 4)
    #expect(lenient.diagnostics.count == 1)
    #expect(throws: CodecError.self) {
      try SVGDocument(parsing: bytes, options: SVGDocument.Options(tolerance: .strict))
    }
  }

  @Test func errorsTellWhere() throws {
    let error = #expect(throws: CodecError.self) {
      try SVGDocument(parsing: document("<svg><g x></svg>"), options: SVGDocument.Options(tolerance: .strict))
    }
    #expect(error?.kind == .malformed && error?.byteOffset == 9 && error?.format == SVGDecoder.type)
  }

  @Test func probing() {
    func probe(_ text: String) -> ProbeResult {
      let bytes = Array(text.utf8)
      return SVGDecoder().probe(bytes.span)
    }
    for text in [
      "<svg>", "  \n<svg xmlns=''>", "<?xml version='1.0'?><svg/>", "<!-- <html> --><svg>",
      "<!DOCTYPE svg [ <!ENTITY a '>'> ]><svg>",
      "\u{feff}<svg>", "<x:svg a='b'>", "<!DOCTYPE svg [ <!ENTITY a \"]>\"> <!-- ] '--> ]><s:svg xmlns:s='x'>",
      "<!--" + String(repeating: " ", count: 30_000) + "--><svg>",
    ] {
      #expect(probe(text) == .yes(SVGDecoder.type), "\(text)")
    }
    for text in ["<html>", "GIF89a", "svg", "<svgx>", "{}", "<?xml?><plist>", "\u{1}<svg>"] {
      #expect(probe(text) == .no, "\(text)")
    }
    for text in ["", "<?xml", "<!-- ", "<sv"] {
      #expect(probe(text) == .needs(byteCount: text.utf8.count * 2 + 64), "\(text)")
    }
    #expect(probe(String(repeating: " ", count: 70_000) + "<svg>") == .no)
    // Every prefix of a mark may become one.
    for mark in [[0xef, 0xbb, 0xbf, 0x3c], [0xff, 0xfe, 0x3c], [0xfe, 0xff, 0], [0x1f, 0x8b], [0, 0x3c]] as [[UInt8]] {
      for count in 1..<mark.count {
        let prefix = Array(mark[..<count])
        guard case .needs = SVGDecoder().probe(prefix.span) else {
          Issue.record("\(prefix)")
          continue
        }
      }
    }
  }

  @Test func decoderContract() throws {
    let bytes = document(Self.open + Self.square + "</svg>")
    let decoder = SVGDecoder()
    let info = try decoder.info(bytes.span)
    #expect(info.type == "public.svg-image" && info.width == 4 && info.height == 4 && info.colorModel == .vector)
    let image = try decoder.decode(bytes.span)
    #expect(image.bitmap.format == .rgba8 && image.bitmap.width == 4)
    #expect(pixel(image.bitmap, 1, 1) == "000000ff")
    let large = try SVGDecoder(width: 8).decode(bytes.span, options: DecodingOptions(pixelFormat: .rgb8))
    #expect(large.bitmap.format == .rgb8 && large.bitmap.width == 8 && large.bitmap.height == 8)
  }
}
