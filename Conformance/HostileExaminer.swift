// Passes a hostile file to all entry points of its decoder. Every result is acceptable that is a value or a typed
// error, is produced within the time and memory limits, and is the same for all entry points. Runs in a child process.

import ConformanceKit
import ImageCoding
import Platform

/// Examines one file.
struct HostileExaminer {
  /// The reason for which a file is a failure.
  private struct Finding: Error {
    var reason: String
  }

  /// The result of an entry point.
  private typealias Decoded = Result<DecodedImage, CodecError>

  private let bytes: [UInt8]
  private let decoder: any ImageFormatDecoder

  /// Returns the outcome of the file at a path.
  static func examine(_ path: String) -> CaseResult {
    guard let bytes = try? readFile(path) else { return CaseResult(.failed("the file cannot be read")) }
    let fileExtension = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
    if let containers = DeflateExaminer.containers(forExtension: fileExtension) {
      return DeflateExaminer.examine(bytes, containers)
    }
    // A file that no probe recognises is passed to the decoder of its file name extension, which must handle it as
    // well.
    guard let decoder = Decoders.recognizing(bytes) ?? Decoders.named(fileExtension) else {
      return CaseResult(.unsupported("no decoder"))
    }
    let examiner = HostileExaminer(bytes: bytes, decoder: decoder)
    do {
      return CaseResult(.passed, remark: try examiner.examine())
    } catch {
      return CaseResult(.failed(error.reason))
    }
  }

  /// Returns the result of the lenient decode in a word.
  private func examine() throws(Finding) -> String {
    let info = try timed("info") { Result { () throws(CodecError) in try decoder.info(bytes.span) } }
    let allowedSeconds = Self.allowedSeconds(for: try? info.get())
    _ = try timed("metadata") {
      Result { () throws(CodecError) in try decoder.metadata(bytes.span, options: InfoOptions()) }
    }
    let image = try boundedDecode(info: try? info.get(), allowedSeconds: allowedSeconds)
    let strict = try timed("a strict decode", allowedSeconds) { oneShot(.asStoredStrict) }
    try checkReuse(of: image)
    try checkArrival(expecting: image, .asStored)
    try checkArrival(expecting: strict, .asStoredStrict)
    try timed("the animation", 2, checkAnimation)
    switch image {
    case .success: return "value"
    case .failure(let error): return "error: \(error)"
    }
  }

  private func oneShot(_ options: DecodingOptions) -> Decoded {
    Result { () throws(CodecError) in try decoder.decode(bytes.span, options: options) }
  }

  // MARK: Time and memory

  /// Returns the processor time allowed for a decode: 250 ms plus 30 ns per declared pixel, at most 2 s, for all
  /// formats.
  private static func allowedSeconds(for info: ImageInfo?) -> Double {
    let declaredPixelCount = info.map { Double($0.width) * Double($0.height) } ?? 0
    return min(2, 0.25 + declaredPixelCount * 30e-9)
  }

  /// Runs a step and measures its time. Reading headers and metadata, which decodes no pixels, may take 250 ms.
  private func timed<Value>(
    _ step: String, _ allowedSeconds: Double = 0.25, _ body: () throws(Finding) -> Value
  ) throws(Finding) -> Value {
    let start = ResourceBounds.processorTime()
    let value = try body()
    let seconds = ResourceBounds.processorTime() - start
    guard seconds <= allowedSeconds else {
      throw Finding(
        reason: "\(step) takes \(rounded(seconds)) s of processor time, \(rounded(allowedSeconds)) s allowed")
    }
    return value
  }

  /// Decodes and measures time and memory.
  private func boundedDecode(info: ImageInfo?, allowedSeconds: Double) throws(Finding) -> Decoded {
    let memory = PeakMemory()
    let image = try timed("a decode", allowedSeconds) { oneShot(.asStored) }
    let peak = memory.byteCount() ?? 0
    let declaredPixelCount = info.map { Double($0.width) * Double($0.height) } ?? 0
    let allowedBytes = allowedByteCount(for: image, declaredPixelCount: declaredPixelCount)
    guard peak <= allowedBytes else {
      throw Finding(reason: "takes \(peak >> 10) KiB of memory, \(allowedBytes >> 10) KiB allowed")
    }
    return image
  }

  /// Returns the memory allowed: a quarter more than the pixels, plus 4 MiB; 8 MiB for a file that is rejected by its
  /// headers. Metadata counts like other memory: a copy of what the file contains is allowed, but inflated data is not
  /// allowed in addition.
  private func allowedByteCount(for image: Decoded, declaredPixelCount: Double) -> Int {
    let rejected = (8 << 20) + bytes.count
    switch image {
    case .success(let image):
      let pixels = image.bitmap.bytesPerRow * image.bitmap.height
      return max(rejected, pixels * 5 / 4 + (4 << 20) + bytes.count)
    case .failure(let error) where error.kind == .limitExceeded: return rejected
    case .failure:
      // The pixels had been allocated before the damage was found.
      return max(rejected, Int(min(declaredPixelCount * 8 * 1.25, 1e9)) + (4 << 20))
    }
  }

