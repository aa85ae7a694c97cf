// Decoders of bitstreams of unknown types. Embedded Swift passes values of unknown types only as objects or closures.

#if hasFeature(Embedded)
  public import ImageCoding

  /// A decoder of the pictures of any coding.
  public struct AnyCodedPictureDecoder: CodedPictureDecoder {
    /// The sample entries of the wrapped decoder.
    public let sampleEntryTypes: [String]
    private let configure:
      @Sendable (Span<UInt8>, inout ResourceBudget) throws(CodecError) -> AnyConfiguredPictureDecoder

    /// Creates the decoder from one of a coding.
    public init(_ decoder: some CodedPictureDecoder) {
      sampleEntryTypes = decoder.sampleEntryTypes
      configure = { (record, budget: inout ResourceBudget) throws(CodecError) in
        try decoder.configured(by: record, budget: &budget)
      }
    }

    /// Reads a configuration record with the wrapped decoder.
    public func configured(
      by record: Span<UInt8>, budget: inout ResourceBudget
    ) throws(CodecError) -> AnyConfiguredPictureDecoder {
      try configure(record, &budget)
    }
  }

  /// A decoder of the pictures that share a configuration record of any coding.
  public struct AnyConfiguredPictureDecoder: Sendable {
    private let describe: @Sendable (Span<UInt8>, inout ResourceBudget) throws(CodecError) -> CodedPictureDescription
    private let decode: @Sendable (Span<UInt8>, inout DecodingContext) throws(CodecError) -> DecodedPlanes
    private let follow: @Sendable (Span<UInt8>, inout ResourceBudget) throws(CodecError) -> AnyConfiguredPictureDecoder
    private let select: @Sendable (LayerSelection) throws(CodecError) -> AnyConfiguredPictureDecoder

    init(_ decoder: some ConfiguredPictureDecoder) {
      describe = { (payload, budget: inout ResourceBudget) throws(CodecError) in
        try decoder.description(of: payload, budget: &budget)
      }
      decode = { (payload, context: inout DecodingContext) throws(CodecError) in
        try decoder.decode(payload, context: &context)
      }
      follow = { (payload, budget: inout ResourceBudget) throws(CodecError) in
        try decoder.following(payload, budget: &budget)
      }
      select = { (layers) throws(CodecError) in try decoder.selecting(layers) }
    }

    /// Reads the parameter sets of a picture.
    public func description(
      of payload: Span<UInt8>, budget: inout ResourceBudget
    ) throws(CodecError) -> CodedPictureDescription {
      try describe(payload, &budget)
    }

    /// Decodes a picture.
    public func decode(_ payload: Span<UInt8>, context: inout DecodingContext) throws(CodecError) -> DecodedPlanes {
      try decode(payload, &context)
    }

    /// Returns the decoder of the pictures that follow one.
    public func following(
      _ payload: Span<UInt8>, budget: inout ResourceBudget
    ) throws(CodecError) -> AnyConfiguredPictureDecoder {
      try follow(payload, &budget)
    }

    /// Returns the decoder of another layer.
    public func selecting(_ layers: LayerSelection) throws(CodecError) -> AnyConfiguredPictureDecoder {
      try select(layers)
    }
  }

  extension ConfiguredPictureDecoder {
    /// The decoder as a value whose type does not name its coding.
    package var erased: AnyConfiguredPictureDecoder { AnyConfiguredPictureDecoder(self) }
  }
#else
  /// A decoder of the pictures of any coding.
  public typealias AnyCodedPictureDecoder = any CodedPictureDecoder

  /// A decoder of the pictures that share a configuration record of any coding.
  public typealias AnyConfiguredPictureDecoder = any ConfiguredPictureDecoder

  extension ConfiguredPictureDecoder {
    /// The decoder as a value whose type does not name its coding.
    package var erased: AnyConfiguredPictureDecoder { self }
  }
#endif
