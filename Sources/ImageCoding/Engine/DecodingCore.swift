// The part of a decoder that a codec implements: the decoding stages of its format. The shared engine does the rest.

package import ImageCore

/// The stage up to which a core decodes.
package enum DecodingGoal: Sendable {
  /// To the facts that the headers state.
  case headers
  /// To the facts that only the whole file states, such as the number of frames, without decoding pixels.
  case index
  /// To the metadata, wherever it is in the file, without decoding pixels.
  case metadata
  /// To the coefficients of a transform. Cores of formats without one decode pixels.
  case coefficients
  /// To the pixels.
  case pixels
}

/// The decoder of one image, driven by ``ImageDecode`` with the whole file or with parts of it.
package protocol DecodingCore {
  /// The format that errors refer to.
  var format: AssetType { get }

  /// The facts from the headers, once they are complete.
  var info: ImageInfo? { get }
  /// The metadata found so far. The default is none, for cores that have no use for ``DecodingGoal/metadata``.
  var metadata: ImageMetadata { get }
  /// The progress of the decode.
  var progress: DecodingProgress { get }
  /// The file offset of the first byte that must be presented again together with more input.
  var retainedOffset: Int { get }
  /// The file offset that errors refer to unless they state another. The default is ``retainedOffset``.
  var byteOffset: Int { get }

  /// Whether the core handles ``DecodingOptions/imageIndex``. The default is `false`: the file has one image.
  var selectsImage: Bool { get }
  /// Whether the core handles ``DecodingOptions/region``. The default is `false`: the engine reduces the image to it.
  var selectsRegion: Bool { get }
  /// Whether the core handles ``DecodingOptions/keyFrame``. The default is `false`: the file is not a video.
  var selectsKeyFrame: Bool { get }

  /// Decodes as far as the input allows, and not further than the goal.
  ///
  /// - Parameters:
  ///   - input: the file starting at ``retainedOffset`` or earlier. The last window of a file is final.
  ///   - bitmap: receives rows as they are decoded; the same bitmap in every call.
  mutating func advance(
    _ input: InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError)

  /// Completes the image after the final window: fills in missing pixels, and attaches colour space and orientation.
  /// The engine then converts the pixels to the requested format, unless they have it, and turns them upright. Called
  /// once. The details need no diagnostics.
  mutating func finish(
    into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> DecodingDetails

  /// Returns a preview of the image received so far, which the engine completes like the image; `nil` before the first
  /// pixels.
  ///
  /// - Parameter input: the file from ``retainedOffset`` or earlier to the bytes received so far.
  mutating func makePreview(
    of bitmap: Bitmap, from input: InputWindow, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap?

  /// Returns the buffers of a finished decode to the pool. By default they are freed.
  mutating func recycleBuffers(_ pool: BufferPool?)
}

extension DecodingCore {
  package var metadata: ImageMetadata { ImageMetadata() }
  package var selectsImage: Bool { false }
  package var selectsRegion: Bool { false }
  package var selectsKeyFrame: Bool { false }
  package var byteOffset: Int { retainedOffset }
  package mutating func recycleBuffers(_ pool: BufferPool?) {}

  /// Creates an error of the core's format.
  package func error(
    _ kind: CodecError.Kind, _ reason: String, at byteOffset: Int? = nil, limit: CodecError.Limit? = nil
  ) -> CodecError {
    CodecError(kind, reason, format: format, byteOffset: byteOffset ?? self.byteOffset, limit: limit)
  }

  /// Reads a file or a prefix of it with a core whose goal is not the pixels. Returns the damage that was tolerated.
  @discardableResult
  package mutating func read(
    _ bytes: Span<UInt8>, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> [ImageDiagnostic] {
    var unused = Bitmap()
    return try DecodingContext.spending(&budget, options, format: format) { (context) throws(CodecError) in
      try advance(InputWindow(bytes), into: &unused, &context)
      return context.allDiagnostics
    }
  }
}
