// One plane of samples. 8-bit samples are stored as bytes, deeper ones as 16-bit words. Code that reads a plane tests
// `isWide` once per row.

public import ImageCoding

/// A rectangle of samples of one component, with rows from top to bottom.
///
/// Planes have value semantics. Copies share memory until one of them is modified.
public struct SamplePlane: Hashable, Sendable {
  /// The number of samples per row.
  public let width: Int
  /// The number of rows.
  public let height: Int
  /// The bits per sample, 8…16.
  public let bitDepth: Int
  /// The number of samples from one row to the next; at least ``width``.
  public let stride: Int
  private var narrowSamples: [UInt8]
  private var wideSamples: [UInt16]

  /// Creates a plane of equal samples, whose memory is charged to `budget`.
  ///
  /// - Parameters:
  ///   - width: the width in pixels.
  ///   - height: the height in pixels.
  ///   - bitDepth: the bits per sample, 8…16.
  ///   - stride: the number of samples from one row to the next; `nil` for rows without padding.
  ///   - value: the value of all samples.
  ///   - budget: charged with memory and work before they are spent.
  /// - Throws: `CodecError.Kind.limitExceeded`; `CodecError.Kind.unsupported` for other depths;
  ///   `CodecError.Kind.invalidArgument` for a negative size, a stride less than the width, or a value that exceeds
  ///   the depth.
  public init(
    width: Int, height: Int, bitDepth: Int, stride: Int? = nil, filledWith value: UInt16 = 0,
    budget: inout ResourceBudget
  ) throws(CodecError) {
    try Self.check(bitDepth: bitDepth, format: budget.format)
    let stride = stride ?? width
    guard width >= 0, height >= 0, stride >= width, Int(value) >> bitDepth == 0 else {
      throw CodecError(.invalidArgument, "the size or the value of a plane is out of range", format: budget.format)
    }
    let isWide = bitDepth > 8
    try budget.allocatePixels(width: stride, height: height, bytesPerPixel: isWide ? 2 : 1)
    (self.width, self.height, self.bitDepth, self.stride) = (width, height, bitDepth, stride)
    let count = stride * height
    narrowSamples = isWide ? [] : [UInt8](repeating: UInt8(truncatingIfNeeded: value), count: count)
    wideSamples = isWide ? [UInt16](repeating: value, count: count) : []
  }

  /// Creates a plane from existing 8-bit samples.
  ///
  /// - Throws: `CodecError.Kind.invalidArgument` unless `samples` contains `height` rows that are `stride` samples
  ///   apart.
  public init(width: Int, height: Int, stride: Int? = nil, samples: [UInt8]) throws(CodecError) {
    let stride = stride ?? width
    try Self.check(width: width, height: height, stride: stride, sampleCount: samples.count)
    (self.width, self.height, self.bitDepth, self.stride) = (width, height, 8, stride)
    narrowSamples = samples
    wideSamples = []
  }

  /// Creates a plane from existing samples of 9…16 bits. Samples that exceed the depth are clamped.
  ///
  /// - Throws: `CodecError.Kind.invalidArgument` unless `samples` contains `height` rows that are `stride` samples
  ///   apart; `CodecError.Kind.unsupported` for other depths.
  public init(
    width: Int, height: Int, bitDepth: Int, stride: Int? = nil, samples: [UInt16]
  ) throws(CodecError) {
    try Self.check(bitDepth: bitDepth, format: nil)
    guard bitDepth > 8 else { throw CodecError(.invalidArgument, "samples of 8 bits must be passed as bytes") }
    let stride = stride ?? width
    try Self.check(width: width, height: height, stride: stride, sampleCount: samples.count)
    (self.width, self.height, self.bitDepth, self.stride) = (width, height, bitDepth, stride)
    narrowSamples = []
    wideSamples = samples
    if bitDepth < 16 { clampWideSamples() }
  }

