// The orientation of characters in vertical text (UAX #50).

/// The Vertical_Orientation property.
package enum VerticalOrientation {
  /// Returns whether a character is upright in vertical lines (U and Tu) or sideways (R and Tr).
  package static func isUpright(_ scalar: Unicode.Scalar) -> Bool {
    UnicodeRuns.value(of: scalar, in: runStarts) == 1
  }
}
