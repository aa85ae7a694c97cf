// Operations on an SVG: each run parses the document and renders it at a size.

import CodecPeers
import ConformanceKit
import ImageCoding
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
    case .draw2048, .threads: width = 2048
    case .draw8192: width = 8192
    default: return nil
    }
    self.job = job
    bytes = job.input.bytes
  }

  /// Compares the results, then measures.
  func run() throws -> JobResult? {
    switch job.operation {
    case .threads: return try compareThreads()
    case .draw8192: return try compareSizes()
    default: break
    }
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

  // MARK: Comparisons with ourselves

  /// Renders on one thread and on as many as the settings state, alternately. Times are wall times.
  private func compareThreads() throws -> JobResult? {
    let count = job.threadCount
    guard count > 1 else { return nil }
    let document = try SVGDocument(parsing: bytes, options: Self.options)
    let serial = try document.render(width: width)
    guard try document.render(width: width, parallelism: count) == serial else {
      throw BenchError(description: "\(count) threads draw \(job.input.name) differently")
    }
    return try job.compareThreads(pixelCount: serial.width * serial.height) {
      _ = try document.render(width: width, parallelism: count)
    } serial: {
      _ = try document.render(width: width)
    }
  }

  /// Renders one large bitmap and 64 smaller ones, alternately. Both take the same memory, so the times differ by what
  /// the size of a drawing costs.
  private func compareSizes() throws -> JobResult? {
    // A drawing of a second or two may exceed the work that is allowed by default.
    let document = try SVGDocument(
      parsing: bytes, limits: SVGDocument.Limits(decoding: .unlimited), options: Self.options)
    let times = try job.measurement.time([
      Contender(name: "1 drawing") { _ = try document.render(width: width) },
      Contender(name: "64 drawings") {
        var bitmaps: [Bitmap] = []
        for _ in 0..<64 { bitmaps.append(try document.render(width: width / 8)) }
      },
    ])
    let size = document.pixelSize(width: width)
    return JobResult(
      input: job.input.name, operation: job.operation, pixelCount: size.width * size.height, ours: times[0],
      peer: ("ours, 64 × \(width / 8)", times[1], nil))
  }

  // MARK: Drawing

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
