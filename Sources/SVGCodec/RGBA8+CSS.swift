// Colours as CSS writes them, for backgrounds.

public import ImageCore
internal import VectorGraphics

extension RGBA8 {
  /// A colour of CSS Color 4, such as `white`, `#fc08` or `oklch(70% 0.1 200)`, in sRGB; `nil` for anything else.
  public init?(css text: String) {
    let bytes = Array(text.utf8)
    guard case .color(let color)? = ColorParser.parse(bytes.span) else { return nil }
    func sample(_ value: Double) -> UInt8 { UInt8(min(max(0, value), 1) * 255 + 0.5) }
    self.init(
      red: sample(color.red), green: sample(color.green), blue: sample(color.blue), alpha: sample(color.alpha))
  }
}
