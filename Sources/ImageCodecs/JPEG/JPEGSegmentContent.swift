// What an application segment of a JPEG file holds, by the name it starts with (ITU-T T.871; CIPA DC-008, 4.7; XMP
// specification, part 3; ICC.1, annex B.4).

internal import ImageCore

/// The kinds of application segments and comments.
enum JPEGSegmentContent {
  /// JFIF: density, perhaps a thumbnail.
  case jfif
  /// The extension of JFIF: a thumbnail.
  case jfxx
  /// An EXIF block behind its six bytes of name.
  case exif
  /// An XMP packet.
  case xmp
  /// A part of a long XMP packet.
  case extendedXMP
  /// A part of an ICC profile.
  case iccProfile
  /// Photoshop's image resources, among them IPTC-IIM records.
  case imageResources
  /// Adobe's word on the colour transform.
  case adobe
  /// A comment.
  case comment
  /// An application's own.
  case otherApplication
  /// Tables and frame headers: what pixels are made of.
  case image

  init(_ segment: JPEGSegments.Segment, of bytes: Span<UInt8>) {
    let payload = bytes.extracting(segment.payload)
    switch segment.marker {
    case 0xE0 where Self.starts(payload, "JFIF\0"): self = .jfif
    case 0xE0 where Self.starts(payload, "JFXX\0"): self = .jfxx
    case 0xE1 where Self.starts(payload, "Exif\0"): self = .exif
    case 0xE1 where Self.starts(payload, Self.xmpName): self = .xmp
    case 0xE1 where Self.starts(payload, Self.extendedXMPName): self = .extendedXMP
    case 0xE2 where Self.starts(payload, Self.profileName): self = .iccProfile
    case 0xED where Self.starts(payload, Self.resourcesName): self = .imageResources
    case 0xEE where Self.starts(payload, "Adobe"): self = .adobe
    case 0xE0...0xEF: self = .otherApplication
    case 0xFE: self = .comment
    default: self = .image
    }
  }

  static let exifName: StaticString = "Exif\0\0"
  static let xmpName: StaticString = "http://ns.adobe.com/xap/1.0/\0"
  static let extendedXMPName: StaticString = "http://ns.adobe.com/xmp/extension/\0"
  static let profileName: StaticString = "ICC_PROFILE\0"
  static let resourcesName: StaticString = "Photoshop 3.0\0"

  private static func starts(_ payload: Span<UInt8>, _ name: StaticString) -> Bool {
    guard payload.count >= name.utf8CodeUnitCount else { return false }
    var index = 0
    for unit in name.description.utf8 {
      if payload[index] != unit { return false }
      index += 1
    }
    return true
  }
}
