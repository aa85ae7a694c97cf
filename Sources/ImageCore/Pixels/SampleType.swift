// The storage type of samples.

/// The numeric type of the samples of a pixel format.
///
/// Integer samples range over 0…``maximum``. In floating-point samples 1 is a full sample; values outside 0…1 are kept,
/// for pictures with extended range.
public enum SampleType: String, Hashable, Sendable, CaseIterable, Codable {
  /// Unsigned integers of 8 bits.
  case uint8
  /// Unsigned integers of 16 bits, native-endian.
  case uint16
  /// IEEE 754 binary16, native-endian.
  case float16
  /// IEEE 754 binary32, native-endian.
  case float32

  /// The number of bytes per sample: 1, 2 or 4.
  public var byteCount: Int {
    switch self {
    case .uint8: 1
    case .uint16, .float16: 2
    case .float32: 4
    }
  }

  /// The number of bits per sample: 8, 16 or 32.
  public var bitCount: Int { byteCount * 8 }

  /// Whether samples are floating-point numbers.
  public var isFloatingPoint: Bool { self == .float16 || self == .float32 }

  /// The value of a full sample: 255, 65535, or 1 for floating-point samples.
  public var maximum: Int {
    switch self {
    case .uint8: 255
    case .uint16: 65535
    case .float16, .float32: 1
    }
  }
}
