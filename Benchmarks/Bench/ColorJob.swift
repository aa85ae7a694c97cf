// The conversion of a picture's colours to sRGB.

import CodecPeers
import ImageCodecs

/// Converts the decoded pixels of one file, whose profile is known.
struct ColorJob {
  private let job: Job
  private let bitmap: Bitmap
  private let profile: [UInt8]

  /// The difference in levels from the library's exact conversion that rounding in both explains.
  private static let tolerance = 2

  /// Decodes a file to 8-bit samples without alpha. Pictures without a profile are taken as Display P3.
  ///
  /// - Returns: `nil` if the profile is not for the pixels.
  init?(job: Job) throws {
    self.job = job
    let decoder = try ImageFormatRegistry.shared.decoder(for: job.input.bytes.span)
    var bitmap = try decoder.decode(job.input.bytes.span, options: DecodingOptions(limits: .unlimited)).bitmap
    let space = bitmap.colorSpace
    switch bitmap.format.colorModel {
    case .gray: bitmap = try bitmap.converted(to: .gray8)
    case .cmyk: bitmap = try bitmap.converted(to: .cmyk8)
    default: bitmap = try bitmap.converted(to: .rgb8)
    }
    bitmap.colorSpace = space
    guard let profile = space.iccProfile ?? ColorSpace.displayP3.makeICCProfile() else { return nil }
    bitmap.colorSpace = .icc(profile)
    self.bitmap = bitmap
    self.profile = profile
  }

  /// Compares the pixels, then measures. Making the tables is not measured, as both keep them.
  func run() throws -> JobResult? {
    var budget = ResourceBudget(.unlimited)
    guard
      let transform = try? ColorTransform(
        from: bitmap.colorSpace, format: bitmap.format, to: .sRGB, intent: .relativeColorimetric, budget: &budget)
    else { return nil }
    let converted = try bitmap.converted(by: transform, budget: &budget)
    var result = converted
    var contenders = [
      Contender(name: "ours") {
        for y in 0..<bitmap.height {
          var row = result.mutableRow(y)
          transform.convert(bitmap.row(y), into: &row)
        }
      }
    ]
    let channels = bitmap.format.samplesPerPixel
    let pixels = bitmap.packedPixels
    var output = [UInt8](repeating: 0, count: pixels.count / channels * 3)
    var peerName: String?
    if let peer = job.colorPeer,
      let exact = LittleCMS.Transform(peer, profile: profile, channels: channels, isExact: true),
      let fast = LittleCMS.Transform(peer, profile: profile, channels: channels, isExact: false)
    {
      try compare(try converted.converted(to: .rgb8).packedPixels, exact, pixels, peer.name)
      peerName = peer.name
      contenders.append(Contender(name: peer.name) { fast.convert(pixels, into: &output) })
    }
    let times = try job.measurement.time(contenders)
    return JobResult(
      input: job.input.name, operation: job.operation, pixelCount: bitmap.width * bitmap.height, ours: times[0],
      peer: peerName.map { ($0, times[1], nil) })
  }

  private func compare(
    _ ours: [UInt8], _ exact: LittleCMS.Transform, _ pixels: [UInt8], _ name: String
  ) throws {
    var theirs = [UInt16](repeating: 0, count: ours.count)
    exact.convert(pixels.map { UInt16($0) * 257 }, into: &theirs)
    let largest = zip(ours, theirs).map { abs(Int($0) - (Int($1) + 128) / 257) }.max() ?? 0
    guard largest <= Self.tolerance else {
      throw BenchError(description: "\(name) converts \(job.input.name) to colours that differ by \(largest) levels")
    }
  }
}
