// The range of options that are numbers of pixels.

internal import ArgumentParser

/// Checks options that are numbers of pixels, so that no sum or product of them can overflow.
enum PixelArgument {
  /// The largest value. It exceeds any useful number of columns of a sheet or drawing.
  static let maximum = 65_535

  /// Throws if the option is present and out of range.
  static func check(_ value: Int?, _ name: String, from minimum: Int = 1) throws {
    guard let value, value < minimum || value > maximum else { return }
    throw ValidationError("\(name) must be between \(minimum) and \(maximum), not \(value)")
  }
}
