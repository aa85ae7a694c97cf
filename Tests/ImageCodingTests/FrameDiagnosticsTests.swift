// The damage of frames that is tolerated: which frame it belongs to, in any order and after playback.

import ImageCoding
import Testing
import Threading

/// Frames that cover a part of the canvas each, some of which are damaged.
private final class DamagedFrames: AnimationFrames {
  let canvasSize = PixelSize(width: 2, height: 1)
  let canvasFormat = PixelFormat.rgba8
  let loopCount = LoopCount.infinite
  let options = DecodingOptions()
  let frames: [AnimationFrameInfo]
  private let damaged: Set<Int>
  let drawnCount = Mutex(0)

  init(count: Int, damaged: Set<Int>) {
    frames = (0..<count).map { index in
      AnimationFrameInfo(
        region: PixelRegion(x: index % 2, y: 0, width: 1, height: 1), storedDelay: .zero, disposal: .keep, blend: .over)
    }
    self.damaged = damaged
  }

  func draw(
    frameAt index: Int, onto canvas: inout Bitmap, budget: inout ResourceBudget
  ) throws(CodecError) -> [ImageDiagnostic] {
    drawnCount.withLock { $0 += 1 }
    if index == 3 { throw CodecError(.unsupported, "frame 3 is withheld") }
    return damaged.contains(index) ? [ImageDiagnostic(.damage, "rows are missing", byteOffset: index * 10)] : []
  }
}

@Suite struct FrameDiagnosticsTests {
  private func expected(_ index: Int) -> ImageDiagnostic {
    ImageDiagnostic(.damage, "rows are missing", byteOffset: index * 10, frame: index)
  }

  @Test func onlyDamagedFramesHaveDiagnostics() throws {
    let source = DamagedFrames(count: 3, damaged: [0, 2])
    let animation = try ComposedAnimation(source)
    for index in [2, 1, 0, 2, 0, 1] {
      _ = try animation.frame(at: index)
      #expect(try animation.diagnostics(ofFrameAt: index) == (index == 1 ? [] : [expected(index)]))
    }
    #expect(try ComposedAnimation(DamagedFrames(count: 3, damaged: [])).diagnostics(ofFrameAt: 2) == [])
  }

  /// Frames that have been drawn are not drawn again, others are drawn.
  @Test func framesAreDrawnOnce() throws {
    let source = DamagedFrames(count: 3, damaged: [1])
    let animation = try ComposedAnimation(source)
    _ = try animation.frame(at: 2)
    #expect(try animation.diagnostics(ofFrameAt: 1) == [expected(1)])
    #expect(source.drawnCount.withLock { $0 } == 3)
    animation.purgeCache()
    #expect(try animation.diagnostics(ofFrameAt: 1) == [expected(1)])
    #expect(source.drawnCount.withLock { $0 } == 5)
    _ = try animation.frame(at: 1)
    #expect(source.drawnCount.withLock { $0 } == 5)
  }

  @Test func cursorsHaveThoseOfTheLatestFrame() throws {
    let source = DamagedFrames(count: 6, damaged: [1, 2, 5])
    var cursor = AnimationCursor(source)
    #expect(cursor.diagnostics == [])
    for index in 0..<6 {
      if index == 3 {
        #expect(throws: CodecError.self) { _ = try cursor.next() }
        #expect(cursor.diagnostics == [])
        continue
      }
      _ = try cursor.next()
      #expect(cursor.diagnostics == ([1, 2, 5].contains(index) ? [expected(index)] : []))
    }
    cursor.reset()
    #expect(cursor.diagnostics == [])
    var budget = ResourceBudget(.default)
    for index in 0..<2 {
      _ = try cursor.next(budget: &budget)
      #expect(cursor.diagnostics == (index == 1 ? [expected(index)] : []))
    }
  }

  @Test func framesThatFailHaveNone() throws {
    let animation = try ComposedAnimation(DamagedFrames(count: 4, damaged: [2]))
    let error = #expect(throws: CodecError.self) { try animation.diagnostics(ofFrameAt: 3) }
    #expect(error?.kind == .unsupported)
    #expect(try animation.diagnostics(ofFrameAt: 2) == [expected(2)])
  }
}
