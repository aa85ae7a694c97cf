// Conversion of rows as they are decoded.

package import ImageCore

/// A row sink that converts colours and passes the rows on to another sink.
///
/// An ICC profile that is broken, or is for other pixels, is ignored: the next description of the colour space applies,
/// and ``diagnostics`` says so. A sink is used for one image.
package final class ColorConvertingSink: ImageRowSink {
  private let target: ColorSpace
  private let intent: RenderingIntent
  private let compensatesBlackPoint: Bool
  private let toneMapping: ToneMapping
  private let destination: any ImageRowSink
  private var transform: ColorTransform?
  private var output: [UInt8] = []
  private var rowByteCount = 0
  private var workPerRow = 0
  /// The profiles that were ignored.
  package private(set) var diagnostics: [ImageDiagnostic] = []
  private var pool: BufferPool?

  /// Creates a sink that converts one image.
  ///
  /// - Parameters:
  ///   - target: the colour space of the rows that are passed on; see ``ColorTransform``.
  ///   - intent: the rendering intent.
  ///   - blackPointCompensation: whether the darkest colour of the source becomes that of the target.
  ///   - toneMapping: how a high dynamic range is reduced.
  ///   - destination: receives the converted rows.
  package init(
    to target: ColorSpace, intent: RenderingIntent = .perceptual, blackPointCompensation: Bool = false,
    toneMapping: ToneMapping = .bt2408, destination: any ImageRowSink
  ) {
    self.target = target
    self.intent = intent
    compensatesBlackPoint = blackPointCompensation
    self.toneMapping = toneMapping
    self.destination = destination
  }

  deinit {
    pool.recycle(&output)
  }

  /// Prepares for the rows of an image.
  ///
  /// - Parameter budget: charged with the tables and a row.
  /// - Throws: `CodecError.Kind.invalidArgument` if an image has begun before; the errors of ``ColorTransform`` that
  ///   concern the target; `CodecError.Kind.limitExceeded`; any error of the destination.
  package func begin(_ image: StreamedImage, budget: inout ResourceBudget) throws(CodecError) {
    guard transform == nil else { throw CodecError(.invalidArgument, "the sink has received another image") }
    // No row of either format has more bytes for each pixel.
    guard image.width >= 0, image.height >= 0, image.width <= Int.max / 512 else {
      throw CodecError(.limitExceeded, "a row of \(image.width) pixels exceeds the address space")
    }
    try budget.checkSourceSize(width: image.width, height: image.height)
    pool = budget.bufferPool
    let (transform, diagnostic) = try ColorTransform.ignoringBrokenProfile(
      from: image.colorSpace, format: image.format, to: target, intent: intent,
      blackPointCompensation: compensatesBlackPoint, toneMapping: toneMapping, budget: &budget)
    if let diagnostic { diagnostics.append(diagnostic) }
    rowByteCount = image.width * image.format.bytesPerPixel
    if !transform.isIdentity {
      let byteCount = image.width * transform.outputFormat.bytesPerPixel
      try budget.allocate(byteCount)
      output = budget.bufferPool.buffer(byteCount)
      budget.allowWork(forPixelCount: image.width * image.height)
      workPerRow = image.width * transform.workPerPixel
    }
    var converted = image
    converted.format = transform.outputFormat
    converted.colorSpace = transform.outputColorSpace
    try destination.begin(converted, budget: &budget)
    self.transform = transform
  }

  /// Converts the next row and passes it on.
  ///
  /// - Parameter budget: charged with the work.
  /// - Throws: `CodecError.Kind.invalidArgument` if no image has begun or the row has another length; the errors of
  ///   the budget, and any error of the destination.
  package func append(_ row: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) {
    guard let transform else { throw CodecError(.invalidArgument, "a row precedes the image's properties") }
    guard row.count == rowByteCount else {
      throw CodecError(.invalidArgument, "the row has \(row.count) bytes, not \(rowByteCount)")
    }
    guard !transform.isIdentity else { return try destination.append(row, budget: &budget) }
    try budget.chargeWork(workPerRow)
    // Moved out of the property while it is borrowed, so that nothing is copied.
    var bytes = output
    output = []
    defer { output = bytes }
    var span = bytes.mutableSpan
    transform.convert(row, into: &span)
    try destination.append(bytes.span, budget: &budget)
  }
}
