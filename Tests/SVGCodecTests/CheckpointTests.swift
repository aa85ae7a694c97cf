// Deadlines and cancellation are noticed while filters, masks and long paths are drawn.

import ImageCoding
import SVGCodec
import TestSupport
import Testing

@Suite struct CheckpointTests {
  private static func draw(_ content: String, side: Int, _ intervals: WorkBetweenCheckpoints) throws -> ResourceBudget {
    let text = "<svg xmlns='http://www.w3.org/2000/svg' width='\(side)' height='\(side)'>\(content)</svg>"
    var budget = intervals.makeBudget()
    var bitmap = Bitmap()
    _ = try SVGDecoder().decode(Array(text.utf8).span, into: &bitmap, options: DecodingOptions(), budget: &budget)
    return budget
  }

  @Test(arguments: [
    "<feMorphology operator='dilate' radius='2'/>", "<feGaussianBlur stdDeviation='3'/>",
    "<feBlend in2='SourceGraphic' mode='multiply'/>", "<feConvolveMatrix kernelMatrix='1 1 1 1 1 1 1 1 1'/>",
    "<feDropShadow dx='3' dy='3'/>", "<feTurbulence baseFrequency='0.1'/>",
    "<feColorMatrix type='saturate' values='0.5'/>",
    "<feDiffuseLighting><fePointLight x='1' y='1' z='9'/></feDiffuseLighting>",
  ])
  func filtersAreInterrupted(primitive: String) throws {
    let intervals = WorkBetweenCheckpoints()
    let budget = try Self.draw(
      "<filter id='f' x='0' y='0' width='1' height='1'>\(primitive)</filter>"
        + "<rect width='1000' height='1000' fill='green' filter='url(#f)'/>",
      side: 1000, intervals)
    #expect(intervals.largest(upTo: budget) <= 25_000_000)
    // A million pixels, of which 2^17 are processed between two checks at most.
    #expect(intervals.mostBetweenCharges >= 7 || intervals.count >= 40)
  }

  @Test func coverageIsInterrupted() throws {
    let intervals = WorkBetweenCheckpoints()
    let budget = try Self.draw(
      "<mask id='m'><rect width='500' height='1000' fill='white'/></mask><clipPath id='c'>"
        + "<circle r='900'/><circle r='800' cx='900'/></clipPath><g mask='url(#m)' clip-path='url(#c)'>"
        + "<rect width='1000' height='1000'/></g>",
      side: 1000, intervals)
    #expect(intervals.largest(upTo: budget) <= 25_000_000)
    #expect(intervals.mostBetweenCharges >= 14)
  }

  @Test func longPathsAreInterrupted() throws {
    let intervals = WorkBetweenCheckpoints()
    let data = "M0 0" + String(repeating: "h1v1", count: 200_000)
    let budget = try Self.draw("<path d='\(data)'/>", side: 10, intervals)
    #expect(intervals.largest(upTo: budget) <= 25_000_000)
    // Four hundred thousand segments, read with a check for each four thousand.
    #expect(intervals.mostBetweenCharges >= 90)
  }
}
