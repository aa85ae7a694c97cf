// Runs one trigger through one entry point in a child process: the result must be a value or a typed error, within time
// and memory limits that do not depend on what the file declares.

import ConformanceKit
import ImageCodecs
import ImageCoding
import Platform

/// An entry point of the package.
enum TriggerWay: String, CaseIterable {
  case info
  case frames
  case metadata
  case decode
  case strictDecode
  case pieces
  case parts
  case animation
  case animatedThumbnail
  case convertToPNG
  case convertToGIF
  case convertToWebP
  case convertToTIFF
  case convertToBMP
  case strip
  case replaceMetadata

  /// The format to encode to, if this is a conversion.
  var format: EncodingFormat? {
    switch self {
    case .convertToPNG: .png
    case .convertToGIF: .gif
    case .convertToWebP: .webp
    case .convertToTIFF: .tiff
    case .convertToBMP: .bmp
    default: nil
    }
  }
}

/// The decoding limits for a trigger, and the memory that it may use.
enum TriggerLimits: String, CaseIterable {
  case `default`
  case server

  var limits: DecodingLimits { self == .server ? .server : .default }
  var allowedByteCount: Int { (self == .server ? 256 : 512) << 20 }

  /// The entry points to try. `.server` has less memory and a deadline, which excuses what takes long: a session, an
  /// animation and a conversion, which hold the most, show whether that is kept to.
  var ways: [TriggerWay] {
    self == .server ? [.decode, .parts, .animatedThumbnail, .convertToWebP, .strip] : TriggerWay.allCases
  }
}

/// Examines one trigger.
struct TriggerExaminer {
  /// The size in bytes of a part of the file: what fits into a network packet, and what is read from a file at a time.
  private static let pieceByteCount = 1400
  private static let partByteCount = 64 << 10

  private let bytes: [UInt8]
  private let limits: DecodingLimits
  /// The checkpoints of an entry point with a budget.
  private let checkpoints = CheckpointIntervals()

