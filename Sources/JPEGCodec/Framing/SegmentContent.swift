// Classifies application segments and comments by the name at their start (ITU-T T.871; CIPA DC-008, 4.7; XMP
// specification, part 3; ICC.1, annex B.4; CIPA DC-007).

internal import ImageCoding

/// The kind of content in a marker segment.
enum SegmentContent: Hashable {
  /// JFIF: version, density and possibly a thumbnail.
  case jfif
  /// The JFIF extension: a thumbnail.
  case jfifExtension
  /// An EXIF block.
  case exif
  /// An XMP packet.
  case xmp
  /// A portion of extended XMP.
  case extendedXMP
  /// A chunk of an ICC profile.
  case iccProfile
  /// The directory of a multi-picture file.
  case multiPicture
  /// Photoshop's image resources, which contain IPTC-IIM records.
  case imageResources
  /// Adobe's colour transform.
  case adobe
  /// A comment.
  case comment
  /// An application segment of any other kind.
  case otherApplication
  /// Tables and the headers of frames and scans, which are needed to decode pixels.
  case image
  /// A marker without meaning in a coded image.
  case reserved

  init(_ segment: Span<UInt8>, of marker: Marker) {
    func starts(_ content: SegmentContent) -> Bool { segment.starts(with: content.name) }
    switch marker {
    case .application0 where starts(.jfif): self = .jfif
    case .application0 where starts(.jfifExtension): self = .jfifExtension
    // The sixth byte is padding, which some writers do not set to zero.
    case .application1 where segment.starts(with: "Exif\0") && segment.count > 6: self = .exif
    case .application1 where starts(.xmp): self = .xmp
    case .application1 where starts(.extendedXMP): self = .extendedXMP
    case .application2 where starts(.iccProfile): self = .iccProfile
    case .application2 where starts(.multiPicture): self = .multiPicture
    case .application13 where starts(.imageResources): self = .imageResources
    case .application14 where starts(.adobe): self = .adobe
    case .comment: self = .comment
    default:
      self = marker.isApplication ? .otherApplication : marker.isPartOfImage ? .image : .reserved
    }
  }

  /// The name at the start of the segment; empty if there is none.
  var name: String {
    switch self {
    case .jfif: "JFIF\0"
    case .jfifExtension: "JFXX\0"
    case .exif: "Exif\0\0"
    case .xmp: "http://ns.adobe.com/xap/1.0/\0"
    case .extendedXMP: "http://ns.adobe.com/xmp/extension/\0"
    case .iccProfile: "ICC_PROFILE\0"
    case .multiPicture: "MPF\0"
    case .imageResources: "Photoshop 3.0\0"
    case .adobe: "Adobe"
    case .comment, .otherApplication, .image, .reserved: ""
    }
  }

  /// The length of the name in bytes.
  var nameByteCount: Int { name.utf8.count }
}
