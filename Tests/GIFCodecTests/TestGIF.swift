import ByteCompression
import GIFCodec
import ImageCoding
import TestSupport
import Testing

let strict = DecodingOptions(tolerance: .strict)

func decode(_ bytes: [UInt8], _ options: DecodingOptions = DecodingOptions()) throws -> DecodedImage {
  try GIFDecoder().decode(bytes.span, options: options)
}

func decodeError(_ bytes: [UInt8], _ options: DecodingOptions = DecodingOptions()) -> CodecError? {
  do throws(CodecError) {
    _ = try GIFDecoder().decode(bytes.span, options: options)
    return nil
  } catch {
    return error
  }
}

func openAnimation(_ bytes: [UInt8], _ options: DecodingOptions = strict) throws -> any AnimatedImageSource {
  try #require(try GIFDecoder().animation(bytes, options: options))
}

/// Compares without printing thousands of bytes.
func expectSame(
  _ bytes: [UInt8], _ expected: [UInt8], _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
) {
  let isSame = bytes == expected
  #expect(isSame, comment, sourceLocation: sourceLocation)
}

func littleEndian(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8 & 255)] }

/// A GIF put together by hand, and what it must show by a compositor that keeps whole canvases.
struct TestGIF {
  struct Frame {
    var x, y, width, height: Int
    /// Palette indices, row by row.
    var indices: [UInt8]
    var colors: [[UInt8]]?
    var disposal = 0
    var delay = 0
    var transparentIndex: UInt8?
    var isInterlaced = false
    /// Replaces the coded data.
    var data: [UInt8]?
    var codeSize = 3
    /// Whether there is a graphic control extension.
    var hasControl = true
  }

  var width: Int
  var height: Int
  var colors: [[UInt8]]? = [
    [0, 0, 0], [255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 0], [0, 255, 255], [255, 0, 255], [250, 251, 252],
  ]
  var frames: [Frame] = []
  /// The blocks between the logical screen descriptor and the first image.
  var extensions: [UInt8] = []
  var version = "89a"
  var blockByteCount = 255
  var trailer: [UInt8] = [0x3B]

  /// One frame that fills the canvas with a pattern.
  init(width: Int, height: Int, isInterlaced: Bool = false) {
    self.width = width
    self.height = height
    let indices = (0..<width * height).map { UInt8(($0 % width * 3 + $0 / width * 5 + $0 / 7) % 8) }
    frames = [Frame(x: 0, y: 0, width: width, height: height, indices: indices, isInterlaced: isInterlaced)]
  }

  /// Frames of all kinds, some of them reaching outside of the canvas.
  init(width: Int, height: Int, frameCount: Int, seed: UInt64) {
    self.width = width
    self.height = height
    var random = TestRandom(seed)
    for index in 0..<frameCount {
      let w = index == 0 ? width : Int.random(in: 1...width + 2, using: &random)
      let h = index == 0 ? height : Int.random(in: 1...height + 2, using: &random)
      var frame = Frame(
        x: index == 0 ? 0 : Int.random(in: 0...width, using: &random),
        y: index == 0 ? 0 : Int.random(in: 0...height, using: &random), width: w, height: h,
        indices: (0..<w * h).map { _ in UInt8.random(in: 0...7, using: &random) })
      frame.disposal = Int.random(in: 0...7, using: &random)
      frame.delay = index + 1
      if Bool.random(using: &random) { frame.transparentIndex = UInt8.random(in: 0...7, using: &random) }
      frame.isInterlaced = Bool.random(using: &random)
      if Int.random(in: 0...3, using: &random) == 0 {
        frame.colors = (0..<8).map { _ in (0..<3).map { _ in UInt8.random(in: 0...255, using: &random) } }
      }
      frames.append(frame)
    }
  }

  static func loopCount(_ count: Int, application: String = "NETSCAPE2.0") -> [UInt8] {
    [0x21, 0xFF, 11] + Array(application.utf8) + [3, 1] + littleEndian(count) + [0]
  }

