// The errors of pipelines.

extension ImagePipeline {
  /// An error of a pipeline.
  public enum Error: Swift.Error, CustomStringConvertible, Sendable {
    /// The data is in no cache, and ``ImageRequest/Options/returnCacheDataDontLoad`` forbids loading it.
    case dataMissingInCache
    /// The data could not be loaded.
    case dataLoadingFailed(error: any Swift.Error)
    /// The loaded data is empty.
    case dataIsEmpty
    /// There is no decoder for the data.
    case decoderNotRegistered(context: ImageDecodingContext)
    /// The data could not be decoded.
    case decodingFailed(decoder: any ImageDecoding, context: ImageDecodingContext, error: any Swift.Error)
    /// A processor failed.
    case processingFailed(processor: any ImageProcessing, context: ImageProcessingContext, error: any Swift.Error)
    /// The request has no URL.
    case imageRequestMissing
    /// The pipeline was invalidated.
    case pipelineInvalidated
    /// The data exceeds ``Configuration/maximumResponseDataSize``.
    case dataDownloadExceededMaximumSize
    /// The task was cancelled.
    case cancelled

    /// The error of the loader, if loading failed.
    public var dataLoadingError: (any Swift.Error)? {
      if case .dataLoadingFailed(let error) = self { error } else { nil }
    }

    /// The error in one line. It contains the words by which code written for Nuke recognises it.
    public var description: String {
      switch self {
      case .dataMissingInCache: "The data is not in the cache, and the request forbids loading it."
      case .dataLoadingFailed(let error): "Failed to load image data.\(cause(error))"
      case .dataIsEmpty: "The loaded data is empty."
      case .decoderNotRegistered(let context): "No decoders are registered for the \(context.data.count) bytes of data."
      case .decodingFailed(let decoder, _, let error):
        "Failed to decode the image using decoder \(type(of: decoder)).\(cause(error))"
      case .processingFailed(let processor, _, let error):
        "Failed to process the image using processor \(processor).\(cause(error))"
      case .imageRequestMissing: "There is no image request, because the URL is missing."
      case .pipelineInvalidated: "The pipeline was invalidated."
      case .dataDownloadExceededMaximumSize: "The data exceeded the maximum size of a response."
      case .cancelled: "The image task was cancelled."
      }
    }

    /// The sentence about the error that caused this one; empty if that does not tell more.
    private func cause(_ error: any Swift.Error) -> String {
      if case ImageDecodingError.unknown = error { return "" }
      if case ImageProcessingError.unknown = error { return "" }
      return " Underlying error: \(error)."
    }
  }
}
