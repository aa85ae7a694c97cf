// The properties that every decoder is tested for: no input traps, and decoding in parts equals decoding at once.

import Foundation
import ImageCoding

/// Passes inputs to all entry points of a decoder.
struct DecoderFuzzing<Decoder: ImageFormatDecoder> {
  private let decoder: Decoder

  /// Creates a fuzzer of a decoder.
  init(_ decoder: Decoder) {
    self.decoder = decoder
  }

  /// Decodes one input. Traps if two entry points differ.
  func run(_ bytes: [UInt8]) {
    let effort = FuzzingEffort(bytes)
    if case .quick(let tolerance) = effort {
      _ = try? decoder.decode(bytes.span, options: DecodingOptions(tolerance: tolerance, limits: effort.limits))
    } else {
      compareAll(bytes, effort)
    }
  }

  /// Calls all entry points.
  private func compareAll(_ bytes: [UInt8], _ effort: FuzzingEffort) {
    let limits = effort.limits
    _ = decoder.probe(bytes.span)
    _ = try? decoder.info(bytes.span, options: InfoOptions(limits: limits, indexesFrames: true))
    _ = try? decoder.metadata(bytes.span, options: InfoOptions(limits: limits))
    for tolerance in effort.tolerances {
      let options = DecodingOptions(tolerance: tolerance, limits: limits)
      let whole = Result { try decoder.decode(bytes.span, options: options) }
      let inParts = Result { try feed(decoder.makeSession(options: options), bytes) }
      if !isFailureByLimit(inParts, after: whole) { compare(whole, inParts, "in several parts") }
      compareRows(bytes, options, whole)
      // Small pictures are decoded on one thread.
      if effort == .large {
        compare(whole, Result { try decoder.decode(bytes.span, options: options.onThreads) }, "on two threads")
      }
      for selection in selections(options) { _ = try? decoder.decode(bytes.span, options: selection) }
      guard let animation = try? decoder.animation(bytes, options: options) else { continue }
      for index in (0..<min(animation.frameCount, 8)).reversed() { _ = try? animation.frame(at: index) }
    }
  }

  /// Options that select a part of a file, a part of a picture, or a smaller one.
  private func selections(_ options: DecodingOptions) -> [DecodingOptions] {
    var (image, keyFrame, part, reduced) = (options, options, options, options)
    image.imageIndex = 1
    keyFrame.keyFrame = .time(.milliseconds(100))
    part.region = PixelRegion(x: 1, y: 1, width: 5, height: 3)
    reduced.targetSize = PixelSize(width: 8, height: 8)
    return [image, keyFrame, part, reduced]
  }

  /// Whether a session reached a limit before the damage that a decode at once reports: its previews are work too.
  private func isFailureByLimit(
    _ session: Result<DecodedImage, any Error>, after whole: Result<DecodedImage, any Error>
  ) -> Bool {
    guard case .failure = whole, case .failure(let error as CodecError) = session else { return false }
    return error.kind == .limitExceeded
  }

  /// Compares a decode at once, on one thread, with another.
  private func compare(
    _ whole: Result<DecodedImage, any Error>, _ other: Result<DecodedImage, any Error>, _ manner: String
  ) {
    switch (whole, other) {
    case (.success(let a), .success(let b)):
      if a.bitmap != b.bitmap { stop("the pixels differ at once and \(manner)") }
      if a.details != b.details { stop("the details differ: \(a.details) at once, \(b.details) \(manner)") }
    case (.failure(let a as CodecError), .failure(let b as CodecError)):
      if a.kind != b.kind { stop("the errors differ: \(a) at once, \(b) \(manner)") }
    default: stop("the outcomes differ: \(whole) at once, \(other) \(manner)")
    }
  }

  /// Compares the rows that a sink receives with those of a bitmap.
  private func compareRows(_ bytes: [UInt8], _ options: DecodingOptions, _ whole: Result<DecodedImage, any Error>) {
    var options = options
    options.orientation = .report
    let sink = RowSink()
    let streamed = Result { try decoder.decode(bytes.span, to: sink, options: options) }
    let isUpright = (try? whole.get())?.details.info.orientation == .up
    switch (isUpright ? whole : Result { try decoder.decode(bytes.span, options: options) }, streamed) {
    // Rows need less memory than a bitmap, so that decoding them goes on and may meet an error. Work is limited in either
    // case.
    case (.failure(let error as CodecError), _) where error.kind == .limitExceeded: break
    case (.success(let whole), .success(let details)):
      if sink.bytes != whole.bitmap.packedPixels { stop("the pixels differ in a bitmap and in rows") }
      if withoutOffsets(details) != withoutOffsets(whole.details) {
        stop("the details differ: \(whole.details) for a bitmap, \(details) for rows")
      }
    case (.failure(let whole as CodecError), .failure(let rows as CodecError)):
      if whole.kind != rows.kind { stop("the errors differ: \(whole) for a bitmap, \(rows) for rows") }
    case (let whole, _): stop("the outcomes differ: \(whole) for a bitmap, \(streamed) for rows")
    }
  }

  /// Leaves out where diagnostics were found first: pictures that are stored from bottom to top are read in the other
  /// order if their rows are streamed.
  private func withoutOffsets(_ details: DecodingDetails) -> DecodingDetails {
    var details = details
    details.diagnostics = details.diagnostics.map { ImageDiagnostic($0.severity, $0.reason, frame: $0.frame) }
    return details
  }

  /// Prints the message and traps. A release build drops the message of a precondition.
  private func stop(_ message: String) -> Never {
    try? FileHandle.standardError.write(contentsOf: Data((message + "\n").utf8))
    preconditionFailure(message)
  }

  /// Passes the input in parts whose sizes its last bytes determine. Decoders ignore most bytes there, so that the sizes
  /// vary and the image does not.
  private func feed(_ session: any IncrementalImageDecoder, _ bytes: [UInt8]) throws -> DecodedImage {
    let sizes = bytes.suffix(8).map { 1 + Int($0) }
    var start = 0
    var partCount = 0
    var scanCount = 0
    while start < bytes.count {
      let end = min(bytes.count, start + sizes[partCount % sizes.count])
      partCount += 1
      let progress = try session.append(bytes.span.extracting(start..<end))
      // A preview may cost as much as a decode, so only a few are made.
      if progress.completedScanCount > scanCount || partCount & 63 == 1 { _ = session.makePreview() }
      scanCount = progress.completedScanCount
      start = end
    }
    return try session.finish()
  }
}

/// Collects the rows of an image.
final class RowSink: ImageRowSink {
  private(set) var bytes: [UInt8] = []

  func begin(_ image: StreamedImage, budget: inout ResourceBudget) throws(CodecError) {
    bytes.reserveCapacity(min(image.width * image.format.bytesPerPixel, 1 << 20))
  }

  func append(_ row: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) {
    for index in row.indices { bytes.append(row[index]) }
  }
}

extension DecodingOptions {
  /// The same options for two threads.
  var onThreads: DecodingOptions {
    var options = self
    options.parallelism = 2
    return options
  }
}
