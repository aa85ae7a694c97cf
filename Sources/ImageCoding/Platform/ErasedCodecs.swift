// Codecs of unknown types. Embedded Swift passes values of unknown types only as objects or closures.

#if hasFeature(Embedded)
  public import ImageCore

  /// A decoder of any format.
  public struct AnyImageFormatDecoder: ImageFormatDecoder {
    private let box: any DecoderObject

    /// Creates the decoder from one of a format.
    public init(_ decoder: some ImageFormatDecoder) {
      box = DecoderBox(decoder)
    }

    /// The types of the wrapped decoder.
    public var types: [AssetType] { box.types }

    /// Asks the wrapped decoder.
    public func probe(_ prefix: Span<UInt8>) -> ProbeResult { box.probe(prefix) }

    /// Reads the headers with the wrapped decoder.
    public func info(
      _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
    ) throws(CodecError) -> ImageInfo {
      try box.info(bytes, options, &budget)
    }

    /// Reads the metadata with the wrapped decoder.
    public func metadata(
      _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
    ) throws(CodecError) -> ImageMetadata {
      try box.metadata(bytes, options, &budget)
    }

    /// Decodes the image with the wrapped decoder.
    public func decode(
      _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions, budget: inout ResourceBudget
    ) throws(CodecError) -> DecodingDetails {
      try box.decode(bytes, into: &bitmap, options, &budget)
    }

    /// Decodes the image with the wrapped decoder, and passes its rows to a sink.
    public func decode(
      _ bytes: Span<UInt8>, to sink: any ImageRowSink, options: DecodingOptions, budget: inout ResourceBudget
    ) throws(CodecError) -> DecodingDetails {
      try box.decode(bytes, to: sink, options, &budget)
    }

    /// Creates a session of the wrapped decoder.
    public func makeSession(options: DecodingOptions) -> any IncrementalImageDecoder { box.makeSession(options) }

    /// Opens the frames with the wrapped decoder.
    public func animation(
      _ bytes: [UInt8], options: DecodingOptions
    ) throws(CodecError) -> (any AnimatedImageSource)? {
      try box.animation(bytes, options)
    }

    /// Returns the rewriter of the wrapped decoder.
    public func metadataRewriter(of type: AssetType) -> AnyMetadataRewriter? { box.metadataRewriter(of: type) }
  }

  private protocol DecoderObject: AnyObject, Sendable {
    var types: [AssetType] { get }
    func probe(_ prefix: Span<UInt8>) -> ProbeResult
    func info(
      _ bytes: Span<UInt8>, _ options: InfoOptions, _ budget: inout ResourceBudget
    ) throws(CodecError) -> ImageInfo
    func metadata(
      _ bytes: Span<UInt8>, _ options: InfoOptions, _ budget: inout ResourceBudget
    ) throws(CodecError) -> ImageMetadata
    func decode(
      _ bytes: Span<UInt8>, into bitmap: inout Bitmap, _ options: DecodingOptions, _ budget: inout ResourceBudget
    ) throws(CodecError) -> DecodingDetails
    func decode(
      _ bytes: Span<UInt8>, to sink: any ImageRowSink, _ options: DecodingOptions, _ budget: inout ResourceBudget
    ) throws(CodecError) -> DecodingDetails
    func makeSession(_ options: DecodingOptions) -> any IncrementalImageDecoder
    func animation(_ bytes: [UInt8], _ options: DecodingOptions) throws(CodecError) -> (any AnimatedImageSource)?
    func metadataRewriter(of type: AssetType) -> AnyMetadataRewriter?
  }

  private final class DecoderBox<Decoder: ImageFormatDecoder>: DecoderObject {
    private let decoder: Decoder

    init(_ decoder: Decoder) {
      self.decoder = decoder
    }

    var types: [AssetType] { decoder.types }

    func probe(_ prefix: Span<UInt8>) -> ProbeResult { decoder.probe(prefix) }

    func info(
      _ bytes: Span<UInt8>, _ options: InfoOptions, _ budget: inout ResourceBudget
    ) throws(CodecError) -> ImageInfo {
      try decoder.info(bytes, options: options, budget: &budget)
    }

    func metadata(
      _ bytes: Span<UInt8>, _ options: InfoOptions, _ budget: inout ResourceBudget
    ) throws(CodecError) -> ImageMetadata {
      try decoder.metadata(bytes, options: options, budget: &budget)
    }

    func decode(
      _ bytes: Span<UInt8>, into bitmap: inout Bitmap, _ options: DecodingOptions, _ budget: inout ResourceBudget
    ) throws(CodecError) -> DecodingDetails {
      try decoder.decode(bytes, into: &bitmap, options: options, budget: &budget)
    }

    func decode(
      _ bytes: Span<UInt8>, to sink: any ImageRowSink, _ options: DecodingOptions, _ budget: inout ResourceBudget
    ) throws(CodecError) -> DecodingDetails {
      try decoder.decode(bytes, to: sink, options: options, budget: &budget)
    }

    func makeSession(_ options: DecodingOptions) -> any IncrementalImageDecoder {
      decoder.makeSession(options: options)
    }

    func animation(_ bytes: [UInt8], _ options: DecodingOptions) throws(CodecError) -> (any AnimatedImageSource)? {
      try decoder.animation(bytes, options: options)
    }

    func metadataRewriter(of type: AssetType) -> AnyMetadataRewriter? { decoder.metadataRewriter(of: type) }
  }

  /// A rewriter of the files of any format.
  public struct AnyMetadataRewriter: Sendable {
    /// Whether parts of unknown kinds are copied.
    public var keepsUnknownParts: Bool
    private let body:
      @Sendable (
        _ keepsUnknownParts: Bool, Span<UInt8>, ImageMetadata, ImageOrientation?, inout ResourceBudget
      ) throws(CodecError) -> [UInt8]

    init(_ rewriter: some MetadataRewriter) {
      keepsUnknownParts = rewriter.keepsUnknownParts
      body = {
        (keepsUnknownParts, bytes, metadata, orientation, budget: inout ResourceBudget) throws(CodecError) in
        var rewriter = rewriter
        rewriter.keepsUnknownParts = keepsUnknownParts
        return try rewriter.rewrite(bytes, metadata: metadata, orientation: orientation, budget: &budget)
      }
    }

    /// Returns the file with its metadata replaced.
    public func rewrite(
      _ bytes: Span<UInt8>, metadata: ImageMetadata, orientation: ImageOrientation?, budget: inout ResourceBudget
    ) throws(CodecError) -> [UInt8] {
      try body(keepsUnknownParts, bytes, metadata, orientation, &budget)
    }

    /// Returns an image in another file without its metadata.
    package func stripNested(_ bytes: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) -> [UInt8] {
      try body(false, bytes, ImageMetadata(), .up, &budget)
    }
  }

  extension MetadataRewriter {
    /// The rewriter as a value whose type does not name its format.
    package var erased: AnyMetadataRewriter { AnyMetadataRewriter(self) }
  }

  /// An encoder of any format.
  public struct AnyImageFormatEncoder: ImageFormatEncoder {
    /// The type of the wrapped encoder.
    public let type: AssetType
    private let body: @Sendable (Bitmap, ImageMetadata?, inout ResourceBudget) throws(CodecError) -> [UInt8]

    /// Creates the encoder from one of a format.
    public init(_ encoder: some ImageFormatEncoder) {
      type = encoder.type
      body = { (bitmap, metadata, budget: inout ResourceBudget) throws(CodecError) in
        try encoder.encode(bitmap, metadata: metadata, budget: &budget)
      }
    }

    /// Encodes a bitmap with the wrapped encoder.
    public func encode(
      _ bitmap: Bitmap, metadata: ImageMetadata?, budget: inout ResourceBudget
    ) throws(CodecError) -> [UInt8] {
      try body(bitmap, metadata, &budget)
    }
  }
#else
  /// A decoder of any format.
  public typealias AnyImageFormatDecoder = any ImageFormatDecoder

  /// An encoder of any format.
  public typealias AnyImageFormatEncoder = any ImageFormatEncoder

  /// A rewriter of the files of any format.
  public typealias AnyMetadataRewriter = any MetadataRewriter

  extension MetadataRewriter {
    /// The rewriter as a value whose type does not name its format.
    package var erased: AnyMetadataRewriter { self }
  }
#endif
