// The small fonts that FontsTests/Fixtures/generate.py made, and what fontTools and HarfBuzz say of them.

package import Fonts
package import Foundation
package import ImageCore

/// The files of the fixtures.
package enum SampleFonts {
  /// All fonts.
  package static let names = [
    "sample.ttf", "sample-bold.ttf", "sample.otf", "sample-cff2.otf", "variable.ttf", "variable-cff2.otf", "color.ttf",
    "layers.ttf",
    "kern.ttf", "sample.woff", "collection.ttc", "sample-ttf.woff2", "color-ttf.woff2", "collection.woff2",
  ]

  package static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("FontsTests/Fixtures")

  package static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
  }

  package static func face(_ name: String, _ place: String = "-") throws -> FontFace {
    let face = try FontFace(parsing: try bytes(name))
    return try place == "-" ? face : face.instance(variations: variations(place))
  }

  /// The rows of a table of expectations.
  package static func rows(_ name: String) throws -> [[String]] {
    let text = String(decoding: try bytes(name), as: UTF8.self)
    return text.split(separator: "\n").map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// A list such as `wght=650,wdth=80`.
  package static func variations(_ list: String) -> [(tag: FourCharacterCode, value: Double)] {
    pairs(list).map { (FourCharacterCode(stringLiteral: $0), Double($1) ?? 0) }
  }

  package static func features(_ list: String) -> [FontFeature] {
    list == "-" ? [] : pairs(list).map { FontFeature(FourCharacterCode(stringLiteral: $0), Int($1) ?? 0) }
  }

  private static func pairs(_ list: String) -> [(String, String)] {
    list.split(separator: ",").map { item in
      let parts = item.split(separator: "=").map(String.init)
      return (parts[0], parts[1])
    }
  }
}
