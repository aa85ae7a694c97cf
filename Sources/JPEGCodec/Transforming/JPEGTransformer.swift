// The public face of lossless JPEG transforms.

public import ImageCoding
internal import MetadataFormats

/// Rotates, mirrors, crops and recodes JPEG files without decoding them to pixels, so that nothing is lost.
///
/// With the same settings, files are byte-identical to those of libjpeg-turbo's `jpegtran`.
public struct JPEGTransformer: Sendable {
  /// The options of the transformation. Values out of range are rejected when a file is transformed.
  public var options: Options

  /// Creates a transformer with the given options.
  public init(options: Options = Options()) {
    self.options = options
  }

  /// Transforms a file.
  ///
  /// - Parameters:
  ///   - bytes: a Huffman- or arithmetic-coded JPEG file with 8-bit samples.
  ///   - limits: the limits for what the file may cost, including the coefficients, two bytes per sample, twice.
  /// - Throws: `CodecError.Kind.invalidArgument` if the crop is not within the transformed image or the
  ///   restart interval is out of range;
  ///   `CodecError.Kind.unsupported` if edges must be perfect and are not, or if the file cannot be transformed;
  ///   `CodecError.Kind.malformed` or `CodecError.Kind.truncated` if its coefficients are damaged;
  ///   `CodecError.Kind.encodingFailed` if a coefficient is out of range or the EXIF block does not fit;
  ///   `CodecError.Kind.limitExceeded`.
  public func transform(_ bytes: Span<UInt8>, limits: DecodingLimits = .default) throws(CodecError) -> [UInt8] {
    var budget = ResourceBudget(limits, format: JPEGDecoder.type)
    return try transform(bytes, budget: &budget)
  }

  /// Transforms a file within a budget, which is charged for coefficients, output and work, and whose limits apply.
  ///
  /// - Throws: the errors of ``transform(_:limits:)``, `CodecError.Kind.cancelled` and
  ///   `CodecError.Kind.deadlineExceeded`.
  public func transform(_ bytes: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) -> [UInt8] {
    try options.restartInterval.validate()
    let source = try CoefficientImage(reading: bytes, budget: &budget)
    let operation = options.appliesOrientation ? Operation(upright: source.orientation) : options.operation
    let geometry = try TransformGeometry(
      source: source.frame, operation: operation, edges: options.edges, crop: options.crop)
    let frame = geometry.encodingFrame(of: source)
    guard frame.components.count == 1 || frame.blocksPerMCU <= 10 else {
      throw CodecError(.unsupported, "an MCU of all components has more than ten blocks", format: JPEGDecoder.type)
    }
    let store = try source.transformed(by: geometry, to: frame, &budget)
    if !options.optimizesHuffmanTables, !options.isProgressive { try store.checkStandardCodes(frame) }
    var segments = SegmentWriter()
    try source.writeHeaders(
      of: frame, geometry: geometry, markers: options.markers, resetsOrientation: options.appliesOrientation,
      isTurned: operation != .none, from: bytes, to: &segments)
    segments.append(frame, marker: source.frameMarker(isProgressive: options.isProgressive))
    var scans = BufferedScanWriter(
      frame: frame, isProgressive: options.isProgressive, optimizesHuffmanTables: options.optimizesHuffmanTables,
      restartInterval: options.restartInterval)
    var output = EncodedOutput()
    try scans.write(store, after: segments, to: &output, &budget)
    return try output.finish()
  }
}

extension JPEGTransformer {
  /// The rotation or mirroring of the picture.
  public enum Operation: String, Hashable, Sendable, CaseIterable {
    /// Not at all.
    case none
    /// Mirrored left to right.
    case flipHorizontal
    /// Mirrored top to bottom.
    case flipVertical
    /// Mirrored along the main diagonal.
    case transpose
    /// Mirrored along the other diagonal.
    case transverse
    /// Rotated by 90° clockwise.
    case rotate90
    /// Rotated by 180°.
    case rotate180
    /// Rotated by 270° clockwise.
    case rotate270

    /// The operation that turns a picture of an orientation upright.
    public init(upright orientation: ImageOrientation) {
      switch orientation {
      case .up: self = .none
      case .upMirrored: self = .flipHorizontal
      case .down: self = .rotate180
      case .downMirrored: self = .flipVertical
      case .leftMirrored: self = .transpose
      case .right: self = .rotate90
      case .rightMirrored: self = .transverse
      case .left: self = .rotate270
      }
    }

    /// Whether rows become columns.
    var isTransposed: Bool {
      switch self {
      case .transpose, .transverse, .rotate90, .rotate270: true
      default: false
      }
    }
    /// Whether left and right are exchanged, after rows have become columns.
    var mirrorsColumns: Bool {
      switch self {
      case .flipHorizontal, .transverse, .rotate90, .rotate180: true
      default: false
      }
    }
    /// Whether top and bottom are exchanged, after rows have become columns.
    var mirrorsRows: Bool {
      switch self {
      case .flipVertical, .transverse, .rotate180, .rotate270: true
      default: false
      }
    }
  }

  /// The handling of edges that are not on a border between MCUs, which cannot be mirrored.
  public enum EdgeHandling: Hashable, Sendable {
    /// Their blocks stay at the edge, transposed if the picture is, and look wrong.
    case keep
    /// They are cropped.
    case trim
    /// The file is rejected.
    case reject
  }

  /// The application segments and comments that are copied.
  public enum MarkerCopying: Hashable, Sendable {
    /// None. JFIF's density and Adobe's colour transform remain.
    case none
    /// All of them. In an EXIF block at the start, the dimensions are adapted.
    case all
  }

  /// The options of a transformation.
  public struct Options: Hashable, Sendable {
    /// The rotation or mirroring of the picture.
    public var operation: Operation
    /// Whether the orientation of the EXIF block is applied in place of ``operation``. The block then says that the
    /// picture is upright, and the thumbnail, which would not be, is removed from it if the picture is turned.
    public var appliesOrientation: Bool
    /// The handling of edges that cannot be mirrored.
    public var edges: EdgeHandling
    /// The part to keep, in pixels of the turned picture. Its left and top edges are moved outwards to borders between
    /// MCUs.
    public var crop: PixelRegion?
    /// The application segments and comments that are copied.
    public var markers: MarkerCopying
    /// Whether to write a progressive file, with libjpeg's script and optimised Huffman tables.
    public var isProgressive: Bool
    /// Whether to optimise the Huffman tables for the image.
    public var optimizesHuffmanTables: Bool
    /// The interval at which decoders can resynchronise.
    public var restartInterval: JPEGEncoder.Options.RestartInterval

    /// Creates options. By default the picture is not turned, all markers are copied, and the file is baseline with the
    /// standard Huffman tables.
    public init(
      operation: Operation = .none, appliesOrientation: Bool = false, edges: EdgeHandling = .keep,
      crop: PixelRegion? = nil, markers: MarkerCopying = .all, isProgressive: Bool = false,
      optimizesHuffmanTables: Bool = false, restartInterval: JPEGEncoder.Options.RestartInterval = .none
    ) {
      self.operation = operation
      self.appliesOrientation = appliesOrientation
      self.edges = edges
      self.crop = crop
      self.markers = markers
      self.isProgressive = isProgressive
      self.optimizesHuffmanTables = optimizesHuffmanTables
      self.restartInterval = restartInterval
    }
  }
}
