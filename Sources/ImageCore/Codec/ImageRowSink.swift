// Where decoded rows go when they are not collected in a bitmap.

/// Receives the rows of an image from top to bottom as they are decoded, so that the image need not be held in memory.
///
/// Rows arrive as stored: ``DecodingOptions/orientation`` does not apply, because some formats state the orientation after
/// the pixels. ``DecodingDetails`` has it. Images that cannot be decoded from top to bottom, such as interlaced and
/// progressive ones, are decoded to a bitmap first.
///
/// The memory and the work of a sink are those of the decode that feeds it: a sink charges them to the budget, before it
/// spends them. What it holds remains charged when the decode returns.
public protocol ImageRowSink: AnyObject {
  /// Prepares for the rows of an image. Called once, before the first row.
  ///
  /// - Parameter budget: that of the decode.
  func begin(_ image: StreamedImage, budget: inout ResourceBudget) throws(CodecError)

  /// Receives the next row: `image.width` pixels of `image.format`, without padding. 16-bit samples are native-endian.
  ///
  /// - Parameter budget: that of the decode.
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
  /// What the colour samples mean.
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

/// Passes rows from a bitmap, or from the window of one, to a sink.
package struct RowDelivery {
  private let sink: any ImageRowSink
  /// The number of rows that the sink has received.
  private(set) var deliveredRowCount = 0
  private var hasBegun = false
  /// The number of bytes that the sink holds.
  private(set) var sinkByteCount = 0

  package init(_ sink: any ImageRowSink) {
    self.sink = sink
  }

  /// Passes on the rows up to `end`, which are final, and moves a window past them.
  mutating func deliver(
    _ bitmap: inout Bitmap, upTo end: Int, budget: inout ResourceBudget
  ) throws(CodecError) {
    let heldByteCount = budget.heldByteCount
    defer { sinkByteCount += budget.heldByteCount - heldByteCount }
    if !hasBegun {
      hasBegun = true
      let image = StreamedImage(
        width: bitmap.width, height: bitmap.height, format: bitmap.format, colorSpace: bitmap.colorSpace)
      try sink.begin(image, budget: &budget)
    }
    guard end > deliveredRowCount else { return }
    for y in deliveredRowCount..<end { try sink.append(bitmap.row(y), budget: &budget) }
    deliveredRowCount = end
    if bitmap.isWindow { bitmap.moveHeldRows(to: end) }
  }

  /// Passes on a row that is final once the window is full.
  package mutating func deliver(
    _ bitmap: inout Bitmap, fullWindowAt y: Int, budget: inout ResourceBudget
  ) throws(CodecError) {
    if bitmap.isWindow, y + 1 == bitmap.heldRows.upperBound { try deliver(&bitmap, upTo: y + 1, budget: &budget) }
  }

  /// Passes on the remaining rows. Rows below a window are zero.
  mutating func finish(_ bitmap: inout Bitmap, budget: inout ResourceBudget) throws(CodecError) {
    try deliver(&bitmap, upTo: min(bitmap.heldRows.upperBound, bitmap.height), budget: &budget)
    guard deliveredRowCount < bitmap.height else { return }
    let heldByteCount = budget.heldByteCount
    defer { sinkByteCount += budget.heldByteCount - heldByteCount }
    let zeros = [UInt8](repeating: 0, count: bitmap.width * bitmap.format.bytesPerPixel)
    while deliveredRowCount < bitmap.height {
      try sink.append(zeros.span, budget: &budget)
      deliveredRowCount += 1
    }
  }
}
