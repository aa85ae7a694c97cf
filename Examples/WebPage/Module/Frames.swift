// The frames of one animation at a time.

import ImageCoding

/// The animation that is open, or none.
enum Frames {
  nonisolated(unsafe) private static var source: (any AnimatedImageSource)?

  /// Opens an animation in place of the one that is open. Returns the number of its frames; 0 for a still picture.
  static func open(_ file: Span<UInt8>) throws(CodecError) -> Answer {
    unsafe source = nil
    let (decoder, _) = try Formats.decoder(of: file)
    let opened = try decoder.animation(file, options: unsafe Pictures.options)
    unsafe source = opened
    var text = JSONText()
    text.add("frameCount", opened?.frameCount ?? 0)
    if let opened { text.add("loopCount", opened.loopCount.rawCount) }
    return Answer(text)
  }

  /// Decodes a frame as a player shows it.
  static func frame(at index: Int) throws(CodecError) -> Answer {
    guard let source = unsafe source, (0..<source.frameCount).contains(index) else {
      throw CodecError(.invalidArgument, "there is no frame \(index)")
    }
    var picture = try source.frame(at: index)
    if let format = unsafe Pictures.options.pixelFormat, picture.format != format {
      var budget = ResourceBudget(unsafe Pictures.options.limits)
      try picture.convert(to: format, budget: &budget)
    }
    _ = try Colors.convert(&picture)
    var text = JSONText()
    text.add("milliseconds", source.frameInfo(at: index).displayDuration(rule: .browser).milliseconds)
    text.add(try source.diagnostics(ofFrameAt: index))
    return Answer(picture, text)
  }

  static func close() { unsafe source = nil }
}
