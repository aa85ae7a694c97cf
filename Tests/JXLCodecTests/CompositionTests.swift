// Layers and animations, compared with formulas in integers.

import ImageCoding
import JXLCodec
import TestSupport
import Testing

@Suite struct CompositionTests {
  private let base = Layer(width: 4, height: 3, channels: [Array(1...12).map { $0 * 10 }])

  private func pixels(_ layers: [Layer]) throws -> [Int] {
    let file = LayeredFile(width: 4, height: 3, layers: layers)
    let image = try JXLDecoder().decode(file.codestream, options: DecodingOptions(tolerance: .strict))
    return image.bitmap.packedPixels.map(Int.init)
  }

  @Test(arguments: [(1, 1), (-1, -1), (3, 2), (0, 0), (4, 3), (-2, 2)])
  func placement(x: Int, y: Int) throws {
    let top = Layer(x: x, y: y, width: 2, height: 2, channels: [[201, 202, 203, 204]])
    var expected = base.channels[0]
    for (index, value) in top.channels[0].enumerated() {
      let (column, row) = (x + index % 2, y + index / 2)
      if (0..<4).contains(column), (0..<3).contains(row) { expected[row * 4 + column] = value }
    }
    #expect(try pixels([base, top]) == expected)
  }

  @Test func sums() throws {
    let top = Layer(x: 2, y: 0, width: 2, height: 1, channels: [[5, 250]], mode: 1)
    var expected = base.channels[0]
    expected[2] += 5
    expected[3] = 255
    #expect(try pixels([base, top]) == expected)
  }

  @Test func products() throws {
    let top = Layer(width: 4, height: 3, channels: [[Int](repeating: 51, count: 12)], mode: 4)
    #expect(try pixels([base, top]) == base.channels[0].map { ($0 * 51 * 2 + 255) / 510 })
  }

