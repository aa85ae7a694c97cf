import GIFCodec
import ImageCoding
import Testing

/// Each leniency of ``GIFDecoder`` and what strict decoding says of it.
@Suite struct LeniencyTests {
  private func expectLenient(
    _ bytes: [UInt8], _ pixels: [UInt8], strictly reason: String?, isComplete: Bool = true,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let image = try decode(bytes)
    expectSame(image.bitmap.packedPixels, pixels, sourceLocation: sourceLocation)
    #expect(image.isComplete == isComplete, sourceLocation: sourceLocation)
    #expect(decodeError(bytes, strict)?.reason == reason, sourceLocation: sourceLocation)
    #expect(image.diagnostics.isEmpty == (reason == nil && isComplete), sourceLocation: sourceLocation)
  }

  @Test func theTrailerMayBeMissing() throws {
    var gif = TestGIF(width: 5, height: 5)
    gif.trailer = []
    try expectLenient(gif.bytes, gif.pictures[0], strictly: "the file ends before its trailer")
  }

  @Test func whatFollowsTheTrailerIsNotRead() throws {
    var gif = TestGIF(width: 5, height: 5)
    gif.trailer = [0x3B, 0x2C, 1, 2, 3, 0x3B]
    try expectLenient(gif.bytes, gif.pictures[0], strictly: nil)
  }

  @Test func unknownBlocksEndTheFile() throws {
    var gif = TestGIF(width: 5, height: 5)
    gif.trailer = [0x00, 0x3B]
    try expectLenient(gif.bytes, gif.pictures[0], strictly: "no block starts with the byte 0")
    #expect(decodeError(gif.header + [0x00, 0x3B])?.kind == .malformed)
  }

  @Test func theEndCodeMayBeMissing() throws {
    var gif = TestGIF(width: 1, height: 1)
    // Clear, index 5.
    gif.frames[0].indices = [5]
    gif.frames[0].data = [0x58]
    try expectLenient(gif.bytes, gif.pictures[0], strictly: "the image data has no end-of-information code")
  }

  @Test func theFirstClearCodeMayBeMissing() throws {
    var gif = TestGIF(width: 2, height: 1)
    gif.frames[0].indices = [5, 5]
    // 5, 5, end in four bits each.
    gif.frames[0].data = [0x55, 0x09]
    try expectLenient(gif.bytes, gif.pictures[0], strictly: nil)
  }

  @Test func pixelsMayBeMissing() throws {
    var gif = TestGIF(width: 4, height: 4)
    gif.frames[0].data = TestGIF.compress(Array(gif.frames[0].indices[..<10]), codeSize: 3)
    let pixels = Array(gif.pictures[0][..<40]) + [UInt8](repeating: 0, count: 24)
    try expectLenient(
      gif.bytes, pixels, strictly: "the image data ends before the last pixel", isComplete: false)
    gif.frames[0].data = []
    try expectLenient(
      gif.bytes, [UInt8](repeating: 0, count: 64), strictly: "the image data ends before the last pixel",
      isComplete: false)
  }

  @Test func pixelsMayBeTooMany() throws {
    var gif = TestGIF(width: 4, height: 4)
    gif.frames[0].data = TestGIF.compress(gif.frames[0].indices + [1, 2, 3, 4, 5, 6, 7, 1], codeSize: 3)
    let image = try decode(gif.bytes, strict)
    expectSame(image.bitmap.packedPixels, gif.pictures[0])
    #expect(image.diagnostics.map(\.reason) == ["the image data is longer than the image"])
    // Bytes after the end code are not even reported.
    gif.frames[0].data = TestGIF.compress(gif.frames[0].indices, codeSize: 3) + [1, 2, 3]
    try expectLenient(gif.bytes, gif.pictures[0], strictly: nil)
  }

  @Test func codesMayStandForNothing() throws {
    var gif = TestGIF(width: 2, height: 2)
    // Clear, 1, then 15 where 10 is the next free code.
    gif.frames[0].data = [0x18, 0x0F, 0, 0]
    let pixels = [255, 0, 0, 255] + [UInt8](repeating: 0, count: 12)
    try expectLenient(gif.bytes, pixels, strictly: "an LZW code is not in the table", isComplete: false)
  }

