// Segments of a frame (section 5.9.14).

internal import ImageCoding
internal import PixelPlanes

/// The features that the blocks of each segment have in common.
struct Segmentation: Sendable {
  static let maximumCount = 8
  private static let featureCount = 8

  /// Features by number (section 3, `SEG_LVL_*`).
  enum Feature {
    static let quantizer = 0
    /// Of luma's vertical edges; then those of its horizontal edges, of U and of V.
    static let loopFilter = 1
    static let referenceFrame = 5
    static let skip = 6
  }

  /// `segmentation_enabled`.
  let isEnabled: Bool
  /// `FeatureData`, by segment and feature; `nil` if the feature is not enabled.
  private var values = InlineArray<64, Int16?>(repeating: nil)
  /// `SegIdPreSkip`: whether the segment of a block is read before it is known to be skipped.
  private(set) var precedesSkip = false
  /// `LastActiveSegId`.
  private(set) var lastActive = 0

  private static let bitCounts: InlineArray<8, Int> = [8, 6, 6, 6, 6, 3, 0, 0]
  private static let limits: InlineArray<8, Int> = [255, 63, 63, 63, 63, 7, 0, 0]
  /// The features before this one are signed.
  private static let firstUnsigned = 5

  /// Reads the parameters of a frame without a primary reference frame.
  init(parsing reader: inout BitReader) {
    isEnabled = reader.readFlag()
    guard isEnabled else { return }
    for segment in 0..<Self.maximumCount {
      for feature in 0..<Self.featureCount where reader.readFlag() {
        let (count, limit) = (Self.bitCounts[feature], Self.limits[feature])
        let value = feature < Self.firstUnsigned ? reader.readSigned(count + 1) : reader.readInt(count)
        values[segment * Self.featureCount + feature] = Int16(min(max(value, -limit), limit))
        lastActive = segment
        if feature >= Feature.referenceFrame { precedesSkip = true }
      }
    }
  }

  /// The value of a feature; `nil` if it is not active for the segment.
  func value(_ feature: Int, of segment: Int) -> Int? {
    values[(segment * Self.featureCount + feature) & 63].map { Int($0) }
  }

  /// Whether the levels of the loop filter depend on segments.
  var changesLoopFilter: Bool {
    (0..<Self.maximumCount).contains { segment in
      (Feature.loopFilter..<Feature.referenceFrame).contains { value($0, of: segment) != nil }
    }
  }
}
