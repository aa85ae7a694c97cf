// The file type box (ISO/IEC 14496-12, 4.3) and the formats that its brands denote.

public import ImageCoding

/// The brands of a file.
public struct ISOBrands: Hashable, Sendable {
  /// The major brand, such as `"heic"`.
  public let major: String
  /// The minor version of the major brand.
  public let minorVersion: UInt32
  /// The brands whose readers can read the file.
  public let compatible: [String]

  /// Reads the first box of a file.
  ///
  /// - Throws: `CodecError.Kind.malformed` if it is not a file type box, `CodecError.Kind.truncated`.
  public init(parsing bytes: Span<UInt8>) throws(CodecError) {
    var boxes = ISOBoxIterator(bytes, in: 0..<bytes.count)
    guard let box = boxes.next(), box.type == "ftyp" else {
      throw CodecError(.malformed, "the file does not start with a file type box", byteOffset: 0)
    }
    var reader = ByteReader(bytes.extracting(box.payload), baseOffset: box.payload.lowerBound)
    major = FourCharacterCode(rawValue: try reader.readUInt32BigEndian()).description
    minorVersion = try reader.readUInt32BigEndian()
    var brands: [String] = []
    while reader.remaining >= 4, brands.count < Self.maximumCompatibleBrandCount {
      brands.append(FourCharacterCode(rawValue: try reader.readUInt32BigEndian()).description)
    }
    compatible = brands
  }

  /// The number of compatible brands that are read; typical files have fewer than ten. It is a constant and not a
  /// decoding limit, because a probe states how many bytes it needs before any limits are known.
  static let maximumCompatibleBrandCount = 64

  /// Whether a brand announces an image sequence.
  var announcesSequence: Bool {
    let sequences: Set<String> = ["avis", "msf1", "hevc", "hevx", "hevm", "hevs", "avcs"]
    return sequences.contains(major) || !sequences.isDisjoint(with: compatible)
  }
}

/// Returns the format of a file whose first box is a file type box.
///
/// The major brand decides if it is known. Otherwise, and for the generic HEIF brands, the compatible brands determine
/// the coding, as does the minor version of a file with a minimised image box (ISO/IEC 23008-12, 10.2.4).
///
/// - Parameter isComplete: whether no more bytes will follow; an undecided result is then resolved.
package func sniffISOBrands(_ bytes: Span<UInt8>, isComplete: Bool) -> ProbeResult {
  let type: InlineArray<4, UInt8> = [0x66, 0x74, 0x79, 0x70]
  for index in 4..<max(4, min(bytes.count, 8)) where bytes[index] != type[index - 4] { return .no }
  guard let size = FourCharacterCode(bytes, at: 0), let major = FourCharacterCode(bytes, at: 8) else {
    return isComplete ? .no : .needs(byteCount: 12)
  }
  var result = assetType(ofBrand: major)
  if let result, result != ISOMediaDecoder.heif { return .yes(result) }
  let boxEnd = min(Int(clamping: size.rawValue), 16 + ISOBrands.maximumCompatibleBrandCount * 4)
  for offset in stride(from: major == "mif3" ? 12 : 16, to: boxEnd - 3, by: 4) {
    guard let compatible = FourCharacterCode(bytes, at: offset) else {
      if isComplete { break }
      return .needs(byteCount: boxEnd)
    }
    switch assetType(ofBrand: compatible) {
    case ISOMediaDecoder.avif?: return .yes(ISOMediaDecoder.avif)
    case ISOMediaDecoder.heic?: result = ISOMediaDecoder.heic
    case ISOMediaDecoder.heif?: result = result ?? ISOMediaDecoder.heif
    default: break
    }
  }
  return result.map { .yes($0) } ?? .no
}

private func assetType(ofBrand brand: FourCharacterCode) -> AssetType? {
  switch brand {
  case "avif", "avis": ISOMediaDecoder.avif
  case "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs": ISOMediaDecoder.heic
  case "mif1", "msf1", "mif3", "avci", "avcs", "jpeg", "jpgs": ISOMediaDecoder.heif
  case "isom", "iso2", "iso4", "iso5", "iso6", "mp41", "mp42", "mmp4", "avc1", "dash": ISOMediaDecoder.mp4
  case "M4V ", "M4VH", "M4VP": ISOMediaDecoder.m4v
  case "qt  ": ISOMediaDecoder.mov
  default: nil
  }
}
