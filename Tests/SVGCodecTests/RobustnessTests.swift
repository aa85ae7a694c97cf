// Damaged and hostile documents: they end in a drawing or in a typed error, and soon.

import SVGCodec
import Testing

@Suite struct RobustnessTests {
  private static let sample = """
    <?xml version="1.0"?><!DOCTYPE svg [<!ENTITY c "#0f0">]>
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20" width="20" height="20"><style>/* */ .a>rect:not(#b)
    {fill:red!important}</style><defs><linearGradient id="l" x1="10%"><stop offset=".5" stop-color="&c;"/><stop
    offset="1"/></linearGradient><pattern id="p" width=".5" height=".5" viewBox="0 0 4 4"><circle r="2"/></pattern>
    <clipPath id="c"><path d="M0 0a9 9 0 0 1 9 9c1-1 2 2 3 3q1 1 2 2t1 1zH9V9"/></clipPath><mask id="m"><rect
    width="9" height="9" fill="#fff"/></mask><marker id="k" orient="auto"><path d="M0 0l1 1"/></marker></defs>
    <g class="a" transform="rotate(10 5 5)skewX(3)" opacity=".5"><rect width="50%" height="1em" rx="2" fill="url(#l)"
    clip-path="url(#c)"/><use href="#b" x="2"/></g><path id="b" d="M1 1L9 9" stroke="url(#p) red" stroke-width="2"
    stroke-dasharray="1,2" marker-end="url(#k)" mask="url(#m)"/><image width="9" height="9" href="data:,%3Csvg/%3E"/></svg>
    """

  private func attempt(_ bytes: [UInt8], _ limits: SVGDocument.Limits = SVGDocument.Limits()) {
    do throws(CodecError) {
      _ = try SVGDocument(parsing: bytes, limits: limits).render(width: 16, height: 16)
    } catch {
      #expect(error.format == SVGDecoder.type, "\(error)")
    }
  }

  @Test func everyPrefix() {
    let bytes = Array(Self.sample.utf8)
    for count in 0...bytes.count { attempt(Array(bytes[..<count])) }
  }

  @Test func changedBytes() {
    let bytes = Array(Self.sample.utf8)
    var limits = SVGDocument.Limits()
    limits.decoding.maximumWork = 2_000_000
    for index in bytes.indices {
      for change in [1, 4, 16, 128, UInt8(ascii: "<") ^ bytes[index], UInt8(ascii: "9") ^ bytes[index]] {
        var changed = bytes
        changed[index] ^= change
        attempt(changed, limits)
      }
    }
  }

  /// The error that a document ends in; `nil` when it is drawn.
  private func outcome(_ text: String) -> CodecError.Kind? {
    do throws(CodecError) {
      _ = try SVGDocument(parsing: Array(text.utf8)).render(width: 200, height: 200)
      return nil
    } catch {
      return error.kind
    }
  }

  private static let open = "<svg xmlns='http://www.w3.org/2000/svg' width='200' height='200'>"

  private func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

  @Test(.timeLimit(.minutes(1))) func depth() {
    #expect(outcome(Self.open + repeated("<g>", 1_000_000)) == .limitExceeded)
    #expect(outcome(Self.open + repeated("<g>", 1000) + repeated("</g>", 1000) + "</svg>") == nil)
    #expect(outcome(Self.open + "<style>" + repeated(":not(", 100_000) + "</style></svg>") == nil)
    #expect(outcome(Self.open + "<style>" + repeated("@media all{", 100_000) + "</style></svg>") == nil)
    let layers = repeated("<g opacity='.9'><path d='M0 0h9v9'/>", 100) + repeated("</g>", 100)
    #expect(outcome(Self.open + layers + "</svg>") == .limitExceeded)
  }