  static func control(disposal: Int, delay: Int, transparentIndex: UInt8?) -> [UInt8] {
    [0x21, 0xF9, 4, UInt8(disposal << 2) | (transparentIndex == nil ? 0 : 1)] + littleEndian(delay) + [
      transparentIndex ?? 0, 0,
    ]
  }

  static func storedRows(_ height: Int, isInterlaced: Bool) -> [Int] {
    if !isInterlaced { return Array(0..<height) }
    return Array(stride(from: 0, to: height, by: 8)) + Array(stride(from: 4, to: height, by: 8))
      + Array(stride(from: 2, to: height, by: 4)) + Array(stride(from: 1, to: height, by: 2))
  }

  static func compress(_ indices: [UInt8], codeSize: Int) -> [UInt8] {
    var encoder = LZWEncoder(LZWCoding(literalWidth: codeSize, bitOrder: .leastSignificantFirst))
    encoder.append(indices.span)
    return encoder.finish()
  }

  func subBlocks(_ data: [UInt8]) -> [UInt8] {
    stride(from: 0, to: data.count, by: blockByteCount).flatMap { start -> [UInt8] in
      let part = data[start..<min(start + blockByteCount, data.count)]
      return [UInt8(part.count)] + part
    } + [0]
  }

  func image(_ frame: Frame) -> [UInt8] {
    var bytes: [UInt8] = [0x2C]
    for value in [frame.x, frame.y, frame.width, frame.height] { bytes += littleEndian(value) }
    bytes.append((frame.isInterlaced ? 0x40 : 0) | (frame.colors == nil ? 0 : 0x82))
    bytes += (frame.colors ?? []).flatMap { $0 }
    let stored = Self.storedRows(frame.height, isInterlaced: frame.isInterlaced).flatMap {
      frame.indices[$0 * frame.width..<($0 + 1) * frame.width]
    }
    return bytes + [UInt8(frame.codeSize)]
      + subBlocks(frame.data ?? Self.compress(stored, codeSize: frame.codeSize))
  }

  var header: [UInt8] {
    let sizeCode = [2: 0, 4: 1, 8: 2, 16: 3][colors?.count ?? 0] ?? 0
    return Array("GIF\(version)".utf8) + littleEndian(width) + littleEndian(height)
      + [colors == nil ? 0 : 0x80 | UInt8(sizeCode), 0, 0] + (colors ?? []).flatMap { $0 }
  }

  var bytes: [UInt8] {
    var bytes = header + extensions
    for frame in frames {
      if frame.hasControl {
        bytes += Self.control(
          disposal: frame.disposal, delay: frame.delay, transparentIndex: frame.transparentIndex)
      }
      bytes += image(frame)
    }
    return bytes + trailer
  }

  /// Every composed picture, RGBA.
  var pictures: [[UInt8]] {
    var canvas = [UInt8](repeating: 0, count: width * height * 4)
    return frames.map { frame in
      let before = canvas
      let visible = (0..<frame.width * frame.height).filter {
        frame.x + $0 % frame.width < width && frame.y + $0 / frame.width < height
      }
      func place(_ pixel: Int) -> Int {
        ((frame.y + pixel / frame.width) * width + frame.x + pixel % frame.width) * 4
      }
      for pixel in visible where frame.indices[pixel] != frame.transparentIndex || !frame.hasControl {
        let color = (frame.colors ?? colors ?? [])[Int(frame.indices[pixel])] + [255]
        canvas.replaceSubrange(place(pixel)..<place(pixel) + 4, with: color)
      }
      let picture = canvas
      switch frame.disposal {
      case 2: for pixel in visible { canvas.replaceSubrange(place(pixel)..<place(pixel) + 4, with: [0, 0, 0, 0]) }
      case 3, 4: canvas = before
      default: break
      }
      return picture
    }
  }
}
