// Operations on encoders: we and the peer encode the image of a file.

import CodecPeers
import ImageCoding
import PNGCodec

extension Job {
  /// Encodes the content of the file. For PNG, the peer's file must decode to the same pixels; for JPEG, it must be
  /// equal to ours byte for byte. WebP is coded as the file is; libwebp does not keep the colours of invisible pixels.
  func encode(_ decoder: any ImageFormatDecoder) throws -> JobResult? {
    var settings = settings
    settings.isProgressive = operation == .encodeProgressive
    settings.isLossless = try input.format == "webp" && decoder.info(input.bytes.span).coding == "VP8L"
    guard let encoder = Codecs.encoder(input.format, settings) else { return nil }
    let options = DecodingOptions(orientation: .report, limits: .unlimited)
    var bitmap = try decoder.decode(input.bytes.span, options: options).bitmap
    bitmap.orientation = .up
    bitmap.colorSpace = .unspecified
    let encoded = try encoder.encode(bitmap)
    let isLossy = input.format == "jpg" || (input.format == "webp" && !settings.isLossless)
    if !isLossy, PeerPicture(try decoder.decode(encoded.span, options: options).bitmap) != bitmap {
      throw BenchError(description: "encoding \(input.name) does not preserve its pixels")
    }
    var contenders = [Contender(name: "ours") { _ = try encoder.encode(bitmap) }]
    let picture = PeerPicture(bitmap)
    let theirs = peer?.encode(picture, as: settings)
    if let peer, let theirs {
      if input.format == "jpg", theirs != encoded {
        throw BenchError(description: "\(peer.name) encodes \(input.name) to different bytes")
      }
      if !isLossy, input.format != "webp",
        PeerPicture(try decoder.decode(theirs.span, options: options).bitmap) != bitmap
      {
        throw BenchError(description: "\(peer.name) encodes \(input.name) to different pixels")
      }
      contenders.append(Contender(name: peer.name) { _ = peer.encode(picture, as: settings) })
    }
    let times = try measurement.time(contenders)
    return JobResult(
      input: input.name, operation: operation, pixelCount: bitmap.width * bitmap.height, ours: times[0],
      encodedByteCount: encoded.count,
      peer: times.count > 1 ? peer.map { ($0.name, times[1], theirs?.count) } : nil)
  }

  /// Encodes the content of a PNG at a level, alternating with our encoder at the zlib level of the settings.
  func encode(_ decoder: any ImageFormatDecoder, level: PNGEncoder.Options.Level) throws -> JobResult? {
    guard input.format == "png" else { return nil }
    let options = DecodingOptions(orientation: .report, limits: .unlimited)
    let bitmap = try decoder.decode(input.bytes.span, options: options).bitmap
    let encoder = PNGEncoder(options: .init(level: level))
    var plain = PNGEncoder(options: .init(compressionLevel: settings.effort))
    plain.options.reducesColors = encoder.options.reducesColors
    let encoded = try encoder.encode(bitmap)
    let again = try decoder.decode(
      encoded.span, options: DecodingOptions(pixelFormat: bitmap.format, orientation: .report, limits: .unlimited))
    guard PeerPicture(again.bitmap) == bitmap else {
      throw BenchError(description: "encoding \(input.name) does not preserve its pixels")
    }
    let times = try measurement.time([
      Contender(name: level.rawValue) { _ = try encoder.encode(bitmap) },
      Contender(name: "default") { _ = try plain.encode(bitmap) },
    ])
    return JobResult(
      input: input.name, operation: operation, pixelCount: bitmap.width * bitmap.height, ours: times[0],
      encodedByteCount: encoded.count,
      peer: ("ours, level \(settings.effort)", times[1], try plain.encode(bitmap).count))
  }
}
