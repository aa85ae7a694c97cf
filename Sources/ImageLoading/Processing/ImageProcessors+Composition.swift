// Processors that are made of others, or of a closure.

extension ImageProcessors {
  /// Applies several processors in order.
  public struct Composition: ImageProcessing, Hashable, CustomStringConvertible {
    let processors: [any ImageProcessing]

    /// Creates a processor that applies others in order.
    public init(_ processors: [any ImageProcessing]) {
      self.processors = processors
    }

    /// Returns the image after all processors, or `nil` if one of them fails.
    public func process(_ image: PlatformImage) -> PlatformImage? {
      var image = image
      for processor in processors {
        guard let processed = processor.process(image) else { return nil }
        image = processed
      }
      return image
    }

    /// Returns the container after all processors.
    ///
    /// - Throws: the error of the first processor that fails.
    public func process(_ container: ImageContainer, context: ImageProcessingContext) throws -> ImageContainer {
      var container = container
      for processor in processors { container = try processor.process(container, context: context) }
      return container
    }

    /// The identifiers of all processors.
    public var identifier: String { processors.map(\.identifier).joined() }

    /// The processors in one line.
    public var description: String { "Composition(processors: \(processors))" }

    /// Returns whether both apply equal processors in the same order.
    public static func == (lhs: Composition, rhs: Composition) -> Bool {
      lhs.processors.map(\.hashableIdentifier) == rhs.processors.map(\.hashableIdentifier)
    }

    /// Hashes the identities of all processors.
    public func hash(into hasher: inout Hasher) {
      for processor in processors { hasher.combine(processor.hashableIdentifier) }
    }
  }

  /// Applies a closure.
  public struct Anonymous: ImageProcessing, CustomStringConvertible {
    /// The identity of the processor.
    public let identifier: String
    private let closure: @Sendable (PlatformImage) -> PlatformImage?

    /// Creates a processor from a closure.
    ///
    /// - Parameters:
    ///   - id: the identity of the processor; different for closures that do different things.
    ///   - closure: returns the processed image; `nil` if it cannot.
    public init(id: String, _ closure: @escaping @Sendable (PlatformImage) -> PlatformImage?) {
      identifier = id
      self.closure = closure
    }

    /// Returns the result of the closure.
    public func process(_ image: PlatformImage) -> PlatformImage? { closure(image) }

    /// The processor's identity in one line.
    public var description: String { "Anonymous(identifier: \(identifier))" }
  }
}

extension ImageProcessing where Self == ImageProcessors.Anonymous {
  /// The processor that applies a closure; see ``ImageProcessors/Anonymous/init(id:_:)``.
  public static func process(
    id: String, _ closure: @escaping @Sendable (PlatformImage) -> PlatformImage?
  ) -> ImageProcessors.Anonymous {
    ImageProcessors.Anonymous(id: id, closure)
  }
}
