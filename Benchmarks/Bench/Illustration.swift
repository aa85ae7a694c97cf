// A drawing for measurements, with the typical elements of illustrations and icons, generated with integer arithmetic.

import ImageCoding

/// Generates an SVG with filled curves, gradients, strokes with joins and dashes, a clip path and translucent groups.
enum Illustration {
  /// The document, which is the same on every run.
  static var bytes: [UInt8] { [UInt8](document.utf8) }

  private static var document: String {
    var seed: UInt32 = 0x1357_9BDF
    func random(_ bound: UInt32) -> Int {
      seed = seed &* 1_664_525 &+ 1_013_904_223
      return Int((seed >> 16) % bound)
    }
    func point() -> String { "\(random(800)) \(random(500))" }
    func leaf() -> String {
      let (x, y, size) = (random(760), random(460), 10 + random(70))
      let bow = random(30)
      return
        "M\(x) \(y)q\(bow) \(-size) \(size) \(-bow)t\(size) \(bow)c\(-bow) \(size / 2) \(-size) \(size) \(-2 * size) \(bow)z"
    }
    func color() -> String { "rgb(\(random(256)),\(random(256)),\(random(256)))" }

    var elements: [String] = []
    for index in 0..<400 {
      let fill = index % 5 == 0 ? "url(#\(index % 2 == 0 ? "sky" : "sun"))" : color()
      elements.append("<path d=\"\(leaf())\" fill=\"\(fill)\"/>")
    }
    for index in 0..<150 {
      let dashes = index % 4 == 0 ? " stroke-dasharray=\"12 5\"" : ""
      let join = ["miter", "round", "bevel"][index % 3]
      elements.append(
        "<path d=\"M\(point())C\(point()) \(point()) \(point())S\(point()) \(point())\" fill=\"none\" "
          + "stroke=\"\(color())\" stroke-width=\"\(1 + random(6))\" stroke-linejoin=\"\(join)\"\(dashes)/>")
    }
    for _ in 0..<10 {
      let leaves = (0..<12).map { _ in "<path d=\"\(leaf())\"/>" }.joined()
      elements.append("<g opacity=\"0.5\" fill=\"\(color())\" clip-path=\"url(#lens)\">\(leaves)</g>")
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 500"><defs>
      <linearGradient id="sky"><stop stop-color="#9cf"/><stop offset="1" stop-color="#036"/></linearGradient>
      <radialGradient id="sun"><stop stop-color="#fe8"/><stop offset="1" stop-color="#c40" stop-opacity=".3"/>
      </radialGradient><clipPath id="lens"><circle cx="400" cy="250" r="230"/></clipPath></defs>
      \(elements.joined(separator: "\n"))
      </svg>
      """
  }
}
