// Facts about images as JSON.

import ImageCoding
import MetadataFormats

extension JSONText {
  /// The facts that the headers contain.
  init(_ info: ImageInfo) {
    self.init()
    add("type", info.type.rawValue)
    add("width", info.width)
    add("height", info.height)
    if let bitDepth = info.bitDepth { add("bitDepth", bitDepth) }
    if let model = info.colorModel { add("colorModel", model.rawValue) }
    add("hasAlpha", info.hasAlpha)
    add("orientation", Int(info.orientation.rawValue))
    add("isProgressive", info.isProgressive)
    if let count = info.imageCount { add("imageCount", count) }
    if let count = info.frameCount { add("frameCount", count) }
    if let count = info.loopCount { add("loopCount", count.rawCount) }
    if let duration = info.duration { add("milliseconds", duration.milliseconds) }
    if let coding = info.coding { add("coding", coding) }
  }

  mutating func add(_ metadata: ImageMetadata) {
    let blocks = [
      ("exif", metadata.exif), ("xmp", metadata.xmp), ("iptc", metadata.iptc),
      ("icc", metadata.colorSpace.iccProfile),
    ]
    for (name, block) in blocks {
      if let block { add("\(name)ByteCount", block.count) }
    }
    if let profile = metadata.colorSpace.iccProfile, let header = try? ICCProfileHeader(parsing: profile.span) {
      add("colorProfile", header.profileDescription ?? header.dataColorSpace)
    }
    if !metadata.comments.isEmpty { add("comments", metadata.comments) }
    if !metadata.texts.isEmpty { add("texts", metadata.texts.map { "\($0.keyword): \($0.value)" }) }
    if let exif = try? metadata.exif.map({ bytes throws(CodecError) in try EXIFMetadata(bytes) }) { add(exif) }
  }

  private mutating func add(_ exif: EXIFMetadata) {
    let texts = [
      ("cameraMake", exif.cameraMake), ("cameraModel", exif.cameraModel), ("lensModel", exif.lensModel),
      ("artist", exif.artist), ("copyright", exif.copyright), ("description", exif.imageDescription),
      ("software", exif.software),
    ]
    for (name, text) in texts {
      if let text { add(name, text) }
    }
    if let speed = exif.isoSpeed { add("isoSpeed", speed) }
    if let time = exif.dateTaken?.local {
      add(
        "dateTaken",
        "\(time.year)-\(Self.two(time.month))-\(Self.two(time.day)) \(Self.two(time.hour)):\(Self.two(time.minute))")
    }
    add("hasLocation", exif.location != nil)
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  mutating func add(_ diagnostics: [ImageDiagnostic]) {
    add("diagnostics", diagnostics.map { $0.description })
  }
}

extension Duration {
  /// The duration in milliseconds, rounded down.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    return Int(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
  }
}
