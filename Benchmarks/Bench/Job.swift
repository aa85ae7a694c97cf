// What is timed on one input: decoding into each layout, and encoding what came out; our own code and the peers side by
// side. Before the clock starts, all of them must have given the same pixels.

import CodecPeers
import ImageCore
import PNGCodec

/// A kind of work.
enum Operation: String, CaseIterable {
  /// Decode to straight RGBA of 8 bits.
  case rgba8 = "decode-rgba8"
  /// Decode to the samples of the file.
  case natural = "decode-natural"
  /// Encode the samples of the file.
  case encode
  /// Encode the samples of the file as a progressive JPEG.
  case encodeProgressive = "encode-progressive"
  /// Encode the samples of the file as a PNG at the fastest level; zlib's level takes the part of the peer.
  case encodeFastest = "encode-fastest"
  /// The same at the level for small files.
  case encodeSmall = "encode-small"
  /// Decode all frames of a GIF to palette indices.
  case indices = "decode-indices"
  /// Decode all frames of a GIF and compose them.
  case frames = "decode-frames"
  /// Read an SVG and draw it 512 pixels wide.
  case draw512 = "draw-512"
  /// Read an SVG and draw it 2048 pixels wide.
  case draw2048 = "draw-2048"
}

/// One row of the table, or two with a peer.
struct JobResult {
  var input: String
  var operation: Operation
  var pixelCount: Int
  var ours: Times
  /// Ours in bytes, for an encoder.
  var encodedByteCount: Int?
  var peer: (name: String, times: Times, encodedByteCount: Int?)?

  /// Our time as a part of the peer's: the median of the rounds' ratios.
  var ratio: Double? {
    peer.map { zip(ours.samples, $0.times.samples).map { $0 / $1 }.median }
  }
}

/// Something that must not be timed.
struct BenchError: Error, CustomStringConvertible {
  var description: String
}

/// Work on one input.
struct Job {
  var input: BenchInput
  var operation: Operation
  var peer: (any Peer)?
  var framePeer: (any FramePeer)?
  var drawingPeer: (any DrawingPeer)?
  var measurement: Measurement
  /// How encoders and peers encode; progressive where the operation says so.
  var settings: PeerSettings
  /// Whether decoders get no memory of an earlier picture.
  var isFresh: Bool

  /// Checks, then times; `nil` when there is nobody to do it.
  func run() throws -> JobResult? {
    if input.format == "gif" { return try FrameJob(job: self)?.run() }
    if input.format == "svg" { return try DrawingJob(job: self)?.run() }
    guard let decoder = Codecs.decoder(input.format) else { return nil }
    switch operation {
    case .rgba8, .natural: return try decode(decoder)
    case .encode, .encodeProgressive: return try encode(decoder)
    case .encodeFastest: return try encode(decoder, level: .fastest)
    case .encodeSmall: return try encode(decoder, level: .small)
    case .indices, .frames, .draw512, .draw2048: return nil
    }
  }

  private func decode(_ decoder: any ImageFormatDecoder) throws -> JobResult {
    let layout: PixelLayout = operation == .rgba8 ? .rgba8 : .natural
    let options = DecodingOptions(
      pixelFormat: layout == .rgba8 ? .rgba8 : nil, orientation: .report, limits: .unlimited)
    let bytes = input.bytes
    var bitmap = Bitmap()
    let details = try decoder.decode(bytes.span, into: &bitmap, options: options)
    guard details.isComplete else { throw BenchError(description: "\(input.name) is damaged") }
    var contenders = [
      Contender(name: "ours") {
        if isFresh { bitmap = Bitmap() }
        _ = try decoder.decode(bytes.span, into: &bitmap, options: options)
      }
    ]
    var picture = PeerPicture()
    if let peer {
      peer.decode(bytes, as: layout, into: &picture)
      guard picture == bitmap else {
        throw BenchError(description: "\(peer.name) gives other pixels for \(input.name)")
      }
      contenders.append(
        Contender(name: peer.name) {
          if isFresh { picture = PeerPicture() }
          peer.decode(bytes, as: layout, into: &picture)
        })
    }
    let pixelCount = bitmap.width * bitmap.height
    let times = try measurement.time(contenders)
    return JobResult(
      input: input.name, operation: operation, pixelCount: pixelCount, ours: times[0],
      peer: peer.map { ($0.name, times[1], nil) })
  }
}

extension PeerPicture {
  /// The pixels of a bitmap.
  init(_ bitmap: Bitmap) {
    self.init(
      width: bitmap.width, height: bitmap.height, samplesPerPixel: bitmap.format.samplesPerPixel,
      bitsPerSample: bitmap.format.bitsPerSample, pixels: bitmap.packedPixels)
  }

  /// Whether size, layout or a sample differs.
  static func != (picture: PeerPicture, bitmap: Bitmap) -> Bool { !(picture == bitmap) }

  /// Whether size, layout and every sample are the same.
  static func == (picture: PeerPicture, bitmap: Bitmap) -> Bool {
    picture.width == bitmap.width && picture.height == bitmap.height
      && picture.samplesPerPixel == bitmap.format.samplesPerPixel
      && picture.bitsPerSample == bitmap.format.bitsPerSample && picture.pixels == bitmap.packedPixels
  }
}
