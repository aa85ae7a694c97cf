// A format made up for these tests, with a session whose every step can be watched.
//
// A file is "TOY!", width, height, flags (1 = progressive), and then gray samples row by row. A progressive file has
// three scans, each a whole image; the last one is final.

import ImageCodecs
import Threading

/// What the decoder of the toy format was asked to do.
final class ToyLog: Sendable {
  struct Counts: Equatable {
    var sessions = 0
    var appendedBytes = 0
    var finishes = 0
    var oneShots = 0
  }
  private let state = Mutex(Counts())
  var counts: Counts { state.withLock { $0 } }
  func note(_ change: (inout sending Counts) -> Void) { state.withLock { change(&$0) } }
}

struct ToyDecoder: ImageFormatDecoder {
  var type: AssetType = "org.example.toy"
  var hasSessions = true
  /// The first four bytes of a file.
  var magic = Array("TOY!".utf8)
  let log = ToyLog()

  var types: [AssetType] { [type] }

  func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    for index in 0..<min(prefix.count, 4) where prefix[index] != magic[index] { return .no }
    return prefix.count >= 4 ? .yes(type) : .needs(byteCount: 4)
  }

  func info(_ bytes: Span<UInt8>, options: InfoOptions) throws(CodecError) -> ImageInfo {
    guard bytes.count >= 7 else { throw CodecError(.truncated, "no header", format: type, byteOffset: bytes.count) }
    return ImageInfo(
      type: type, width: Int(bytes[4]), height: Int(bytes[5]), bitDepth: 8, colorModel: .gray,
      isProgressive: bytes[6] & 1 != 0)
  }

  func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    log.note { $0.oneShots += 1 }
    let session = ToySession(decoder: self, options: options)
    try session.append(bytes)
    let image = try session.finish()
    bitmap = image.bitmap
    return image.details
  }

  func makeSession(options: DecodingOptions) -> (any IncrementalImageDecoder)? {
    guard hasSessions else { return nil }
    log.note { $0.sessions += 1 }
    return ToySession(decoder: self, options: options)
  }

  static func file(width: Int, height: Int, isProgressive: Bool = false) -> [UInt8] {
    let header = Array("TOY!".utf8) + [UInt8(width), UInt8(height), isProgressive ? 1 : 0]
    let pixels = (0..<width * height).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 1) }
    return header + (isProgressive ? pixels.map { $0 & 0xC0 } + pixels.map { $0 & 0xF0 } + pixels : pixels)
  }

  static func pixels(width: Int, height: Int) -> [UInt8] {
    (0..<width * height).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 1) }
  }
}

final class ToySession: IncrementalImageDecoder {
  private let decoder: ToyDecoder
  private let options: DecodingOptions
  private var bytes: [UInt8] = []

  init(decoder: ToyDecoder, options: DecodingOptions) {
    self.decoder = decoder
    self.options = options
  }

  var info: ImageInfo? {
    let bytes = bytes
    return try? decoder.info(bytes.span, options: InfoOptions())
  }

  @discardableResult
  func append(_ new: Span<UInt8>) throws(CodecError) -> DecodingProgress {
    decoder.log.note { $0.appendedBytes += new.count }
    for index in new.indices { bytes.append(new[index]) }
    guard let info else { return DecodingProgress() }
    if info.width == 0 { throw CodecError(.malformed, "the width is 0", format: decoder.type, byteOffset: 4) }
    let area = info.width * info.height
    let available = bytes.count - 7
    return DecodingProgress(
      isHeaderComplete: true,
      completedRowCount: info.isProgressive ? 0 : min(available / info.width, info.height),
      completedScanCount: info.isProgressive ? min(available / area, 3) : 0,
      completedFrameCount: available >= area ? 1 : 0)
  }

  func makePreview() -> Bitmap? {
    guard let info else { return nil }
    let area = info.width * info.height
    let scanCount = info.isProgressive ? (bytes.count - 7) / area : 0
    let start = 7 + max(0, scanCount - 1) * area
    var pixels = Array(bytes[min(start, bytes.count)...].prefix(area))
    pixels += [UInt8](repeating: 0, count: area - pixels.count)
    return try? Bitmap(width: info.width, height: info.height, format: .gray8, pixels: pixels)
  }

  func finish() throws(CodecError) -> DecodedImage {
    decoder.log.note { $0.finishes += 1 }
    guard let info, let bitmap = makePreview() else {
      throw CodecError(.truncated, "no header", format: decoder.type, byteOffset: bytes.count)
    }
    let isComplete = bytes.count >= 7 + info.width * info.height * (info.isProgressive ? 3 : 1)
    let diagnostics = isComplete ? [] : [ImageDiagnostic(.damage, "rows are missing", byteOffset: bytes.count)]
    return DecodedImage(
      bitmap: bitmap,
      details: DecodingDetails(info: info, diagnostics: diagnostics, isComplete: isComplete))
  }
}
