// Division of a paragraph into lines.

internal import TextShaping

extension Paragraph {
  /// Returns the lines. Linear in the number of characters.
  ///
  /// - Parameter width: the width to fit in; `nil` breaks only where a break is mandatory.
  func lines(width: Double?) -> [LineWrapping.Line] {
    LineWrapping(scalars: scalars, widths: widths, isClusterStart: isClusterStart).lines(width: width)
  }
}
