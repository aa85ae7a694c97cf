// Vector kernels against the scalar sums that define them, and these against their definitions.

import PixelPlanes
import TestSupport
import Testing

@Suite struct JFIFKernelTests {
  @Test func everyChromaPairConvertsAsTheScalarSums() {
    for y in [0, 1, 76, 128, 200, 255] as [UInt8] {
      for b in 0..<256 {
        let luma = [UInt8](repeating: y, count: 256)
        let cb = [UInt8](repeating: UInt8(b), count: 256)
        let cr = (0..<256).map { UInt8($0) }
        var row = [UInt8](repeating: 0, count: 1024)
        var output = row.mutableSpan
        convertYCbCrRow(luma: luma.span, cb: cb.span, cr: cr.span, pixelCount: 256, order: .rgba, into: &output)
        let expected = (0..<256).flatMap { r -> [UInt8] in
          let pixel = JFIFConversion.rgb(y: y, cb: UInt8(b), cr: UInt8(r))
          return [pixel.red, pixel.green, pixel.blue, 255]
        }
        #expect(row == expected)
      }
    }
  }

  @Test func scalarSumsAreTheRoundedDefinition() {
    for index in 0..<20000 {
      let y = UInt8(truncatingIfNeeded: index &* 7919)
      let cb = UInt8(truncatingIfNeeded: index &* 104_729 >> 3)
      let cr = UInt8(truncatingIfNeeded: index &* 1_299_709 >> 5)
      let pixel = JFIFConversion.rgb(y: y, cb: cb, cr: cr)
      let red = Double(y) + 1.402 * (Double(cr) - 128)
      let green = Double(y) - 0.344136 * (Double(cb) - 128) - 0.714136 * (Double(cr) - 128)
      let blue = Double(y) + 1.772 * (Double(cb) - 128)
      #expect(abs(Double(pixel.red) - min(max(red, 0), 255)) <= 0.51)
      #expect(abs(Double(pixel.green) - min(max(green, 0), 255)) <= 0.51)
      #expect(abs(Double(pixel.blue) - min(max(blue, 0), 255)) <= 0.51)
    }
  }

  @Test func halfWidthRowsFilterAsTheTriangleDoes() {
    var noise = TestRandom(4)
    for pixelCount in 5...70 {
      let padded = (pixelCount + 15) & ~15
      let chromaCount = (pixelCount + 1) / 2
      let luma = (0..<padded).map { _ in UInt8(truncatingIfNeeded: noise.next()) }
      let near = (0..<chromaCount).map { _ in Int(noise.next() % 256) }
      let far = (0..<chromaCount).map { _ in Int(noise.next() % 256) }
      var weighted = [Int16](repeating: 99, count: padded / 2 + 2 * weightedRowMargin)
      for (index, sample) in near.enumerated() { weighted[weightedRowMargin + index] = Int16(3 * sample + far[index]) }
      weighted[weightedRowMargin - 1] = weighted[weightedRowMargin]
      weighted[weightedRowMargin + chromaCount] = weighted[weightedRowMargin + chromaCount - 1]
      var row = [UInt8](repeating: 0, count: pixelCount * 4)
      var output = row.mutableSpan
      convertHalfWidthYCbCrRow(
        luma: luma.span, cb: weighted.span, cr: weighted.span, pixelCount: pixelCount, rounding: .blendedRows,
        order: .bgra, into: &output)
      let sums = zip(near, far).map { 3 * $0 + $1 }
      let expected = (0..<pixelCount).flatMap { x -> [UInt8] in
        let this = sums[x / 2]
        let other = x % 2 == 0 ? sums[max(x / 2 - 1, 0)] : sums[min(x / 2 + 1, chromaCount - 1)]
        let chroma = UInt8((3 * this + other + (x % 2 == 0 ? 8 : 7)) >> 4)
        let pixel = JFIFConversion.rgb(y: luma[x], cb: chroma, cr: chroma)
        return [pixel.blue, pixel.green, pixel.red, 255]
      }
      #expect(row == expected, "\(pixelCount) pixels")
    }
  }

  @Test func packingMovesBytes() {
    var noise = TestRandom(5)
    for pixelCount in 0...40 {
      let pixels = (0..<pixelCount * 4).map { _ in UInt8(truncatingIfNeeded: noise.next()) }
      var row = [UInt8](repeating: 0, count: pixelCount * 3)
      var output = row.mutableSpan
      dropFourthBytes(pixels.span, pixelCount: pixelCount, into: &output)
      #expect(row == pixels.enumerated().filter { $0.offset % 4 != 3 }.map(\.element))
      let gray = Array(pixels.prefix(pixelCount))
      var spread = [UInt8](repeating: 0, count: pixelCount * 4)
      var spreadOutput = spread.mutableSpan
      spreadGraySamples(gray.span, pixelCount: pixelCount, into: &spreadOutput)
      #expect(spread == gray.flatMap { [$0, $0, $0, 255] })
    }
  }

  @Test(arguments: [3, 4], [false, true])
  func separatedRowsAreTheScalarSums(bytesPerPixel: Int, isBGR: Bool) {
    var noise = TestRandom(8)
    for pixelCount in Array(0...70) + [1_000] {
      let extremes: [UInt8] = [0, 1, 127, 128, 254, 255]
      let pixels = (0..<pixelCount * bytesPerPixel).map { _ in
        noise.next() % 3 == 0 ? extremes[Int(noise.next() % 6)] : UInt8(truncatingIfNeeded: noise.next())
      }
      var planes = (0..<3).map { _ in [UInt8](repeating: 7, count: pixelCount + 1) }
      var (luma, cb, cr) = (planes[0], planes[1], planes[2])
      var y = luma.mutableSpan
      var b = cb.mutableSpan
      var r = cr.mutableSpan
      separateYCbCr(
        pixels.span, pixelCount: pixelCount, order: PixelByteOrder(bytesPerPixel: bytesPerPixel, isBGR: isBGR),
        luma: &y, cb: &b, cr: &r)
      for x in 0..<pixelCount {
        let first = pixels[x * bytesPerPixel]
        let third = pixels[x * bytesPerPixel + 2]
        let color = JFIFConversion.yCbCr(
          red: isBGR ? third : first, green: pixels[x * bytesPerPixel + 1], blue: isBGR ? first : third)
        planes[0][x] = color.y
        planes[1][x] = color.cb
        planes[2][x] = color.cr
      }
      #expect([luma, cb, cr] == planes)
    }
  }

  @Test func scalarSumsBackAreTheRoundedDefinition() {
    for index in 0..<20000 {
      let red = UInt8(truncatingIfNeeded: index &* 7919)
      let green = UInt8(truncatingIfNeeded: index &* 104_729 >> 3)
      let blue = UInt8(truncatingIfNeeded: index &* 1_299_709 >> 5)
      let color = JFIFConversion.yCbCr(red: red, green: green, blue: blue)
      let y = 0.299 * Double(red) + 0.587 * Double(green) + 0.114 * Double(blue)
      #expect(abs(Double(color.y) - y) <= 0.51)
      #expect(abs(Double(color.cb) - min(255, 128 + (Double(blue) - y) / 1.772)) <= 0.52)
      #expect(abs(Double(color.cr) - min(255, 128 + (Double(red) - y) / 1.402)) <= 0.52)
    }
  }
}