  @Test(arguments: [0, 12, 200, 255])
  func codeSizesMayBeImpossible(codeSize: Int) throws {
    var gif = TestGIF(width: 2, height: 2)
    gif.frames[0].data = [0x18, 0x0F, 0, 0]
    gif.frames[0].codeSize = codeSize
    try expectLenient(
      gif.bytes, [UInt8](repeating: 0, count: 16), strictly: "the LZW minimum code size is not 1…11",
      isComplete: false)
  }

  @Test(arguments: [1, 2, 4, 8, 9, 11])
  func codeSizesMayBeUnusual(codeSize: Int) throws {
    var gif = TestGIF(width: 20, height: 20)
    gif.frames[0].indices = gif.frames[0].indices.map { $0 & (codeSize == 1 ? 1 : codeSize == 2 ? 3 : 7) }
    gif.frames[0].codeSize = codeSize
    try expectLenient(gif.bytes, gif.pictures[0], strictly: nil)
  }

  @Test func theScreenMayHaveNoSize() throws {
    var gif = TestGIF(width: 4, height: 3)
    let pixels = gif.pictures[0]
    gif.width = 0
    try expectLenient(gif.bytes, pixels, strictly: "the logical screen has no pixels")
    gif.frames[0].width = 0
    gif.frames[0].indices = []
    #expect(decodeError(gif.bytes)?.reason == "the image has no pixels")
  }

  @Test func thereMayBeNoImage() throws {
    let gif = TestGIF(width: 2, height: 2)
    let bytes = gif.header + [0x3B]
    try expectLenient(bytes, [UInt8](repeating: 0, count: 16), strictly: "there is no image", isComplete: false)
    #expect(decodeError(gif.header)?.kind == .truncated)
  }

  @Test func thereMayBeNoColors() throws {
    var gif = TestGIF(width: 4, height: 1)
    gif.frames[0].indices = [0, 1, 2, 7]
    gif.colors = nil
    let gray: [UInt8] = [0, 1, 2, 7].flatMap { (level: UInt8) in [level, level, level, 255] }
    try expectLenient(gif.bytes, gray, strictly: "there is no colour table")
  }

  @Test func indicesMayHaveNoColor() throws {
    var gif = TestGIF(width: 4, height: 1)
    gif.frames[0].indices = [0, 1, 3, 7]
    gif.colors = [[1, 2, 3], [4, 5, 6]]
    let pixels: [UInt8] = [1, 2, 3, 255, 4, 5, 6, 255, 0, 0, 0, 255, 0, 0, 0, 255]
    try expectLenient(gif.bytes, pixels, strictly: "an index has no entry in the colour table")
    // The transparent one needs none.
    gif.frames[0].indices = [0, 1, 1, 7]
    gif.frames[0].transparentIndex = 7
    let transparent: [UInt8] = [1, 2, 3, 255, 4, 5, 6, 255, 4, 5, 6, 255, 0, 0, 0, 0]
    try expectLenient(gif.bytes, transparent, strictly: nil)
  }

  @Test func theLastControlHolds() throws {
    var gif = TestGIF(width: 3, height: 3)
    gif.frames[0].transparentIndex = 3
    gif.extensions = TestGIF.control(disposal: 2, delay: 9, transparentIndex: 5) + [0x21, 0xF9, 1, 1, 0]
    try expectLenient(gif.bytes, gif.pictures[0], strictly: nil)
  }

  /// The version is not held against what a file contains.
  @Test func animationsMayCallThemselvesOld() throws {
    var gif = TestGIF(width: 5, height: 4, frameCount: 4, seed: 3)
    gif.version = "87a"
    let source = try openAnimation(gif.bytes)
    #expect(source.frameCount == 4)
    #expect(try decode(gif.bytes).info.coding == "GIF87a")
  }

