// The maker note of Apple's cameras, as far as it describes the gain map of a photo.

package import ImageCore

/// The headroom of a photo with Apple's gain map.
///
/// The note is a directory after a header of 14 bytes; offsets are relative to the note. Tags 33 and 48 determine the
/// headroom by the formula that Apple documents in "Applying Apple HDR effect to your photos".
package struct AppleMakerNote: Hashable, Sendable {
  /// The binary logarithm of the headroom; 0…16.
  package let headroom: Double

  private static let name = "Apple iOS\0"
  private static let directoryOffset: UInt64 = 14
  /// More than any camera states. Light of many more stops is no finite number.
  private static let maximumStops = 16.0

  /// Reads the note of an EXIF block; `nil` if there is none, or it does not state the headroom.
  ///
  /// - Parameter budget: charged for the directories, which are credited at the end.
  package init?(exif: [UInt8], budget: inout ResourceBudget) {
    let heldByteCount = budget.heldByteCount
    defer { budget.settle(heldByteCount: heldByteCount) }
    guard let metadata = try? EXIFMetadata(exif, budget: &budget),
      case .bytes(let note)? = metadata[.exif, .makerNote], note.starts(with: Self.name.utf8), note.count > 14
    else { return nil }
    let order: UInt8 = note[12] == 0x49 ? 0x49 : 0x4D
    let start: [UInt8] = order == 0x49 ? [order, order, 42, 0, 14, 0, 0, 0] : [order, order, 0, 42, 0, 0, 0, 14]
    var reader = ByteReader(start.span)
    guard let header = try? TIFFHeader(parsing: &reader),
      let directory = try? TIFFDirectory(
        note.span, at: Self.directoryOffset, header: header, maximumFieldCount: 256, keepsIncomplete: true,
        budget: &budget)
    else { return nil }
    func number(_ tag: UInt16) -> Double? {
      guard let field = directory[tag], let value = EXIFValue(field, in: note.span, header: header) else { return nil }
      return switch value {
      case .rationals(let values): values.first?.value
      case .decimals(let values): values.first
      default: nil
      }
    }
    guard let headroom = number(33), let gain = number(48), headroom.isFinite, gain.isFinite else { return nil }
    let stops = Self.stops(headroom: headroom, gain: gain)
    guard stops <= Self.maximumStops else { return nil }
    self.headroom = max(stops, 0)
  }

  private static func stops(headroom: Double, gain: Double) -> Double {
    if headroom < 1 { return gain <= 0.01 ? -20 * gain + 1.8 : -0.101 * gain + 1.601 }
    return gain <= 0.01 ? -70 * gain + 3 : -0.303 * gain + 2.303
  }
}
