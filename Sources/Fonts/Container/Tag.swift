// The four-letter tags of tables, features, scripts, languages and axes.

package import ImageCore

/// Four ASCII letters, padded with spaces (OpenType, data types).
package typealias Tag = FourCharacterCode

extension AssetType {
  /// The format that errors in fonts refer to.
  static let font: AssetType = "public.font"
}
