// Rows in the pixel format that the options request.

internal import ImageCoding

/// Converts rows to a pixel format and passes them on.
final class PixelConvertingSink: ImageRowSink {
  private let target: PixelFormat
  private let destination: any ImageRowSink
  private var converter: PixelRowConverter?
  private var output: [UInt8] = []

  init(to target: PixelFormat, destination: any ImageRowSink) {
    self.target = target
    self.destination = destination
  }

  func begin(_ image: StreamedImage, budget: inout ResourceBudget) throws(CodecError) {
    var converted = image
    converted.format = target
    converted.colorSpace = image.colorSpace.applying(from: image.format, to: target)
    converter = PixelRowConverter(from: image.format, to: target)
    let (byteCount, overflow) = image.width.multipliedReportingOverflow(by: target.bytesPerPixel)
    guard !overflow else { throw CodecError(.limitExceeded, "a row exceeds the address space") }
    try budget.allocate(byteCount)
    output = [UInt8](repeating: 0, count: byteCount)
    try destination.begin(converted, budget: &budget)
  }

  func append(_ row: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) {
    try budget.chargeWork(count: row.count, unitsEach: 2)
    // Moved out of the property while it is borrowed, so that nothing is copied.
    var bytes = output
    output = []
    defer { output = bytes }
    var span = bytes.mutableSpan
    converter?.convert(row, into: &span)
    try destination.append(bytes.span, budget: &budget)
  }
}
