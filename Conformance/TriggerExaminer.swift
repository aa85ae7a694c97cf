// Runs one trigger through one entry point in a child process: the result must be a value or a typed error, within time
// and memory limits that do not depend on what the file declares.

import ConformanceKit
import ImageCodecs
import ImageCore

/// An entry point of the package.
enum TriggerWay: String, CaseIterable {
  case info
  case frames
  case metadata
  case decode
  case strictDecode
  case pieces
  case animation
  case strip
}

/// The decoding limits for a trigger, and the memory that it may use.
enum TriggerLimits: String, CaseIterable {
  case `default`
  case server

  var limits: DecodingLimits { self == .server ? .server : .default }
  var allowedByteCount: Int { (self == .server ? 256 : 512) << 20 }
}

/// Examines one trigger.
struct TriggerExaminer {
  /// The size in bytes of a part of the file: what fits into a network packet.
  private static let pieceByteCount = 1400

  private let bytes: [UInt8]
  private let limits: DecodingLimits
  /// The units of work charged by a decode; zero for other entry points.
  private var work: Int64 = 0

  private init(bytes: [UInt8], limits: DecodingLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  /// Performs a job: the processor time allowed in seconds, limits, entry point and path, separated by spaces.
  static func examine(_ job: String, in folder: String) -> CaseResult {
    let words = job.split(separator: " ", maxSplits: 3).map { String($0) }
    guard words.count == 4, let allowedSeconds = Double(words[0]), let limits = TriggerLimits(rawValue: words[1]),
      let way = TriggerWay(rawValue: words[2]), let bytes = try? readFile(folder + "/" + words[3])
    else { return CaseResult(.failed("the job does not exist, or the file cannot be read")) }
    let memory = PeakMemory()
    let start = ResourceBounds.processorTime()
    var examiner = TriggerExaminer(bytes: bytes, limits: limits.limits)
    let answer = examiner.answer(to: way)
    let seconds = ResourceBounds.processorTime() - start
    let peak = memory.byteCount() ?? 0
    var remark = "\((seconds * 100).rounded() / 100) s, \(peak >> 20) MiB: \(answer)"
    if examiner.work > 0 {
      let cost = seconds * 1e9 / Double(examiner.work)
      remark += ", \((cost * 100).rounded() / 100) ns for each of \(examiner.work) units of work"
    }
    if seconds > allowedSeconds || peak > limits.allowedByteCount { return CaseResult(.failed(remark)) }
    return CaseResult(.passed, remark: remark)
  }

  private mutating func answer(to way: TriggerWay) -> String {
    do throws(CodecError) {
      return try enter(by: way)
    } catch {
      return "error: \(error)"
    }
  }

  private mutating func enter(by way: TriggerWay) throws(CodecError) -> String {
    let decoder = try ImageFormatRegistry.shared.decoder(for: bytes.span)
    let options = DecodingOptions(limits: limits)
    switch way {
    case .info: return describe(try decoder.info(bytes.span, options: InfoOptions(limits: limits)))
    case .frames:
      return describe(try decoder.info(bytes.span, options: InfoOptions(limits: limits, indexesFrames: true)))
    case .metadata:
      let metadata = try decoder.metadata(bytes.span, options: InfoOptions(limits: limits))
      return "\(metadata.texts.count) texts"
    case .decode: return try decode(by: decoder, options)
    case .strictDecode: return try decode(by: decoder, DecodingOptions(tolerance: .strict, limits: limits))
    case .pieces:
      guard let session = decoder.makeSession(options: options) else { return "no session" }
      return describe(try feed(session).info)
    case .animation:
      guard let animation = try decoder.animation(bytes, options: options) else { return "no animation" }
      let frame = try animation.frame(at: min(3, animation.frameCount - 1))
      return "\(animation.frameCount) frames of \(frame.width) × \(frame.height)"
    case .strip: return "\(try ImageMetadata.stripped(from: bytes, limits: limits).count) bytes"
    }
  }

  private mutating func decode(
    by decoder: any ImageFormatDecoder, _ options: DecodingOptions
  ) throws(CodecError) -> String {
    var budget = ResourceBudget(options)
    defer { work = budget.work }
    var bitmap = Bitmap()
    return describe(try decoder.decode(bytes.span, into: &bitmap, options: options, budget: &budget).info)
  }

  private func feed(_ session: any IncrementalImageDecoder) throws(CodecError) -> DecodedImage {
    var position = 0
    while position < bytes.count {
      let end = min(bytes.count, position + Self.pieceByteCount)
      try session.append(bytes.span.extracting(position..<end))
      position = end
    }
    return try session.finish()
  }

  private func describe(_ info: ImageInfo) -> String { "\(info.width) × \(info.height)" }
}
