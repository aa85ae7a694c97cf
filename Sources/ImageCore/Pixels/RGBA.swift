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
