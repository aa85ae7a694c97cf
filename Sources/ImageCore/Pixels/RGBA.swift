// Single colours as values.

/// An 8-bit RGBA colour with straight alpha.
public struct RGBA8: Hashable, Sendable, Codable {
  /// Red, 0…255.
  public var red: UInt8
  /// Green, 0…255.
  public var green: UInt8
  /// Blue, 0…255.
  public var blue: UInt8
  /// Alpha, 0 (transparent) … 255 (opaque).
  public var alpha: UInt8

  /// Creates a colour; by default it is opaque.
  public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// The colour as CSS writes it: `#rrggbb`, or `#rrggbbaa` if it is not opaque.
  public var hex: String {
    let samples = [red, green, blue] + (alpha == 255 ? [] : [alpha])
    return "#" + samples.map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined()
  }

  /// Opaque red.
  public static let red = RGBA8(red: 255, green: 0, blue: 0)
  /// Opaque green.
  public static let green = RGBA8(red: 0, green: 255, blue: 0)
  /// Opaque blue.
  public static let blue = RGBA8(red: 0, green: 0, blue: 255)
  /// Opaque black.
  public static let black = RGBA8(red: 0, green: 0, blue: 0)
  /// Opaque white.
  public static let white = RGBA8(red: 255, green: 255, blue: 255)
  /// Transparent black.
  public static let clear = RGBA8(red: 0, green: 0, blue: 0, alpha: 0)
}

/// A 16-bit RGBA colour with straight alpha.
public struct RGBA16: Hashable, Sendable, Codable {
  /// Red, 0…65535.
  public var red: UInt16
  /// Green, 0…65535.
  public var green: UInt16
  /// Blue, 0…65535.
  public var blue: UInt16
  /// Alpha, 0 (transparent) … 65535 (opaque).
  public var alpha: UInt16

  /// Creates a colour; by default it is opaque.
  public init(red: UInt16, green: UInt16, blue: UInt16, alpha: UInt16 = 65535) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }
}
