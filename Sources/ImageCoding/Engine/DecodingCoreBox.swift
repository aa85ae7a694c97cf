// Cores as objects, so that one engine drives those of all formats. Embedded Swift passes values of unknown types only
// as objects.

package import ImageCore

/// A ``DecodingCore`` whose type is unknown.
package protocol DecodingCoreObject: AnyObject {
  var format: AssetType { get }
  var info: ImageInfo? { get }
  var metadata: ImageMetadata { get }
  var progress: DecodingProgress { get }
  var retainedOffset: Int { get }

  var selectsImage: Bool { get }
  var selectsRegion: Bool { get }
  var selectsKeyFrame: Bool { get }

  func advance(_ input: InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext) throws(CodecError)
  func finish(into bitmap: inout Bitmap, _ context: inout DecodingContext) throws(CodecError) -> DecodingDetails
  func makePreview(
    of bitmap: Bitmap, from input: InputWindow, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap?
  func recycleBuffers(_ pool: BufferPool?)

  /// Reads a file or a prefix of it with a core whose goal is not the pixels.
  func read(_ bytes: Span<UInt8>, options: DecodingOptions, budget: inout ResourceBudget) throws(CodecError)
}

/// The owner of a core.
package final class DecodingCoreBox<Core: DecodingCore>: DecodingCoreObject {
  private var core: Core

  package init(_ core: consuming Core) {
    self.core = core
  }

  package var format: AssetType { core.format }
  package var info: ImageInfo? { core.info }
  package var metadata: ImageMetadata { core.metadata }
  package var progress: DecodingProgress { core.progress }
  package var retainedOffset: Int { core.retainedOffset }

  package var selectsImage: Bool { core.selectsImage }
  package var selectsRegion: Bool { core.selectsRegion }
  package var selectsKeyFrame: Bool { core.selectsKeyFrame }

  package func advance(
    _ input: InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    try core.advance(input, into: &bitmap, &context)
  }

  package func finish(
    into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> DecodingDetails {
    try core.finish(into: &bitmap, &context)
  }

  package func makePreview(
    of bitmap: Bitmap, from input: InputWindow, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap? {
    try core.makePreview(of: bitmap, from: input, &context)
  }

  package func recycleBuffers(_ pool: BufferPool?) {
    core.recycleBuffers(pool)
  }

  package func read(
    _ bytes: Span<UInt8>, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) {
    try core.read(bytes, options: options, budget: &budget)
  }
}
