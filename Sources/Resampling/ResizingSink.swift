// Resizing of rows as they are decoded.

public import ImageCore

/// A row sink that resizes an image while it is decoded, and keeps only the rows that the filter needs.
///
/// The finished rows are collected in a bitmap, or passed on to another sink. They equal those of
/// ``ImageCore/Bitmap/resized(toWidth:height:filter:light:budget:)``. A sink is used for one image.
public final class ResizingSink: ImageRowSink {
  private let target: PixelSize
  private let filter: ResamplingFilter
  private let light: ResamplingLight
  private let part: SourcePart?
  private let destination: (any ImageRowSink)?
  private var resampler: RowResampler?
  private var result = Bitmap()
  private var emittedRowCount = 0
  /// The bytes of the buffers, without the bitmap.
  private var bufferByteCount = 0
  private var pool: BufferPool?

  /// Creates a sink that resizes one image.
  ///
  /// - Parameters:
  ///   - width: the new width in pixels.
  ///   - height: the new height in pixels.
  ///   - filter: how new pixels are computed; ``ResamplingFilter/lanczos3`` by default.
  ///   - light: whether colour is averaged as stored or as linear light.
  ///   - destination: receives the finished rows; if it is `nil`, `finish()` returns them as a bitmap.
  public convenience init(
    toWidth width: Int, height: Int, filter: ResamplingFilter = .lanczos3, light: ResamplingLight = .encoded,
    destination: (any ImageRowSink)? = nil
  ) {
    self.init(part: nil, toWidth: width, height: height, filter: filter, light: light, destination: destination)
  }

  /// Creates a sink that resizes a part of one image, as if nothing were around it. Pixels at its edges count as far as
  /// they are inside.
  ///
  /// - Parameter part: the part; `nil` for the whole image. If it is outside the image, ``begin(_:budget:)`` throws.
  package init(
    part: SourcePart?, toWidth width: Int, height: Int, filter: ResamplingFilter, light: ResamplingLight,
    destination: (any ImageRowSink)?
  ) {
    self.part = part
    target = PixelSize(width: width, height: height)
    self.filter = filter
    self.light = light
    self.destination = destination
  }

  deinit {
    resampler?.recycleBuffers(pool)
  }

  /// Prepares for the rows of an image.
  ///
  /// - Parameters:
  ///   - image: the size and the pixel format of the rows to come.
  ///   - budget: charged with the buffers and, if it is collected, the bitmap.
  /// - Throws: `CodecError.Kind.invalidArgument` if either size is not positive or an image has begun before,
  ///   `CodecError.Kind.limitExceeded` if a limit of the budget is exceeded, and any error of the destination.
  public func begin(_ image: StreamedImage, budget: inout ResourceBudget) throws(CodecError) {
    guard resampler == nil else { throw CodecError(.invalidArgument, "the sink has received another image") }
    pool = budget.bufferPool
    let heldByteCount = budget.heldByteCount
    let resampler = try RowResampler(
      from: image, part: part, to: target, filter: filter, light: light, budget: &budget)
    bufferByteCount = budget.heldByteCount - heldByteCount
    if let destination {
      var resized = image
      resized.width = target.width
      resized.height = target.height
      try destination.begin(resized, budget: &budget)
    } else {
      try result.reset(width: target.width, height: target.height, format: image.format, budget: &budget)
      result.zeroPixels(rows: 0..<target.height)
      result.colorSpace = image.colorSpace
    }
    self.resampler = resampler
  }

  /// Receives the next row, and completes the rows that needed it.
  ///
  /// - Parameters:
  ///   - row: the pixels of one row, from left to right.
  ///   - budget: charged with the work.
  /// - Throws: `CodecError.Kind.invalidArgument` if no image has begun, the row has another length or the image has
  ///   fewer rows; `CodecError.Kind.limitExceeded`, `CodecError.Kind.cancelled` or
  ///   `CodecError.Kind.deadlineExceeded` as the budget states; and any error of the destination.
  public func append(_ row: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) {
    guard resampler != nil else { throw CodecError(.invalidArgument, "a row precedes the image's properties") }
    try resampler?.append(row, budget: &budget) { (finished: Span<UInt8>, budget) throws(CodecError) in
      if let destination {
        try destination.append(finished, budget: &budget)
      } else {
        result.fillRow(emittedRowCount, with: finished)
      }
      emittedRowCount += 1
    }
  }

  /// Returns the resized bitmap, which is empty if the rows went to a destination or the bitmap has been
  /// returned before.
  ///
  /// - Parameter budget: of the buffers; on return it holds the bitmap only.
  /// - Throws: `CodecError.Kind.invalidArgument` unless all rows have been received.
  public func finish(budget: inout ResourceBudget) throws(CodecError) -> Bitmap {
    guard let resampler, resampler.isComplete else {
      throw CodecError(
        .invalidArgument,
        "the image is incomplete: \(resampler?.rowCount ?? 0) of \(resampler?.source.height ?? 0) rows were received")
    }
    budget.release(bufferByteCount)
    bufferByteCount = 0
    let bitmap = result
    result = Bitmap()
    return bitmap
  }
}
