// The state shared by all stages of a decode, apart from the input and the pixels.

public import ImageCore

/// The context of one decode: its options, budget and diagnostics. It is passed `inout` through all stages of a decode,
/// to decoders of coded pictures too.
public struct DecodingContext: ~Copyable {
  /// The caller's options.
  public let options: DecodingOptions
  /// The format that errors refer to.
  public private(set) var format: AssetType
  /// The resources that remain.
  public var budget: ResourceBudget
  /// The defects found so far, at most a hundred of them.
  public private(set) var diagnostics: [ImageDiagnostic] = []
  /// The number of diagnostics that were dropped.
  private var droppedDiagnosticCount = 0
  /// The delivery of rows, unless they are collected in a bitmap.
  package var delivery: RowDelivery?

  /// The maximum number of diagnostics kept; further ones would add nothing new.
  package static let maximumDiagnosticCount = 100

  /// Creates a context that spends a budget, which ``takeBudget()`` returns.
  package init(_ options: DecodingOptions, format: AssetType, budget: consuming ResourceBudget) {
    self.options = options
    self.format = format
    self.budget = budget
  }

  /// Creates a context with its own budget, that of the options.
  public init(_ options: DecodingOptions, format: AssetType) {
    self.init(options, format: format, budget: ResourceBudget(options, format: format))
  }

  /// Ends the decode and returns its budget.
  package consuming func takeBudget() -> ResourceBudget { budget }

  /// States the format that errors refer to, once it is known which of the decoder's formats the file has.
  package mutating func identify(as type: AssetType) {
    format = type
    budget.format = type
  }

  /// The limits in the options.
  package var limits: DecodingLimits { options.limits }
  /// Whether violations of the format are errors.
  public var isStrict: Bool { options.tolerance == .strict }

  /// Records a diagnostic. The byte offset is relative to the input of the stage that notes it.
  public mutating func note(
    _ severity: ImageDiagnostic.Severity, _ reason: String, byteOffset: Int? = nil, frame: Int? = nil
  ) {
    guard diagnostics.count < Self.maximumDiagnosticCount else {
      droppedDiagnosticCount += 1
      return
    }
    diagnostics.append(ImageDiagnostic(severity, reason, byteOffset: byteOffset, frame: frame))
  }

  /// Records a diagnostic unless one with the same reason has been recorded.
  package mutating func noteOnce(_ severity: ImageDiagnostic.Severity, _ reason: String, byteOffset: Int?) {
    if !diagnostics.contains(where: { $0.reason == reason }) { note(severity, reason, byteOffset: byteOffset) }
  }

  /// Takes over the diagnostics of a decode of the whole input, which has counted those that it dropped.
  mutating func adopt(_ diagnostics: [ImageDiagnostic]) {
    self.diagnostics += diagnostics
  }

  /// Records the diagnostics of a nested decode.
  package mutating func note(_ others: [ImageDiagnostic]) {
    for other in others {
      note(other.severity, other.reason, byteOffset: other.byteOffset, frame: other.frame)
    }
  }

  /// Decodes a part whose byte offsets are relative to its own start, so that its diagnostics lose them. If it fails,
  /// its only diagnostic is the error.
  package mutating func decodePart<Result>(
    _ decode: (inout DecodingContext) throws(CodecError) -> Result
  ) throws(CodecError) -> Result {
    let count = diagnostics.count
    do throws(CodecError) {
      let result = try decode(&self)
      for index in count..<diagnostics.count {
        let old = diagnostics[index]
        diagnostics[index] = ImageDiagnostic(old.severity, old.reason, frame: old.frame)
      }
      return result
    } catch {
      diagnostics.removeLast(diagnostics.count - count)
      throw error
    }
  }

  /// Throws a violation of the format in strict mode; otherwise records it as a diagnostic.
  ///
  /// - Throws: the error.
  public mutating func tolerate(_ error: CodecError, as severity: ImageDiagnostic.Severity) throws(CodecError) {
    if isStrict { throw error }
    note(severity, error.reason, byteOffset: error.byteOffset)
  }

  /// As ``tolerate(_:as:)``, for violations that may recur throughout the image: only the first of its kind is
  /// recorded.
  package mutating func tolerateOnce(_ error: CodecError, as severity: ImageDiagnostic.Severity) throws(CodecError) {
    if isStrict { throw error }
    noteOnce(severity, error.reason, byteOffset: error.byteOffset)
  }

  /// Whether a diagnostic says that pixels are missing or wrong.
  package var foundDamage: Bool { diagnostics.contains { $0.severity == .damage } }

  /// All diagnostics, followed by a count of those that were dropped, if any.
  package var allDiagnostics: [ImageDiagnostic] {
    guard droppedDiagnosticCount > 0 else { return diagnostics }
    return diagnostics + [ImageDiagnostic(.warning, "\(droppedDiagnosticCount) more diagnostics were dropped")]
  }
}

// MARK: Streaming

extension DecodingContext {
  /// Directs rows to a sink.
  package mutating func stream(to sink: any ImageRowSink) {
    delivery = RowDelivery(sink)
  }

  /// Whether rows go to a sink.
  package var isStreaming: Bool { delivery != nil && options.region == nil }

  /// Checks the number of pixels of an image whose rows are written from top to bottom, before anything is allocated
  /// for it.
  package func checkSize(
    width: Int, height: Int, format: PixelFormat, byteOffset: Int
  ) throws(CodecError) {
    if isStreaming {
      try budget.checkSourceSize(width: width, height: height, byteOffset: byteOffset)
    } else {
      _ = try limits.checkedByteCount(
        width: width, height: height, bytesPerPixel: format.bytesPerPixel, format: self.format, byteOffset: byteOffset)
    }
  }

  /// Resizes a bitmap to an image whose rows are written from top to bottom in the requested format, and
  /// attaches the colour space. If rows are streamed, the bitmap holds only those between two calls of
  /// ``deliverRows(of:upTo:)``.
  ///
  /// - Parameters:
  ///   - natural: the image's own format.
  ///   - bandRowCount: the maximum number of rows written between two calls.
  ///   - colorSpace: what the samples mean in the image's own format.
  package mutating func prepareRows(
    of bitmap: inout Bitmap, size: PixelSize, natural: PixelFormat, bandRowCount: Int, colorSpace: ColorSpace,
    byteOffset: Int? = nil
  ) throws(CodecError) {
    let format = options.pixelFormat ?? natural
    if isStreaming {
      try bitmap.resetWindow(
        width: size.width, height: size.height, heldRowCount: bandRowCount, format: format, budget: &budget)
    } else {
      try bitmap.reset(
        width: size.width, height: size.height, format: format, budget: &budget, byteOffset: byteOffset)
    }
    bitmap.colorSpace = colorSpace.applying(from: natural, to: format)
  }

  /// Passes final rows on to the sink, if there is one.
  ///
  /// - Parameter end: the number of final rows from the top.
  package mutating func deliverRows(of bitmap: inout Bitmap, upTo end: Int) throws(CodecError) {
    guard bitmap.isWindow else { return }
    try delivery?.deliver(&bitmap, upTo: end, budget: &budget)
  }

  /// Passes all remaining rows on to the sink.
  package mutating func finishRows(of bitmap: inout Bitmap) throws(CodecError) {
    try delivery?.finish(&bitmap, budget: &budget)
  }

  /// Passes on a row that is final once the window of streamed rows is full.
  package mutating func deliver(_ bitmap: inout Bitmap, fullWindowAt y: Int) throws(CodecError) {
    try delivery?.deliver(&bitmap, fullWindowAt: y, budget: &budget)
  }
}
