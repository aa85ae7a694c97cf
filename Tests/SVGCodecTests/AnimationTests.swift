// SMIL animations at time 0: the values that the timing and the keyframes of SMIL 3 state, computed by hand.

import SVGCodec
import Testing

@Suite struct AnimationTests {
  /// The covered columns and rows of a square of 4 × 4 with an animation.
  private static func box(_ animation: String, _ attributes: String = "") throws -> [Int] {
    coveredBox(try draw("<rect id='r' width='4' height='4' \(attributes)>\(animation)</rect>"))
  }

  private static func x(_ attributes: String, base: String = "x='2'") throws -> Int {
    try box("<animate attributeName='x' \(attributes)/>", base)[0]
  }

  @Test func beginsAtItsFirstValue() throws {
    #expect(try Self.x("values='3;9' dur='2s'") == 3)
    #expect(try Self.x("from='5' to='9' dur='2s'") == 5)
    #expect(try Self.x("from='5' by='9' dur='2s'") == 5)
    #expect(try Self.x("to='9' dur='2s'") == 2)
    #expect(try Self.x("by='9' dur='2s'") == 2)
    // Without a duration the first value lasts for ever.
    #expect(try Self.x("values='3;9'") == 3)
    #expect(try Self.box("<set attributeName='width' to='8'/>") == [0, 0, 7, 3])
    // The attribute need not be there.
    #expect(try Self.x("values='3;9' dur='2s'", base: "") == 3)
  }

  /// Events, later times and indefinite ones have no effect.
  @Test(arguments: [
    "begin='1s'", "begin='click'", "begin='a.end'", "begin='indefinite'", "begin='r.mouseover+1s'", "begin='bogus'",
    "begin='0:01'", "begin='-3s' dur='2s'", "begin='-3s' end='-1s'", "begin='a.begin+1s'",
  ])
  func inactive(timing: String) throws {
    #expect(try Self.x("values='7;9' dur='2s' \(timing)") == 2)
  }

  @Test(arguments: [
    ("begin='-1s' dur='2s' values='0;8'", 4), ("begin='-500ms' dur='2s' values='0;8'", 2),
    ("begin='-0:01' dur='0:02' values='0;8'", 4), ("begin='-1min' dur='2min' values='0;8'", 4),
    ("begin='5s;-1s;click' dur='2s' values='0;8'", 4), ("begin='-1s' dur='2s' by='8'", 6),
    ("begin='-1s' dur='2s' to='8'", 5), ("begin='-1s' dur='2s' from='4' by='4'", 6),
    // Ends.
    ("begin='-3s' dur='2s' values='0;8' fill='freeze'", 8),
    ("begin='-3s' dur='2s' end='-2s' values='0;8' fill='freeze'", 4),
    ("begin='-5s' dur='2s' repeatCount='2' values='0;8' fill='freeze'", 8),
    ("begin='-5s' dur='2s' repeatCount='indefinite' values='0;8'", 4),
    ("begin='-5s' dur='2s' repeatDur='10s' values='0;8'", 4), ("begin='-3s' dur='2s' max='1s' values='0;8'", 2),
    ("begin='-3s' dur='4s' max='2s' fill='freeze' values='0;8'", 4),
    // Restarts.
    ("begin='-3s;-1s' dur='4s' values='0;8'", 2), ("begin='-3s;-1s' dur='4s' restart='never' values='0;8'", 6),
    ("begin='-3s;-1s' dur='4s' restart='whenNotActive' values='0;8'", 6),
    // Pacing.
    ("begin='-1s' dur='2s' values='0;8' calcMode='discrete'", 8),
    ("begin='-1s' dur='4s' values='0;8' calcMode='discrete'", 0),
    ("begin='-1s' dur='4s' values='0;8;9' keyTimes='0;.25;1'", 8),
    ("begin='-1s' dur='4s' values='0;8;9' keyTimes='0;.5;1'", 4),
    ("begin='-1s' dur='2s' values='0;2;8' calcMode='paced'", 4),
    ("begin='-1s' dur='2s' values='0;8' calcMode='spline' keySplines='.42 0 .58 1'", 4),
    // Of the curve with these points, y is 0.125 where x is 0.5.
    ("begin='-1s' dur='2s' values='0;16' calcMode='spline' keySplines='0.5 0 0.5 0'", 2),
    // Sums.
    ("values='3;9' additive='sum'", 5), ("begin='-5s' dur='2s' repeatCount='4' accumulate='sum' values='0;4'", 10),
  ])
  func progress(attributes: String, expected: Int) throws {
    #expect(try Self.x(attributes) == expected, "\(attributes)")
  }

