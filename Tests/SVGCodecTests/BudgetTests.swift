// Small documents that cost far more than their bytes when every use, element or pattern is paid for but not counted.
// Each ends in a drawing or in a typed error within the limits, in little memory. Conformance measures the processor
// time of such documents.

import Foundation
import SVGCodec
import Testing

@Suite(.serialized) struct BudgetTests {
  /// The cost of drawing a document, and the error that ended it.
  private struct Cost {
    var error: CodecError?
    /// Bytes by which the memory of the process grew beyond its largest size so far.
    var growth: Int
  }

  private static func resident() -> Int {
    #if os(Linux)
      guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
        let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
        let kilobytes = line.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Int($0) })
      else { return 0 }
      return kilobytes << 10
    #else
      return 0
    #endif
  }

  private static func cost(_ bytes: [UInt8], _ limits: DecodingLimits = .default, parallelism: Int = 1) -> Cost {
    var options = DecodingOptions(limits: limits)
    options.parallelism = parallelism
    let before = resident()
    var failure: CodecError?
    do throws(CodecError) {
      _ = try SVGDecoder().decode(bytes.span, options: options)
    } catch {
      failure = error
    }
    return Cost(error: failure, growth: resident() - before)
  }

  private static let large = "width='4000' height='4000'"
  private static let unit = "<rect width='1' height='1'/>"

  private static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
  private static func uses(_ count: Int) -> String { repeated("<use href='#a'/>", count) }
  private static func numbered(_ count: Int, _ text: (Int) -> String) -> String {
    (0..<count).map(text).joined()
  }

  /// Documents whose drawing took minutes or gigabytes, or ended the process, when their cost was not counted.
  private static let triggers: [(name: String, document: @Sendable () -> [UInt8])] = [
    (
      "var() in a long value",
      {
        let style = "<style>rect{--x:1;font-family:\(repeated("a", 800_000)) var(--x)}</style>"
        return markup(style + repeated(unit, 2800))
      }
    ),
    (
      "custom properties of every element",
      { markup("<style>*{\(numbered(20_000) { "--a\($0):0;" })}</style>\(repeated(unit, 10_000))") }
    ),
    (
      "a class named many times",
      {
        let classes = repeated("a ", 30_000)
        return markup(
          "<style>\(repeated(".a{fill:red}", 20_000))</style><rect width='9' height='9' class='\(classes)'/>")
      }
    ),
    (
      "declarations of every element",
      { markup("<style>*{\(repeated("fill:red;", 100_000))}</style>\(repeated(unit, 10_000))") }
    ),
    (
      "tiles larger than the canvas",
      {
        let patterns = numbered(64) { index in
          """
          <pattern id='p\(index)' width='8100' height='8100' patternUnits='userSpaceOnUse'>\(unit)</pattern>
          <rect x='\(index)' width='1' height='4000' fill='url(#p\(index))'/>
          """
        }
        return markup(patterns, large)
      }
    ),
    (
      "dashes of every use",
      {
        markup(
          "<rect id='a' width='9' height='9' stroke='red' stroke-dasharray='\(repeated("1 ", 9999))'/>\(uses(45_000))")
      }
    ),
    (
      "a transform of every use",
      { markup("<rect id='a' width='9' height='9' transform='\(repeated("scale(1)", 200_000))'/>\(uses(2000))") }
    ),
    (
      "languages of every use",
      { markup("<rect id='a' width='9' height='9' systemLanguage='\(repeated("de,", 100_000))en'/>\(uses(1000))") }
    ),
    ("a path of spaces", { markup("<path id='a' d='M0 0h9v9z\(repeated(" ", 5_000_000))'/>\(uses(2000))") }),
    (
      "attributes of every use",
      { markup("<rect id='a' \(numbered(100_000) { "q\($0)='' " })width='9' height='9'/>\(uses(10_000))") }
    ),
    (
      "blended layers",
      {
        markup(
          repeated("<g style='mix-blend-mode:luminosity'><rect width='4000' height='4000' fill='#82a'/></g>", 25), large
        )
      }
    ),
    (
      "noise",
      {
        let filter =
          "<filter id='f' x='0' y='0' width='1' height='1'><feTurbulence baseFrequency='.01' numOctaves='10'/></filter>"
        return markup(filter + "<rect width='4000' height='4000' filter='url(#f)'/>", large)
      }
    ),
    (
      "nested clips",
      {
        let clip = "<clipPath id='c'><circle cx='2000' cy='2000' r='2000'/></clipPath>"
        return markup(
          clip + repeated("<g clip-path='url(#c)'>", 1000) + "<path d='M0 0h4000v4000z'/>" + repeated("</g>", 1000),
          large)
      }
    ),
    (
      "borrowed stops",
      {
        let borrowed = numbered(50_000) {
          "<linearGradient id='g\($0)' href='#s'/><rect width='1' height='1' fill='url(#g\($0))'/>"
        }
        return markup("<linearGradient id='s'>\(repeated("<stop/>", 10_000))</linearGradient>\(borrowed)")
      }
    ),
    (
      "a marker of many attributes",
      {
        let marker =
          "<marker id='m' \(numbered(100_000) { "q\($0)='' " })markerWidth='1' markerHeight='1'>\(unit)</marker>"
        return markup(marker + "<path marker-mid='url(#m)' d='M0 0\(repeated("h1", 100_000))'/>")
      }
    ),
    ("elements", { markup(repeated("<rect width='9' height='9'/>", 280_000)) }),
  ]

  /// Whether the tests were built without optimisation, where the same work takes far longer.
  private static var isDebug: Bool {
    var isDebug = false
    assert(
      {
        isDebug = true
        return true
      }())
    return isDebug
  }

  /// The limit that was exceeded decides on the status of a server.
  @Test func errorsOfDrawingStateTheLimit() throws {
    let text = #"<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"><rect width="9" height="9"/></svg>"#
    let limits = DecodingLimits(maximumByteCount: 1_000_000)
    let error = #expect(throws: CodecError.self) {
      try SVGDecoder().decode(Array(text.utf8).span, options: DecodingOptions(limits: limits))
    }
    #expect(error?.limit == .memory && error?.suggestedHTTPStatus == 413)
  }

  @Test(arguments: [Int.min, -1, 0]) func targetsWithoutPixelsAreIgnored(_ side: Int) throws {
    let text = #"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="7"/>"#
    let options = DecodingOptions(targetSize: PixelSize(width: 20, height: side))
    let image = try SVGDecoder().decode(Array(text.utf8).span, options: options)
    #expect(image.bitmap.pixelSize == PixelSize(width: 9, height: 7))
  }

  @Test(.enabled(if: !isDebug), arguments: triggers.indices, [DecodingLimits.default, .server])
  func triggersEndWithinTheMemory(_ index: Int, limits: DecodingLimits) {
    let (name, document) = Self.triggers[index]
    let cost = Self.cost(document(), limits)
    #expect(cost.growth < limits.maximumByteCount + 256 << 20, "\(name): \(cost.growth) bytes")
    if let error = cost.error {
      #expect(error.kind == .limitExceeded || error.kind == .deadlineExceeded, "\(name): \(error)")
    }
  }

  /// Bands of a drawing share one budget, so that more threads do not allow more.
  @Test func bandsShareTheBudget() throws {
    let layers = Self.repeated(
      "<g style='mix-blend-mode:luminosity'><rect width='64' height='512' fill='#82a'/></g>", 20)
    let bytes = markup(layers, "width='64' height='512'")
    var budget = ResourceBudget(.default)
    var options = DecodingOptions()
    func work(parallelism: Int) throws -> Int64 {
      budget = ResourceBudget(.default)
      options.parallelism = parallelism
      var bitmap = Bitmap()
      _ = try SVGDecoder().decode(bytes.span, into: &bitmap, options: options, budget: &budget)
      return budget.work
    }
    let alone = try work(parallelism: 1)
    let shared = try work(parallelism: 4)
    #expect(shared >= alone && shared < alone + alone / 10)
    for parallelism in [1, 4] {
      let limits = DecodingLimits(maximumWork: alone * 9 / 10, maximumWorkPerPixel: 0)
      #expect(Self.cost(bytes, limits, parallelism: parallelism).error?.kind == .limitExceeded)
    }
  }

  /// The memory that a document holds remains charged, and no other.
  @Test func textAndStylesAreReturned() throws {
    let small = markup(Self.unit)
    let padded = markup("<!--" + Self.repeated(" ", 1_000_000) + "-->" + Self.unit)
    let counts = try [small, padded].map { bytes in
      var budget = ResourceBudget(.default)
      _ = try SVGDocument(parsing: bytes.span, options: SVGDocument.Options(), budget: &budget)
      return (held: budget.heldByteCount, peak: budget.peakByteCount)
    }
    #expect(counts[0].held == counts[1].held && counts[0].held > 0)
    #expect(counts[1].peak > 1_000_000)
    // A path is held.
    var budget = ResourceBudget(.default)
    let path = markup("<path d='M0 0\(Self.repeated("h1", 10_000))'/>")
    _ = try SVGDocument(parsing: path.span, options: SVGDocument.Options(), budget: &budget)
    #expect(budget.heldByteCount > 160_000)
  }

  @Test func parsingStopsWhenItIsCancelled() {
    let bytes = markup(Self.repeated(Self.unit, 20_000))
    let options = DecodingOptions(shouldCancel: { true })
    let error = #expect(throws: CodecError.self) { try SVGDecoder().decode(bytes.span, options: options) }
    #expect(error?.kind == .cancelled)
    let limits = DecodingLimits(deadline: .zero)
    #expect(throws: CodecError.self) { try SVGDocument(parsing: bytes, limits: SVGDocument.Limits(decoding: limits)) }
  }

  /// Pictures spend the budget of the document that they are in.
  @Test func picturesSpendTheBudgetOfTheDocument() throws {
    let options = SVGDocument.Options(decodeImage: { _, budget throws(CodecError) in
      try budget.chargeWork(1_000_000)
      #expect(budget.depth == 1)
      return try Bitmap(width: 1000, height: 1000, format: .rgba8)
    })
    let images = (0..<5).map { "<image width='9' height='9' href='data:image/png;base64,AAA\($0)'/>" }.joined()
    var budget = ResourceBudget(.default)
    _ = try SVGDocument(parsing: markup(images).span, options: options, budget: &budget)
    #expect(budget.work >= 5_000_000 && budget.heldByteCount >= 20_000_000 && budget.depth == 0)
    var small = ResourceBudget(DecodingLimits(maximumByteCount: 20_000_000))
    let error = #expect(throws: CodecError.self) {
      try SVGDocument(parsing: markup(images).span, options: options, budget: &small)
    }
    #expect(error?.kind == .limitExceeded)
  }

  @Test func limitsFollowThoseOfTheDecode() {
    let server = SVGDocument.Limits(decoding: .server)
    let usual = SVGDocument.Limits()
    #expect(server.maximumElementCount == usual.maximumElementCount / 2)
    #expect(server.maximumCharacterCount == usual.maximumCharacterCount / 2)
    #expect(server.maximumNestingDepth == usual.maximumNestingDepth)
    let unlimited = SVGDocument.Limits(decoding: .unlimited)
    #expect(unlimited.maximumElementCount == .max && unlimited.maximumNestingDepth == .max)
    let deep = markup(Self.repeated("<g>", 5000) + Self.unit + Self.repeated("</g>", 5000))
    #expect(throws: CodecError.self) { try SVGDocument(parsing: deep) }
    #expect(throws: Never.self) { try SVGDocument(parsing: deep, limits: unlimited).render() }
  }

  /// Substituted values are shared by elements that see the same properties, and only by those.
  @Test func substitutedValuesAreShared() throws {
    let long = Self.repeated("a", 100_000)
    let style = "<style>rect{--x:#0f0;fill:var(--x);font-family:\(long) var(--x)} .r{--x:#f00}</style>"
    var budget = ResourceBudget(.default)
    let plain = "<rect width='10' height='20'/>"
    let red = "<rect class='r' x='10' width='10' height='20'/>"
    let bytes = markup(style + Self.repeated(plain, 500) + Self.repeated(red, 500))
    let document = try SVGDocument(parsing: bytes.span, options: SVGDocument.Options(), budget: &budget)
    #expect(budget.peakByteCount < 5_000_000)
    let bitmap = try document.render()
    #expect(pixel(bitmap, 5, 5) == "00ff00ff" && pixel(bitmap, 15, 5) == "ff0000ff")
    // Each element with an individual value costs a copy.
    let own = (0..<200).map { "<rect width='9' height='9' style='--x:#00\($0 % 10)'/>" }.joined()
    let error = #expect(throws: CodecError.self) { try SVGDocument(parsing: markup(style + own)) }
    #expect(error?.kind == .limitExceeded)
  }

  @Test func importantCustomPropertiesWin() throws {
    let style = "<style>rect{--x:#f00!important} rect{--x:#00f} .a{--x:#0f0} rect{fill:var(--x)}</style>"
    let rects = "<rect class='a' style='--x:#ff0' width='20' height='20'/>"
    #expect(pixel(try draw(style + rects), 5, 5) == "ff0000ff")
    let inherited = "<g style='--x:#0f0'><rect fill='var(--x)' width='20' height='20'/></g>"
    #expect(pixel(try draw(inherited), 5, 5) == "00ff00ff")
  }

  /// Of a long block, the last declaration of each property holds; an invalid shorthand replaces nothing.
  @Test func longBlocksKeepTheirLastDeclarations() throws {
    let filler = Self.repeated("stroke-width:2;", 50)
    #expect(
      pixel(try draw("<rect width='20' height='20' style='\(filler)fill:#f00;\(filler)fill:#0f0'/>"), 5, 5)
        == "00ff00ff")
    let important = "<rect width='20' height='20' style='fill:#0f0!important;\(filler)fill:#f00'/>"
    #expect(pixel(try draw(important), 5, 5) == "00ff00ff")
  }

  @Test func documentsWithoutSizeAreMalformed() throws {
    for attributes in ["width='0' height='0'", "width='-5' height='9'"] {
      let document = try SVGDocument(parsing: markup(Self.unit, attributes))
      let error = #expect(throws: CodecError.self) { try document.render() }
      #expect(error?.kind == .malformed, "\(attributes)")
    }
    let document = try SVGDocument(parsing: markup(Self.unit))
    for (width, height) in [(0, nil), (nil, -1), (0, 0)] as [(Int?, Int?)] {
      let error = #expect(throws: CodecError.self) { try document.render(width: width, height: height) }
      #expect(error?.kind == .invalidArgument)
    }
  }
}
