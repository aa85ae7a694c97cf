// Where decoded rows go when they are not collected in a bitmap.

/// Receives the rows of an image from top to bottom as they are decoded, so that the image need not be held in memory.
///
/// Rows arrive as stored: ``DecodingOptions/orientation`` does not apply, because some formats state the orientation
/// after the pixels. `DecodingDetails` has it. Images that cannot be decoded from top to bottom, such as interlaced
/// and progressive ones, are decoded to a bitmap first.
///
/// The memory and the work of a sink are those of the decode that feeds it: a sink charges them to the budget, before
/// it spends them. The memory that it holds remains charged when the decode returns.
public protocol ImageRowSink: AnyObject {
  /// Prepares for the rows of an image. Called once, before the first row.
  ///
  /// - Parameters:
  ///   - image: the size and the pixel format of the rows to come.
  ///   - budget: that of the decode.
  func begin(_ image: StreamedImage, budget: inout ResourceBudget) throws(CodecError)

  /// Receives the next row: `image.width` pixels of `image.format`, without padding. 16-bit samples are native-endian.
  ///
  /// - Parameters:
  ///   - row: the pixels of one row, from left to right.
  ///   - budget: that of the decode.
  func append(_ row: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError)
}

/// The properties of an image whose rows are streamed.
public struct StreamedImage: Hashable, Sendable {
  /// The width of a row in pixels.
  public var width: Int
  /// The number of rows.
  public var height: Int
  /// The layout of a pixel.
  public var format: PixelFormat
  /// The colour space of the samples.
  public var colorSpace: ColorSpace

  /// Creates the properties of an image.
  public init(
    width: Int, height: Int, format: PixelFormat, colorSpace: ColorSpace = .unspecified
  ) {
    self.width = width
    self.height = height
    self.format = format
    self.colorSpace = colorSpace
  }
}
