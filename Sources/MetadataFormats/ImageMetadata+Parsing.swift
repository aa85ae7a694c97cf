// From the blocks that a file carries to values.

public import ImageCore

extension ImageMetadata {
  /// The EXIF block's tags, dates, camera, exposure and place; `nil` where there is no block that can be read.
  public var exifTags: EXIFMetadata? { exif.flatMap { try? EXIFMetadata($0) } }
  /// The XMP packet's text; `nil` where there is none that can be read.
  public var xmpPacket: XMPPacket? { xmp.flatMap { try? XMPPacket($0) } }
  /// The IPTC-IIM data sets; `nil` where there are none that can be read.
  public var iptcRecords: IPTCRecords? { iptc.flatMap { try? IPTCRecords($0) } }
  /// What the ICC profile says of itself; `nil` where there is none that can be read.
  public var iccProfileHeader: ICCProfileHeader? {
    iccProfile.flatMap { try? ICCProfileHeader(parsing: $0.span) }
  }
  /// How the EXIF block says that pixels are to be turned; ``ImageOrientation/up`` where it says nothing.
  public var orientation: ImageOrientation { exif.flatMap { ImageOrientation(exif: $0.span) } ?? .up }
}
