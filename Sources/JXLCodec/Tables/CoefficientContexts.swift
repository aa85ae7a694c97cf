// The contexts of coefficients (ISO/IEC 18181-1, I.8.3).

enum CoefficientContexts {
  /// The number of contexts of the coefficients of a cluster of blocks.
  static let count = 458
  /// The number of contexts of the counts of nonzero coefficients of a cluster of blocks.
  static let countContextCount = 37
  /// The offsets of the frequency of a coefficient, in units of the number of blocks.
  static let frequency: [UInt16] = [
    0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15, 16, 16, 17, 17, 18, 18, 19, 19, 20, 20, 21, 21, 22,
    22, 23, 23, 23, 23, 24, 24, 24, 24, 25, 25, 25, 25, 26, 26, 26, 26, 27, 27, 27, 27, 28, 28, 28, 28, 29, 29, 29,
    29, 30, 30, 30, 30,
  ]
  /// The offsets of the number of remaining nonzero coefficients, in units of the number of blocks.
  static let remaining: [UInt16] = [
    0, 0, 31, 62, 62, 93, 93, 93, 93, 123, 123, 123, 123, 152, 152, 152, 152, 152, 152, 152, 152, 180, 180, 180, 180,
    180, 180, 180, 180, 180, 180, 180, 180, 206, 206, 206, 206, 206, 206, 206, 206, 206, 206, 206, 206, 206, 206, 206,
    206, 206, 206, 206, 206, 206, 206, 206, 206, 206, 206, 206, 206, 206, 206, 206,
  ]
  /// The clusters of blocks by channel, in the order Y, X, B, and by coefficient order, unless a frame has its own.
  static let defaultBlockClusters: [UInt8] = [
    0, 1, 2, 2, 3, 3, 4, 5, 6, 6, 6, 6, 6,
    7, 8, 9, 9, 10, 11, 12, 13, 14, 14, 14, 14, 14,
    7, 8, 9, 9, 10, 11, 12, 13, 14, 14, 14, 14, 14,
  ]
}
