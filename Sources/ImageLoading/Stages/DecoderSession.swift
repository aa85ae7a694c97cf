// The decoder of one image and its preview policy, from the first part of the data to the last.

internal import Foundation

/// Creates the decoder of an image and keeps it.
///
/// The preview policy is determined with the first part of the data. If it is `disabled`, which it is before the
/// headers of an image have arrived, it is determined again whenever the data has doubled, up to a limit.
@ImagePipelineActor struct DecoderSession {
  /// The maximum number of times that the policy is determined.
  static let maximumEvaluationCount = 6

  private var decoder: (any ImageDecoding)?
  /// The policy that the decoder was created with.
  private var decoderPolicy: ImagePreviewPolicy?
  private var policy: ImagePreviewPolicy?
  private var evaluationCount = 0
  private var evaluatedByteCount = 0

  nonisolated init() {}

  /// Returns the decoder for data that continues that of earlier calls, or `nil` if there is none yet. Sets the
  /// context's preview policy.
  mutating func decoder(
    for context: inout ImageDecodingContext, pipeline: ImagePipeline
  ) -> (any ImageDecoding)? {
    if !context.isCompleted {
      evaluatePolicy(context, pipeline: pipeline)
      // A decoder without previews would have to be replaced.
      if policy != .disabled, decoderPolicy == .disabled { decoder = nil }
    }
    if let policy { context.previewPolicy = policy }
    if let decoder { return decoder }
    decoder = pipeline.delegate.imageDecoder(for: context, pipeline: pipeline)
    decoderPolicy = context.previewPolicy
    return decoder
  }

  private mutating func evaluatePolicy(_ context: ImageDecodingContext, pipeline: ImagePipeline) {
    let byteCount = context.data.count
    let isDue =
      policy == nil
      || policy == .disabled && evaluationCount < Self.maximumEvaluationCount && byteCount / 2 >= evaluatedByteCount
    guard isDue else { return }
    policy = pipeline.delegate.previewPolicy(for: context, pipeline: pipeline)
    evaluationCount += 1
    evaluatedByteCount = byteCount
  }
}
