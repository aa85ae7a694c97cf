// The file type box of ISO base media files (ISO/IEC 14496-12, 4.3): which brand makes which format.

internal import ImageCore

extension AssetType {
  /// Reads the brands of a file whose first box is a file type box.
  ///
  /// The major brand decides where it is known. Otherwise, and for the two brands that only say "HEIF", the compatible
  /// brands tell which coding is inside.
  static func sniffBrands(_ bytes: Span<UInt8>, isComplete: Bool) -> ProbeResult {
    guard let major = FourCharacterCode(bytes, at: 8) else { return isComplete ? .no : .needs(byteCount: 12) }
    var result = type(ofBrand: major)
    if let result, result != .heif { return .yes(result) }
    // No file has more than a handful of brands; 64 bound the work.
    let boxEnd = min(Int(FourCharacterCode(bytes, at: 0)?.rawValue ?? 0), 16 + 64 * 4)
    for offset in stride(from: 16, to: boxEnd - 3, by: 4) {
      guard let compatible = FourCharacterCode(bytes, at: offset) else {
        if isComplete { break }
        return .needs(byteCount: boxEnd)
      }
      switch type(ofBrand: compatible) {
      case .some(.avif): return .yes(.avif)
      case .some(.heic): result = .heic
      case .some(.heif): result = result ?? .heif
      default: break
      }
    }
    return result.map { .yes($0) } ?? .no
  }

  private static func type(ofBrand brand: FourCharacterCode) -> AssetType? {
    switch brand {
    case "avif", "avis": .avif
    case "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs": .heic
    case "mif1", "msf1": .heif
    case "isom", "iso2", "iso4", "iso5", "iso6", "mp41", "mp42", "mmp4", "avc1", "dash": .mp4
    case "M4V ", "M4VH", "M4VP": .m4v
    case "qt  ": .mov
    default: nil
    }
  }
}
