import ImageCoding
import Testing
import Threading

/// Frames of one flat colour each, and a count of how often they are drawn.
private final class FlatFrames: AnimationFrames {
  let canvasSize = PixelSize(width: 6, height: 4)
  let canvasFormat = PixelFormat.rgba8
  let loopCount = LoopCount.infinite
  let options = DecodingOptions()
  let frames: [AnimationFrameInfo]
  let drawn = Mutex<[Int]>([])

  init(_ frames: [AnimationFrameInfo]) {
    self.frames = frames
  }

  func draw(
    frameAt index: Int, onto canvas: inout Bitmap, budget: inout ResourceBudget
  ) throws(CodecError) -> [ImageDiagnostic] {
    drawn.withLock { $0.append(index) }
    let region = frames[index].region
    for y in region.y..<region.y + region.height {
      var row = canvas.mutableRow(y)
      for x in region.x..<region.x + region.width {
        row[x * 4] = UInt8(index + 1)
        row[x * 4 + 3] = 255
      }
    }
    return []
  }

  /// The red samples of every composed picture, by whole canvases.
  var pictures: [[UInt8]] {
    var canvas = [UInt8](repeating: 0, count: 24)
    return frames.enumerated().map { index, frame in
      let before = canvas
      let cells = (frame.region.y..<frame.region.y + frame.region.height).flatMap { y in
        (frame.region.x..<frame.region.x + frame.region.width).map { y * 6 + $0 }
      }
      for cell in cells { canvas[cell] = UInt8(index + 1) }
      let picture = canvas
      switch frame.disposal {
      case .keep: break
      case .clear: for cell in cells { canvas[cell] = 0 }
      case .restorePrevious: canvas = before
      }
      return picture
    }
  }
}

private func frame(
  _ x: Int, _ y: Int, _ width: Int, _ height: Int, _ disposal: AnimationFrameInfo.Disposal,
  isOpaque: Bool = false
) -> AnimationFrameInfo {
  AnimationFrameInfo(
    region: PixelRegion(x: x, y: y, width: width, height: height), storedDelay: .milliseconds(40),
    disposal: disposal, blend: .over, isOpaque: isOpaque)
}

private func reds(_ bitmap: Bitmap) -> [UInt8] {
  let pixels = bitmap.packedPixels
  return stride(from: 0, to: pixels.count, by: 4).map { pixels[$0] }
}

@Suite struct ComposedAnimationTests {
  @Test func restoringBehindRestoringGoesBackToTheLastThatStayed() throws {
    let frames = FlatFrames([
      frame(0, 0, 6, 4, .keep), frame(0, 0, 2, 2, .restorePrevious), frame(1, 1, 3, 2, .restorePrevious),
      frame(4, 0, 2, 4, .clear), frame(2, 2, 1, 1, .restorePrevious), frame(0, 3, 6, 1, .keep),
    ])
    let animation = try ComposedAnimation(frames)
    #expect((0..<6).map { animation.requiredFrame(for: $0) } == [nil, 0, 0, 0, 3, 3])
    let pictures = frames.pictures
    for index in [5, 0, 3, 1, 4, 2] { #expect(reds(try animation.frame(at: index)) == pictures[index]) }
    var cursor = animation.makeCursor()
    for picture in pictures { #expect(try cursor.next().map(reds) == picture) }
    #expect(try cursor.next() == nil)
  }

  @Test func framesThatCoverTheCanvasNeedNothing() throws {
    let frames = FlatFrames([
      frame(0, 0, 6, 4, .keep), frame(0, 0, 6, 4, .keep, isOpaque: true), frame(0, 0, 6, 4, .clear),
      frame(1, 1, 1, 1, .keep),
    ])
    let animation = try ComposedAnimation(frames)
    #expect((0..<4).map { animation.requiredFrame(for: $0) } == [nil, nil, 1, nil])
  }

  @Test func playingInOrderDrawsEachFrameOnce() throws {
    let frames = FlatFrames((0..<20).map { frame($0 % 5, 0, 2, 2, .keep) })
    let animation = try ComposedAnimation(frames)
    for index in 0..<20 { _ = try animation.frame(at: index) }
    #expect(frames.drawn.withLock { $0 } == Array(0..<20))
    animation.purgeCache()
    _ = try animation.frame(at: 2)
    #expect(frames.drawn.withLock { $0.suffix(3) } == [0, 1, 2])
  }

  @Test func manyThreadsSeeTheSamePictures() async throws {
    let frames = FlatFrames((0..<12).map { frame($0 % 5, $0 % 3, 2, 2, [.keep, .clear, .restorePrevious][$0 % 3]) })
    let animation = try ComposedAnimation(frames)
    let pictures = frames.pictures
    await withTaskGroup(of: Bool.self) { group in
      for task in 0..<64 {
        group.addTask {
          let index = task * 7 % 12
          return (try? reds(animation.frame(at: index))) == pictures[index]
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }

  @Test func durationRules() {
    func shown(_ milliseconds: Int, _ rule: FrameDurationRule) -> Duration {
      var info = frame(0, 0, 1, 1, .keep)
      info.storedDelay = .milliseconds(milliseconds)
      return info.displayDuration(rule: rule)
    }
    #expect(shown(0, .browser) == .milliseconds(100))
    #expect(shown(10, .browser) == .milliseconds(100))
    #expect(shown(11, .browser) == .milliseconds(11))
    #expect(shown(0, .raw) == .zero)
    #expect(shown(5, .minimum(.milliseconds(20))) == .milliseconds(20))
    #expect(shown(50, .minimum(.milliseconds(20))) == .milliseconds(50))
  }
}
