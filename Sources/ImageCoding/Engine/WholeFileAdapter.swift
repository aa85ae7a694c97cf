// Decoders of which only the public interface is known, such as those of other packages, in sessions.

internal import ImageCore

/// Lets the engine drive any decoder. It handles all options itself.
struct WholeFileAdapter<Base: ImageFormatDecoder>: WholeFileDecoder {
  private let base: Base

  init(_ base: Base) {
    self.base = base
  }

  var types: [AssetType] { base.types }
  var selectsImage: Bool { true }
  var selectsRegion: Bool { true }
  var selectsKeyFrame: Bool { true }

  func probe(_ prefix: Span<UInt8>) -> ProbeResult { base.probe(prefix) }

  func info(
    _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageInfo {
    try base.info(bytes, options: options, budget: &budget)
  }

  func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> DecodingDetails {
    let details = try base.decode(bytes, into: &bitmap, options: context.options, budget: &context.budget)
    context.adopt(details.diagnostics)
    return details
  }
}
