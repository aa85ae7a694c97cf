// Rows that several threads draw must be those that one thread draws.

import ImageCoding
import SVGCodec
import Testing

struct ParallelDrawingTests {
  /// Curves, strokes and dashes that cross every border between bands, under clips, masks, layers and patterns.
  private static func document() -> String {
    var seed: UInt32 = 77
    func random() -> Int {
      seed = seed &* 1_664_525 &+ 1_013_904_223
      return Int(seed >> 16) % 240 - 20
    }
    let paths = (0..<60).map { index in
      let points = (0..<4).map { _ in "\(random()) \(random() * 3)" }
      let paint = ["fill=\"teal\"", "fill=\"url(#g)\"", "fill=\"url(#p)\"", "fill=\"none\" stroke=\"red\""][index % 4]
      let more = ["", "opacity=\".6\"", "clip-path=\"url(#c)\"", "mask=\"url(#m)\"", "stroke-dasharray=\"9 4\""][
        index % 5]
      return "<path d=\"M\(points[0])C\(points[1]) \(points[2]) \(points[3])\" stroke-width=\"3\" \(paint) \(more)/>"
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 600"><defs>
      <linearGradient id="g"><stop stop-color="#fc0"/><stop offset="1" stop-color="#30c" stop-opacity=".2"/></linearGradient>
      <pattern id="p" width="23" height="31" patternUnits="userSpaceOnUse" patternTransform="rotate(20)">
      <circle cx="11" cy="15" r="9" fill="green"/></pattern>
      <clipPath id="c"><ellipse cx="90" cy="290" rx="83.3" ry="250.7"/></clipPath>
      <mask id="m"><path d="M3 7L190 333L-90 590z" fill="#ccc"/></mask></defs>
      \(paths.joined())<g opacity=".5" clip-path="url(#c)">\(paths[0])\(paths[7])</g></svg>
      """
  }

  @Test func bandsAreTheSamePixels() throws {
    let document = try SVGDocument(parsing: Array(Self.document().utf8))
    for width in [200, 333] {
      let whole = try document.render(width: width)
      for parallelism in [2, 3, 8] {
        #expect(try document.render(width: width, parallelism: parallelism) == whole)
      }
    }
  }

  @Test func aLimitIsAnErrorOnEveryThread() throws {
    var limits = SVGDocument.Limits()
    limits.maximumLayerDepth = 2
    let shape = "<path d=\"M0 0H50V1000H0z\"/><path d=\"M0 500h9v9z\"/>"
    let text = """
      <svg xmlns="http://www.w3.org/2000/svg" width="50" height="1000"><g opacity=".5"><g opacity=".5"><g opacity=".5">
      \(shape)</g>\(shape)</g>\(shape)</g></svg>
      """
    let document = try SVGDocument(parsing: Array(text.utf8), limits: limits)
    #expect(throws: CodecError.self) { _ = try document.render(parallelism: 3) }
  }
}
