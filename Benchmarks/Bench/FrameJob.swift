// Operations on a GIF: all frames as indices, and all frames composed. The peer does not compose frames, so our
// compositor processes its indices.

import CodecPeers
import GIFCodec
import ImageCoding

/// The operations on one GIF.
struct FrameJob {
  private let job: Job
  private let bytes: [UInt8]

  /// Creates the operations of a job. `nil` if the operation applies to images of one frame.
  init?(job: Job) {
    guard job.operation == .indices || job.operation == .frames else { return nil }
    self.job = job
    bytes = job.input.bytes
  }

  /// Compares the results, then measures.
  func run() throws -> JobResult? {
    try check()
    var contenders = [Contender(name: "ours", run: job.operation == .indices ? ourIndices : ourFrames)]
    if let peer = job.framePeer {
      var indices: [[UInt8]] = []
      contenders.append(
        Contender(name: peer.name) {
          if job.operation == .indices { return peer.decodeIndices(bytes) }
          peer.decodeIndices(bytes, into: &indices)
          try compose(PeerFrames(animation: try open(), indices: indices)) { _ in }
        })
    }
    let times = try job.measurement.time(contenders)
    let animation = try open()
    let pixelCount =
      job.operation == .indices
      ? animation.frames.reduce(0) { $0 + $1.region.width * $1.region.height }
      : animation.frames.count * animation.canvasSize.width * animation.canvasSize.height
    return JobResult(
      input: job.input.name, operation: job.operation, pixelCount: pixelCount, ours: times[0],
      peer: job.framePeer.map { ($0.name, times[1], nil) })
  }

  private func open() throws -> GIFAnimation {
    let options = DecodingOptions(limits: .unlimited)
    guard let animation = try GIFAnimation(indexing: bytes, options: options, allowsSingleFrame: true) else {
      throw BenchError(description: "\(job.input.name) has no frames")
    }
    return animation
  }

  private func ourIndices() throws {
    let animation = try open()
    for index in animation.frames.indices { try animation.decodeIndices(ofFrameAt: index) { _ in } }
  }

  private func ourFrames() throws {
    try compose(try open()) { _ in }
  }

  private func compose(_ frames: any AnimationFrames, _ body: (Bitmap) -> Void) throws {
    var cursor = AnimationCursor(frames)
    while let picture = try cursor.next() { body(picture) }
  }

  /// Throws unless both compose the same images.
  private func check() throws {
    guard let peer = job.framePeer else { return }
    var indices: [[UInt8]] = []
    peer.decodeIndices(bytes, into: &indices)
    let animation = try open()
    var pictures: [Bitmap] = []
    try compose(animation) { pictures.append($0) }
    var position = 0
    var areSame = indices.count == pictures.count
    if areSame {
      try compose(PeerFrames(animation: animation, indices: indices)) {
        areSame = areSame && $0 == pictures[position]
        position += 1
      }
    }
    guard areSame else { throw BenchError(description: "\(peer.name) decodes \(job.input.name) to different pixels") }
  }
}

/// The peer's indices as input of our compositor.
private final class PeerFrames: AnimationFrames {
  private let animation: GIFAnimation
  private let indices: [[UInt8]]

  init(animation: GIFAnimation, indices: [[UInt8]]) {
    self.animation = animation
    self.indices = indices
  }

  var canvasSize: PixelSize { animation.canvasSize }
  var canvasFormat: PixelFormat { animation.canvasFormat }
  var loopCount: LoopCount { animation.loopCount }
  var frames: [AnimationFrameInfo] { animation.frames }

  var options: DecodingOptions { animation.options }

  var colorSpace: ColorSpace { animation.colorSpace }

  func draw(
    frameAt index: Int, onto canvas: inout Bitmap, budget: inout ResourceBudget
  ) throws(CodecError) -> [ImageDiagnostic] {
    let indices = indices[index]
    animation.draw(frameAt: index, indices: indices.span, onto: &canvas)
    return []
  }
}
