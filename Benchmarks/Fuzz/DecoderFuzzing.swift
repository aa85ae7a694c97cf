// What every target of a format asks of its decoder: no input may trap, and a decode in pieces must equal one at once.

import Foundation
import ImageCore

/// Decodes inputs in every way.
struct DecoderFuzzing<Decoder: ImageFormatDecoder> {
  /// Small enough that no input spends its time in zeroing memory.
  private let limits = DecodingLimits(maximumPixelCount: 1 << 20, maximumByteCount: 16 << 20)
  private let decoder: Decoder

  /// Fuzzes a decoder.
  init(_ decoder: Decoder) {
    self.decoder = decoder
  }

  /// Decodes one input; traps where two ways differ.
  func run(_ bytes: [UInt8]) {
    _ = decoder.probe(bytes.span)
    _ = try? decoder.info(bytes.span, options: InfoOptions(limits: limits, indexesFrames: true))
    _ = try? decoder.metadata(bytes.span, options: InfoOptions(limits: limits))
    for tolerance in [DecodingOptions.Tolerance.lenient, .strict] {
      let options = DecodingOptions(tolerance: tolerance, limits: limits)
      let whole = Result { try decoder.decode(bytes.span, options: options) }
      if let session = decoder.makeSession(options: options) {
        compare(whole, Result { try feed(session, bytes) })
      }
      guard let animation = try? decoder.animation(bytes, options: options) else { continue }
      for index in (0..<min(animation.frameCount, 8)).reversed() { _ = try? animation.frame(at: index) }
    }
  }

  private func compare(_ whole: Result<DecodedImage, any Error>, _ pieces: Result<DecodedImage, any Error>) {
    switch (whole, pieces) {
    case (.success(let a), .success(let b)):
      if a.bitmap != b.bitmap { stop("the pixels in pieces differ") }
      if a.details != b.details { stop("the details differ: \(a.details) in one piece, \(b.details) in several") }
    case (.failure(let a as CodecError), .failure(let b as CodecError)):
      if a.kind != b.kind { stop("the errors differ: \(a) in one piece, \(b) in several") }
    default: stop("the outcomes differ: \(whole) in one piece, \(pieces) in several")
    }
  }

  /// Says what differs, and traps: a release build drops the message of a precondition.
  private func stop(_ message: String) -> Never {
    try? FileHandle.standardError.write(contentsOf: Data((message + "\n").utf8))
    preconditionFailure(message)
  }

  /// Feeds pieces of sizes that the input itself decides.
  private func feed(_ session: any IncrementalImageDecoder, _ bytes: [UInt8]) throws -> DecodedImage {
    var start = 0
    var scanCount = 0
    while start < bytes.count {
      let end = min(bytes.count, start + 1 + Int(bytes[start] & 63))
      let progress = try session.append(bytes.span.extracting(start..<end))
      // A preview may cost as much as a decode: a few are enough.
      if progress.completedScanCount > scanCount || start & 0xFFF == 0 { _ = session.makePreview() }
      scanCount = progress.completedScanCount
      start = end
    }
    return try session.finish()
  }
}
