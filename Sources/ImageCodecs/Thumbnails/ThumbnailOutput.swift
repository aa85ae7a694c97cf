// The last stage: a bitmap, or a JPEG file if nothing remains to be done but encoding.

internal import ImageCoding
internal import JPEGCodec

/// Collects rows in a bitmap, or encodes them as they arrive.
final class ThumbnailOutput: ImageRowSink {
  /// The result: a bitmap, or a JPEG file and the size of its image.
  enum Content {
    case bitmap(Bitmap)
    case file([UInt8], PixelSize)

    /// The bitmap; empty if the rows were encoded.
    var bitmap: Bitmap {
      if case .bitmap(let bitmap) = self { bitmap } else { Bitmap() }
    }
  }

  private let encoder: JPEGEncoder?
  private let orientation: ImageOrientation
  private var pool: BufferPool?
  private var size = PixelSize(width: 0, height: 0)
  private var bitmap = Bitmap()
  private var rows: JPEGRowEncoder?
  private var y = 0

  init(encoder: JPEGEncoder?, orientation: ImageOrientation) {
    self.encoder = encoder
    self.orientation = orientation
  }

  deinit {
    pool.recycle(&bitmap)
  }

  func begin(_ image: StreamedImage, budget: inout ResourceBudget) throws(CodecError) {
    pool = budget.bufferPool
    size = PixelSize(width: image.width, height: image.height)
    if let encoder, image.format.sampleType == .uint8, !image.format.hasAlpha {
      budget.allowWork(
        forPixelCount: image.width.multipliedReportingOverflow(by: image.height).partialValue)
      rows = try JPEGRowEncoder(
        width: image.width, height: image.height, format: image.format, options: encoder.options,
        colorSpace: image.colorSpace, orientation: orientation, budget: &budget)
      return
    }
    try bitmap.reset(
      width: image.width, height: image.height, format: image.format, budget: &budget)
    bitmap.zeroPixels(rows: 0..<image.height)
    bitmap.colorSpace = image.colorSpace
  }

  func append(_ row: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) {
    if rows != nil {
      try rows?.append(row, budget: &budget)
    } else if y < bitmap.height {
      var target = bitmap.mutableRow(y)
      copyBytes(row, into: &target)
      y += 1
    }
  }

  /// Returns what has been collected, once.
  func finish(budget: inout ResourceBudget) throws(CodecError) -> Content {
    guard var encoder = rows else {
      defer { bitmap = Bitmap() }
      return .bitmap(bitmap)
    }
    rows = nil
    return .file(try encoder.finish(budget: &budget), size)
  }
}
