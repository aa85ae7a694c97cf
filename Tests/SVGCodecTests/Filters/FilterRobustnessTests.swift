// Filters that cost more than they should: a drawing or a typed error, soon and with bounded memory.

import SVGCodec
import Testing
import Threading

@Suite struct FilterRobustnessTests {
  private static let rect = "<rect width='500' height='500' fill='green' filter='url(#f)'/>"

  private static func document(_ body: String) -> String {
    "<svg xmlns='http://www.w3.org/2000/svg' width='512' height='512'>\(body)</svg>"
  }

  private static func filter(_ primitives: String, _ attributes: String = "") -> String {
    document("<filter id='f' \(attributes)>\(primitives)</filter>\(rect)")
  }

  private static let huge = "filterUnits='userSpaceOnUse' x='-1e9' y='-1e9' width='2e9' height='2e9'"

  private static let drawn: [String] = [
    filter("<feGaussianBlur stdDeviation='1e9'/>"), filter("<feGaussianBlur stdDeviation='1e38 1e-38'/>"),
    filter("<feMorphology operator='dilate' radius='1e9'/>"), filter("<feMorphology radius='1e38'/>"),
    filter("<feTurbulence baseFrequency='1e30' numOctaves='1e9' seed='1e300'/>"),
    filter("<feOffset dx='1e300' dy='-1e300'/>"), filter("<feDropShadow dx='1e300' stdDeviation='1e300'/>"),
    filter("<feConvolveMatrix order='10000' kernelMatrix='1 2 3'/>"),
    filter("<feColorMatrix values='1e300 -1e300 0 0 0 0 0 0 0 0 0 0 0 0 1e300 0 0 0 0 -1e300'/>"),
    filter("<feComponentTransfer><feFuncR type='gamma' exponent='-1e300' amplitude='1e300'/></feComponentTransfer>"),
    filter("<feComposite in2='SourceGraphic' operator='arithmetic' k1='1e300' k2='-1e300' k4='1e300'/>"),
    filter("<feDisplacementMap in2='SourceAlpha' scale='-1e300' xChannelSelector='R'/>"),
    filter("<feDiffuseLighting surfaceScale='1e300'><fePointLight x='1e300' z='-1e300'/></feDiffuseLighting>"),
    filter(
      "<feSpecularLighting><feSpotLight specularExponent='1e300' limitingConeAngle='1e300'/></feSpecularLighting>"),
    filter("<feGaussianBlur stdDeviation='9'/>", huge), filter("<feTurbulence baseFrequency='.1'/>", huge),
    filter("<feFlood width='1' height='1'/><feTile/>", huge),
    filter("<feFlood width='1e-9' height='1e-9'/><feTile/>"),
    filter("<feFlood width='1e8' height='1e8' x='-5e7' y='-5e7'/><feTile/>", huge),
    filter("<feImage href='#i'/>", huge) + "<g id='i'/>",
    filter(String(repeating: "<feFlood/>", count: 10_000)),
  ]

  private static let undrawn: [String] = [
    filter(String(repeating: "<feGaussianBlur stdDeviation='3'/>", count: 10_000)),
    filter(String(repeating: "<feMorphology/>", count: 10_000)),
    filter("<feMerge>\(String(repeating: "<feMergeNode/>", count: 10_000))</feMerge>"),
    document(
      "<filter id='f'><feGaussianBlur stdDeviation='3'/></filter>"
        + String(repeating: "<g filter='url(#f)'>", count: 1000) + rect + String(repeating: "</g>", count: 1000)),
    document("<filter id='f'><feGaussianBlur stdDeviation='3'/></filter>" + String(repeating: rect, count: 5000)),
    filter(
      "<feConvolveMatrix order='200' kernelMatrix='\(String(repeating: "1 ", count: 40_000))'/>"),
    document("<g filter='\(String(repeating: "blur(3px) ", count: 5000))'><rect width='500' height='500'/></g>"),
    // Each filter shows the next one's element twice.
    document(
      (0..<40).map { index in
        """
        <filter id='f\(index)'><feImage href='#r\(index + 1)' result='a'/><feImage href='#r\(index + 1)' result='b'/>
        <feBlend in='a' in2='b'/></filter><rect id='r\(index)' width='400' height='400' filter='url(#f\(index))'/>
        """
      }.joined() + "<rect id='r40' width='400' height='400'/>"),
  ]

