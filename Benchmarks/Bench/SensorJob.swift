// The sensor data of a DNG: their unpacking, and their development to a picture.

import CodecPeers
import ImageCoding
import JPEGCodec
import RawCodec

/// The operations on one DNG.
struct SensorJob {
  private let job: Job
  private let bytes: [UInt8]
  private let decoder = RawDecoder(jpegDecoder: JPEGDecoder(), losslessJPEGDecoder: JPEGDecoder())
  private let options = DecodingOptions(orientation: .report, limits: .unlimited)

  /// The greatest mean difference of developed pictures, whose demosaicing differs, in steps of 8 bits.
  private static let maximumMeanDifference = 2.0

  /// Creates the operations of a job. `nil` if the file is no DNG.
  init?(job: Job) {
    guard job.input.format == "dng" else { return nil }
    self.job = job
    bytes = job.input.bytes
  }

  /// Compares the results, then measures.
  func run() throws -> JobResult? {
    job.operation == .sensor ? try unpack() : try develop()
  }

  private func unpack() throws -> JobResult {
    let frame = try decoder.sensorFrame(bytes.span, options: options)
    var contenders = [Contender(name: "ours") { _ = try decoder.sensorFrame(bytes.span, options: options) }]
    if let peer = job.sensorPeer {
      let theirs = peer.samples(bytes)
      guard theirs.width == frame.size.width, theirs.height == frame.size.height, theirs.samples == frame.samples else {
        throw BenchError(description: "\(peer.name) unpacks \(job.input.name) to different samples")
      }
      contenders.append(Contender(name: peer.name) { peer.unpackSamples(bytes) })
    }
    return try measure(contenders, pixelCount: frame.size.width * frame.size.height)
  }

  private func develop() throws -> JobResult {
    var bitmap = Bitmap()
    _ = try decoder.decode(bytes.span, into: &bitmap, options: options)
    let pixelCount = bitmap.width * bitmap.height
    var picture = PeerPicture()
    if let peer = job.sensorPeer {
      peer.develop(bytes, into: &picture)
      guard let difference = picture.meanDifference(from: bitmap), difference <= Self.maximumMeanDifference else {
        throw BenchError(description: "\(peer.name) develops \(job.input.name) to a different picture")
      }
    }
    var contenders = [
      Contender(name: "ours") {
        if job.isFresh { bitmap = Bitmap() }
        _ = try decoder.decode(bytes.span, into: &bitmap, options: options)
      }
    ]
    if let peer = job.sensorPeer {
      contenders.append(Contender(name: peer.name) { peer.develop(bytes, into: &picture) })
    }
    return try measure(contenders, pixelCount: pixelCount)
  }

  private func measure(_ contenders: [Contender], pixelCount: Int) throws -> JobResult {
    let times = try job.measurement.time(contenders)
    return JobResult(
      input: job.input.name, operation: job.operation, pixelCount: pixelCount, ours: times[0],
      peer: job.sensorPeer.map { ($0.name, times[1], nil) })
  }
}

extension PeerPicture {
  /// Returns the mean difference of samples of 16 bits, in steps of 8 bits; `nil` if size or layout differ.
  fileprivate func meanDifference(from bitmap: Bitmap) -> Double? {
    guard width == bitmap.width, height == bitmap.height, bitsPerSample == 16, bitmap.format == .rgb16,
      samplesPerPixel == 3
    else { return nil }
    let ours = bitmap.packedPixels
    let high = 1.littleEndian == 1 ? 1 : 0
    var sum = 0
    for index in stride(from: high, to: ours.count, by: 2) {
      let low = index ^ 1
      sum += abs((Int(ours[index]) - Int(pixels[index])) << 8 + Int(ours[low]) - Int(pixels[low]))
    }
    return Double(sum) / Double(ours.count / 2) / 257
  }
}
