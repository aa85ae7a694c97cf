// The range of options that count pixels.

internal import ArgumentParser

/// Checks options that count pixels, so that no sum or product of them can overflow.
enum PixelArgument {
  /// The largest value. A sheet or a drawing of that many columns is beyond any use.
  static let maximum = 65_535

  /// Throws unless an option that was given is in range.
  static func check(_ value: Int?, _ name: String, from minimum: Int = 1) throws {
    guard let value, value < minimum || value > maximum else { return }
    throw ValidationError("\(name) must be between \(minimum) and \(maximum)")
  }
}
