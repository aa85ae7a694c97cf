// X bitmap: its two definitions.

internal import ImageCore

/// Measures X bitmaps.
struct XBMHeaderProbe: HeaderProbe {
  let types: [AssetType] = [.xbm]

  func info(_ bytes: Span<UInt8>, options: InfoOptions) throws(DecodeError) -> ImageInfo {
    var scanner = TextScanner(bytes)
    var width: Int?
    var height: Int?
    while width == nil || height == nil, let definition = scanner.nextDefinition() {
      if definition.name.hasSuffix("width") { width = definition.value }
      if definition.name.hasSuffix("height") { height = definition.value }
    }
    guard let width, let height else {
      throw DecodeError(.truncated, "no definitions of width and height", format: .xbm)
    }
    return ImageInfo(type: .xbm, width: width, height: height, bitDepth: 1, colorModel: .gray)
  }
}
