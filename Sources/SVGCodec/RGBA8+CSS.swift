// CSS colours, for backgrounds.

internal import CSSStyles
public import ImageCoding
internal import VectorGraphics

extension RGBA8 {
  /// Creates an sRGB colour from the text of a CSS Color 4 colour, such as `white`, `#fc08` or `oklch(70% 0.1 200)`;
  /// `nil` for any other text.
  public init?(css text: String) {
    let bytes = Array(text.utf8)
    guard case .color(let color)? = ColorParser.parse(bytes.span) else { return nil }
    func sample(_ value: Double) -> UInt8 { UInt8(min(max(0, value), 1) * 255 + 0.5) }
    self.init(
      red: sample(color.red), green: sample(color.green), blue: sample(color.blue), alpha: sample(color.alpha))
  }
}
