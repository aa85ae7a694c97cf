// Tables of sRGB's transfer function for integer samples.

internal import ImageCore

/// Conversions between encoded samples and linear light.
enum TransferTables {
  /// The linear light of each 8-bit sample, rounded to 16 bits.
  static let linear8: [Float] = (0...255).map { Float((SRGBTransfer.linear(Double($0) / 255) * 65535).rounded()) }

  /// The 8-bit sample of each linear light of 16 bits.
  static let encoded8: [UInt8] = (0...65535).map { UInt8((SRGBTransfer.encoded(Double($0) / 65535) * 255).rounded()) }

  /// The linear light of each 16-bit sample as a multiple of 1/65535, not rounded.
  static let linear16: [Float] = (0...65535).map { Float(SRGBTransfer.linear(Double($0) / 65535) * 65535) }
}
