// Streams of samples of up to 16 bits that other formats embed, such as the lossless JPEG of raw files.

public import ImageCore

/// The shape of a stream of samples.
public struct SampleFrame: Hashable, Sendable {
  /// The number of columns.
  public let width: Int
  /// The number of rows.
  public let height: Int
  /// The number of samples of a pixel, which are stored one after another.
  public let componentCount: Int
  /// The number of bits of a sample, at most 16.
  public let precision: Int

  /// Creates a shape.
  public init(width: Int, height: Int, componentCount: Int, precision: Int) {
    self.width = width
    self.height = height
    self.componentCount = componentCount
    self.precision = precision
  }

  /// The number of samples of a row.
  public var rowSampleCount: Int { width * componentCount }
}

/// A decoder of samples that are not colours of pixels: it neither converts nor reduces them.
public protocol SampleRowDecoder: Sendable {
  /// Reads the headers of a stream.
  ///
  /// - Parameters:
  ///   - bytes: the coded samples.
  ///   - budget: charged for the memory of the tables and rows that the reader holds.
  func makeRowReader(_ bytes: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) -> any SampleRowReader
}

/// The position in a stream of samples.
public protocol SampleRowReader: AnyObject {
  /// The shape of the stream.
  var frame: SampleFrame { get }
  /// The number of bytes charged to the budget, which the owner releases.
  var heldByteCount: Int { get }

  /// Decodes the next row.
  ///
  /// - Parameters:
  ///   - bytes: the stream from which the reader was made.
  ///   - row: receives the samples of a row, from top to bottom.
  ///   - budget: charged for the work.
  /// - Throws: `CodecError.Kind.truncated` or `CodecError.Kind.malformed` after the last intact row.
  func readRow(
    _ bytes: Span<UInt8>, into row: inout MutableSpan<UInt16>, budget: inout ResourceBudget
  ) throws(CodecError)
}
