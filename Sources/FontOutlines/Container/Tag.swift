// The four letters that name tables, features, scripts, languages and axes.

package import ImageCore

/// Four ASCII letters, padded with spaces (OpenType, data types).
package typealias Tag = FourCharacterCode

extension AssetType {
  /// What errors name as the format.
  static let font: AssetType = "public.font"
}
