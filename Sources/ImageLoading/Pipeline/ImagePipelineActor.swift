// The actor on which pipelines, their tasks and their queues run.

/// Isolates the state of all pipelines. Decoding, processing, encoding and file access take place elsewhere.
@globalActor public actor ImagePipelineActor {
  /// The actor's only instance.
  public static let shared = ImagePipelineActor()
}
