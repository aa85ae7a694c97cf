// Extraction of an EXIF block from a TIFF file. A TIFF file has the structure of an EXIF block that includes the
// pixels. The extracted block consists of IFD0 without the tags of the pixel layout, and the Exif, GPS and
// Interoperability directories.

package import ImageCore

/// Returns the EXIF block of a TIFF file, in its byte order; `nil` if the file states nothing but the pixel layout.
///
/// - Parameters:
///   - bytes: the file or a prefix.
///   - directory: the directory of the picture.
///   - budget: the budget to which the fields of the directories and the bytes of the block are charged.
package func exifBlock(
  ofTIFF bytes: Span<UInt8>, header: TIFFHeader, directory: TIFFDirectory, budget: inout ResourceBudget
) throws(CodecError) -> [UInt8]? {
  let maximumFieldCount = budget.limits.maximumMetadataChunkCount
  var builder = EXIFBlockBuilder(
    order: header.isBigEndian ? .bigEndian : .littleEndian, byteAllowance: budget.metadataAllowance,
    maximumFieldCount: maximumFieldCount)
  func child(_ tag: EXIFTag, of parent: TIFFDirectory?) throws(CodecError) -> TIFFDirectory? {
    guard let offset = parent?[tag.rawValue]?.integer(in: bytes, header: header), offset > 0 else { return nil }
    do throws(CodecError) {
      return try TIFFDirectory(
        bytes, at: UInt64(offset), header: header, maximumFieldCount: maximumFieldCount, budget: &budget)
    } catch {
      // A damaged directory is left out.
      if error.kind != .truncated && error.kind != .malformed { throw error }
      return nil
    }
  }
  let exif = try child(.exifDirectory, of: directory)
  builder.add(directory, of: bytes, leavingOut: describesPixels)
  builder.add(exif, of: bytes, pointer: .exifDirectory, in: 0)
  builder.add(try child(.gpsDirectory, of: directory), of: bytes, pointer: .gpsDirectory, in: 0)
  builder.add(
    try child(.interoperabilityDirectory, of: exif), of: bytes, pointer: .interoperabilityDirectory,
    in: builder.indexOfExif)
  guard !builder.isEmpty else { return nil }
  let block = builder.encoded()
  return budget.admitMetadata(block.count) ? block : nil
}

/// Returns the EXIF block of a file that keeps its directories apart, each as the first one of a TIFF structure; `nil` if
/// none of them can be read. Those in another byte order than the image's are left out.
///
/// - Parameters:
///   - image, exif, gps: the structures, each starting with its header; empty if there is none.
package func exifBlock(
  joining image: Span<UInt8>, exif: Span<UInt8>, gps: Span<UInt8>, budget: inout ResourceBudget
) throws(CodecError) -> [UInt8]? {
  func first(_ bytes: Span<UInt8>) throws(CodecError) -> (TIFFHeader, TIFFDirectory)? {
    do throws(CodecError) {
      var reader = ByteReader(bytes)
      let header = try TIFFHeader(parsing: &reader)
      let directory = try TIFFDirectory(
        bytes, at: header.firstDirectoryOffset, header: header,
        maximumFieldCount: budget.limits.maximumMetadataChunkCount, budget: &budget)
      return (header, directory)
    } catch {
      if error.kind != .truncated && error.kind != .malformed { throw error }
      return nil
    }
  }
  guard let (header, directory) = try first(image) else { return nil }
  var builder = EXIFBlockBuilder(
    order: header.isBigEndian ? .bigEndian : .littleEndian, byteAllowance: budget.metadataAllowance,
    maximumFieldCount: budget.limits.maximumMetadataChunkCount)
  builder.add(directory, of: image, leavingOut: describesPixels)
  if let (other, directory) = try first(exif), other.isBigEndian == header.isBigEndian {
    builder.add(directory, of: exif, pointer: .exifDirectory, in: 0)
  }
  if let (other, directory) = try first(gps), other.isBigEndian == header.isBigEndian {
    builder.add(directory, of: gps, pointer: .gpsDirectory, in: 0)
  }
  guard !builder.isEmpty else { return nil }
  let block = builder.encoded()
  return budget.admitMetadata(block.count) ? block : nil
}

/// Returns whether a tag describes how pixels are stored, or is metadata of another kind than EXIF.
package func isPixelLayoutTag(_ tag: UInt16) -> Bool { pixelTags.contains(tag) }