  /// A damaged frame shows the pixels that were decoded; the frames after it are shown.
  @Test func animationsGoOnBehindDamage() throws {
    var gif = TestGIF(width: 5, height: 4, frameCount: 4, seed: 3)
    for index in gif.frames.indices { gif.frames[index].disposal = 1 }
    gif.frames[1].data = [0xFF, 0xFF]
    gif.frames[3] = TestGIF(width: 5, height: 4).frames[0]
    let source = try openAnimation(gif.bytes, DecodingOptions())
    expectSame(try source.frame(at: 1).packedPixels, gif.pictures[0])
    expectSame(try source.frame(at: 3).packedPixels, gif.pictures[3])
    let error = #expect(throws: CodecError.self) { try openAnimation(gif.bytes).frame(at: 1) }
    #expect(error?.kind == .malformed)
  }

  @Test func damagedFramesHaveDiagnostics() throws {
    var gif = TestGIF(width: 5, height: 4, frameCount: 5, seed: 3)
    let intact = try openAnimation(gif.bytes, DecodingOptions())
    for index in 0..<5 { #expect(try intact.diagnostics(ofFrameAt: index) == []) }
    gif.frames[1].data = [0xFF, 0xFF]
    gif.frames[3].data = TestGIF.compress(Array(gif.frames[3].indices.dropLast()), codeSize: 3)
    let source = try openAnimation(gif.bytes, DecodingOptions())
    var cursor = source.makeCursor()
    for index in 0..<5 {
      _ = try cursor.next()
      let diagnostics = cursor.diagnostics
      #expect(try source.diagnostics(ofFrameAt: index) == diagnostics)
      #expect(diagnostics.map(\.frame) == (index == 1 || index == 3 ? [index] : []))
      #expect(diagnostics.allSatisfy { $0.severity == .damage && $0.byteOffset != nil })
    }
    #expect(try source.diagnostics(ofFrameAt: 3).first?.reason == "the image data ends before the last pixel")
  }
}

@Suite struct DamageTests {
  @Test func everyPrefixGivesARowOrAnError() throws {
    for (file, isInterlaced) in zip(SessionTests.files, [false, true, false, false]) {
      let whole = try decode(file).bitmap
      var rowsBefore = 0
      for count in 0..<file.count {
        guard let image = try? decode(Array(file[..<count])) else { continue }
        #expect(decodeError(Array(file[..<count]), strict) != nil)
        #expect(!image.diagnostics.isEmpty)
        #expect(image.bitmap.pixelSize == whole.pixelSize)
        let differing = zip(image.bitmap.packedPixels, whole.packedPixels).filter { $0 != $1 && $0 != 0 }
        #expect(differing.isEmpty)
        if isInterlaced { continue }
        var rows = 0
        let (shown, wanted) = (image.bitmap.packedPixels, whole.packedPixels)
        let rowByteCount = whole.width * 4
        while rows < whole.height,
          shown[rows * rowByteCount..<(rows + 1) * rowByteCount]
            == wanted[rows * rowByteCount..<(rows + 1) * rowByteCount]
        { rows += 1 }
        #expect(rows >= rowsBefore)
        rowsBefore = rows
      }
    }
  }

  @Test func noFlippedBitTraps() {
    let limits = DecodingLimits(maximumPixelCount: 100_000)
    for file in SessionTests.files {
      for bit in 0..<file.count * 8 {
        var damaged = file
        damaged[bit / 8] ^= 1 << UInt8(bit % 8)
        for tolerance in [DecodingOptions.Tolerance.lenient, .strict] {
          let options = DecodingOptions(tolerance: tolerance, limits: limits)
          _ = decodeError(damaged, options)
          guard let source = try? GIFDecoder().animation(damaged, options: options) else { continue }
          for index in 0..<source.frameCount { _ = try? source.frame(at: index) }
        }
      }
    }
  }

