// Text that has been laid out.

public import Fonts
public import ImageCore
internal import TextShaping
internal import VectorGraphics

/// Text laid out in lines, ready to be measured and drawn.
public struct TextBlock: Sendable {
  /// A line with its glyphs.
  struct Line: Sendable {
    var glyphs: [PlacedGlyph]
    var width: Double
    var isRightToLeft: Bool
  }

  /// The work units of a character, besides those of its face and of its shaping.
  private static let workPerCharacter = 400
  /// The bytes of a character during the layout.
  private static let bytesPerCharacter = 600

  let style: TextStyle
  let faces: [FontFace]
  let lines: [Line]
  /// The extent of the style's font above the baseline, in pixels.
  let ascent: Double
  /// The distance between baselines in pixels.
  public let lineHeight: Double
  /// The width of the widest line in pixels.
  public var width: Double { lines.lazy.map { $0.width }.max() ?? 0 }
  /// The height of all lines in pixels.
  public var height: Double { Double(lines.count) * lineHeight }
  /// The number of lines.
  public var lineCount: Int { lines.count }

  /// Lays out text. Line feeds and paragraph separators begin new lines.
  ///
  /// - Parameters:
  ///   - text: the text; line feeds break lines.
  ///   - style: the font, size and colour.
  ///   - fonts: the fonts; keep one provider for many texts.
  ///   - width: the width in pixels to wrap lines to; `nil` breaks only at line feeds.
  ///   - maximumLineCount: the maximum number of lines; an ellipsis replaces the rest.
  ///   - limits: the work and memory are limited as those of a decode.
  /// - Throws: `CodecError.Kind.invalidArgument` if the provider has no fonts, the size is not positive and finite,
  ///   the letter spacing is not finite, or the opacity or the width is not a number;
  ///   `CodecError.Kind.limitExceeded` if the text is too long.
  public init(
    _ text: String, style: TextStyle, fonts: FontProvider, width: Double? = nil, maximumLineCount: Int? = nil,
    limits: DecodingLimits = .default
  ) throws(CodecError) {
    var budget = ResourceBudget(limits)
    try self.init(
      text, style: style, fonts: fonts, width: width, maximumLineCount: maximumLineCount, budget: &budget)
  }

  init(
    _ text: String, style: TextStyle, fonts: FontProvider, width: Double?, maximumLineCount: Int?,
    budget: inout ResourceBudget
  ) throws(CodecError) {
    guard style.size > 0, style.size.isFinite else {
      throw CodecError(.invalidArgument, "the font size is not positive and finite")
    }
    guard style.letterSpacing.isFinite, !style.opacity.isNaN, width?.isNaN != true else {
      throw CodecError(.invalidArgument, "the letter spacing, the opacity or the width of lines is not a number")
    }
    let scalars = Array(text.unicodeScalars)
    try budget.chargeWork(count: scalars.count, unitsEach: Self.workPerCharacter)
    try budget.allocate(count: scalars.count, bytesEach: Self.bytesPerCharacter)
    var faces = try TextFaces(style, fonts, budget: &budget)
    var lines: [Line] = []
    for paragraph in Self.paragraphs(of: scalars) {
      let remaining = maximumLineCount.map { max(0, $0) - lines.count }
      if let remaining, remaining <= 0 { break }
      let characters = try Paragraph(paragraph, style, &faces, budget: &budget)
      lines += try Self.lines(
        of: characters, style: style, width: width, maximumCount: remaining, &faces, &budget)
    }
    self.style = style
    self.faces = faces.faces
    self.lines = lines
    let face = faces.faces[0]
    let unit = style.size / max(face.unitsPerEm, 1)
    let natural = (face.ascender - face.descender + face.lineGap) * unit
    let height = style.lineHeight.map { $0 * style.size } ?? natural
    lineHeight = height.isFinite && height > 0 ? height : style.size
    // The leading, which may be negative, is divided equally between both sides.
    ascent = face.ascender * unit + (lineHeight - (face.ascender - face.descender) * unit) / 2
  }

  /// The paragraphs, without the characters that end them.
  private static func paragraphs(of scalars: [Unicode.Scalar]) -> [[Unicode.Scalar]] {
    var result: [[Unicode.Scalar]] = [[]]
    var previous: Unicode.Scalar = " "
    for scalar in scalars {
      switch scalar {
      case "\n" where previous == "\r": break
      case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": result.append([])
      default: result[result.count - 1].append(scalar)
      }
      previous = scalar
    }
    return result
  }

  private static func lines(
    of paragraph: Paragraph, style: TextStyle, width: Double?, maximumCount: Int?, _ faces: inout TextFaces,
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> [Line] {
    let wrapped = paragraph.lines(width: width)
    guard let maximumCount, wrapped.count > maximumCount, let last = wrapped.prefix(maximumCount).last else {
      return try lines(wrapped[...], of: paragraph, &budget)
    }
    // The last line ends with an ellipsis, for which characters are left out.
    let ellipsis = try Paragraph(["\u{2026}"], style, &faces, budget: &budget)
    let room = (width ?? .infinity) - (ellipsis.widths.last ?? 0)
    var end = last.range.upperBound
    while end > last.range.lowerBound, paragraph.widths[end] - paragraph.widths[last.range.lowerBound] > room {
      end -= 1
      while end > last.range.lowerBound, !paragraph.isClusterStart[end] { end -= 1 }
    }
    let text = Array(paragraph.scalars[last.range.lowerBound..<end]) + ["\u{2026}"]
    let shortened = try Paragraph(text, style, &faces, budget: &budget)
    let (glyphs, shortenedWidth) = try shortened.glyphs(of: text.indices, budget: &budget)
    return try lines(wrapped.prefix(maximumCount - 1), of: paragraph, &budget) + [
      Line(glyphs: glyphs, width: shortenedWidth, isRightToLeft: paragraph.isRightToLeft)
    ]
  }

  private static func lines(
    _ wrapped: ArraySlice<LineWrapping.Line>, of paragraph: Paragraph, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [Line] {
    let isRightToLeft = paragraph.isRightToLeft
    var lines: [Line] = []
    for line in wrapped {
      let (glyphs, width) = try paragraph.glyphs(of: line.range, budget: &budget)
      lines.append(Line(glyphs: glyphs, width: width, isRightToLeft: isRightToLeft))
    }
    return lines
  }
}