  @Test func entityBombs() {
    var subset = "<!ENTITY a0 'aaaaaaaaaa'>"
    for level in 1...9 { subset += "<!ENTITY a\(level) '" + repeated("&a\(level - 1);", 10) + "'>" }
    #expect(outcome("<!DOCTYPE svg [\(subset)]>" + Self.open + "&a9;</svg>") == .limitExceeded)
    #expect(outcome("<!DOCTYPE svg [\(subset)]>" + Self.open + "<g id='&a9;'/></svg>") == .limitExceeded)
    #expect(outcome("<!DOCTYPE svg [<!ENTITY a '&b;'><!ENTITY b '&a;'>]>" + Self.open + "&a;</svg>") == nil)
  }

  /// Ten references to the level below, on eleven levels.
  private func bomb(_ element: String, _ attributes: String, _ reference: (Int) -> String, _ leaf: String) -> String {
    var text = "<\(element) id='x0' \(attributes)>\(leaf)</\(element)>"
    for level in 1...11 {
      text += "<\(element) id='x\(level)' \(attributes)>" + repeated(reference(level - 1), 10) + "</\(element)>"
    }
    return text
  }

  @Test(.timeLimit(.minutes(1))) func referenceBombs() {
    let leaf = "<rect width='99' height='99' fill='#fff'/>"
    let uses = "<defs>" + bomb("g", "", { "<use href='#x\($0)'/>" }, leaf) + "</defs><use href='#x11'/>"
    #expect(outcome(Self.open + uses + "</svg>") == .limitExceeded)
    for (element, property) in [("pattern", "fill"), ("mask", "mask"), ("clipPath", "clip-path")] {
      let resources = bomb(
        element, element == "pattern" ? "width='.5' height='.5'" : "",
        { "<rect width='\(90 + $0)' height='99' \(property)='url(#x\($0))'/>" }, leaf
      )
      let shape = "<rect width='200' height='200' \(property)='url(#x11)'/>"
      // Tiles of one pattern at one size are drawn once, so patterns alone never explode.
      let expected: CodecError.Kind? = element == "pattern" ? nil : .limitExceeded
      #expect(outcome(Self.open + resources + shape + "</svg>") == expected, "\(element)")
    }
    let markers = bomb("marker", "", { "<path d='M0 0l1 1 1 1 1 1' marker-mid='url(#x\($0))'/>" }, leaf)
    #expect(outcome(Self.open + markers + "<path d='M0 0l1 1 1 1' marker-mid='url(#x11)'/></svg>") == .limitExceeded)
  }

  /// Many references to what is deep: none of them may begin at the root.
  @Test(.timeLimit(.minutes(1))) func referencesToDeepElements() {
    let depth = 900
    let marker = "<marker id='m'><path d='M0 0h1v1'/></marker>"
    let deep = repeated("<g fill='red'>", depth) + marker + repeated("</g>", depth)
    let path = "<path marker-mid='url(#m)' fill='none' d='M0 0\(repeated("L5 5", 100_000))'/>"
    #expect(outcome(Self.open + deep + path + "</svg>") == nil)
    let masked = (0..<20_000).map { "<mask id='n\($0)'/><rect width='9' height='9' mask='url(#n\($0))'/>" }.joined()
    #expect(outcome(Self.open + repeated("<g fill='red'>", depth) + masked + repeated("</g>", depth) + "</svg>") == nil)
  }

