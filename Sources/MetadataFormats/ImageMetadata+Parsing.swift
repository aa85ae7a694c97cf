// Parsing of metadata blocks.

public import ImageCore

extension ImageMetadata {
  /// The tags of the EXIF block; `nil` if there is no readable block.
  public var exifTags: EXIFMetadata? { exif.flatMap { try? EXIFMetadata($0) } }
  /// The text of the XMP packet; `nil` if there is no readable packet.
  public var xmpPacket: XMPPacket? { xmp.flatMap { try? XMPPacket($0) } }
  /// The IPTC-IIM data sets; `nil` if there is no readable block.
  public var iptcRecords: IPTCRecords? { iptc.flatMap { try? IPTCRecords($0) } }
  /// The header of the ICC profile; `nil` if there is no readable profile.
  public var iccProfileHeader: ICCProfileHeader? {
    colorSpace.iccProfile.flatMap { try? ICCProfileHeader(parsing: $0.span) }
  }
  /// The orientation in the EXIF block; `ImageOrientation.up` if not stated.
  public var orientation: ImageOrientation { exif.flatMap { ImageOrientation(exif: $0.span) } ?? .up }
}
