// The formats that the tool writes.

internal import ArgumentParser
package import ImageCodecs

/// The options of the encoders.
package struct EncodingSettings {
  /// How JPEG is encoded.
  package var jpeg = JPEGEncoder.Options()
  /// How PNG is encoded.
  package var png = PNGEncoder.Options()
  /// Whether metadata is left out.
  package var isStripped = false

  /// Creates the settings of the encoders' defaults.
  package init() {}
}

/// A format to write, named by its file name extension.
package enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
  /// PNG.
  case png
  /// JPEG.
  case jpeg = "jpg"
  /// GIF.
  case gif
  /// Netpbm's PAM: red, green, blue and straight alpha.
  case pam
  /// Netpbm's PPM: red, green, blue.
  case ppm

  /// The format that a file's extension names.
  package init?(fileName: String) {
    guard let dot = fileName.lastIndex(of: ".") else { return nil }
    self.init(argument: String(fileName[fileName.index(after: dot)...].lowercased()))
  }

  /// The format that a word names.
  package init?(argument: String) {
    self.init(rawValue: argument == "jpeg" ? "jpg" : argument)
  }

  /// Encodes a bitmap. Netpbm's formats carry no metadata.
  package func encode(
    _ bitmap: Bitmap, metadata: ImageMetadata?, settings: EncodingSettings = EncodingSettings()
  ) throws(CodecError) -> [UInt8] {
    let metadata = settings.isStripped ? nil : metadata
    return switch self {
    case .png: try bitmap.encoded(as: .png(settings.png), metadata: metadata)
    case .jpeg: try bitmap.encoded(as: .jpeg(settings.jpeg), metadata: metadata)
    case .gif: try bitmap.encoded(as: .gif, metadata: metadata)
    case .pam: try NetpbmWriter.pam(bitmap)
    case .ppm: try NetpbmWriter.ppm(bitmap)
    }
  }
  /// Whether the format has frames.
  package var isAnimatable: Bool { self == .png || self == .gif }

  /// Encodes all frames of an animation with their stored delays; `nil` when the format has no frames.
  ///
  /// A GIF is written frame by frame; of a PNG, all frames are held, because their layout depends on all colours.
  package func encode(
    _ animation: any AnimatedImageSource, metadata: ImageMetadata?, settings: EncodingSettings = EncodingSettings()
  ) throws(CodecError) -> [UInt8]? {
    guard isAnimatable else { return nil }
    let metadata = settings.isStripped ? nil : metadata
    var cursor = animation.makeCursor()
    var index = 0
    if self == .gif {
      var encoder = GIFFrameEncoder(loopCount: animation.loopCount, metadata: metadata)
      var budget = ResourceBudget(.unlimited)
      var file: [UInt8] = []
      while let picture = try cursor.next() {
        let delay = animation.frameInfo(at: index).storedDelay
        try encoder.append(AnimationFrame(bitmap: picture, delay: delay), budget: &budget)
        file += encoder.takeOutput()
        index += 1
      }
      return try file + encoder.finish(budget: &budget)
    }
    var frames: [AnimationFrame] = []
    while let picture = try cursor.next() {
      frames.append(AnimationFrame(bitmap: picture, delay: animation.frameInfo(at: index).storedDelay))
      index += 1
    }
    return try PNGEncoder(options: settings.png).encode(
      animation: frames, loopCount: animation.loopCount, metadata: metadata)
  }
}