  @Test(.timeLimit(.minutes(1))) func extremes() {
    for body in [
      "<path d='M0 0H1e8' stroke='red' stroke-dasharray='1e-4'/>",
      "<path d='M0 0L1e9 1e9 0 1e9c1e30 1e30 -1e30 1e30 0 0' stroke='red' stroke-width='1e9' stroke-miterlimit='1e9'/>",
      "<path d='M1e999 0L-1e999 5' stroke='red' stroke-width='1e300'/><rect width='1e999999' height='1e-999999'/>",
      "<g transform='scale(1e300)'><g transform='scale(1e300)'><rect width='1' height='1'/></g></g>",
      "<linearGradient id='l' x2='1e-300' spreadMethod='repeat'><stop/><stop offset='1'/></linearGradient><rect width='9' height='9' fill='url(#l)'/>",
      "<pattern id='p' width='1e-9' height='1e-9'><rect width='1' height='1'/></pattern><rect width='99' height='99' fill='url(#p)'/>",
      "<svg viewBox='0 0 1e300 1e-300'><circle r='1e300'/></svg>",
      "<circle r='1e7' stroke='red' stroke-dasharray='1e-3'/>",
    ] {
      #expect(outcome(Self.open + body + "</svg>") == nil, "\(body)")
    }
    #expect(throws: CodecError.self) {
      try SVGDocument(parsing: Array("<svg width='1e9' height='1e9'/>".utf8)).render()
    }
  }

  /// Pixels count by what they cost: what is cheap in one colour is too much in ten thousand.
  @Test func workIsCountedByItsCost() {
    var limits = SVGDocument.Limits()
    limits.decoding.maximumWork = 60_000_000
    limits.decoding.maximumWorkPerPixel = 0
    let stops = (0..<10_000).map { "<stop offset='\(Double($0) / 1e4)' stop-color='#\(String(100 + $0 % 900))'/>" }
      .joined()
    let gradient = "<radialGradient id='g' fx='.6' spreadMethod='repeat' r='1e-9'>\(stops)</radialGradient>"
    func outcome(_ fill: String) -> CodecError.Kind? {
      let squares = repeated("<rect width='20' height='20' fill='\(fill)'/>", 100)
      do throws(CodecError) {
        _ = try SVGDocument(parsing: markup(gradient + squares), limits: limits).render(width: 400)
        return nil
      } catch {
        return error.kind
      }
    }
    #expect(outcome("red") == nil)
    #expect(outcome("url(#g)") == .limitExceeded)
  }

  @Test func eachLimitHolds() {
    let body =
      "<style>a{fill:red}b{fill:red}</style><g><g><rect width='9' height='9'/><path d='M0 0h9v9'/></g></g>"
      + "<use href='#q'/><use href='#q'/><circle id='q' r='9' opacity='.5' stroke='red'/>"
    let bytes = markup(body)
    func kind(_ change: (inout SVGDocument.Limits) -> Void) -> CodecError.Kind? {
      var limits = SVGDocument.Limits()
      change(&limits)
      do throws(CodecError) {
        _ = try SVGDocument(parsing: bytes, limits: limits).render()
        return nil
      } catch {
        return error.kind
      }
    }
    #expect(kind { _ in } == nil)
    #expect(kind { $0.maximumTextByteCount = bytes.count - 1 } == .limitExceeded)
    #expect(kind { $0.maximumTextByteCount = bytes.count } == nil)
    #expect(kind { $0.maximumElementCount = 8 } == .limitExceeded)
    #expect(kind { $0.maximumElementCount = 9 } == nil)
    #expect(kind { $0.maximumAttributeCount = 3 } == .limitExceeded)
    #expect(kind { $0.maximumNestingDepth = 3 } == .limitExceeded)
    #expect(kind { $0.maximumNestingDepth = 4 } == nil)
    #expect(kind { $0.maximumStyleRuleCount = 1 } == .limitExceeded)
    #expect(kind { $0.maximumStyleRuleCount = 2 } == nil)
    #expect(kind { $0.maximumReferenceCount = 1 } == .limitExceeded)
    #expect(kind { $0.maximumReferenceCount = 2 } == nil)
    #expect(kind { $0.maximumNodeCount = 2 } == .limitExceeded)
    #expect(kind { $0.maximumPathSegmentCount = 3 } == .limitExceeded)
    #expect(kind { $0.maximumLayerDepth = 0 } == .limitExceeded)
    #expect(kind { $0.maximumLayerDepth = 1 } == nil)
    #expect(kind { $0.decoding.maximumPixelCount = 399 } == .limitExceeded)
    #expect(kind { $0.decoding.maximumPixelCount = 400 } == nil)
  }
}