  private func rounded(_ seconds: Double) -> Double { (seconds * 1000).rounded() / 1000 }

  // MARK: Equal results of all entry points

  /// Decodes into a bitmap with other content, which must not show in the result.
  private func checkReuse(of image: Decoded) throws(Finding) {
    guard case .success(let image) = image else { return }
    var bitmap = image.bitmap
    var pixels = bitmap.mutablePixels
    for index in pixels.indices { pixels[index] = 0xA5 }
    do throws(CodecError) {
      _ = try decoder.decode(bytes.span, into: &bitmap, options: .asStored)
    } catch {
      throw Finding(reason: "fails when decoded a second time: \(error)")
    }
    guard bitmap == image.bitmap else { throw Finding(reason: "contains the bitmap's previous content") }
  }

  /// Passes the file in parts of several sizes.
  private func checkArrival(expecting expected: Decoded, _ options: DecodingOptions) throws(Finding) {
    let largest = bytes.count <= 4096 ? [1, 7, 512] : [509, 8191]
    for size in largest {
      let session = decoder.makeSession(options: options)
      let how = "in parts of up to \(size) bytes"
      let result = try timed("a decode \(how)", 2) { Result { () throws(CodecError) in try feed(session, upTo: size) } }
      try compare(result, expected, how: how)
    }
  }

  private func feed(
    _ session: any IncrementalImageDecoder, upTo size: Int
  ) throws(CodecError) -> DecodedImage {
    var position = 0
    var seed: UInt32 = 0x9E37_79B9
    while position < bytes.count {
      seed = seed &* 1_664_525 &+ 1_013_904_223
      let count = min(bytes.count - position, 1 + Int(seed >> 8) % size)
      try session.append(bytes.span.extracting(position..<position + count))
      position += count
    }
    if let info = session.info, Double(info.width) * Double(info.height) < 4e6 { _ = session.makePreview() }
    return try session.finish()
  }

  private func compare(_ result: Decoded, _ expected: Decoded, how: String) throws(Finding) {
    switch (result, expected) {
    case (.success(let image), .success(let whole)):
      guard image.bitmap == whole.bitmap else { throw Finding(reason: "pixels differ \(how)") }
      guard image.isComplete == whole.isComplete else { throw Finding(reason: "completeness differs \(how)") }
    case (.failure(let error), .failure(let whole)):
      guard error.kind == whole.kind else { throw Finding(reason: "\(how): \(error), at once: \(whole)") }
    case (.success, .failure(let whole)): throw Finding(reason: "decodes \(how), at once: \(whole)")
    case (.failure(let error), .success): throw Finding(reason: "decodes at once, but \(how): \(error)")
    }
  }

  // MARK: Animations

  /// Plays the first frames and requests them out of order. The damage of frames is the same in both.
  private func checkAnimation() throws(Finding) {
    guard let animation = try? decoder.animation(bytes, options: .asStored) else { return }
    let canvas = max(1, animation.canvasSize.width * animation.canvasSize.height)
    let count = min(20, animation.frameCount, max(1, 20_000_000 / canvas))
    var cursor = animation.makeCursor()
    var frames: [Bitmap] = []
    var diagnostics: [[ImageDiagnostic]] = []
    for index in 0..<count {
      guard let frame = try? animation.frame(at: index) else { return }
      guard let played = try? cursor.next(), played == frame else {
        throw Finding(reason: "frame \(index) differs in sequential playback")
      }
      frames.append(frame)
      diagnostics.append(cursor.diagnostics)
    }
    for index in (0..<count).reversed() where (try? animation.frame(at: index)) != frames[index] {
      throw Finding(reason: "frame \(index) differs in random access")
    }
    for index in 0..<count where (try? animation.diagnostics(ofFrameAt: index)) != diagnostics[index] {
      throw Finding(reason: "the diagnostics of frame \(index) differ in random access")
    }
    try checkSilence(diagnostics, animation.diagnostics)
  }

  /// Plays the first frames strictly, up to one that is damaged: lenient decoding must have reported it, or that frames
  /// could not be listed.
  private func checkSilence(_ diagnostics: [[ImageDiagnostic]], _ opening: [ImageDiagnostic]) throws(Finding) {
    var options = DecodingOptions.asStored
    options.tolerance = .strict
    let opened: (any AnimatedImageSource)?
    do throws(CodecError) {
      opened = try decoder.animation(bytes, options: options)
    } catch {
      guard error.kind == .malformed || error.kind == .truncated, opening.isEmpty else { return }
      throw Finding(reason: "an animation is opened leniently without a diagnostic: \(error)")
    }
    guard let animation = opened else { return }
    var cursor = animation.makeCursor()
    for index in 0..<min(diagnostics.count, animation.frameCount) {
      do throws(CodecError) {
        _ = try cursor.next()
      } catch {
        guard error.kind == .malformed || error.kind == .truncated, diagnostics[index].isEmpty else { return }
        throw Finding(reason: "frame \(index) is decoded leniently without a diagnostic: \(error)")
      }
    }
  }
}
