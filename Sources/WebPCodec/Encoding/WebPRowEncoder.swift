// Row-by-row encoding of a still image: rows are converted as they arrive and encoded once all are there, since both
// codings adapt to the whole picture.

public import ImageCoding

/// Encodes a still WebP image from rows that are supplied one after another.
///
/// The rows are held as 4 bytes per pixel.
public struct WebPRowEncoder: Sendable {
  private let size: PixelSize
  private let format: PixelFormat
  private let options: WebPEncoder.Options
  private let metadata: MetadataChunks
  private var source: PictureRows

  /// The greatest width and height of an image.
  public static let greatestSide = 16_383

  /// Starts a file.
  ///
  /// - Parameters:
  ///   - width: the number of columns, 1…16,383.
  ///   - height: the number of rows, 1…16,383.
  ///   - format: the pixel format of the rows.
  ///   - options: the quality, or lossless coding.
  ///   - metadata: the metadata to write.
  ///   - colorSpace: the colour space of the rows.
  ///   - orientation: the orientation to write.
  ///   - budget: charged for the buffers.
  /// - Throws: `CodecError.Kind.encodingFailed` if the size is out of range,
  ///   `CodecError.Kind.invalidArgument` if an option is out of range, `CodecError.Kind.limitExceeded`.
  public init(
    width: Int, height: Int, format: PixelFormat, options: WebPEncoder.Options = WebPEncoder.Options(),
    metadata: ImageMetadata = ImageMetadata(), colorSpace: ColorSpace = .unspecified,
    orientation: ImageOrientation = .up, budget: inout ResourceBudget
  ) throws(CodecError) {
    try options.validate()
    size = PixelSize(width: width, height: height)
    try size.checkEncodable()
    self.format = format
    self.options = options
    self.metadata = MetadataChunks(metadata, colorSpace: colorSpace, orientation: orientation)
    source = try PictureRows(format, size: size, &budget)
  }

  /// Appends the next row, from top to bottom.
  ///
  /// - Throws: `CodecError.Kind.invalidArgument` if the row has the wrong length or the image is already complete;
  ///   `CodecError.Kind.limitExceeded`, `CodecError.Kind.cancelled`.
  public mutating func append(_ row: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) {
    guard row.count == size.width * format.bytesPerPixel, source.rowCount < size.height else {
      throw CodecError(.invalidArgument, "the row does not match the image", format: WebPDecoder.type)
    }
    try budget.chargeWork(count: size.width, unitsEach: PictureRows.workPerPixel)
    source.append(row)
  }

  /// Ends the file and returns it.
  ///
  /// - Throws: `CodecError.Kind.invalidArgument` if rows are missing; `CodecError.Kind.encodingFailed` if the
  ///   maximum size does not fit; `CodecError.Kind.limitExceeded`, `CodecError.Kind.cancelled`.
  public mutating func finish(budget: inout ResourceBudget) throws(CodecError) -> [UInt8] {
    var output = EncodedOutput()
    try finish(to: &output, budget: &budget)
    return try output.finish()
  }

  /// Writes the file once the picture is encoded. Until then its data is held: the header of the file states its size, and
  /// the tokens of lossless pictures and the levels of lossy ones, from which it is made, take more memory.
  mutating func finish(to output: inout EncodedOutput, budget: inout ResourceBudget) throws(CodecError) {
    guard source.rowCount == size.height else {
      throw CodecError(
        .invalidArgument, "only \(source.rowCount) of \(size.height) rows were appended", format: WebPDecoder.type)
    }
    var picture = source.takePicture()
    let encoder = PictureEncoder(options: options)
    var image = try encoder.encode(&picture, overhead: metadata.byteCount, &budget)
    var writer = RIFFWriter()
    var features = metadata.features
    if image.hasAlpha { features.insert(.alpha) }
    // A lossless image states its alpha itself.
    if !features.subtracting(.alpha).isEmpty || image.hasAlphaPlane { writer.append(features, size: size) }
    metadata.appendProfile(to: &writer)
    writer.append(contentsOf: image.chunks)
    metadata.appendDescription(to: &writer)
    let imageByteCount = image.chunks.byteCount
    image = EncodedPicture()
    try output.append(RIFFWriter.header(byteCount: writer.byteCount), budget: &budget)
    try writer.drain(to: &output, &budget)
    budget.release(imageByteCount)
  }
}

extension PixelSize {
  /// Throws `CodecError.Kind.encodingFailed` unless both sides are 1…16,383.
  func checkEncodable() throws(CodecError) {
    let sides = 1...WebPRowEncoder.greatestSide
    guard sides.contains(width), sides.contains(height) else {
      throw CodecError(
        .encodingFailed, "a WebP image cannot have \(width) × \(height) pixels: sides are 1…16,383",
        format: WebPDecoder.type)
    }
  }
}