  private func render(_ text: String) throws(CodecError) {
    _ = try SVGDocument(parsing: Array(text.utf8)).render()
  }

  @Test(.timeLimit(.minutes(1)), arguments: drawn.indices) func extremesAreDrawn(_ index: Int) throws {
    try render(Self.drawn[index])
  }

  @Test(.timeLimit(.minutes(1)), arguments: undrawn.indices) func bombsEndInAnError(_ index: Int) {
    let error = #expect(throws: CodecError.self) { try render(Self.undrawn[index]) }
    #expect(error?.kind == .limitExceeded)
  }

  @Test func primitivesAreLimited() throws {
    var limits = SVGDocument.Limits()
    limits.maximumFilterPrimitiveCount = 5
    func parse(_ count: Int) throws(CodecError) {
      let function = "<rect width='9' height='9' filter='\(String(repeating: "invert() ", count: count))'/>"
      _ = try SVGDocument(parsing: Array(Self.document(function).utf8), limits: limits)
    }
    try parse(5)
    let error = #expect(throws: CodecError.self) { try parse(6) }
    #expect(error?.kind == .limitExceeded)
  }

  private static let sample = """
    <svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><filter id="f" x="-.1" primitiveUnits="userSpaceOnUse">
    <feTurbulence baseFrequency=".1 2" numOctaves="2" seed="3" stitchTiles="stitch" result="n"/><feImage href="#i"/>
    <feDisplacementMap in2="n" scale="4" xChannelSelector="R"/><feGaussianBlur stdDeviation="2 1" edgeMode="wrap"/>
    <feConvolveMatrix order="2 1" kernelMatrix="1 -2" targetX="1" bias=".1" edgeMode="wrap"/><feMorphology radius="1 2"/>
    <feColorMatrix type="hueRotate" values="9"/><feComponentTransfer><feFuncR type="table" tableValues="1 0 .5"/>
    <feFuncA type="gamma" exponent="2"/></feComponentTransfer><feComposite in2="n" operator="arithmetic" k1="1" k4=".1"/>
    <feDiffuseLighting surfaceScale="2" width="9"><feSpotLight x="1" z="9" specularExponent="2"/></feDiffuseLighting>
    <feBlend in2="n" mode="hue" x="2" y="-1"/><feTile/><feOffset dx="3" result="o"/><feDropShadow flood-color="red"/>
    <feMerge><feMergeNode in="n"/><feMergeNode/></feMerge></filter><g id="i"><rect width="9" height="9"/></g>
    <path d="M1 1h9v9" transform="rotate(9)" style="filter:blur(1px)url(#f) drop-shadow(1px 2px 3px lime)"/></svg>
    """

  private func attempt(_ bytes: [UInt8]) {
    var limits = SVGDocument.Limits()
    limits.decoding.maximumWork = 2_000_000
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
    for index in bytes.indices {
      for change in [1, 4, 16, UInt8(ascii: "9") ^ bytes[index], UInt8(ascii: "-") ^ bytes[index]] {
        var changed = bytes
        changed[index] ^= change
        attempt(changed)
      }
    }
  }

  /// Every run asks many times whether it is still wanted.
  @Test func cancels() {
    let text = Self.filter(String(repeating: "<feGaussianBlur stdDeviation='30'/>", count: 8))
    let callCount = Mutex(0)
    var bitmap = Bitmap()
    var options = DecodingOptions()
    options.shouldCancel = {
      callCount.withLock { count in
        count += 1
        return count > 30
      }
    }
    let error = #expect(throws: CodecError.self) {
      try SVGDecoder().decode(Array(text.utf8).span, into: &bitmap, options: options)
    }
    #expect(error?.kind == .cancelled)
    #expect(callCount.withLock { $0 } == 31)
  }
}
