// The work of the stages of a frame, for a luma sample and its chroma unless stated otherwise.

internal import ImageCoding

/// The work of decoding frames, in units of the budget.
enum FrameWork {
  /// Decoding of blocks, which the bytes of a tile add to.
  static let decoding = 14
  /// Zeros after the end of the data may be more symbols than data of any length.
  static let exhausted = 100
  static let perByte = 70
  static let deblocking = 6
  static let enhancement = 12
  static let restoration = 22
  static let superResolution = 14
  static let filmGrain = 28
  /// Copying to the result.
  static let copying = 2
  /// The work of selecting the matrices of all sizes of transforms.
  static let quantizerMatrices = 100_000
  /// The work of the noise from which that of a plane is taken.
  static let grainTemplate = 500_000
  static let perTile = 20_000
  /// The work of starting a tile, for each unit of a row.
  static let perTileUnit = 60

  /// The filters of coded samples.
  private static func codedFilters(_ parameters: FrameParameters) -> Int {
    (parameters.loopFilter.isEnabled ? deblocking : 0) + (parameters.cdef.isEnabled ? enhancement : 0)
  }

  /// The filter of samples as they are shown, and their copying.
  private static func shownFilters(_ parameters: FrameParameters) -> Int {
    copying + (parameters.restoration.isEnabled ? restoration : 0)
  }

  /// All filters of a frame without super-resolution and film grain.
  static func filters(_ parameters: FrameParameters) -> Int {
    codedFilters(parameters) + shownFilters(parameters)
  }

  /// The work of a whole frame, which its bytes add to.
  static func total(_ parameters: FrameParameters, hasGrain: Bool) -> Int64 {
    var shown = shownFilters(parameters)
    // Restoration needs the samples before and after directional enhancement.
    if parameters.size.usesSuperResolution { shown += (parameters.restoration.isEnabled ? 2 : 1) * superResolution }
    if hasGrain { shown += filmGrain }
    return Int64(parameters.columns) * Int64(parameters.rows) * Int64(16 * (decoding + codedFilters(parameters)))
      + Int64(parameters.size.width) * Int64(parameters.size.height) * Int64(shown)
  }
}
