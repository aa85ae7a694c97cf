import ImageCoding
import Testing
import Threading

/// An animation that counts its drawings; each frame adds its number to what it is drawn on.
private final class CountingFrames: AnimationFrames {
  let canvasSize = PixelSize(width: 4, height: 1)
  let canvasFormat = PixelFormat.rgba8
  let loopCount = LoopCount.infinite
  let options = DecodingOptions()
  let frames: [AnimationFrameInfo]
  private let drawings = Mutex(0)

  init(disposals: [AnimationFrameInfo.Disposal]) {
    frames = disposals.enumerated().map { index, disposal in
      AnimationFrameInfo(
        region: PixelRegion(x: index % 3, y: 0, width: 2, height: 1), storedDelay: .zero, disposal: disposal,
        blend: .over)
    }
  }

  func draw(
    frameAt index: Int, onto canvas: inout Bitmap, budget: inout ResourceBudget
  ) throws(CodecError) -> [ImageDiagnostic] {
    drawings.withLock { $0 += 1 }
    var row = canvas.mutableRow(0)
    for byte in index % 3 * 4..<(index % 3 + 2) * 4 { row[byte] = row[byte] &* 3 &+ UInt8(index & 255) }
    return []
  }

  func takeDrawingCount() -> Int {
    drawings.withLock { count in
      defer { count = 0 }
      return count
    }
  }
}

@Suite struct SeekCostTests {
  private static let disposals: [[AnimationFrameInfo.Disposal]] = [
    [AnimationFrameInfo.Disposal](repeating: .keep, count: 200),
    (0..<200).map { [.keep, .clear, .restorePrevious][$0 * $0 % 7 % 3] },
    (0..<200).map { $0 % 50 < 40 ? .restorePrevious : .keep },
  ]

  @Test(arguments: [0, 1, 2], [1, 2, 7, 30])
  func jumpsDrawNoMoreThanPromised(kind: Int, cost: Int) throws {
    let source = CountingFrames(disposals: Self.disposals[kind])
    let animation = try ComposedAnimation(source, cachePolicy: .maximumSeekCost(cost))
    #expect(animation.maximumSeekCost == cost)
    var cursor = animation.makeCursor()
    var pictures: [Bitmap] = []
    while let picture = try cursor.next() { pictures.append(picture) }
    _ = source.takeDrawingCount()
    // Once all frames have been passed, every jump is cheap.
    for index in 0..<200 { _ = try animation.frame(at: index) }
    #expect(source.takeDrawingCount() <= 200 * 2)
    for step in [199, 37, 101, 3] {
      for number in 0..<200 {
        let index = (number * step + number / 3) % 200
        #expect(try animation.frame(at: index) == pictures[index])
        #expect(source.takeDrawingCount() <= cost)
      }
    }
  }

  @Test(arguments: [0, 1, 2])
  func playingDrawsEachFrameOnce(kind: Int) throws {
    let source = CountingFrames(disposals: Self.disposals[kind])
    let animation = try ComposedAnimation(source)
    for index in 0..<200 {
      _ = try animation.frame(at: index)
      #expect(source.takeDrawingCount() == 1)
    }
  }

  @Test func bytesBecomeCheckpoints() throws {
    let source = CountingFrames(disposals: Self.disposals[0])
    // A canvas has 16 bytes: two of them, and ten checkpoints.
    let animation = try ComposedAnimation(source, cachePolicy: .byteCount(12 * 16))
    #expect(animation.maximumSeekCost == 20)
    for index in 0..<200 { _ = try animation.frame(at: index) }
    _ = source.takeDrawingCount()
    for index in (0..<200).reversed() {
      _ = try animation.frame(at: index)
      #expect(source.takeDrawingCount() <= 20)
      #expect(animation.cachedByteCount <= 12 * 16)
    }
  }
}
