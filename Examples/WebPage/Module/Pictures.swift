// Decoding whole files.

import ImageCoding
import Resampling

enum Pictures {
  /// Straight RGBA as browsers take it, upright. The memory of a call leaves room for the file and the caller's copy.
  static let pageOptions = DecodingOptions(
    pixelFormat: .rgba8, limits: DecodingLimits(maximumPixelCount: 16_000_000, maximumByteCount: 128 << 20))

  /// The options of all calls: those above, or the defaults of the library, to compare the module with other builds.
  nonisolated(unsafe) private(set) static var options = pageOptions

  /// Whether colours are converted to sRGB.
  nonisolated(unsafe) private(set) static var convertsColors = true

  static func useDefaultOptions() {
    unsafe options = DecodingOptions()
    unsafe convertsColors = false
  }

  /// Returns the facts about a file, with its frames counted, and its metadata.
  static func info(_ file: Span<UInt8>) throws(CodecError) -> Answer {
    let (decoder, _) = try Formats.decoder(of: file)
    let infoOptions = InfoOptions(limits: unsafe options.limits, indexesFrames: true)
    var text = JSONText(try decoder.info(file, options: infoOptions))
    text.add(try decoder.metadata(file, options: infoOptions))
    return Answer(text)
  }

  /// Decodes the still picture.
  static func decode(_ file: Span<UInt8>) throws(CodecError) -> Answer {
    let (decoder, _) = try Formats.decoder(of: file)
    return try Answer(try decoder.decode(file, options: unsafe options))
  }

  /// Decodes a reduced picture with sides of at most the given length, row by row if the format allows it.
  static func thumbnail(_ file: Span<UInt8>, side: Int) throws(CodecError) -> Bitmap {
    let (decoder, _) = try Formats.decoder(of: file)
    var budget = ResourceBudget(unsafe options.limits)
    let info = try decoder.info(file, options: InfoOptions(limits: unsafe options.limits), budget: &budget)
    let size = info.size.reduced(toFit: side)
    var reduced = unsafe options
    reduced.targetSize = info.orientation.swapsAxes ? size.transposed : size
    let sink = ResizingSink(toWidth: size.width, height: size.height)
    let details = try decoder.decode(file, to: sink, options: reduced, budget: &budget)
    var picture = try sink.finish(budget: &budget)
    picture.orientation = details.info.orientation
    try picture.applyOrientation(.apply, budget: &budget)
    _ = try Colors.convert(&picture)
    return picture
  }
}

extension Answer {
  /// A decoded picture, whose colours are converted.
  init(_ image: consuming DecodedImage) throws(CodecError) {
    var picture = image.bitmap
    // Released, so that the pixels can be converted in place.
    image.bitmap = Bitmap()
    let diagnostic = try Colors.convert(&picture)
    var text = JSONText()
    text.add("type", image.info.type.rawValue)
    text.add("isComplete", image.isComplete)
    text.add(image.diagnostics + (diagnostic.map { [$0] } ?? []))
    self.init(picture, text)
  }
}

extension PixelSize {
  /// The largest size of the same shape whose sides are at most `side`.
  fileprivate func reduced(toFit side: Int) -> PixelSize {
    let longer = max(width, height)
    guard longer > side, side > 0 else { return self }
    // The product may need more than the 32 bits of an Int.
    func scaled(_ length: Int) -> Int {
      max(1, Int((Int64(length) * Int64(side) + Int64(longer / 2)) / Int64(longer)))
    }
    return PixelSize(width: scaled(width), height: scaled(height))
  }
}
