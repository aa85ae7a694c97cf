// Decoding whole files.

import ImageCoding
import Resampling

enum Pictures {
  /// Straight RGBA as browsers take it, upright. The memory of a call leaves room for the file and the caller's copy.
  static let pageOptions = DecodingOptions(
    pixelFormat: .rgba8, limits: DecodingLimits(maximumPixelCount: 40_000_000, maximumByteCount: 192 << 20))

  /// The options of all calls: those above, or the defaults of the library, to compare the module with other builds.
  nonisolated(unsafe) private(set) static var options = pageOptions

  static func useDefaultOptions() { unsafe options = DecodingOptions() }

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
    return Answer(try decoder.decode(file, options: unsafe options))
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
    return picture
  }
}

extension Answer {
  init(_ image: DecodedImage) {
    var text = JSONText()
    text.add("type", image.info.type.rawValue)
    text.add("isComplete", image.isComplete)
    text.add(image.diagnostics)
    self.init(image.bitmap, text)
  }
}

extension PixelSize {
  /// The largest size of the same shape whose sides are at most `side`.
  fileprivate func reduced(toFit side: Int) -> PixelSize {
    let longer = max(width, height)
    guard longer > side, side > 0 else { return self }
    return PixelSize(
      width: max(1, (width * side + longer / 2) / longer), height: max(1, (height * side + longer / 2) / longer))
  }
}
