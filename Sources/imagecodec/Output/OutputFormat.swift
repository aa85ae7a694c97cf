// The formats that the tool writes.

internal import ArgumentParser
package import Foundation
package import ImageCodecs

/// The options of the encoders.
package struct EncodingSettings {
  /// The options of the JPEG encoder.
  package var jpeg = JPEGEncoder.Options()
  /// The options of the TIFF encoder.
  package var tiff = TIFFEncoder.Options()
  /// The options of the PNG encoder.
  package var png = PNGEncoder.Options()
  /// The options of the WebP encoder.
  package var webP = WebPEncoder.Options()
  /// Whether metadata is omitted.
  package var isStripped = false

  /// Creates settings with the defaults of the encoders, which keep metadata.
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
  /// WebP.
  case webP = "webp"
  /// TIFF.
  case tiff
  /// BMP of the smallest depth that represents the image.
  case bmp
  /// A Windows icon of the usual sizes, and the image itself if it is small enough.
  case ico
  /// Netpbm's PBM: black and white.
  case pbm
  /// Netpbm's PGM: gray levels.
  case pgm
  /// Netpbm's PAM: red, green, blue and straight alpha.
  case pam
  /// Netpbm's PPM: red, green, blue.
  case ppm

  /// The format that an option states or, without the option, the one of a file's extension.
  ///
  /// - Throws: ``ToolFailure`` if the extension is not that of a format.
  init(_ stated: OutputFormat?, for file: String) throws {
    guard let format = stated ?? OutputFormat(fileName: file) else {
      throw ToolFailure(
        file: file,
        usage: "unknown format; give an extension or --format \(OutputFormat.allValueStrings.joined(separator: "|"))")
    }
    self = format
  }

  /// Returns the format of a file name extension, or `nil` if it is unknown.
  package init?(fileName: String) {
    guard let dot = fileName.lastIndex(of: ".") else { return nil }
    self.init(argument: String(fileName[fileName.index(after: dot)...].lowercased()))
  }

  /// Returns the format with a name, or `nil` if it is unknown.
  package init?(argument: String) {
    self.init(rawValue: ["jpeg": "jpg", "tif": "tiff"][argument] ?? argument)
  }

  /// Encodes a bitmap. Netpbm formats have no metadata.
  package func encode(
    _ bitmap: Bitmap, metadata: ImageMetadata?, settings: EncodingSettings = EncodingSettings()
  ) throws(CodecError) -> [UInt8] {
    let metadata = settings.isStripped ? nil : metadata
    return switch self {
    case .png: try bitmap.encoded(as: .png(settings.png), metadata: metadata)
    case .jpeg: try bitmap.encoded(as: .jpeg(settings.jpeg), metadata: metadata)
    case .gif: try bitmap.encoded(as: .gif, metadata: metadata)
    case .webP: try bitmap.encoded(as: .webP(settings.webP), metadata: metadata)
    case .tiff: try bitmap.encoded(as: .tiff(settings.tiff), metadata: metadata)
    case .bmp: try bitmap.encoded(as: .bmp, metadata: metadata)
    case .ico: try bitmap.encoded(as: .ico)
    case .pbm: try netpbm(bitmap, .pbm)
    case .pgm: try netpbm(bitmap, .pgm)
    case .pam:
      try netpbm(bitmap.converted(to: bitmap.format.sampleType == .uint8 ? .rgba8 : .rgba16), .pam)
    case .ppm: try netpbm(bitmap, .ppm)
    }
  }

  /// Encodes pixels as they are stored, since these formats have no place for an orientation that is kept.
  private func netpbm(_ bitmap: Bitmap, _ kind: PNMEncoder.Kind) throws(CodecError) -> [UInt8] {
    var stored = bitmap
    stored.orientation = .up
    return try stored.encoded(as: .pnm(PNMEncoder.Options(kind: kind)))
  }

  /// The encoder of the library; `nil` for the formats that the tool writes itself.
  package func encodingFormat(_ settings: EncodingSettings) -> EncodingFormat? {
    switch self {
    case .png: .png(settings.png)
    case .jpeg: .jpeg(settings.jpeg)
    case .gif: .gif
    case .webP: .webP(settings.webP)
    case .tiff: .tiff(settings.tiff)
    case .bmp: .bmp
    case .ico: .ico
    case .pbm, .pgm, .pam, .ppm: nil
    }
  }

  /// Makes and encodes a thumbnail. Its metadata is not written.
  package func encodeThumbnail(
    _ request: Thumbnail, of data: Data, settings: EncodingSettings, options: DecodingOptions
  ) throws(CodecError) -> EncodedThumbnail {
    guard let format = encodingFormat(settings) else {
      let image = try request.image(of: data, options: options)
      return EncodedThumbnail(
        bytes: try encode(image.bitmap, metadata: nil), type: AssetType(rawValue: "public.\(rawValue)"),
        size: image.bitmap.pixelSize, frameCount: 1, details: image.details)
    }
    return try request.encoded(data, as: format, options: options)
  }

  /// Whether the format supports frames.
  package var isAnimatable: Bool { self == .png || self == .gif || self == .webP }

  /// Encodes all frames of an animation with their stored delays. Returns `nil` if the format has no frames.
  ///
  /// GIF and WebP are encoded frame by frame. For PNG all frames are held in memory, because their layout depends on all
  /// colours.
  ///
  /// - Parameter resize: returns the picture to write for each frame.
  package func encode(
    _ animation: any AnimatedImageSource, metadata: ImageMetadata?, settings: EncodingSettings = EncodingSettings(),
    resize: (Bitmap) throws(CodecError) -> Bitmap = { picture in picture }
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
        try encoder.append(AnimationFrame(bitmap: try resize(picture), delay: delay), budget: &budget)
        file += encoder.takeOutput()
        index += 1
      }
      return try file + encoder.finish(budget: &budget)
    }
    if self == .webP {
      var encoder = WebPFrameEncoder(options: settings.webP, loopCount: animation.loopCount, metadata: metadata)
      var budget = ResourceBudget(.unlimited)
      while let picture = try cursor.next() {
        let delay = animation.frameInfo(at: index).storedDelay
        try encoder.append(AnimationFrame(bitmap: try resize(picture), delay: delay), budget: &budget)
        index += 1
      }
      return try encoder.finish(budget: &budget)
    }
    var frames: [AnimationFrame] = []
    while let picture = try cursor.next() {
      frames.append(
        AnimationFrame(bitmap: try resize(picture), delay: animation.frameInfo(at: index).storedDelay))
      index += 1
    }
    return try PNGEncoder(options: settings.png).encode(
      animation: frames, loopCount: animation.loopCount, metadata: metadata)
  }
}
