// Transform properties, reference boxes and basic shapes, seen in the pixels that they cover.

import SVGCodec
import Testing

@Suite struct TransformTests {
  /// The box that a square at 0…8 covers.
  @Test(arguments: [
    ("translate:4px 2px", [4, 2, 11, 9]), ("transform:translate(4px,2px)", [4, 2, 11, 9]),
    ("scale:2", [0, 0, 15, 15]), ("scale:50% 100%", [0, 0, 3, 7]), ("transform:scale(150%)", [0, 0, 11, 11]),
    ("transform:translate(50%,25%)", [10, 5, 17, 12]),
    ("transform:translate(50%);transform-box:fill-box", [4, 0, 11, 7]),
    ("rotate:90deg;translate:10px 0", [2, 0, 9, 7]), ("transform:rotateZ(90deg) translate(0,-8px)", [0, 0, 7, 7]),
    ("transform:translate3d(4px,2px,9px)", [4, 2, 11, 9]), ("transform:scale3d(2,1,7)", [0, 0, 15, 7]),
    ("transform:rotateX(60deg)", [0, 0, 7, 3]), ("transform:rotateY(180deg) translateX(-8px)", [0, 0, 7, 7]),
    ("transform:matrix3d(1,0,0,0,0,1,0,0,0,0,1,0,3,4,5,1)", [3, 4, 10, 11]),
    ("transform:rotate(180deg);transform-origin:center;transform-box:fill-box", [0, 0, 7, 7]),
    ("translate:4px;scale:2", [4, 0, 19, 15]), ("rotate:z 90deg;translate:8px", [0, 0, 7, 7]),
  ])
  func properties(style: String, expected: [Int]) throws {
    let shape = "<rect width='8' height='8' style='\(style)'/>"
    #expect(coveredBox(try draw(shape)) == expected, "\(style)")
  }

  /// The boxes of containers are known when their content is.
  @Test(arguments: [
    "<g style='BOX'><rect x='4' y='4' width='8' height='8'/></g>",
    "<use href='#r' x='4' style='BOX'/>",
    "<svg overflow='visible' style='BOX'><rect x='4' y='4' width='8' height='8'/></svg>",
    "<switch style='BOX'><rect x='4' y='4' width='8' height='8'/></switch>",
  ])
  func fillBoxOfContainers(markup: String) throws {
    let box = "transform-box:fill-box;transform-origin:100% 100%;transform:scale(0.5)"
    let body = "<defs><rect id='r' y='4' width='8' height='8'/></defs>" + markup.replacing("BOX", with: box)
    #expect(coveredBox(try draw(body)) == [8, 8, 11, 11], "\(markup)")
  }

  @Test(arguments: [
    ("inset(2px 4px 6px 8px)", [8, 2, 15, 13]), ("inset(25%)", [5, 5, 14, 14]),
    ("xywh(1px 2px 3px 4px)", [1, 2, 3, 5]),
    ("rect(2px 10px auto 1px)", [1, 2, 9, 19]), ("polygon(0 0, 50% 0, 50% 50%, 0 50%)", [0, 0, 9, 9]),
    ("circle(5px at 10px 8px)", [5, 3, 14, 12]), ("circle()", [0, 0, 19, 19]),
    ("ellipse(5px 3px at 50% 50%)", [5, 7, 14, 12]),
    ("path('M1 1h4v6h-4z')", [1, 1, 4, 6]), ("inset(0 round 4px)", [0, 0, 19, 19]), ("view-box", [0, 0, 19, 19]),
    ("polygon(evenodd, 0 0, 4px 0, 4px 4px, 0 4px)", [0, 0, 3, 3]), ("inset(2px) fill-box", [2, 2, 17, 17]),
  ])
  func basicShapes(shape: String, expected: [Int]) throws {
    let bitmap = try draw("<rect width='20' height='20' style=\"clip-path:\(shape)\"/>")
    #expect(coveredBox(bitmap) == expected, "\(shape)")
  }

  @Test func additiveBlending() throws {
    let body = """
      <rect width='20' height='20' fill='#060'/>
      <rect width='20' height='20' fill='#440' style='mix-blend-mode:plus-lighter'/>
      """
    #expect(pixel(try draw(body), 10, 10) == "44aa00ff")
  }

  /// Halfway between black and white, light is half of white's: 188 in sRGB.
  @Test func gradientsInLinearLight() throws {
    let body = """
      <linearGradient id='a' color-interpolation='linearRGB' gradientUnits='userSpaceOnUse' x1='0' x2='21'>
      <stop/><stop offset='1' stop-color='#fff'/></linearGradient><rect width='20' height='20' fill='url(#a)'/>
      """
    #expect(pixel(try draw(body), 10, 10) == "bcbcbcff")
  }
}
