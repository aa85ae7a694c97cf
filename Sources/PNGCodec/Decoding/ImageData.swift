// The decoder of the image data, which depends on where its rows go.

internal import ImageCoding

/// The image data being decoded.
enum ImageData {
  /// Rows are written to the bitmap, or to the window of one, as they are read.
  case rows(ImageDataDecoder)
  /// The passes of an interlaced image are searched, and their rows decoded once all are there.
  case passes(InterlacedRows)

  /// Whether all rows are there.
  var isImageComplete: Bool {
    switch self {
    case .rows(let decoder): decoder.isImageComplete
    case .passes(let rows): rows.isImageComplete
    }
  }

  /// Whether any row is there.
  var hasPixels: Bool {
    switch self {
    case .rows(let decoder): decoder.hasPixels
    case .passes(let rows): rows.hasPixels
    }
  }

  /// The number of final rows of the image, counted from the top.
  var completedRowCount: Int {
    switch self {
    case .rows(let decoder): decoder.completedRowCount
    case .passes(let rows): rows.completedRowCount
    }
  }

  /// The number of complete passes of an interlaced image, including empty ones.
  var completedPassCount: Int {
    switch self {
    case .rows(let decoder): decoder.completedPassCount
    case .passes(let rows): rows.completedPassCount
    }
  }

  /// Whether a palette index without an entry was found.
  var sawUnknownIndex: Bool {
    switch self {
    case .rows(let decoder): decoder.sawUnknownIndex
    case .passes(let rows): rows.sawUnknownIndex
    }
  }

  /// The file offset of the bytes that are read again; `nil` if none are.
  var retainedOffset: Int? {
    switch self {
    case .rows: nil
    case .passes(let rows): rows.retainedOffset
    }
  }

  /// Returns the buffers to the pool.
  mutating func recycleBuffers(_ pool: BufferPool?) {
    switch self {
    case .rows(var decoder):
      decoder.recycleBuffers(pool)
      self = .rows(decoder)
    case .passes(var rows):
      rows.recycleBuffers(pool)
      self = .passes(rows)
    }
  }
}
