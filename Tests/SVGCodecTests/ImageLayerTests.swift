// Gradients and pictures as masks and backgrounds, in scenes whose pixels can be computed by hand.

import SVGCodec
import Testing

@Suite struct ImageLayerTests {
  /// A black square of 20 × 20 under a mask.
  private static func masked(_ style: String, _ attributes: String = "") throws -> Bitmap {
    try draw("<rect width='20' height='20' style='\(style)' \(attributes)/>")
  }

  private static let plain = "linear-gradient(black,black)"

  // MARK: Gradients

  @Test func linearGradients() throws {
    #expect(try coveredBox(Self.masked("mask:linear-gradient(to right,black 50%,transparent 50%)")) == [0, 0, 9, 19])
    #expect(try coveredBox(Self.masked("mask-image:linear-gradient(black 25%,#0000 0)")) == [0, 0, 19, 4])
    #expect(try coveredBox(Self.masked("mask:linear-gradient(270deg,black 5px,#0000 5px)")) == [15, 0, 19, 19])
    let ramp = try Self.masked("mask:linear-gradient(to right,transparent,black)")
    for x in 0..<20 { #expect(abs(Double(ramp[x, 7].alpha) - (Double(x) + 0.5) / 20 * 255) <= 1) }
    // The middle colour of a gradient to a corner is on the diagonal, whatever the box.
    let corner = try draw(
      "<rect width='20' height='10' style='mask:linear-gradient(to bottom right,black 50%,#0000 50%)'/>")
    #expect(corner[1, 1].alpha == 255 && corner[18, 8].alpha == 0 && corner[8, 4].alpha == 255)
    #expect(corner[12, 6].alpha == 0 && corner[4, 6].alpha == 255 && corner[15, 3].alpha == 0)
    let stripes = try Self.masked("mask:repeating-linear-gradient(to right,black 0 2px,#0000 2px 5px)")
    #expect((0..<20).allSatisfy { stripes[$0, 3].alpha == ($0 % 5 < 2 ? 255 : 0) })
  }

  /// Positions that are missing are evenly distributed, hints move the middle, positions never decrease.
  @Test func stops() throws {
    let thirds = try Self.masked("mask:linear-gradient(90deg,#0000,#000 40%,#000,#0000 80%)")
    #expect(thirds[11, 0].alpha == 255 && thirds[17, 0].alpha == 0 && abs(Int(thirds[3, 0].alpha) - 112) <= 1)
    let hint = try Self.masked("mask:linear-gradient(90deg,#0000,25%,#000)")
    // At a quarter, half of the change has happened: t to the power of log ½ / log ¼.
    for x in 0..<20 {
      let t = (Double(x) + 0.5) / 20
      #expect(abs(Double(hint[x, 0].alpha) - t.squareRoot() * 255) <= 14)
    }
    let backwards = try Self.masked("mask:linear-gradient(90deg,#000 50%,#0000 20%)")
    #expect(coveredBox(backwards) == [0, 0, 9, 19])
  }

  @Test func radialGradients() throws {
    let circle = try Self.masked("mask:radial-gradient(circle 8px,black 100%,#0000 0)")
    #expect(abs(coveredCount(circle) - 201) < 8)
    #expect(coveredBox(circle) == [2, 2, 17, 17])
    let placed = try Self.masked("mask:radial-gradient(3px at right 4px top 5px,black 99%,#0000 0)")
    #expect(coveredBox(placed) == [13, 2, 18, 7])
    let ellipse = try Self.masked("mask:radial-gradient(8px 4px,black 99%,#0000 0)")
    #expect(coveredBox(ellipse) == [2, 6, 17, 13])
    // Extents from a centre at (5, 10) of the box of 20: 5 and 15, and the distances of the corners.
    for (extent, radius) in [
      ("closest-side", 5.0), ("farthest-side", 15), ("closest-corner", 125.0.squareRoot()),
      ("farthest-corner", 325.0.squareRoot()),
    ] {
      let drawn = try Self.masked("mask:radial-gradient(circle \(extent) at 5px 10px,#000,#0000)")
      let distance = (7.5 * 7.5 + 0.5 * 0.5).squareRoot()
      #expect(abs(Double(drawn[12, 10].alpha) - max(0, 1 - distance / radius) * 255) <= 1.5, "\(extent)")
    }
    let oval = try draw(
      "<rect width='20' height='10' style='mask:radial-gradient(closest-side,#000,#0000)'/>")
    let distance = Double(0.55 * 0.55 + 0.01).squareRoot()
    #expect(abs(Int(oval[15, 5].alpha) - Int((1 - distance) * 255)) <= 2)
    let rings = try Self.masked("mask:repeating-radial-gradient(circle at 0 10px,#000 0 2px,#0000 2px 4px)")
    #expect((0..<20).allSatisfy { rings[$0, 10].alpha == ($0 % 4 < 2 ? 255 : 0) })
  }

  @Test func conicGradients() throws {
    #expect(try coveredBox(Self.masked("mask:conic-gradient(black 25%,#0000 0)")) == [10, 0, 19, 9])
    #expect(try coveredBox(Self.masked("mask:conic-gradient(from 90deg,black 90deg,#0000 0)")) == [10, 10, 19, 19])
    let sixths = try Self.masked("mask:repeating-conic-gradient(at 5px 5px,black 0 15deg,#0000 15deg 30deg)")
    #expect(sixths[5, 0].alpha == 255 && sixths[5, 19].alpha == 0 && sixths[19, 6].alpha == 255)
  }

  /// Colours are premultiplied before they are mixed, in the space that is named.
  @Test func interpolation() throws {
    func background(_ value: String) throws -> String {
      pixel(
        try SVGDocument(parsing: markup("", "width='21' height='21' style='background:\(value)'")).render(), 10, 10)
    }
    #expect(try background("linear-gradient(red,transparent)") == "ff000080")
    #expect(try background("linear-gradient(red,blue)") == "800080ff")
    // (0.8 · 1 · 0.5, …) / 0.5: the share of a colour is that of its alpha.
    // The pixels are premultiplied, so that their straight colours are not exact.
    let faint = try background("linear-gradient(rgb(255 0 0/.2),rgb(0 0 255/.6))")
    let samples = (0..<4).map { Int(faint.dropFirst(2 * $0).prefix(2), radix: 16) ?? -99 }
    #expect(zip(samples, [64, 0, 191, 102]).allSatisfy { abs($0 - $1) <= 3 }, "\(faint)")
    for space in ["oklab", "lab", "srgb-linear", "oklch longer hue", "hsl"] {
      let mixed = try fillColor("color-mix(in \(space), red, blue)")
      let found = try background("linear-gradient(in \(space),red,blue)")
      for index in 0..<4 {
        let digits = [found, mixed].map { Int($0.dropFirst(2 * index).prefix(2), radix: 16) ?? -99 }
        #expect(abs(digits[0] - digits[1]) <= 2, "\(space): \(found) \(mixed)")
      }
    }
    #expect(try background("linear-gradient(currentColor,currentColor)") == "000000ff")
  }

  @Test(arguments: [
    "linear-gradient()", "linear-gradient(red)", "linear-gradient(to up,red,blue)", "linear-gradient(red,,blue)",
    "linear-gradient(50%,red)", "linear-gradient(red,10%,20%,blue)", "radial-gradient(circle 1px 2px,red,blue)",
    "radial-gradient(-1px,red,blue)", "conic-gradient(red 1px,blue)", "bogus-gradient(red,blue)",
    "linear-gradient(in bogus,red,blue)", "url(#a) url(#b)", "linear-gradient(red,blue", "red",
  ])
  func invalidMasks(value: String) throws {
    let document = try SVGDocument(parsing: markup("<rect width='20' height='20' style='mask:\(value)'/>"))
    // A single colour is valid in recent drafts only.
    if value != "linear-gradient(red)" { #expect(!document.diagnostics.isEmpty, "\(value)") }
    #expect(coveredCount(try document.render()) == 400)
  }

  // MARK: Places

  @Test(arguments: [
    ("no-repeat 5px 6px / 4px 3px", [5, 6, 8, 8]), ("no-repeat right 2px bottom 3px / 4px 4px", [14, 13, 17, 16]),
    ("no-repeat center / 4px 4px", [8, 8, 11, 11]), ("no-repeat 100% 0 / 4px 4px", [16, 0, 19, 3]),
    ("no-repeat top right / 4px 4px", [16, 0, 19, 3]), ("no-repeat bottom / 50% 25%", [5, 15, 14, 19]),
    ("repeat-x 0 5px / 5px 4px", [0, 5, 19, 8]), ("repeat-y 5px 0 / 4px 5px", [5, 0, 8, 19]),
    ("repeat 0 0 / 3px 3px", [0, 0, 19, 19]), ("no-repeat 5px", [5, 0, 19, 19]),
    ("no-repeat 0 0 / auto 4px", [0, 0, 19, 3]), ("no-repeat -3px -2px / 8px 8px", [0, 0, 4, 5]),
  ])
  func positions(place: String, expected: [Int]) throws {
    #expect(try coveredBox(Self.masked("mask:\(Self.plain) \(place)")) == expected, "\(place)")
  }

  @Test func repetitions() throws {
    let spaced = try Self.masked("mask:\(Self.plain) space 0 0/6px 20px")
    #expect((0..<20).allSatisfy { spaced[$0, 3].alpha == ($0 % 7 < 6 ? 255 : 0) })
    // 20 / 6 is rounded to 3 tiles, each of which is half covered.
    let rounded = try Self.masked(
      "mask-image:linear-gradient(90deg,#000 50%,#0000 50%);mask-size:6px 6px;mask-repeat:round no-repeat")
    let columns = (0..<20).map { Double(rounded[$0, 2].alpha) / 255 }
    #expect(abs(columns.reduce(0, +) - 10) < 0.7)
    #expect(columns[1] == 1 && columns[5] < 0.1 && columns[8] > 0.9 && columns[12] < 0.1 && columns[15] > 0.9)
    #expect(rounded[1, 6].alpha == 0)
    let tiles = try Self.masked("mask:linear-gradient(90deg,#000 2px,#0000 2px) 1px 0/5px 5px")
    #expect((0..<20).allSatisfy { tiles[$0, 9].alpha == (($0 + 4) % 5 < 2 ? 255 : 0) })
  }

  @Test func boxes() throws {
    func box(_ style: String) throws -> [Int] {
      coveredBox(
        try draw(
          "<rect x='6' y='6' width='8' height='8' stroke='red' stroke-width='4' style='\(style)'/>"))
    }
    #expect(try box("mask:\(Self.plain)") == [4, 4, 15, 15])
    #expect(try box("mask:\(Self.plain) fill-box") == [6, 6, 13, 13])
    #expect(try box("mask:\(Self.plain);mask-clip:fill-box") == [6, 6, 13, 13])
    #expect(try box("mask:\(Self.plain) no-repeat fill-box no-clip 0 0/3px 3px") == [6, 6, 8, 8])
    #expect(try box("mask:\(Self.plain) no-repeat 0 0/3px 3px") == [4, 4, 6, 6])
    #expect(try box("mask:\(Self.plain) view-box no-repeat 0 0/50% 50%") == [4, 4, 9, 9])
    #expect(try box("mask:\(Self.plain) no-clip -20px -20px/40px 40px") == [4, 4, 15, 15])
  }

  // MARK: Modes and operators

  @Test func modes() throws {
    func alpha(_ style: String) throws -> UInt8 { try Self.masked(style)[5, 5].alpha }
    #expect(try alpha("mask:linear-gradient(#fff,#fff) luminance") == 255)
    #expect(try alpha("mask:\(Self.plain) luminance") == 0)
    #expect(try alpha("mask:\(Self.plain) alpha") == 255)
    #expect(try abs(Int(alpha("mask:linear-gradient(#0f0,#0f0);mask-mode:luminance")) - 182) <= 1)
    let element = "<mask id='m'><rect width='20' height='20' fill='#0f0' opacity='.5'/></mask>"
    func under(_ style: String) throws -> Int {
      Int(try draw("\(element)<rect width='20' height='20' style='\(style)'/>")[5, 5].alpha)
    }
    #expect(try abs(under("mask:url(#m)") - 91) <= 1)
    #expect(try abs(under("mask:url(#m) alpha") - 128) <= 1)
    #expect(try abs(under("mask-image:url(#m);mask-mode:luminance") - 91) <= 1)
  }

  @Test func operators() throws {
    func columns(_ style: String) throws -> [Int] {
      let drawn = try Self.masked(style)
      return (0..<20).filter { drawn[$0, 5].alpha == 255 }
    }
    let left = "linear-gradient(90deg,#000 12px,#0000 0)"
    let right = "linear-gradient(90deg,#0000 8px,#000 0)"
    #expect(try columns("mask:\(left),\(right)") == Array(0..<20))
    #expect(try columns("mask:\(left) intersect,\(right)") == Array(8..<12))
    #expect(try columns("mask:\(left) subtract,\(right)") == Array(0..<8))
    #expect(try columns("mask:\(left) exclude,\(right)") == Array(0..<8) + Array(12..<20))
    #expect(try columns("mask-image:\(left),\(right);mask-composite:exclude") == Array(0..<8) + Array(12..<20))
    // The operator of the last layer has nothing below it.
    #expect(try columns("mask:\(left) intersect") == Array(0..<12))
    // `none` is an empty layer; alone it is not a mask.
    #expect(try columns("mask:\(left) intersect,none").isEmpty)
    #expect(try columns("mask:none") == Array(0..<20))
    #expect(try columns("mask-image:none") == Array(0..<20))
    let element = "<mask id='m'><rect width='12' height='20' fill='#fff'/></mask>"
    let drawn = try draw("\(element)<rect width='20' height='20' style='mask:url(#m) intersect,\(right)'/>")
    #expect(coveredBox(drawn) == [8, 0, 11, 19])
  }

  /// Sizes, positions and stops that no picture has draw something or nothing.
  @Test(arguments: [
    "linear-gradient(red 1e308px,blue -1e308px)", "repeating-linear-gradient(red 0,blue 1e-300px)",
    "repeating-radial-gradient(1e-300px,red -1e300px,blue 1e300px)", "radial-gradient(1e308px at 1e308px 0,red,blue)",
    "repeating-conic-gradient(red 0,blue 1e-300turn)", "linear-gradient(red,blue) 0 0/1e-300px 1e-300px",
    "linear-gradient(red,blue) 1e308px -1e308px/1e308px 1e-9px", "linear-gradient(red,blue) space 0 0/1e-9px 7px",
    "linear-gradient(red,blue) round 0 0/1e300px 1e-300px no-clip", "linear-gradient(red,blue) 0 0/0 0",
  ])
  func extremes(mask: String) throws {
    for transform in ["", "scale(1e-9)", "scale(1e9 1)", "rotate(33) skewX(80)"] {
      _ = try draw("<rect width='20' height='20' style='mask:\(mask)' transform='\(transform)'/>")
    }
  }

  @Test func masksOfMasksCannotBeCircles() throws {
    let body = """
      <mask id='m' style='mask:url(#m) add,linear-gradient(#000,#000)'><rect width='20' height='20' fill='#fff'/></mask>
      <rect width='20' height='20' style='mask:url(#m) alpha,none'/>
      """
    #expect(coveredCount(try draw(body)) == 400)
  }

  // MARK: Pictures

  private static let options: SVGDocument.Options = {
    // 4 × 2: the left half is opaque.
    let pixels: [UInt8] = (0..<8).flatMap { $0 % 4 < 2 ? [255, 0, 0, 255] : [0, 0, 0, 0] }
    return SVGDocument.Options(decodeImage: { _, _ throws(CodecError) in
      try Bitmap(width: 4, height: 2, format: .rgba8, pixels: pixels)
    })
  }()

  @Test func pictures() throws {
    func box(_ style: String) throws -> [Int] {
      coveredBox(
        try draw("<rect width='20' height='20' style='image-rendering:pixelated;\(style)'/>", options: Self.options))
    }
    #expect(try box("mask:url(data:,a) no-repeat") == [0, 0, 1, 1])
    #expect(try box("mask:url(\"data:,a\") no-repeat 8px 9px") == [8, 9, 9, 10])
    #expect(try box("mask:url(data:,a) no-repeat 0 0/contain") == [0, 0, 9, 9])
    #expect(try box("mask:url(data:,a) no-repeat 0 0/cover") == [0, 0, 19, 19])
    #expect(try box("mask:url(data:,a) no-repeat 0 0/8px auto") == [0, 0, 3, 3])
    let tiled = try draw(
      "<rect width='20' height='20' style='image-rendering:pixelated;mask:url(data:,a)'/>", options: Self.options)
    #expect((0..<20).allSatisfy { tiled[$0, 7].alpha == ($0 % 4 < 2 ? 255 : 0) })
    // An unavailable image masks nothing.
    #expect(coveredCount(try draw("<rect width='20' height='20' style='mask:url(a.png)'/>")) == 400)
  }

  @Test func backgrounds() throws {
    func bitmap(_ style: String) throws -> Bitmap {
      try SVGDocument(
        parsing: markup("", "viewBox='0 0 10 10' width='20' height='20' style='\(style)'"), options: Self.options
      ).render()
    }
    let halves = try bitmap("background:linear-gradient(90deg,red 50%,blue 50%)")
    #expect(pixel(halves, 9, 3) == "ff0000ff" && pixel(halves, 10, 19) == "0000ffff")
    let layered = try bitmap("background:linear-gradient(lime,lime) no-repeat 2px 3px/4px 5px,#00f")
    #expect(pixel(layered, 2, 3) == "00ff00ff" && pixel(layered, 5, 7) == "00ff00ff")
    #expect(pixel(layered, 6, 7) == "0000ffff" && pixel(layered, 1, 3) == "0000ffff")
    let picture = try bitmap("background-image:url(data:,a);image-rendering:pixelated;background-color:lime")
    #expect(pixel(picture, 4, 6) == "ff0000ff" && pixel(picture, 6, 6) == "00ff00ff")
    #expect(pixel(try bitmap("background:url(data:,a) red no-repeat"), 9, 9) == "ff0000ff")
    #expect(pixel(try bitmap("background:red,blue"), 9, 9) == "00000000")
  }

  /// The pixels of a layer must not depend on the part of the canvas that is drawn.
  @Test func bandsAreTheSamePixels() throws {
    let document = try SVGDocument(
      parsing: Array(
        """
        <svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 300' style='background:linear-gradient(45deg,red,#0000 40px)'>
        <rect width='90' height='290' rx='9' style='mask:radial-gradient(#000,#0000) 3px 5px/33.3px 97px' fill='teal'/>
        <path d='M0 0L90 0L45 290z' transform='rotate(7)' style='mask:linear-gradient(#000,#0000) round 0 0/20px 60px'/>
        <path d='M0 0L90 290' stroke='red' style='mask:conic-gradient(#000,#0000) no-clip'/></svg>
        """.utf8), options: Self.options)
    let whole = try document.render(width: 333)
    for parallelism in [2, 5] { #expect(try document.render(width: 333, parallelism: parallelism) == whole) }
  }
}
