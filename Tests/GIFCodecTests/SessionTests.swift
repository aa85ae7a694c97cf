import GIFCodec
import ImageCoding
import TestSupport
import Testing

@Suite struct SessionTests {
  static let files: [[UInt8]] = {
    var files = [TestGIF(width: 12, height: 20).bytes, TestGIF(width: 12, height: 21, isInterlaced: true).bytes]
    var commented = TestGIF(width: 7, height: 9, frameCount: 4, seed: 9)
    commented.extensions = TestGIF.loopCount(2) + [0x21, 0xFE, 2, 65, 66, 0]
    commented.blockByteCount = 5
    files.append(commented.bytes)
    var local = TestGIF(width: 5, height: 4, frameCount: 3, seed: 12)
    local.frames[0].colors = local.colors?.reversed()
    local.colors = nil
    for index in local.frames.indices { local.frames[index].colors = local.frames[0].colors }
    files.append(local.bytes)
    return files
  }()

  @Test func rowsAppearAsTheyArrive() throws {
    let gif = TestGIF(width: 20, height: 40)
    let bytes = gif.bytes
    let whole = gif.pictures[0]
    let session = GIFDecoder().makeSession(options: DecodingOptions())
    var rowsBefore = 0
    for index in bytes.indices {
      let progress = try session.append(bytes.span.extracting(index..<index + 1))
      #expect(progress.completedRowCount >= rowsBefore)
      #expect(progress.isHeaderComplete == (session.info != nil))
      rowsBefore = progress.completedRowCount
      guard let preview = session.makePreview() else { continue }
      let pixels = preview.packedPixels
      expectSame(Array(pixels[..<(rowsBefore * 80)]), Array(whole[..<(rowsBefore * 80)]))
      // Of the row that is arriving as much as is there; nothing below it.
      for row in min(rowsBefore + 1, 40)..<40 {
        expectSame(Array(pixels[row * 80..<row * 80 + 80]), [UInt8](repeating: 0, count: 80))
      }
    }
    #expect(rowsBefore == 40)
    expectSame(try session.finish().bitmap.packedPixels, whole)
  }

  @Test(arguments: [1, 2, 3, 5, 8, 9, 17, 24])
  func interlacedPreviewsShowTheRowAbove(height: Int) throws {
    let gif = TestGIF(width: 4, height: height, isInterlaced: true)
    let bytes = gif.bytes
    let whole = gif.pictures[0]
    let order = TestGIF.storedRows(height, isInterlaced: true)
    let session = GIFDecoder().makeSession(options: DecodingOptions())
    for index in bytes.indices {
      let progress = try session.append(bytes.span.extracting(index..<index + 1))
      let firstMissing = (0..<height).first { row in
        guard let preview = session.makePreview() else { return true }
        return Array(preview.packedPixels[row * 16..<row * 16 + 16]) != Array(whole[row * 16..<row * 16 + 16])
      }
      #expect(progress.completedRowCount <= firstMissing ?? height)
      // A whole pass fills the canvas.
      if progress.completedScanCount == 1, let preview = session.makePreview(), height > 1 {
        let storedCount = (height + 7) / 8
        for row in 0..<height {
          let above = order[..<storedCount].last { $0 <= row } ?? 0
          let shown = Array(preview.packedPixels[row * 16..<row * 16 + 16])
          let isRefined = order[storedCount...].contains {
            $0 <= row && row < $0 + 4 && shown.prefix(4) == whole[$0 * 16..<$0 * 16 + 4]
          }
          #expect(shown == Array(whole[above * 16..<above * 16 + 16]) || isRefined)
        }
      }
    }
    expectSame(try session.finish().bitmap.packedPixels, whole)
  }

  @Test func framesBecomeAvailableAsTheyComplete() throws {
    let bytes = TestGIF(width: 4, height: 4, frameCount: 5, seed: 5).bytes
    let session = GIFDecoder().makeSession(options: strict)
    var counts: [Int] = []
    for index in bytes.indices {
      let count = try session.append(bytes.span.extracting(index..<index + 1)).completedFrameCount
      if counts.last != count { counts.append(count) }
    }
    #expect(counts == [0, 1, 2, 3, 4, 5])
    #expect(try session.finish().info.frameCount == 5)
  }

  /// Every prefix of an animation is an animation.
  @Test func everyPrefixGivesTheFramesItHolds() throws {
    let test = TestGIF(width: 6, height: 5, frameCount: 5, seed: 21)
    let bytes = test.bytes
    let pictures = test.pictures
    for count in 0..<bytes.count {
      guard let source = try? GIFDecoder().animation(Array(bytes[..<count]), options: DecodingOptions()) else {
        continue
      }
      for index in 0..<source.frameCount - 1 {
        expectSame(try source.frame(at: index).packedPixels, pictures[index], "frame \(index) of \(count) bytes")
      }
      _ = try source.frame(at: source.frameCount - 1)
    }
  }

  @Test func aSessionEqualsOneShotHoweverTheInputIsCut() throws {
    var random = TestRandom(11)
    for file in Self.files {
      for cut in [file.count, file.count - 1, file.count * 3 / 4, file.count / 2, file.count / 4] {
        let bytes = Array(file[..<cut])
        let expected = Result { try decode(bytes) }
        for maximum in [1, 2, 5, 40] {
          let session = GIFDecoder().makeSession(options: DecodingOptions())
          let result = Result {
            var start = 0
            while start < bytes.count {
              let end = min(bytes.count, start + (maximum == 1 ? 1 : Int.random(in: 1...maximum, using: &random)))
              try session.append(bytes.span.extracting(start..<end))
              start = end
            }
            return try session.finish()
          }
          switch (expected, result) {
          case (.success(let a), .success(let b)):
            #expect(a.bitmap == b.bitmap)
            #expect(a.details == b.details)
          case (.failure(let a), .failure(let b)): #expect(a as? CodecError == b as? CodecError)
          default: Issue.record("one-shot and session differ")
          }
        }
      }
    }
  }
}
