// A format made up for these tests, with a session whose every step can be watched.
//
// A file is "TOY!", width, height, flags (1 = progressive), and then gray samples row by row. A progressive file has
// three scans, each a whole image; the last one is final.

package import ImageCoding
import Threading

/// A log of the calls that the decoder of the toy format received.
package final class ToyLog: Sendable {
  package struct Counts: Equatable {
    package var sessions = 0
    package var appendedBytes = 0
    package var finishes = 0
    package var oneShots = 0

    package init(sessions: Int = 0, appendedBytes: Int = 0, finishes: Int = 0, oneShots: Int = 0) {
      (self.sessions, self.appendedBytes, self.finishes, self.oneShots) = (sessions, appendedBytes, finishes, oneShots)
    }
  }
  private let state = Mutex(Counts())
  package var counts: Counts { state.withLock { $0 } }
  package func note(_ change: (inout sending Counts) -> Void) { state.withLock { change(&$0) } }
}

package struct ToyDecoder: ImageFormatDecoder {
  package var type: AssetType
  /// The first four bytes of a file.
  package var magic: [UInt8]
  package let log = ToyLog()

  package init(type: AssetType = "org.example.toy", magic: [UInt8] = Array("TOY!".utf8)) {
    (self.type, self.magic) = (type, magic)
  }

  package var types: [AssetType] { [type] }

  package func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    for index in 0..<min(prefix.count, 4) where prefix[index] != magic[index] { return .no }
    return prefix.count >= 4 ? .yes(type) : .needs(byteCount: 4)
  }

  package func info(
    _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageInfo {
    guard bytes.count >= 7 else { throw CodecError(.truncated, "no header", format: type, byteOffset: bytes.count) }
    return ImageInfo(
      type: type, width: Int(bytes[4]), height: Int(bytes[5]), bitDepth: 8, colorModel: .gray,
      isProgressive: bytes[6] & 1 != 0)
  }

  package func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    log.note { $0.oneShots += 1 }
    let session = ToySession(decoder: self, options: options)
    try session.append(bytes)
    let image = try session.finish()
    bitmap = image.bitmap
    return image.details
  }

  package func makeSession(options: DecodingOptions) -> any IncrementalImageDecoder {
    log.note { $0.sessions += 1 }
    return ToySession(decoder: self, options: options)
  }

  package static func file(width: Int, height: Int, isProgressive: Bool = false) -> [UInt8] {
    let header = Array("TOY!".utf8) + [UInt8(width), UInt8(height), isProgressive ? 1 : 0]
    let pixels = (0..<width * height).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 1) }
    return header + (isProgressive ? pixels.map { $0 & 0xC0 } + pixels.map { $0 & 0xF0 } + pixels : pixels)
  }

  package static func pixels(width: Int, height: Int) -> [UInt8] {
    (0..<width * height).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 1) }
  }
}

package final class ToySession: IncrementalImageDecoder {
  private let decoder: ToyDecoder
  private let options: DecodingOptions
  private var bytes: [UInt8] = []

  package init(decoder: ToyDecoder, options: DecodingOptions) {
    self.decoder = decoder
    self.options = options
  }

  package var info: ImageInfo? {
    let bytes = bytes
    return try? decoder.info(bytes.span, options: InfoOptions())
  }

  @discardableResult
  package func append(_ new: Span<UInt8>) throws(CodecError) -> DecodingProgress {
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

  package func makePreview() -> Bitmap? {
    guard let info else { return nil }
    let area = info.width * info.height
    let scanCount = info.isProgressive ? (bytes.count - 7) / area : 0
    let start = 7 + max(0, scanCount - 1) * area
    var pixels = Array(bytes[min(start, bytes.count)...].prefix(area))
    pixels += [UInt8](repeating: 0, count: area - pixels.count)
    return try? Bitmap(width: info.width, height: info.height, format: .gray8, pixels: pixels)
  }

  package func finish() throws(CodecError) -> DecodedImage {
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

/// The toy format, decoded once a file is complete.
package struct BufferedToyDecoder: ImageFormatDecoder {
  package let base = ToyDecoder()

  package init() {}

  package var types: [AssetType] { base.types }

  package func probe(_ prefix: Span<UInt8>) -> ProbeResult { base.probe(prefix) }

  package func info(
    _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageInfo {
    try base.info(bytes, options: options)
  }

  package func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    try base.decode(bytes, into: &bitmap, options: options, budget: &budget)
  }
}

extension ToyDecoder {
  /// A JPEG file whose EXIF block says orientation 6 and has a picture of 4 × 2 after its two directories.
  package static func jpegWithThumbnail() -> [UInt8] {
    let picture = file(width: 4, height: 2)
    let big16 = { (value: Int) in [UInt8(value >> 8), UInt8(value & 255)] }
    let big32 = { (value: Int) in SampleFiles.big32(UInt32(value)) }
    let first = big16(1) + big16(0x0112) + big16(3) + big32(1) + big16(6) + big16(0) + big32(26)
    let second =
      big16(2) + big16(0x0201) + big16(4) + big32(1) + big32(56) + big16(0x0202) + big16(4) + big32(1)
      + big32(picture.count) + big32(0)
    let exif = Array("MM".utf8) + big16(42) + big32(8) + first + second + picture
    let app1 = Array("Exif\0\0".utf8) + exif
    return [0xFF, 0xD8, 0xFF, 0xE1] + big16(app1.count + 2) + app1 + SampleFiles.jpeg(marker: 0xC0).suffix(20)
  }
}
