// The formats that the tool writes.

internal import ArgumentParser
package import ImageCodecs

/// A format to write, named by its file name extension.
package enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
  /// PNG.
  case png
  /// GIF.
  case gif
  /// Netpbm's PAM: red, green, blue and straight alpha.
  case pam
  /// Netpbm's PPM: red, green, blue.
  case ppm

  /// The format that a file's extension names.
  package init?(fileName: String) {
    guard let dot = fileName.lastIndex(of: ".") else { return nil }
    self.init(rawValue: fileName[fileName.index(after: dot)...].lowercased())
  }

  /// Encodes a bitmap. Netpbm's formats carry no metadata.
  package func encode(_ bitmap: Bitmap, metadata: ImageMetadata?) throws(CodecError) -> [UInt8] {
    switch self {
    case .png: try bitmap.encoded(as: .png, metadata: metadata)
    case .gif: try bitmap.encoded(as: .gif, metadata: metadata)
    case .pam: NetpbmWriter.pam(bitmap)
    case .ppm: NetpbmWriter.ppm(bitmap)
    }
  }
  /// Whether the format has frames.
  package var isAnimatable: Bool { self == .png || self == .gif }

  /// Encodes all frames of an animation with their stored delays; `nil` when the format has no frames.
  package func encode(
    _ animation: any AnimatedImageSource, metadata: ImageMetadata?
  ) throws(CodecError) -> [UInt8]? {
    guard isAnimatable else { return nil }
    var frames: [(bitmap: Bitmap, delay: Duration)] = []
    var cursor = animation.makeCursor()
    while let picture = try cursor.next() {
      frames.append((picture, animation.frameInfo(at: frames.count).storedDelay))
    }
    if self == .gif {
      return try GIFEncoder().encode(
        animation: frames.map { AnimationFrame(bitmap: $0.bitmap, delay: $0.delay) }, loopCount: animation.loopCount,
        metadata: metadata)
    }
    return try PNGEncoder().encode(
      animation: frames.map { AnimationFrame(bitmap: $0.bitmap, delay: $0.delay) }, loopCount: animation.loopCount,
      metadata: metadata)
  }
}
