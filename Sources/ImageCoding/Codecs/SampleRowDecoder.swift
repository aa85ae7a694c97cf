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
  /// Reads the shape of a stream from its headers.
  func sampleFrame(_ bytes: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) -> SampleFrame

  /// Decodes a stream.
  ///
  /// - Parameters:
  ///   - budget: charged for the memory of two rows, and for the work row by row.
  ///   - row: receives the samples of a row, from top to bottom. An error that it throws ends the decode.
  /// - Throws: ``CodecError/Kind/truncated`` or ``CodecError/Kind/malformed`` after the last intact row.
  func decodeSamples(
    _ bytes: Span<UInt8>, budget: inout ResourceBudget,
    row: (Span<UInt16>, inout ResourceBudget) throws(CodecError) -> Void
  ) throws(CodecError)
}