/// Tags that describe how pixels are stored, or are metadata of another kind.
private let pixelTags: Set<UInt16> = [
  254, 255, 256, 257, 258, 259, 262, 263, 264, 265, 266, 273, 277, 278, 279, 280, 281, 284, 288, 289, 290, 291, 292,
  293, 317, 320, 321, 322, 323, 324, 325, 330, 332, 334, 338, 339, 340, 341, 347, 512, 513, 514, 515, 517, 518, 519,
  520, 521, 700, 33723, 34377, 34675, 37724,
]

/// Whether a tag describes how pixels are stored, or the sensor of a camera and the development of its data: the tags of
/// DNG, some of which are tables of more bytes than files of other formats can hold as metadata.
private func describesPixels(_ tag: UInt16) -> Bool {
  let tagsOfDNG: ClosedRange<UInt16> = 50_706...52_600
  let (filterPatternSize, filterPattern): (UInt16, UInt16) = (33_421, 33_422)
  return pixelTags.contains(tag) || tagsOfDNG.contains(tag) || tag == filterPatternSize || tag == filterPattern
}

/// Writes directories, each followed by its values.
private struct EXIFBlockBuilder {
  private struct Field {
    var tag: UInt16
    var type: UInt16
    var count: Int
    var data: [UInt8]
    /// The directory to which the field points.
    var target: Int?
  }

  private let order: ByteWriter.ByteOrder
  /// The number of bytes of values that may still be kept.
  private var byteAllowance: Int
  /// The maximum number of fields per directory; further fields are left out.
  private let maximumFieldCount: Int
  private var directories: [[Field]] = []
  private(set) var indexOfExif: Int?

  init(order: ByteWriter.ByteOrder, byteAllowance: Int, maximumFieldCount: Int) {
    self.order = order
    self.byteAllowance = byteAllowance
    self.maximumFieldCount = maximumFieldCount
  }

  var isEmpty: Bool { directories.allSatisfy { $0.isEmpty } }

  /// - Parameter pointer: the tag in the directory numbered `parent` that points to this one.
  mutating func add(
    _ directory: TIFFDirectory?, of bytes: Span<UInt8>, leavingOut isExcluded: (UInt16) -> Bool = { _ in false },
    pointer: EXIFTag? = nil, in parent: Int? = nil
  ) {
    guard let directory, parent != nil || pointer == nil else { return }
    let pointers: Set<UInt16> = [0x8769, 0x8825, 0xA005]
    var fields: [Field] = []
    for field in directory.fields where field.type.rawValue <= 12 && fields.count < maximumFieldCount {
      guard !isExcluded(field.tag), !pointers.contains(field.tag), field.isContained(in: bytes),
        field.values.count <= byteAllowance
      else { continue }
      byteAllowance -= field.values.count
      let data = Array(copying: bytes.extracting(field.values))
      fields.append(Field(tag: field.tag, type: field.type.rawValue, count: field.count, data: data))
    }
    if fields.isEmpty, pointer != nil { return }
    if let pointer, let parent {
      directories[parent].append(
        Field(tag: pointer.rawValue, type: 4, count: 1, data: [0, 0, 0, 0], target: directories.count))
      if pointer == .exifDirectory { indexOfExif = directories.count }
    }
    directories.append(fields)
  }

  func encoded() -> [UInt8] {
    var offsets: [Int] = []
    var end = 8
    for fields in directories {
      offsets.append(end)
      end += 2 + fields.count * 12 + 4
      for field in fields where field.data.count > 4 { end += field.data.count + field.data.count & 1 }
    }
    var block = ByteWriter(order, after: Array((order == .bigEndian ? "MM" : "II").utf8))
    block.append(42 as UInt16)
    block.append(8 as UInt32)
    for (fields, offset) in zip(directories, offsets) {
      append(fields.sorted { $0.tag < $1.tag }, at: offset, offsets: offsets, to: &block)
    }
    return block.bytes
  }

  private func append(_ fields: [Field], at offset: Int, offsets: [Int], to block: inout ByteWriter) {
    block.append(UInt64(fields.count), byteCount: 2)
    var values: [UInt8] = []
    let valuesOffset = offset + 2 + fields.count * 12 + 4
    for field in fields {
      block.append(field.tag)
      block.append(field.type)
      block.append(UInt64(field.count), byteCount: 4)
      if let target = field.target {
        block.append(UInt64(offsets[target]), byteCount: 4)
      } else if field.data.count <= 4 {
        block.append(field.data + [UInt8](repeating: 0, count: 4 - field.data.count))
      } else {
        block.append(UInt64(valuesOffset + values.count), byteCount: 4)
        values += field.data + [UInt8](repeating: 0, count: field.data.count & 1)
      }
    }
    block.append(0 as UInt32)
    block.append(values)
  }
}
