// Names of elements, attributes, prefixes, ids and others: long ones that are equal but for their end are told apart,
// and comparing them costs what is charged.

import SVGCodec
import Testing

@Suite struct NameTests {
  private static let long = String(repeating: "n", count: 3_000)

  private func color(_ body: String, x: Int = 10) throws -> String { pixel(try draw(body), x, 10) }

  // MARK: Results

  @Test func typesAreTheirNames() throws {
    let names = ["\(Self.long)a", "\(Self.long)b", "\(Self.long)a", "rect"]
    let others = names.dropLast().map { "<\($0)/>" }.joined()
    let body = "<g>\(others)<rect width='20' height='20' fill='#f00'/></g>"
    for selector in [
      "\(Self.long)a + rect", "\(Self.long)b ~ rect", "rect:first-of-type", "g:has(\(Self.long)b:only-of-type) rect",
      "g:has(\(Self.long)a:nth-of-type(2)) rect", "\(Self.long)a:nth-last-of-type(1) + rect", "g > rect",
      "g:not(:has(\(Self.long)c)) rect", "*|rect",
    ] {
      #expect(try color("<style>\(selector){fill:#0f0}</style>\(body)") == "00ff00ff", "\(selector.suffix(20))")
    }
    for selector in [
      "\(Self.long)b + rect", "\(Self.long)c ~ rect", "\(Self.long) ~ rect", "rect:nth-of-type(2)",
      "g:has(\(Self.long)b:nth-of-type(2)) rect", "Rect", "\(Self.long)a:only-of-type ~ rect",
    ] {
      #expect(try color("<style>\(selector){fill:#0f0}</style>\(body)") == "ff0000ff", "\(selector.suffix(20))")
    }
  }

  @Test func attributesAreTheirNames() throws {
    let rect =
      "<rect width='20' height='20' fill='#f00' \(Self.long)a='1' x:\(Self.long)b='2' xmlns:x='urn:x' data-a=''/>"
    for selector in ["[\(Self.long)a]", "[\(Self.long)a='1']", "[\(Self.long)b]", "[width]", "[data-a='']", "[fill]"] {
      #expect(try color("<style>\(selector){fill:#0f0}</style>\(rect)") == "00ff00ff", "\(selector.suffix(20))")
    }
    for selector in ["[\(Self.long)c]", "[\(Self.long)]", "[\(Self.long)a='2']", "[xmlns]", "[height='2']", "[d]"] {
      #expect(try color("<style>\(selector){fill:#0f0}</style>\(rect)") == "ff0000ff", "\(selector.suffix(20))")
    }
  }

  @Test func caseIsIgnoredOnRequest() throws {
    let rect = "<rect width='20' height='20' fill='#f00' q='aBc-D'/>"
    for selector in ["[q='AbC-d' i]", "[q^='AB' i]", "[q$='-D' i]", "[q*='bC' i]", "[q|='ABC' i]", "[q~='abc-d' i]"] {
      #expect(try color("<style>\(selector){fill:#0f0}</style>\(rect)") == "00ff00ff", "\(selector)")
    }
    for selector in ["[q='AbC-d']", "[q='AbC-d' s]", "[q$='aaaaaaaaaaaaaaa-D' i]"] {
      #expect(try color("<style>\(selector){fill:#0f0}</style>\(rect)") == "ff0000ff", "\(selector)")
    }
  }

  @Test func prefixesAreInScopeOfTheirElement() throws {
    let svg = "http://www.w3.org/2000/svg"
    let (a, b) = ("\(Self.long)a", "\(Self.long)b")
    let document = """
      <\(a):svg xmlns:\(a)='\(svg)' xmlns:\(b)='urn:b' width='20' height='20'>
      <\(b):rect width='20' height='20' fill='#f00'/>
      <\(a):g xmlns:\(b)='\(svg)' xmlns:\(a)='urn:a'><\(b):rect width='5' height='20' fill='#0f0'/>
      <\(a):rect width='20' height='20' fill='#f00'/></\(a):g>
      <\(b):g xmlns:\(a)='urn:c' xmlns:\(a)2='\(svg)'/>
      <\(a):g xmlns='\(svg)'><rect x='5' width='5' height='20' fill='#00f'/></\(a):g>
      <rect width='20' height='20' fill='#f00'/>
      <\(a):rect x='10' width='10' height='20' fill='#ff0'/></\(a):svg>
      """
    let bitmap = try SVGDocument(parsing: Array(document.utf8)).render()
    // The second group is not of SVG, because its prefix is bound to another namespace within it.
    #expect([2, 7, 15].map { pixel(bitmap, $0, 10) } == ["00000000", "0000ffff", "ffff00ff"])
  }

