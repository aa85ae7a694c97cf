// Operations on an SVG: each run parses the document and renders it at a size.

import CodecPeers
import ConformanceKit
import ImageCore
import SVGCodec

/// The operations on one drawing.
struct DrawingJob {
  /// Renderers differ along edges. A larger mean difference of all samples means that the images differ.
  private static let acceptableMean = 2.0

  /// Text uses the system's fonts, as in librsvg. They are opened once, before the measurement.
  private static let options = SVGDocument.Options(fonts: .system)

  private let job: Job
  private let bytes: [UInt8]
  private let width: Int

  /// Creates the operations of a job. `nil` if the operation applies to raster images.
  init?(job: Job) {
    switch job.operation {
    case .draw512: width = 512
    case .draw2048: width = 2048
    default: return nil
    }
    self.job = job
    bytes = job.input.bytes
  }

  /// Compares the results, then measures.
  func run() throws -> JobResult? {
    let drawn = try draw()
    let size = PixelSize(width: drawn.width, height: drawn.height)
    var contenders = [Contender(name: "ours") { _ = try draw() }]
    if let peer = job.drawingPeer {
      try check(drawn, against: peer)
      contenders.append(
        Contender(name: peer.name) { _ = peer.draw(bytes, width: size.width, height: size.height) })
    }
    let times = try job.measurement.time(contenders)
    return JobResult(
      input: job.input.name, operation: job.operation, pixelCount: size.width * size.height, ours: times[0],
      peer: job.drawingPeer.map { ($0.name, times[1], nil) })
  }

  private func draw() throws -> Bitmap {
    try SVGDocument(parsing: bytes, options: Self.options).render(width: width)
  }

  /// Throws unless both render the same image.
  private func check(_ drawn: Bitmap, against peer: any DrawingPeer) throws {
    let picture = peer.draw(bytes, width: drawn.width, height: drawn.height)
    let rgba = try Bitmap(
      width: picture.width, height: picture.height, format: PixelFormat.rgba8.premultiplied, pixels: picture.rgba)
    guard let difference = PerceptualDifference(NormalizedImage(drawn), NormalizedImage(rgba)),
      difference.mean <= Self.acceptableMean
    else { throw BenchError(description: "\(peer.name) renders \(job.input.name) differently") }
  }
}
