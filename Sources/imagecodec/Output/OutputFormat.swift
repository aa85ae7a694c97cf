// The formats that the tool writes.

internal import ArgumentParser
package import ImageCodecs

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

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
  ///
  /// - Parameters:
  ///   - output: receives the file. All formats but icons are passed on while they are made.
  ///   - budget: holds the bitmap, and is charged for everything else.
  /// - Returns: the file, unless it has been passed on.
  package func encode(
    _ bitmap: Bitmap, metadata: ImageMetadata?, settings: EncodingSettings = EncodingSettings(),
    to output: consuming EncodedOutput = EncodedOutput(), budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    var picture = bitmap
    // Netpbm formats have no place for an orientation that is kept: pixels are written as they are stored.
    if isNetpbm { picture.orientation = .up }
    if self == .pam {
      let format: PixelFormat = picture.format.sampleType == .uint8 ? .rgba8 : .rgba16
      // The caller still holds the bitmap.
      if picture.format != format { try budget.allocate(picture.byteCount) }
      try picture.convert(to: format, budget: &budget)
    }
    let encoder = encodingFormat(settings).encoder
    let metadata = settings.isStripped || isNetpbm || self == .ico ? nil : metadata
    var rest = output
    return try budget.encoding { (budget) throws(CodecError) in
      if let streaming = encoder as? any StreamingImageEncoder {
        try streaming.encode(picture, metadata: metadata, to: &rest, budget: &budget)
        return try rest.finish()
      }
      return try encoder.encode(picture, metadata: metadata, budget: &budget)
    }
  }

  /// Whether a thumbnail in this format is what its encoder makes of the pixels, without a conversion.
  package var isStreamable: Bool { !isNetpbm }

  private var isNetpbm: Bool {
    switch self {
    case .pbm, .pgm, .pam, .ppm: true
    default: false
    }
  }

  /// The encoder of the library.
  package func encodingFormat(_ settings: EncodingSettings) -> EncodingFormat {
    switch self {
    case .png: .png(settings.png)
    case .jpeg: .jpeg(settings.jpeg)
    case .gif: .gif
    case .webP: .webp(settings.webP)
    case .tiff: .tiff(settings.tiff)
    case .bmp: .bmp
    case .ico: .ico
    case .pbm: .pnm(PNMEncoder.Options(kind: .pbm))
    case .pgm: .pnm(PNMEncoder.Options(kind: .pgm))
    case .pam: .pnm(PNMEncoder.Options(kind: .pam))
    case .ppm: .pnm(PNMEncoder.Options(kind: .ppm))
    }
  }

  /// Makes and encodes a thumbnail within the limits of the options. Its metadata is not written.
  package func encodeThumbnail(
    _ request: Thumbnail, of data: Data, settings: EncodingSettings, options: DecodingOptions
  ) throws(CodecError) -> EncodedThumbnail {
    let file = try ImageFile(data, options: options)
    guard isNetpbm else { return try file.encodedThumbnail(request, as: encodingFormat(settings)) }
    var budget = ResourceBudget(options)
    budget.allowEncoding(ofByteCount: data.count)
    let image = try file.thumbnail(request, budget: &budget)
    return EncodedThumbnail(
      bytes: try encode(image.bitmap, metadata: nil, budget: &budget), type: AssetType(rawValue: "public.\(rawValue)"),
      size: image.bitmap.pixelSize, frameCount: 1, details: image.details)
  }

  /// Whether the format supports frames.
  package var isAnimatable: Bool { self == .png || self == .gif || self == .webP }

  /// Encodes all frames of an animation with their stored delays. Returns `nil` if the format has no frames.
  ///
  /// - Parameters:
  ///   - output: receives the file, frame by frame.
  ///   - budget: charged for all frames: decoding, the closure, and encoding.
  ///   - report: receives the damage of each frame that has any.
  ///   - resize: returns the picture to write for each frame, and charges it instead of the frame.
  /// - Returns: the file, unless it has been passed on.
  package func encode(
    _ animation: any AnimatedImageSource, metadata: ImageMetadata?, settings: EncodingSettings = EncodingSettings(),
    to output: EncodedOutput = EncodedOutput(), budget: inout ResourceBudget,
    report: ([ImageDiagnostic]) -> Void = { _ in },
    resize: (Bitmap, inout ResourceBudget) throws(CodecError) -> Bitmap = { picture, _ in picture }
  ) throws(CodecError) -> [UInt8]? {
    let metadata = settings.isStripped ? nil : metadata
    guard
      var writer = AnimationWriter(encodingFormat(settings), for: animation, metadata: metadata, output: output)
    else { return nil }
    var cursor = animation.makeCursor()
    var index = 0
    while var picture = try cursor.next(budget: &budget) {
      report(cursor.diagnostics)
      let delay = animation.frameInfo(at: index).storedDelay
      try budget.allocate(picture.byteCount)
      picture = try resize(picture, &budget)
      try writer.append(AnimationFrame(bitmap: picture, delay: delay), budget: &budget)
      index += 1
    }
    cursor.release(to: &budget)
    return try writer.finish(budget: &budget)
  }
}