  @Test func listsThatDoNotFitHaveNoEffect() throws {
    #expect(try Self.x("values='3;9' keyTimes='0;.5;1'") == 2)
    #expect(try Self.x("values='3;9' keyTimes='0;2'") == 2)
    #expect(try Self.x("values='3;9' calcMode='spline'") == 2)
    #expect(try Self.x("values=''") == 2)
  }

  /// Units and lists are kept, words change halfway.
  @Test func kindsOfValues() throws {
    func fill(_ animation: String, _ style: String = "") throws -> String {
      pixel(try draw("<rect width='20' height='20' fill='red' \(style)>\(animation)</rect>"), 5, 5)
    }
    #expect(try Self.x("begin='-1s' dur='2s' values='0px;8px'") == 4)
    #expect(try Self.x("begin='-1s' dur='2s' values='0%;50%'") == 5)
    #expect(try Self.x("begin='-1s' dur='2s' values='0;50%'") == 10)
    #expect(try fill("<animate attributeName='fill' values='lime;red'/>") == "00ff00ff")
    #expect(
      try fill("<animate attributeName='fill' begin='-1s' dur='4s' values='#000;rgb(0 200 0);#00f'/>")
        == "006400ff")
    #expect(try fill("<animate attributeName='opacity' begin='-1s' dur='4s' values='1;0'/>") == "ff0000bf")
    #expect(try fill("<set attributeName='visibility' to='hidden'/>") == "00000000")
    #expect(try fill("<set attributeName='class' to='a'/><style>.a{fill:blue}</style>") == "0000ffff")
    let polygon =
      "<polygon points='0,0 4,0 4,4'><animate attributeName='points' begin='-1s' dur='2s' values='0,0 8,0 8,8 0,8;0,0 12,0 12,12 0,12'/></polygon>"
    #expect(coveredBox(try draw(polygon)) == [0, 0, 9, 9])
    let path = "<path><animate attributeName='d' begin='-1s' dur='2s' values='M0 0h4v4h-4z;M8,0h8v8h-8z'/></path>"
    #expect(coveredBox(try draw(path)) == [4, 0, 9, 5])
    // Animated properties override style sheets, but not important declarations.
    let blue = "<animate attributeName='fill' values='blue;red'/>"
    #expect(try fill(blue, "style='fill:lime'") == "0000ffff")
    #expect(try fill(blue, "style='fill:lime!important'") == "00ff00ff")
    #expect(try fill(blue + "<style>rect{fill:lime}</style>") == "0000ffff")
    let href = "<g id='a'/><rect id='b' width='3' height='3'/><use href='#a'><set attributeName='href' to='#b'/></use>"
    #expect(try coveredCount(draw("<defs>\(href)</defs><use href='#b'><set attributeName='href' to='#a'/></use>")) == 0)
  }

  @Test func animationsAreCombined() throws {
    let first = "<animate attributeName='x' begin='-2s' dur='4s' values='4;8'/>"
    let second = "<animate attributeName='x' begin='-1s' values='1' additive='sum'/>"
    // Whatever begins later comes on top.
    #expect(try Self.box(first + second)[0] == 7)
    #expect(try Self.box(second + first)[0] == 7)
    let chain = """
      <animate id='a' attributeName='y' begin='-3s' dur='1s' values='0;1'/>
      <animate attributeName='x' begin='a.end+1s' dur='2s' values='0;8'/>
      """
    #expect(try Self.box(chain)[0] == 4)
    #expect(try Self.box("<animate id='a' attributeName='x' begin='a.end;-1s' dur='2s' values='0;8'/>")[0] == 4)
    let other = "<rect id='r' width='4' height='4'/><animate href='#r' attributeName='y' values='6;0'/>"
    #expect(coveredBox(try draw(other)) == [0, 6, 3, 9])
  }

  @Test(arguments: [
    ("type='translate' values='5;9'", "", [5, 0, 8, 3]), ("values='5 2;9'", "", [5, 2, 8, 5]),
    ("type='scale' values='2;1'", "", [0, 0, 7, 7]), ("type='rotate' values='90 5 5;0'", "", [6, 0, 9, 3]),
    ("type='translate' begin='-1s' dur='2s' from='0' to='8 4'", "", [4, 2, 7, 5]),
    ("type='translate' values='5'", "transform='translate(1 2)'", [5, 0, 8, 3]),
    ("type='translate' values='5' additive='sum'", "transform='translate(1 2)'", [6, 2, 9, 5]),
    ("type='translate' values='2' additive='sum'", "transform='scale(2)'", [4, 0, 11, 7]),
    ("type='translate' values='5'", "style='transform:translate(9px,9px)'", [5, 0, 8, 3]),
    ("type='bogus' values='5'", "", [0, 0, 3, 3]),
  ])
  func transforms(attributes: String, base: String, expected: [Int]) throws {
    let animation = "<animateTransform attributeName='transform' \(attributes)/>"
    #expect(try Self.box(animation, base) == expected, "\(attributes)")
  }

  @Test(arguments: [
    ("path='M3 4h10'", [3, 4, 6, 7]), ("path='M3 4h10' begin='-1s' dur='2s'", [8, 4, 11, 7]),
    ("path='M5 5v9' rotate='auto'", [1, 5, 4, 8]), ("path='M9 9h9' rotate='auto-reverse'", [5, 5, 8, 8]),
    ("values='3,2;9,9'", [3, 2, 6, 5]), ("from='3 2' to='9 2' begin='-1s' dur='2s'", [6, 2, 9, 5]),
    ("by='8 4' begin='-1s' dur='2s'", [4, 2, 7, 5]),
    ("path='M0 0h10' keyPoints='.5;1' keyTimes='0;1' calcMode='linear'", [5, 0, 8, 3]),
    ("values='0 0;2 0;10 0' begin='-1s' dur='2s' calcMode='linear'", [2, 0, 5, 3]),
    ("values='0 0;2 0;10 0' begin='-1s' dur='2s'", [5, 0, 8, 3]),
  ])
  func motions(attributes: String, expected: [Int]) throws {
    #expect(try Self.box("<animateMotion \(attributes)/>") == expected, "\(attributes)")
    // The motion comes after the element's own transform.
    let scaled = try Self.box("<animateMotion path='M3 4h9'/>", "transform='scale(2)'")
    #expect(scaled == [3, 4, 10, 11])
  }

  @Test func motionsAlongOtherPaths() throws {
    let body =
      "<path id='p' fill='none' d='M6 7h9'/><rect width='4' height='4'><animateMotion><mpath href='#p'/></animateMotion></rect>"
    #expect(coveredBox(try draw(body)) == [6, 7, 9, 10])
  }

  /// Numbers at the limits of what is representable, in every place that takes one.
  @Test func hostileNumbers() throws {
    let colors = "attributeName='fill' values='red;blue' calcMode='spline' keySplines='0 1e300 1 -1e300'"
    for timing in ["begin='-1e300s' dur='1e-300s'", "begin='-1s' dur='2s'", "begin='-1e308s' dur='1e308s'"] {
      for more in ["", "repeatCount='1e300'", "repeatCount='indefinite' accumulate='sum'", "fill='freeze'"] {
        for values in [
          colors, "attributeName='x' values='1e308;-1e308' additive='sum'",
          "attributeName='x' values='0;1' keyTimes='0;1' calcMode='discrete'",
        ] {
          _ = try Self.box("<animate \(values) \(timing) \(more)/>", "x='1e308'")
        }
        let motion = "path='M1e308 0h-1e308' keyPoints='1e300;-1e300' keyTimes='0;1' calcMode='linear'"
        _ = try Self.box("<animateMotion \(motion) \(timing) \(more)/>")
        let turn = "type='rotate' values='1e308 1e308;-1e308' additive='sum'"
        _ = try Self.box("<animateTransform attributeName='transform' \(turn) \(timing) \(more)/>")
      }
    }
  }

  @Test func manyAnimationsAreWithinLimits() throws {
    let sums = String(
      repeating: "<animateTransform attributeName='transform' values='1' additive='sum'/>", count: 20_000)
    let chained = (0..<5_000).map { "<animate id='a\($0)' attributeName='x' begin='a\($0 + 1).begin' values='1'/>" }
    let paths = String(repeating: "<animateMotion><mpath href='#p'/></animateMotion>", count: 5_000)
    let path = "<path id='p' d='M0 0\(String(repeating: "h1v1", count: 10_000))'/>"
    for body in ["<rect>\(sums)</rect>", "<rect>\(chained.joined())</rect>", "\(path)<rect>\(paths)</rect>"] {
      do {
        _ = try SVGDocument(parsing: markup(body))
      } catch {
        #expect(error.kind == .limitExceeded)
      }
    }
  }
}
