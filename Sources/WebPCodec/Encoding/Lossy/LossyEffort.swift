// The levels of effort of the lossy encoder.

/// The effort that is spent on a macroblock.
struct LossyEffort: Sendable {
  /// Whether luma may be predicted by subblocks, and the number of modes that are tried for each.
  var subblockModeCount: Int
  /// Whether distortion includes that of texture.
  var weighsTexture: Bool
  /// The use of trellis quantization, which chooses levels by their cost as well.
  var trellis: Trellis
  /// The number of times that the picture is encoded, each with the probabilities of the previous one.
  var passCount: Int

  enum Trellis {
    case never
    /// Once the modes are decided.
    case finally
    /// For every mode.
    case always
  }

  /// - Parameter level: 0 (fastest) … 9 (smallest).
  init(level: Int) {
    subblockModeCount = [0, 0, 4, 10, 10, 10, 10, 10, 10, 10][level]
    weighsTexture = level >= 5
    trellis = level >= 8 ? .always : level >= 7 ? .finally : .never
    passCount = level >= 9 ? 3 : level >= 8 ? 2 : 1
  }
}
