// The size of a frame (sections 5.9.5 to 5.9.9).

internal import ImageCoding
internal import PixelPlanes

/// The size of a frame before and after super-resolution.
struct FrameSize: Equatable, Sendable {
  /// `FrameWidth`: luma columns that are coded.
  let codedWidth: Int
  /// `UpscaledWidth`: luma columns after super-resolution.
  let width: Int
  /// `FrameHeight`.
  let height: Int
  /// `SuperresDenom`: `width` is `codedWidth` times this number, divided by eight; 8 without super-resolution.
  let superResolutionDenominator: Int

  /// `SUPERRES_NUM`.
  static let superResolutionNumerator = 8
  private static let minimumDenominator = 9

  init(parsing reader: inout BitReader, _ sequence: SequenceHeader, isOverridden: Bool) throws(CodecError) {
    width = isOverridden ? reader.readInt(sequence.widthBitCount) + 1 : sequence.maximumWidth
    height = isOverridden ? reader.readInt(sequence.heightBitCount) + 1 : sequence.maximumHeight
    guard width <= sequence.maximumWidth, height <= sequence.maximumHeight else {
      throw CodecError(.malformed, "a frame of \(width) × \(height) exceeds the size of its sequence")
    }
    let isReduced = sequence.isSuperResolutionEnabled && reader.readFlag()
    let denominator = isReduced ? reader.readInt(3) + Self.minimumDenominator : Self.superResolutionNumerator
    superResolutionDenominator = denominator
    codedWidth = (width * Self.superResolutionNumerator + denominator / 2) / denominator
  }

  /// Whether columns are interpolated.
  var usesSuperResolution: Bool { superResolutionDenominator != Self.superResolutionNumerator }
  /// `MiCols` and `MiRows`: the units of 4 × 4 luma samples that are coded, an even number.
  var unitColumns: Int { 2 * ((codedWidth + 7) >> 3) }
  var unitRows: Int { 2 * ((height + 7) >> 3) }
}