  @Test func slotsAreIndependent() throws {
    let hidden = Layer(width: 4, height: 3, channels: [[Int](repeating: 99, count: 12)], slot: 2)
    let top = Layer(width: 1, height: 1, channels: [[7]], source: 1)
    let saved = Layer(width: 4, height: 3, channels: base.channels, slot: 1)
    #expect(try pixels([saved, hidden, top]) == [7] + base.channels[0].dropFirst())
    // A slot in which nothing was saved is zero.
    #expect(
      try pixels([saved, Layer(width: 1, height: 1, channels: [[7]], source: 3)]) == [7]
        + [Int](repeating: 0, count: 11))
  }

  @Test func straightAlpha() throws {
    let below = Layer(width: 1, height: 2, channels: [[100, 200], [255, 128]])
    let above = Layer(width: 1, height: 2, channels: [[20, 40], [51, 255]], mode: 2)
    let file = LayeredFile(width: 1, height: 2, layers: [below, above])
    let pixels = try JXLDecoder().decode(file.codestream).bitmap.packedPixels
    // (20 · 0.2 + 100 · 1 · 0.8) / 1, and an opaque sample.
    #expect(pixels == [84, 255, 40, 255])
  }

  @Test func animations() throws {
    let frames = [
      Layer(width: 4, height: 3, channels: base.channels, slot: 1, duration: 7),
      Layer(x: 1, y: 1, width: 1, height: 1, channels: [[200]], source: 1, slot: 1, duration: 20),
      Layer(x: 0, y: 0, width: 1, height: 1, channels: [[250]], source: 1, duration: 3),
    ]
    let file = LayeredFile(width: 4, height: 3, layers: frames, isAnimated: true).codestream
    let animation = try #require(try JXLDecoder().animation(file))
    #expect(animation.frameCount == 3 && animation.loopCount == .finite(2))
    #expect(
      (0..<3).map { animation.frameInfo(at: $0).storedDelay } == [
        .milliseconds(70), .milliseconds(200), .milliseconds(30),
      ])
    var second = base.channels[0]
    second[5] = 200
    var third = second
    third[0] = 250
    // In any order.
    for (index, expected) in [(2, third), (0, base.channels[0]), (1, second), (1, second)] {
      #expect(try animation.frame(at: index).packedPixels.map(Int.init) == expected)
    }
    let info = try JXLDecoder().info(file, options: InfoOptions(indexesFrames: true))
    #expect(info.frameCount == 3 && info.duration == .milliseconds(300))
  }

  /// Intact pictures of damaged animations are decoded, and of damaged ones what remains.
  @Test func damagedAnimations() throws {
    let last = (0..<12).map { 100 + $0 * 9 }
    let frames = [
      Layer(width: 4, height: 3, channels: base.channels, slot: 1, duration: 7),
      Layer(width: 4, height: 3, channels: [last], duration: 20),
    ]
    let file = LayeredFile(width: 4, height: 3, layers: frames, isAnimated: true).codestream
    for (count, rowCount) in [(file.count, 3), (file.count - 4, 1), (file.count - 13, 0)] {
      let cut = Array(file[..<count])
      let animation = try #require(try JXLDecoder().animation(cut))
      #expect(animation.frameCount == 2)
      #expect(try animation.frame(at: 0).packedPixels.map(Int.init) == base.channels[0])
      let pixels = try animation.frame(at: 1).packedPixels.map(Int.init)
      #expect(pixels[..<(4 * rowCount)] == last[..<(4 * rowCount)])
      // Missing pixels do not depend on the frames that were drawn before.
      var cursor = animation.makeCursor()
      _ = try cursor.next()
      #expect(try cursor.next()?.packedPixels.map(Int.init) == pixels)
      #expect(try animation.diagnostics(ofFrameAt: 0) == [])
      let diagnostics = try animation.diagnostics(ofFrameAt: 1)
      #expect(diagnostics.map(\.severity) == (rowCount < 3 ? [.damage] : []))
      #expect(diagnostics.allSatisfy { $0.frame == 1 && $0.byteOffset != nil })
      guard rowCount < 3 else { continue }
      #expect(pixels != last)
      let strict = try #require(try JXLDecoder().animation(cut, options: DecodingOptions(tolerance: .strict)))
      #expect(try strict.frame(at: 0).packedPixels.map(Int.init) == base.channels[0])
      #expect { try strict.frame(at: 1) } throws: { ($0 as? CodecError)?.isDamage == true }
    }
  }

  /// A damaged layer counts for its picture, and not for those that are decoded after it or on it.
  @Test func damagedFramesHaveDiagnostics() throws {
    let noise = (0..<12).map { 100 + $0 * 37 % 91 }
    let frames = [
      Layer(width: 4, height: 3, channels: base.channels, slot: 1, duration: 7),
      Layer(width: 4, height: 3, channels: [noise], slot: 1, duration: 20),
      Layer(x: 1, y: 1, width: 1, height: 1, channels: [[200]], source: 1, slot: 1, duration: 20),
      Layer(width: 4, height: 3, channels: [noise.reversed()], duration: 20),
    ]
    let file = LayeredFile(width: 4, height: 3, layers: frames, isAnimated: true).codestream
    let intact = try #require(try JXLDecoder().animation(file))
    for index in [3, 0, 2, 1] { #expect(try intact.diagnostics(ofFrameAt: index) == []) }
    var damagedFrames: Set<Int> = []
    for position in file.count / 3..<file.count {
      var bytes = file
      bytes[position] ^= 0xFF
      guard let animation = try? JXLDecoder().animation(bytes), animation.frameCount == 4 else { continue }
      // In any order, and in playback.
      var cursor = animation.makeCursor()
      var found: [[ImageDiagnostic]] = []
      while let _ = try? cursor.next() { found.append(cursor.diagnostics) }
      guard found.count == 4, found.contains(where: { !$0.isEmpty }) else { continue }
      for index in [2, 3, 1, 0] { #expect(try animation.diagnostics(ofFrameAt: index) == found[index]) }
      let strict = try #require(try JXLDecoder().animation(bytes, options: DecodingOptions(tolerance: .strict)))
      // Strict decoding ends at the first damaged frame.
      let first = found.firstIndex { !$0.isEmpty } ?? 0
      for index in 0..<4 {
        let isDecoded = (try? strict.frame(at: index)) != nil
        #expect(isDecoded == (index < first))
      }
      #expect(found.filter { !$0.isEmpty }.count == 1)
      #expect(found[first].map(\.frame) == [first] && found[first].first?.severity == .damage)
      damagedFrames.insert(first)
    }
    #expect(damagedFrames.isSuperset(of: [1, 3]))
  }

  @Test func contract() {
    let top = Layer(x: 1, y: 0, width: 2, height: 2, channels: [[1, 2, 3, 4], [255, 9, 80, 0]], mode: 2)
    let bottom = Layer(width: 3, height: 2, channels: [Array(0..<6), Array(100..<106)])
    let file = LayeredFile(width: 3, height: 2, layers: [bottom, top])
    #expect(DecoderContract(JXLDecoder(), file.codestream).violations().prefix(8) == [])
  }
}
