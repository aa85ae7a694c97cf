// The format that errors in documents refer to.

package import ImageCoding

extension AssetType {
  /// `public.svg-image`.
  package static let svgDocument: AssetType = "public.svg-image"
}