  private init(bytes: [UInt8], limits: DecodingLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  /// Performs a job: the processor time allowed in seconds, limits, entry point and path, separated by spaces. The
  /// seconds are those of the machine of reference.
  static func examine(_ job: String, in folder: String) -> CaseResult {
    let words = job.split(separator: " ", maxSplits: 3).map { String($0) }
    guard words.count == 4, let allowedSeconds = Double(words[0]), let limits = TriggerLimits(rawValue: words[1]),
      let way = TriggerWay(rawValue: words[2]), let bytes = try? readFile(folder + "/" + words[3])
    else { return CaseResult(.failed("the job does not exist, or the file cannot be read")) }
    let memory = PeakMemory()
    let start = ResourceBounds.processorTime()
    let examiner = TriggerExaminer(bytes: bytes, limits: limits.limits)
    let answer = examiner.answer(to: way)
    let seconds = ResourceBounds.processorTime() - start
    let peak = memory.byteCount() ?? 0
    var remark = "\((seconds * 100).rounded() / 100) s, \(peak >> 20) MiB: \(answer)"
    let work = examiner.checkpoints.charged
    if work > 0 {
      let cost = seconds * 1e9 / Double(work)
      remark += ", \((cost * 100).rounded() / 100) ns for each of \(work) units of work"
    }
    let (interval, pause) = (examiner.checkpoints.largest, examiner.checkpoints.longestSeconds)
    if interval > CheckpointIntervals.permitted { remark += ", \(interval) of them without a checkpoint" }
    if pause > CheckpointIntervals.reportedSeconds {
      remark += ", \((pause * 100).rounded() / 100) s without a checkpoint"
    }
    // Lanes that end with an error leave their work uncharged, so that the units alone prove nothing.
    let isDeaf = interval > CheckpointIntervals.permitted && pause > CheckpointIntervals.reportedSeconds
    var isSlow = seconds > allowedSeconds
    if isSlow {
      let slowdown = ProcessorSpeed.slowdown()
      isSlow = seconds > allowedSeconds * slowdown
      remark += ", on a machine \((slowdown * 100).rounded() / 100) times slower than that of reference"
    }
    if isSlow || peak > limits.allowedByteCount || isDeaf {
      return CaseResult(.failed(remark))
    }
    return CaseResult(.passed, remark: remark)
  }

  private func answer(to way: TriggerWay) -> String {
    do throws(CodecError) {
      return try enter(by: way)
    } catch {
      return "error: \(error)"
    }
  }

  private func enter(by way: TriggerWay) throws(CodecError) -> String {
    let decoder = try ImageFormatRegistry.shared.decoder(for: bytes.span)
    let options = DecodingOptions(limits: limits)
    switch way {
    case .info: return describe(try decoder.info(bytes.span, options: InfoOptions(limits: limits)))
    case .frames:
      return describe(try decoder.info(bytes.span, options: InfoOptions(limits: limits, indexesFrames: true)))
    case .metadata:
      let metadata = try decoder.metadata(bytes.span, options: InfoOptions(limits: limits))
      return "\(metadata.texts.count) texts"
    case .decode, .strictDecode:
      let options = DecodingOptions(tolerance: way == .decode ? .lenient : .strict, limits: limits)
      return try observed(options) { (options, budget) throws(CodecError) in
        try decode(by: decoder, options, &budget)
      }
    case .pieces, .parts:
      let session = decoder.makeSession(options: options)
      let byteCount = way == .pieces ? Self.pieceByteCount : Self.partByteCount
      return describe(try feed(session, byteCount: byteCount).info)
    case .animation: return try observed(options, drawFrame)
    case .animatedThumbnail:
      guard try decoder.animation(bytes, options: options) != nil else { return "no animation" }
      return try observed(options, makeAnimatedThumbnail)
    case .convertToPNG, .convertToGIF, .convertToWebP, .convertToTIFF, .convertToBMP:
      return try observed(options) { (options, budget) throws(CodecError) in
        try convert(to: way.format ?? .png, options, &budget)
      }
    case .strip: return "\(try ImageFile(bytes, options: options).stripped().count) bytes"
    case .replaceMetadata:
      var metadata = ImageMetadata()
      metadata.xmp = Array("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"/>".utf8)
      return "\(try ImageFile(bytes, options: options).replacingMetadata(with: metadata).count) bytes"
    }
  }

  // MARK: Entry points with a budget

  /// Calls an entry point with a budget whose checkpoints are recorded.
  private func observed(
    _ options: DecodingOptions, _ body: (DecodingOptions, inout ResourceBudget) throws(CodecError) -> String
  ) throws(CodecError) -> String {
    var budget = checkpoints.makeBudget(options)
    defer { checkpoints.end(budget) }
    return try body(options, &budget)
  }

  private func drawFrame(
    _ options: DecodingOptions, _ budget: inout ResourceBudget
  ) throws(CodecError) -> String {
    guard let animation = try ImageFile(bytes, options: options).animation(budget: &budget) else {
      return "no animation"
    }
    let frame = try animation.frame(at: min(3, animation.frameCount - 1), budget: &budget)
    return "\(animation.frameCount) frames of \(frame.width) × \(frame.height)"
  }

  private func makeAnimatedThumbnail(
    _ options: DecodingOptions, _ budget: inout ResourceBudget
  ) throws(CodecError) -> String {
    let request = Thumbnail(width: 64, height: 64, frames: .all)
    let made = try ImageFile(bytes, options: options).encodedThumbnail(request, as: .webp, budget: &budget)
    return "\(made.frameCount) frames, \(made.bytes.count) bytes"
  }

  /// Converts all frames of an animation, or the image, with one budget.
  private func convert(
    to format: EncodingFormat, _ options: DecodingOptions, _ budget: inout ResourceBudget
  ) throws(CodecError) -> String {
    if let animation = try ImageFile(bytes, options: options).animation(budget: &budget),
      var writer = AnimationWriter(format, for: animation)
    {
      var cursor = animation.makeCursor()
      var index = 0
      while let picture = try cursor.next(budget: &budget) {
        try budget.allocate(picture.byteCount)
        let delay = animation.frameInfo(at: index).storedDelay
        try writer.append(AnimationFrame(bitmap: picture, delay: delay), budget: &budget)
        index += 1
      }
      cursor.release(to: &budget)
      return "\(index) frames, \(try writer.finish(budget: &budget).count) bytes"
    }
    let image = try ImageFile(bytes, options: options).decode(budget: &budget)
    let file = try format.encoder.encode(image.bitmap, metadata: image.metadata, budget: &budget)
    return "\(file.count) bytes"
  }

  private func decode(
    by decoder: any ImageFormatDecoder, _ options: DecodingOptions, _ budget: inout ResourceBudget
  ) throws(CodecError) -> String {
    var bitmap = Bitmap()
    let details = try decoder.decode(bytes.span, into: &bitmap, options: options, budget: &budget)
    return describe(details.info)
  }

  // MARK: Sessions

  private func feed(
    _ session: any IncrementalImageDecoder, byteCount: Int
  ) throws(CodecError) -> DecodedImage {
    var position = 0
    while position < bytes.count {
      let end = min(bytes.count, position + byteCount)
      try session.append(bytes.span.extracting(position..<end))
      position = end
    }
    return try session.finish()
  }

  private func describe(_ info: ImageInfo) -> String { "\(info.width) × \(info.height)" }
}