  // MARK: Cost

  /// Draws a document and returns the work done; negative if a limit was exceeded.
  private func work(_ content: String) throws -> Int64 {
    var budget = ResourceBudget(.default)
    do throws(CodecError) {
      _ = try SVGDocument(parsing: Array(markup(content)).span, options: SVGDocument.Options(), budget: &budget)
    } catch {
      guard error.kind == .limitExceeded else { throw error }
      return -budget.work
    }
    return budget.work
  }

  /// The work that is done in addition for names that are longer by some bytes.
  private func extraWork(_ byteCount: Int, _ content: (String) -> String) throws -> Int64 {
    let short = try work(content("nnnn"))
    return try work(content("nnnn" + String(repeating: "n", count: byteCount))) - short
  }

  /// Names are compared as numbers: each of their bytes is paid for when it is read, but not for each comparison.
  @Test func comparisonsOfTypesCostTheSameForAllNames() throws {
    let count = 200
    let extra = try extraWork(1_000) { name in
      let siblings = (0..<count).map { "<\(name)\(1_000 + $0)/>" }.joined()
      return "<style>:nth-last-of-type(3){fill:red}</style>\(siblings)"
    }
    #expect(extra > 0 && extra <= 1_000 * 20 * Int64(count))
    let nested = try extraWork(1_000) { name in
      let groups = String(repeating: "<g \(name)x='' >", count: 100) + String(repeating: "</g>", count: 100)
      return "<style>[\(name)y] g{fill:red} \(name)z g{fill:red}</style>\(groups)"
    }
    #expect(nested > 0 && nested <= 1_000 * 30 * Int64(102))
  }

  @Test func lookingUpPrefixesCostsTheSameForAllDeclarations() throws {
    func document(_ declarations: Int) -> String {
      let prefixes = (0..<declarations).map { "xmlns:\(Self.long)\(1_000 + $0)='urn:\($0)'" }.joined(separator: " ")
      return "<g \(prefixes)>\(String(repeating: "<\(Self.long)1000:a/>", count: 50))</g>"
    }
    let (few, many) = (try work(document(2)), try work(document(200)))
    #expect(many - few <= 198 * 3_020 * 20)
  }

  /// Comparisons byte by byte are charged.
  @Test(arguments: ["id", "language", "case", "variable"])
  func comparisonsOfLongValuesAreLimited(_ kind: String) throws {
    let name = String(repeating: "n", count: 5_000)
    let rects = String(repeating: "<rect width='1' height='1'/>", count: 100)
    let groups = { (attribute: String) in
      String(repeating: "<g \(attribute)>", count: 50) + rects + String(repeating: "</g>", count: 50)
    }
    let content: String
    let expected: ClosedRange<Int64>
    switch kind {
    case "id":
      content = "<style>#\(name)y rect{fill:red}</style>" + groups("id='\(name)x'")
      expected = 50_000_000...Int64.max
    case "language":
      let languages = repeatElement("aa", count: 5_000).joined(separator: ",")
      content = "<style>rect:lang(\(languages)){fill:red}</style><g lang='de'>\(rects)</g>"
      expected = 15_000_000...Int64.max
    case "case":
      // The comparison with a value that an element does not have is free.
      content = "<style>[q='\(name)' i]{fill:red}</style>\(rects)"
      expected = 1...10_000_000
    default:
      content = "<style>g{--\(name):inherit;fill:var(--\(name))}</style>" + groups("")
      expected = 6_000_000...Int64.max
    }
    let work = try work(content)
    #expect(expected ~= work, "\(kind): \(work)")
  }
}
