// Where decoded rows go when they are not collected in a bitmap.

/// Receives the rows of an image from top to bottom as they are decoded, so that the image need not be held in memory.
///
/// Rows arrive as stored: ``DecodingOptions/orientation`` does not apply, because some formats state the orientation after
/// the pixels. ``DecodingDetails`` has it. Images that cannot be decoded from top to bottom, such as interlaced and
/// progressive ones, are decoded to a bitmap first.
public protocol ImageRowSink: AnyObject {
  /// Prepares for the rows of an image. Called once, before the first row.
  func begin(_ image: StreamedImage) throws(CodecError)

  /// Receives the next row: `image.width` pixels of `image.format`, without padding. 16-bit samples are native-endian.
  func append(_ row: Span<UInt8>) throws(CodecError)
}

/// A sink whose memory counts as memory of the decode that feeds it.
package protocol ChargedRowSink: ImageRowSink {
  /// The number of bytes that the sink holds, all of them allocated when the image began.
  var heldByteCount: Int { get }
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
  /// The bytes held by the sink that have not been charged to the decode yet.
  private var unchargedByteCount = 0

  package init(_ sink: any ImageRowSink) {
    self.sink = sink
  }

  /// Passes on the rows up to `end`, which are final, and moves a window past them.
  mutating func deliver(_ bitmap: inout Bitmap, upTo end: Int) throws(CodecError) {
    if !hasBegun {
      hasBegun = true
      try sink.begin(
        StreamedImage(
          width: bitmap.width, height: bitmap.height, format: bitmap.format, colorSpace: bitmap.colorSpace))
      unchargedByteCount = (sink as? any ChargedRowSink)?.heldByteCount ?? 0
    }
    guard end > deliveredRowCount else { return }
    for y in deliveredRowCount..<end { try sink.append(bitmap.row(y)) }
    deliveredRowCount = end
    if bitmap.isWindow { bitmap.moveHeldRows(to: end) }
  }

  /// Charges the memory of the sink, once.
  mutating func chargeSink(to budget: inout ResourceBudget) throws(CodecError) {
    let byteCount = unchargedByteCount
    unchargedByteCount = 0
    if byteCount > 0 { try budget.allocate(byteCount) }
  }

  /// Passes on a row that is final once the window is full.
  package mutating func deliver(_ bitmap: inout Bitmap, fullWindowAt y: Int) throws(CodecError) {
    if bitmap.isWindow, y + 1 == bitmap.heldRows.upperBound { try deliver(&bitmap, upTo: y + 1) }
  }

  /// Passes on the remaining rows. Rows below a window are zero.
  mutating func finish(_ bitmap: inout Bitmap) throws(CodecError) {
    try deliver(&bitmap, upTo: min(bitmap.heldRows.upperBound, bitmap.height))
    guard deliveredRowCount < bitmap.height else { return }
    let zeros = [UInt8](repeating: 0, count: bitmap.width * bitmap.format.bytesPerPixel)
    while deliveredRowCount < bitmap.height {
      try sink.append(zeros.span)
      deliveredRowCount += 1
    }
  }
}
