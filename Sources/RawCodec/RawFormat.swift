// The formats of camera raw files. Most of them are TIFF files of one maker.

public import ImageCoding

/// A format of camera raw files.
public enum RawFormat: String, Hashable, Codable, Sendable, CaseIterable {
  /// Adobe's Digital Negative.
  case dng
  /// Canon, since 2018: ISO base media files.
  case cr3
  /// Canon, 2004 to 2018.
  case cr2
  /// Canon, before 2004: heaps of records (CIFF).
  case crw
  /// Nikon's cameras with interchangeable lenses.
  case nef
  /// Nikon's compact cameras.
  case nrw
  /// Sony, since 2006.
  case arw
  /// Sony, before 2006.
  case sr2
  /// Pentax and Ricoh.
  case pef
  /// Samsung.
  case srw
  /// Olympus and OM System.
  case orf
  /// Panasonic and Leica.
  case rw2
  /// Fujifilm.
  case raf
  /// Minolta.
  case mrw
  /// Sigma.
  case x3f
  /// Hasselblad.
  case threeFR = "3fr"
  /// Phase One.
  case iiq
  /// Epson.
  case erf
  /// Mamiya.
  case mef
  /// Kodak.
  case dcr
  /// Leaf.
  case mos

  /// The type identifier, such as `com.adobe.raw-image`.
  public var type: AssetType {
    switch self {
    case .dng: "com.adobe.raw-image"
    case .cr3: "com.canon.cr3-raw-image"
    case .cr2: "com.canon.cr2-raw-image"
    case .crw: "com.canon.crw-raw-image"
    case .nef: "com.nikon.raw-image"
    case .nrw: "com.nikon.nrw-raw-image"
    case .arw: "com.sony.arw-raw-image"
    case .sr2: "com.sony.sr2-raw-image"
    case .pef: "com.pentax.raw-image"
    case .srw: "com.samsung.raw-image"
    case .orf: "com.olympus.raw-image"
    case .rw2: "com.panasonic.rw2-raw-image"
    case .raf: "com.fuji.raw-image"
    case .mrw: "com.konicaminolta.raw-image"
    case .x3f: "com.sigma.x3f-raw-image"
    case .threeFR: "com.hasselblad.3fr-raw-image"
    case .iiq: "com.phaseone.raw-image"
    case .erf: "com.epson.raw-image"
    case .mef: "com.mamiya.raw-image"
    case .dcr: "com.kodak.raw-image"
    case .mos: "com.leafamerica.raw-image"
    }
  }

  /// Creates the format of a type; `nil` if it is no raw format.
  public init?(_ type: AssetType) {
    guard let format = Self.allCases.first(where: { $0.type == type }) else { return nil }
    self = format
  }
}
