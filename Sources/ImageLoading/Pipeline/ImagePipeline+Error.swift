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

    /// The error in one line.
    public var description: String {
      switch self {
      case .dataMissingInCache: "the data is not cached, and the request forbids loading it"
      case .dataLoadingFailed(let error): "the data could not be loaded: \(error)"
      case .dataIsEmpty: "the loaded data is empty"
      case .decoderNotRegistered(let context): "there is no decoder for the \(context.data.count) bytes of data"
      case .decodingFailed(let decoder, _, let error): "\(type(of: decoder)) could not decode the data: \(error)"
      case .processingFailed(let processor, _, let error): "the processor \(processor.identifier) failed: \(error)"
      case .imageRequestMissing: "the request has no URL"
      case .pipelineInvalidated: "the pipeline was invalidated"
      case .dataDownloadExceededMaximumSize: "the data exceeds the maximum size of a response"
      case .cancelled: "the task was cancelled"
      }
    }
  }
}
