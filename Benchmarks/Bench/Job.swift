// The measurements of one input: decoding to each layout, and encoding the result, by our code and by the peers. All of
// them must return the same pixels before the measurement starts.

import CodecPeers
import ImageCoding
import PNGCodec

/// An operation to measure.
enum Operation: String, CaseIterable {
  /// Decode to straight 8-bit RGBA.
  case rgba8 = "decode-rgba8"
  /// Decode to the samples of the file.
  case natural = "decode-natural"
  /// Decode or draw on several threads, compared with one. Measured only on request, in wall time.
  case threads = "decode-threads"
  /// Encode the samples of the file.
  case encode
  /// Encode the samples of the file as a progressive JPEG.
  case encodeProgressive = "encode-progressive"
  /// Encode the samples of the file as a PNG at the fastest level, compared with our encoder at a zlib level.
  case encodeFastest = "encode-fastest"
  /// Encode the samples of the file as a PNG at the level for small files, compared with our encoder at a zlib level.
  case encodeSmall = "encode-small"
  /// Decode all frames of a GIF to palette indices.
  case indices = "decode-indices"
  /// Decode all frames of a GIF and compose them.
  case frames = "decode-frames"
  /// Decode the coded pictures of a HEIC file to planes.
  case planes = "decode-planes"
  /// Unpack the samples of the sensor of a DNG.
  case sensor = "unpack-sensor"
  /// Develop the sensor data of a DNG.
  case develop
  /// Convert the colours of a decoded picture to sRGB. Pictures without a profile are taken as Display P3.
  case colors = "convert-colors"
  /// Resize a decoded picture to a third of its size by Lanczos's filter.
  case resize = "resize-lanczos3"
  /// Parse an SVG and render it 512 pixels wide.
  case draw512 = "draw-512"
  /// Parse an SVG and render it 2048 pixels wide.
  case draw2048 = "draw-2048"
  /// Render an SVG 8192 pixels wide, compared with 64 renderings of a 64th of the pixels, all of which are kept.
  /// Measured only on request, because it takes half a gigabyte.
  case draw8192 = "draw-8192"

  /// Whether the operation is measured only if it is named.
  var isOnRequest: Bool { self == .threads || self == .draw8192 }
}

/// A row of the table, or two rows with a peer.
struct JobResult {
  var input: String
  var operation: Operation
  var pixelCount: Int
  var ours: Times
  /// The size of our file in bytes, for an encoder.
  var encodedByteCount: Int?
  var peer: (name: String, times: Times, encodedByteCount: Int?)?
  /// The reason for which there is no comparison with a peer that is installed.
  var rejection: PeerRejection?

  /// Our time divided by the peer's: the median of the ratios of all rounds.
  var ratio: Double? {
    peer.map { zip(ours.samples, $0.times.samples).map { $0 / $1 }.median }
  }
}

/// An error that prevents a measurement.
struct BenchError: Error, CustomStringConvertible {
  var description: String
}

/// The operations on one input.
struct Job {
  var input: BenchInput
  var operation: Operation
  var peer: (any Peer)?
  var framePeer: (any FramePeer)?
  var drawingPeer: (any DrawingPeer)?
  var planePeer: (any PlanePeer)?
  var colorPeer: LittleCMS?
  var sensorPeer: LibRaw?
  /// The Python whose Pillow is measured; `nil` for none.
  var python: String?
  var measurement: Measurement
  /// The settings of our encoders and the peers'. The operation determines whether JPEG is progressive.
  var settings: PeerSettings
  /// Whether each decode uses newly allocated memory.
  var isFresh: Bool
  /// The number of threads of the operation on several of them.
  var threadCount: Int

  /// Compares the results, then measures. Returns `nil` if no codec supports the operation.
  func run() throws -> JobResult? {
    if input.format == "gif" { return try FrameJob(job: self)?.run() }
    if input.format == "svg" { return try DrawingJob(job: self)?.run() }
    if operation == .planes { return try PlaneJob(job: self)?.run() }
    if operation == .sensor || operation == .develop { return try SensorJob(job: self)?.run() }
    if operation == .colors { return try ColorJob(job: self)?.run() }
    if operation == .resize { return try ResizeJob(job: self).run() }
    guard let decoder = Codecs.decoder(input.format) else { return nil }
    switch operation {
    case .rgba8, .natural: return try decode(decoder)
    case .threads: return try decodeOnThreads(decoder)
    case .encode, .encodeProgressive: return try encode(decoder)
    case .encodeFastest: return try encode(decoder, level: .fastest)
    case .encodeSmall: return try encode(decoder, level: .small)
    case .indices, .frames, .planes, .sensor, .develop, .colors, .resize, .draw512, .draw2048, .draw8192: return nil
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
    var rejection: PeerRejection?
    do {
      try peer?.decode(bytes, as: layout, into: &picture)
    } catch {
      rejection = error
    }
    let peer = rejection == nil ? peer : nil
    if let peer {
      // The pixels of lossy JPEG 2000 and JPEG XL are defined up to an error.
      guard picture.matches(bitmap, maximumDifference: ["jp2", "jxl"].contains(input.format) ? 1 : 0) else {
        throw BenchError(description: "\(peer.name) decodes \(input.name) to different pixels")
      }
      contenders.append(
        Contender(name: peer.name) {
          if isFresh { picture = PeerPicture() }
          try peer.decode(bytes, as: layout, into: &picture)
        })
    }
    let pixelCount = bitmap.width * bitmap.height
    let times = try measurement.time(contenders)
    return JobResult(
      input: input.name, operation: operation, pixelCount: pixelCount, ours: times[0],
      peer: peer.map { ($0.name, times[1], nil) }, rejection: rejection)
  }
}

extension PeerPicture {
  /// Creates a picture from a bitmap's pixels.
  init(_ bitmap: Bitmap) {
    self.init(
      width: bitmap.width, height: bitmap.height, samplesPerPixel: bitmap.format.samplesPerPixel,
      bitsPerSample: bitmap.format.bitsPerSample, pixels: bitmap.packedPixels)
  }

  /// Returns whether size, layout or any sample differs.
  static func != (picture: PeerPicture, bitmap: Bitmap) -> Bool { !(picture == bitmap) }

  /// Returns whether size, layout and all samples are equal.
  static func == (picture: PeerPicture, bitmap: Bitmap) -> Bool { picture.matches(bitmap, maximumDifference: 0) }

  /// Returns whether size and layout are equal, and no sample differs by more than a number of steps, which is zero
  /// unless samples are bytes.
  func matches(_ bitmap: Bitmap, maximumDifference: Int) -> Bool {
    guard width == bitmap.width, height == bitmap.height, samplesPerPixel == bitmap.format.samplesPerPixel,
      bitsPerSample == bitmap.format.bitsPerSample
    else { return false }
    let ours = bitmap.packedPixels
    if pixels == ours { return true }
    guard maximumDifference > 0, bitsPerSample == 8 else { return false }
    return zip(pixels, ours).allSatisfy { abs(Int($0) - Int($1)) <= maximumDifference }
  }
}
