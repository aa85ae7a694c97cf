// Drawing text on bitmaps: captions and watermarks.

public import Fonts
public import ImageCore
internal import VectorGraphics

/// Decodes a picture that a font has for a glyph, and charges the budget.
public typealias TextPictureDecoder = @Sendable ([UInt8], inout ResourceBudget) throws(CodecError) -> Bitmap

extension Bitmap {
  /// Draws text, for example a caption or a watermark.
  ///
  /// The text is shaped in all scripts, in both directions, with ligatures, kerning and fallback fonts. Colours are
  /// blended in the bitmap's format and colour space. Pixels that the text does not cover keep their values. Only the
  /// part of the text that is within the bitmap costs memory.
  ///
  /// - Parameters:
  ///   - text: the text; line feeds break lines.
  ///   - style: the font, size and colour.
  ///   - frame: the rectangle that the text is aligned in; it may extend beyond the bitmap.
  ///   - fonts: the fonts; keep one provider for many texts.
  ///   - limits: the work and memory are limited as those of a decode.
  ///   - decodeImage: decodes the PNG and JPEG pictures that some fonts have for emoji; `nil` leaves those out. Emoji
  ///     made of coloured shapes do not need it.
  /// - Throws: `CodecError.Kind.invalidArgument` if the provider has no fonts, a size is not finite or the opacity
  ///   is not a number; `CodecError.Kind.limitExceeded` if the text is too long.
  public mutating func draw(
    _ text: String, style: TextStyle, in frame: TextFrame, fonts: FontProvider, limits: DecodingLimits = .default,
    decodeImage: TextPictureDecoder? = nil
  ) throws(CodecError) {
    var budget = ResourceBudget(limits)
    let block = try TextBlock(
      text, style: style, fonts: fonts, width: frame.wraps ? frame.width : nil,
      maximumLineCount: frame.maximumLineCount, budget: &budget)
    try draw(block, in: frame, decodeImage, &budget)
  }

  /// Draws text that has been laid out.
  ///
  /// - Throws: as ``draw(_:style:in:fonts:limits:decodeImage:)``.
  public mutating func draw(
    _ block: TextBlock, in frame: TextFrame, limits: DecodingLimits = .default, decodeImage: TextPictureDecoder? = nil
  ) throws(CodecError) {
    var budget = ResourceBudget(limits)
    try draw(block, in: frame, decodeImage, &budget)
  }

  private mutating func draw(
    _ block: TextBlock, in frame: TextFrame, _ decodeImage: TextPictureDecoder?, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let painter = try TextPainter(block, frame)
    let canvas = PixelRect(minX: 0, minY: 0, maxX: width, maxY: height)
    let area = painter.bounds.intersection(canvas)
    guard !area.isEmpty else { return }
    let layer = try painter.paint(area, budget: &budget, decodeImage: decodeImage)
    try blend(layer, opacity: min(max(block.style.opacity, 0), 1), &budget)
  }

  /// The work of blending a pixel.
  private static let workPerBlendedPixel = 30

  /// Draws a premultiplied layer over the pixels.
  private mutating func blend(
    _ layer: Layer, opacity: Double, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let bounds = layer.bounds
    try budget.requireWork(count: bounds.width * bounds.height, unitsEach: Self.workPerBlendedPixel)
    for y in bounds.minY..<bounds.maxY {
      try budget.chargeWork(count: bounds.width, unitsEach: Self.workPerBlendedPixel)
      let start = (y - bounds.minY) * bounds.width * 4
      for x in bounds.minX..<bounds.maxX {
        let index = start + (x - bounds.minX) * 4
        let alpha = Double(layer.pixels[index + 3]) / 255 * opacity
        if alpha == 0 { continue }
        let under = self[wide: x, y]
        let underAlpha = Double(under.alpha) / 65535
        let outAlpha = alpha + underAlpha * (1 - alpha)
        func mixed(_ offset: Int, _ below: UInt16) -> UInt16 {
          let source = Double(layer.pixels[index + offset]) * 257 * opacity
          let value = (source + Double(below) * underAlpha * (1 - alpha)) / outAlpha
          return UInt16(min(max(value.rounded(), 0), 65535))
        }
        self[wide: x, y] = RGBA16(
          red: mixed(0, under.red), green: mixed(1, under.green), blue: mixed(2, under.blue),
          alpha: UInt16(min((outAlpha * 65535).rounded(), 65535)))
      }
    }
  }
}