  /// Missing pixels of a frame that would hide everything do not depend on what was shown before.
  @Test func damagedFramesAreTheSameInEveryOrder() throws {
    var gif = TestGIF(width: 6, height: 6, frameCount: 8, seed: 9)
    for index in gif.frames.indices where index % 2 == 1 {
      gif.frames[index] = TestGIF(width: 6, height: 6, isInterlaced: index % 4 == 1).frames[0]
      gif.frames[index].data = TestGIF.compress(Array(gif.frames[index].indices[..<17]), codeSize: 3)
    }
    let source = try openAnimation(gif.bytes, DecodingOptions())
    var cursor = source.makeCursor()
    var sequential: [Bitmap] = []
    while let frame = try cursor.next() { sequential.append(frame) }
    for index in (0..<8).reversed() {
      (source as? ComposedAnimation)?.purgeCache()
      #expect(try source.frame(at: index) == sequential[index])
    }
  }
}

@Suite struct LimitTests {
  @Test func pixelsAndBytes() {
    let bytes = TestGIF(width: 10, height: 10).bytes
    // A decode holds the canvas and the indices of the frame. Headers are read whatever the size.
    for (limits, isEnough) in [
      (DecodingLimits(maximumPixelCount: 100), true), (DecodingLimits(maximumPixelCount: 99), false),
      (DecodingLimits(maximumByteCount: 500), true), (DecodingLimits(maximumByteCount: 499), false),
      (DecodingLimits(maximumByteCount: 400), false), (DecodingLimits(maximumByteCount: 399), false),
    ] {
      let error = decodeError(bytes, DecodingOptions(limits: limits))
      #expect(isEnough ? error == nil : error?.kind == .limitExceeded)
      #expect(throws: Never.self) { try GIFDecoder().info(bytes.span, options: InfoOptions(limits: limits)) }
    }
  }

  /// A canvas, or a frame, of 65,535 × 65,535 pixels in a few bytes.
  @Test func canvasBombsAreRefused() throws {
    var gif = TestGIF(width: 1, height: 1)
    gif.width = 65_535
    gif.height = 65_535
    #expect(decodeError(gif.bytes)?.kind == .limitExceeded)
    #expect(throws: CodecError.self) { try GIFDecoder().animation(gif.bytes, options: DecodingOptions()) }
    gif = TestGIF(width: 1, height: 1)
    gif.frames.append(gif.frames[0])
    gif.frames[1].data = TestGIF.compress([1], codeSize: 3)
    gif.frames[1].indices = []
    gif.frames[1].width = 65_535
    var bytes = gif.header + gif.image(gif.frames[0])
    // The height of the second image, whose rows there are none of here.
    gif.frames[1].height = 0
    var image = gif.image(gif.frames[1])
    image[7] = 0xFF
    image[8] = 0xFF
    bytes += image + [0x3B]
    let source = try openAnimation(bytes, DecodingOptions())
    let error = #expect(throws: CodecError.self) { try source.frame(at: 1) }
    #expect(error?.kind == .limitExceeded)
  }

  /// Frames of one pixel on a large canvas: nothing is composed before it is asked for.
  @Test func frameBombsCostNothingUntilDrawn() throws {
    var gif = TestGIF(width: 9_000, height: 9_000)
    gif.frames = []
    let frame = TestGIF.Frame(x: 0, y: 0, width: 1, height: 1, indices: [1], data: [0x58, 0x09])
    gif.frames = [TestGIF.Frame](repeating: frame, count: 10_000)
    let source = try openAnimation(gif.bytes, DecodingOptions())
    #expect(source.frameCount == 10_000)
    gif.frames.append(frame)
    let error = #expect(throws: CodecError.self) { try GIFDecoder().animation(gif.bytes, options: DecodingOptions()) }
    #expect(error?.kind == .limitExceeded)
  }

  @Test func emptyBlocksAreWalkedOver() throws {
    var gif = TestGIF(width: 2, height: 2)
    gif.extensions = (0..<300_000).flatMap { _ in [0x21, 0xFE, 0] }
    expectSame(try decode(gif.bytes, strict).bitmap.packedPixels, gif.pictures[0])
  }

  @Test func callersMayCancel() {
    let bytes = TestGIF(width: 10, height: 10).bytes
    #expect(decodeError(bytes, DecodingOptions(shouldCancel: { true }))?.kind == .cancelled)
  }
}
