// The compressors of image data behind one interface: zlib in one stream or in pieces, and the fast one.

internal import ByteCompression
internal import ImageCoding

/// A zlib stream being written.
struct ImageDataCompressor {
  private let zlib: DeflateStream?
  private var fast: FastDeflateStream?
  private var pieces: PiecewiseDeflate?

  /// Opens a stream.
  ///
  /// - Parameters:
  ///   - isFiltered: whether predictors are applied to the rows.
  ///   - byteCount: the number of bytes to be compressed.
  init(_ options: PNGEncoder.Options, isFiltered: Bool, byteCount: Int) {
    let strategy: DeflateStream.Strategy = isFiltered ? .filtered : .standard
    let isParallel = options.parallelism > 1 && byteCount >= 2 * PiecewiseDeflate.pieceByteCount
    switch options.compressor {
    case .fast:
      (zlib, fast, pieces) = (nil, FastDeflateStream(byteCount: byteCount), nil)
    case .zlib where isParallel:
      let pieces = PiecewiseDeflate(
        level: options.compressionLevel, strategy: strategy, byteCount: byteCount, parallelism: options.parallelism)
      (zlib, fast, self.pieces) = (nil, nil, pieces)
    case .zlib:
      (zlib, fast, pieces) = (DeflateStream(level: options.compressionLevel, strategy: strategy), nil, nil)
    }
  }

  /// The number of bytes held of the output not taken yet; 0 if it is compressed in pieces at the end.
  var outputByteCount: Int { zlib?.outputByteCount ?? fast?.outputByteCount ?? 0 }

  /// Returns the bytes of the stream since the last call.
  mutating func takeOutput() -> [UInt8] { fast?.takeOutput() ?? zlib?.takeOutput() ?? [] }

  /// Compresses bytes. Returns `false` if zlib fails to allocate memory.
  mutating func append(_ bytes: Span<UInt8>) -> Bool {
    fast?.append(bytes)
    pieces?.append(bytes)
    return zlib?.append(bytes) ?? true
  }

  /// Ends the stream and returns what has not been taken of it; `nil` if zlib failed.
  mutating func finish() -> [UInt8]? {
    if fast != nil { return fast?.finish() }
    return pieces.map { $0.finish() } ?? zlib?.finish()
  }
}
