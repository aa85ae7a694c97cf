// A parsed EXIF block: the tags of each directory. Values are read on access.
//
// CIPA DC-008 (EXIF 3.0), section 4.6: IFD0 describes the image and points to the Exif and GPS directories; the Exif
// directory points to the Interoperability directory; IFD1, linked from IFD0, describes the thumbnail.

public import ImageCore

/// The tags of an EXIF block.
///
/// Links to a directory that was already read, fields whose count exceeds the block, and tags that exceed the limits
/// are left out. Everything else in a damaged block is kept.
public struct EXIFMetadata: Hashable, Sendable {
  /// The maximum number of directories that are read from a block.
  public static let maximumDirectoryCount = 8

  /// The directories of an EXIF block.
  public enum Directory: String, Hashable, Sendable, CaseIterable {
    /// IFD0: the image.
    case image
    /// The Exif directory: the conditions under which the picture was taken.
    case exif
    /// The GPS directory: the location where the picture was taken.
    case gps
    /// The Interoperability directory: the rules to which the file conforms.
    case interoperability
    /// IFD1: the thumbnail.
    case thumbnail
  }

  /// A tag of a directory.
  public struct Entry: Hashable, Sendable {
    /// The directory that contains the tag.
    public let directory: Directory
    /// The tag under which the directory has the value.
    public let tag: EXIFTag
    let field: TIFFField
  }

  /// The block: a TIFF header and its directories, without any prefix.
  public let bytes: [UInt8]
  /// The tags in file order, directory by directory.
  public let entries: [Entry]
  let header: TIFFHeader

  /// Parses a block.
  ///
  /// - Parameters:
  ///   - bytes: the block: a TIFF header and directories.
  ///   - limits: each tag counts as a piece of metadata (`DecodingLimits.maximumMetadataChunkCount`).
  /// - Throws: `CodecError.Kind.malformed` or `CodecError.Kind.truncated` if the header cannot be read.
  public init(_ bytes: [UInt8], limits: DecodingLimits = .default) throws(CodecError) {
    var budget = ResourceBudget(limits)
    try self.init(bytes, budget: &budget)
  }

  /// Parses a block as a part of a call.
  init(_ bytes: [UInt8], budget: inout ResourceBudget) throws(CodecError) {
    var reader = ByteReader(bytes.span)
    header = try TIFFHeader(parsing: &reader)
    self.bytes = bytes
    var walk = DirectoryWalk(header: header)
    walk.run(bytes.span, &budget)
    entries = walk.entries
  }

  /// The values of a tag; `nil` if it is missing.
  public subscript(directory: Directory, tag: EXIFTag) -> EXIFValue? {
    entries.first { $0.directory == directory && $0.tag == tag }.flatMap(value)
  }

  /// Returns the values of an entry.
  public func value(of entry: Entry) -> EXIFValue? {
    EXIFValue(entry.field, in: bytes.span, header: header)
  }

  /// The range of the thumbnail's JPEG stream in ``bytes``; `nil` if there is none.
  public var thumbnailRange: Range<Int>? { exifThumbnailRange(bytes.span) }

  /// The thumbnail's JPEG stream; `nil` if there is none.
  public var thumbnail: [UInt8]? { thumbnailRange.map { Array(bytes[$0]) } }
}

/// Visits each directory of a block once.
private struct DirectoryWalk {
  let header: TIFFHeader
  private(set) var entries: [EXIFMetadata.Entry] = []
  private var visitedOffsets: [UInt64] = []
  private var valueByteCount = 0

  init(header: TIFFHeader) {
    self.header = header
  }

  mutating func run(_ bytes: Span<UInt8>, _ budget: inout ResourceBudget) {
    guard let image = read(bytes, at: header.firstDirectoryOffset, as: .image, &budget) else { return }
    if let exif = pointed(by: .exifDirectory, in: image, bytes, as: .exif, &budget) {
      _ = pointed(by: .interoperabilityDirectory, in: exif, bytes, as: .interoperability, &budget)
    }
    _ = pointed(by: .gpsDirectory, in: image, bytes, as: .gps, &budget)
    if image.nextOffset != 0 { _ = read(bytes, at: image.nextOffset, as: .thumbnail, &budget) }
  }

  private mutating func pointed(
    by tag: EXIFTag, in parent: TIFFDirectory, _ bytes: Span<UInt8>, as directory: EXIFMetadata.Directory,
    _ budget: inout ResourceBudget
  ) -> TIFFDirectory? {
    guard let offset = parent[tag.rawValue]?.integer(in: bytes, header: header), offset > 0 else { return nil }
    return read(bytes, at: UInt64(offset), as: directory, &budget)
  }

  private mutating func read(
    _ bytes: Span<UInt8>, at offset: UInt64, as directory: EXIFMetadata.Directory, _ budget: inout ResourceBudget
  ) -> TIFFDirectory? {
    guard !visitedOffsets.contains(offset), visitedOffsets.count < EXIFMetadata.maximumDirectoryCount
    else { return nil }
    visitedOffsets.append(offset)
    let room = budget.limits.maximumMetadataChunkCount - entries.count
    guard
      let result = try? TIFFDirectory(
        bytes, at: offset, header: header, maximumFieldCount: room, keepsIncomplete: true, budget: &budget)
    else { return nil }
    for field in result.fields where field.isContained(in: bytes) {
      // Values that do not overlap cannot exceed the block; values that share bytes could have any size.
      guard field.values.count <= bytes.count - valueByteCount, budget.admitMetadata(field.values.count) else {
        continue
      }
      valueByteCount += field.values.count
      entries.append(EXIFMetadata.Entry(directory: directory, tag: EXIFTag(rawValue: field.tag), field: field))
    }
    return result
  }
}