  private static func check(bitDepth: Int, format: AssetType?) throws(CodecError) {
    guard (8...16).contains(bitDepth) else {
      throw CodecError(.unsupported, "planes of \(bitDepth) bits are not supported", format: format)
    }
  }

  private static func check(width: Int, height: Int, stride: Int, sampleCount: Int) throws(CodecError) {
    let (count, overflow) = stride.multipliedReportingOverflow(by: height)
    guard width >= 0, height >= 0, stride >= width, !overflow, count == sampleCount else {
      throw CodecError(.invalidArgument, "the samples do not fill a plane of \(width) × \(height)")
    }
  }

  private mutating func clampWideSamples() {
    let maximum = UInt16(truncatingIfNeeded: maximumValue)
    var samples = wideSamples.mutableSpan
    for index in samples.indices where samples[index] > maximum { samples[index] = maximum }
  }

  /// Whether samples are stored in 16-bit words.
  public var isWide: Bool { bitDepth > 8 }
  /// The maximum sample value: 2ⁿ − 1.
  public var maximumValue: Int { 1 << bitDepth - 1 }
}

extension SamplePlane {
  /// All samples of an 8-bit plane, with rows ``stride`` samples apart; empty if the plane is wide.
  public var narrow: Span<UInt8> {
    @_lifetime(borrow self)
    get { narrowSamples.span }
  }

  /// All samples of a wide plane, with rows ``stride`` samples apart; empty if its samples have 8 bits.
  public var wide: Span<UInt16> {
    @_lifetime(borrow self)
    get { wideSamples.span }
  }

  /// Mutable access to all samples of an 8-bit plane, with rows ``stride`` samples apart; empty if the plane is wide.
  public var mutableNarrow: MutableSpan<UInt8> {
    @_lifetime(&self)
    mutating get { narrowSamples.mutableSpan }
  }

  /// Mutable access to all samples of a wide plane, with rows ``stride`` samples apart; empty if its samples have 8
  /// bits. Values must not exceed ``maximumValue``.
  public var mutableWide: MutableSpan<UInt16> {
    @_lifetime(&self)
    mutating get { wideSamples.mutableSpan }
  }

  /// Returns one row of an 8-bit plane.
  @_lifetime(borrow self)
  public func narrowRow(_ y: Int) -> Span<UInt8> {
    precondition(!isWide && y >= 0 && y < height, "the row is out of range or does not have 8-bit samples")
    return narrowSamples.span.extracting(y * stride..<y * stride + width)
  }

  /// Returns one row of a wide plane.
  @_lifetime(borrow self)
  public func wideRow(_ y: Int) -> Span<UInt16> {
    precondition(isWide && y >= 0 && y < height, "the row is out of range or has 8-bit samples")
    return wideSamples.span.extracting(y * stride..<y * stride + width)
  }

  /// Returns mutable access to one row of an 8-bit plane.
  @_lifetime(&self)
  public mutating func mutableNarrowRow(_ y: Int) -> MutableSpan<UInt8> {
    precondition(!isWide && y >= 0 && y < height, "the row is out of range or does not have 8-bit samples")
    return narrowSamples.mutableSpan._consumingExtracting(y * stride..<y * stride + width)
  }

  /// Returns mutable access to one row of a wide plane. Values must not exceed ``maximumValue``.
  @_lifetime(&self)
  public mutating func mutableWideRow(_ y: Int) -> MutableSpan<UInt16> {
    precondition(isWide && y >= 0 && y < height, "the row is out of range or has 8-bit samples")
    return wideSamples.mutableSpan._consumingExtracting(y * stride..<y * stride + width)
  }

  /// The sample in column `x` of row `y`. Slow; intended for tests and tools.
  public subscript(x: Int, y: Int) -> UInt16 {
    precondition(x >= 0 && x < width, "the column is out of range")
    return isWide ? wideRow(y)[x] : UInt16(narrowRow(y)[x])
  }
}
