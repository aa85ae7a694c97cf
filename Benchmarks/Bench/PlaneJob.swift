// The bitstream decoding of one HEIC, AVIF or H.264 image file: all coded pictures of its primary image, without the container.

import CodecPeers
import ISOMediaCodec
import ImageCoding
import PixelPlanes

/// The pictures of one file.
struct PlaneJob {
  private let job: Job
  private let pictures: [PeerCodedPicture]
  private let decoder: any CodedPictureDecoder
  private let options = DecodingOptions(limits: .unlimited)

  /// Reads the tables of a file. Returns `nil` if its format has no coded pictures.
  init?(job: Job) throws {
    guard let decoder = Codecs.pictureDecoder(job.input.format) else { return nil }
    self.job = job
    self.decoder = decoder
    let file = job.input.bytes
    pictures = try HEIFContainer(parsing: file.span, limits: .unlimited).codedPictures(in: file.span).map {
      PeerCodedPicture(configuration: $0.configuration, payload: $0.payload)
    }
  }

  /// Compares the planes, then measures.
  func run() throws -> JobResult? {
    var pixelCount = 0
    for picture in pictures {
      let planes = try decode(picture)
      pixelCount += planes.width * planes.height
      guard let peer = job.planePeer else { continue }
      guard planes.rawPlanes() == peer.planes(picture) else {
        throw BenchError(description: "\(peer.name) decodes \(job.input.name) to different planes")
      }
    }
    var contenders = [Contender(name: "ours") { for picture in pictures { _ = try decode(picture) } }]
    if let peer = job.planePeer {
      contenders.append(Contender(name: peer.name) { for picture in pictures { peer.decode(picture) } })
    }
    let times = try job.measurement.time(contenders)
    return JobResult(
      input: job.input.name, operation: job.operation, pixelCount: pixelCount, ours: times[0],
      peer: job.planePeer.map { ($0.name, times[1], nil) })
  }

  private func decode(_ picture: PeerCodedPicture) throws -> PlanarPicture {
    var context = DecodingContext(options, format: ISOMediaDecoder.heic)
    return try decoder.decode(
      CodedPicture(configuration: picture.configuration.span, payload: picture.payload.span), context: &context
    ).picture
  }
}
