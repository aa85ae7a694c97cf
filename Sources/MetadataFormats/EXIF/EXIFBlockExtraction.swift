// A TIFF file is its own EXIF block, pixels and all. What can be kept apart from the pixels is written here as a block
// of its own: IFD0 without what describes the pixels, the Exif, GPS and Interoperability directories.

package import ImageCore

/// The EXIF block of a TIFF file, in its byte order; `nil` where it says nothing besides the pixels' layout.
///
/// - Parameters:
///   - bytes: the file, or as much of it as there is.
///   - directory: the directory of the picture.
package func exifBlock(
  ofTIFF bytes: Span<UInt8>, header: TIFFHeader, directory: TIFFDirectory, limits: DecodingLimits
) -> [UInt8]? {
  var builder = EXIFBlockBuilder(isBigEndian: header.isBigEndian, limits: limits)
  func child(_ tag: EXIFTag, of parent: TIFFDirectory?) -> TIFFDirectory? {
    guard let offset = parent?[tag.rawValue]?.integer(in: bytes, header: header), offset > 0 else { return nil }
    return try? TIFFDirectory(
      bytes, at: UInt64(offset), header: header, maximumFieldCount: EXIFMetadata.maximumTagCount)
  }
  let exif = child(.exifDirectory, of: directory)
  builder.add(directory, of: bytes, leavingOut: pixelTags)
  builder.add(exif, of: bytes, pointer: .exifDirectory, in: 0)
  builder.add(child(.gpsDirectory, of: directory), of: bytes, pointer: .gpsDirectory, in: 0)
  builder.add(
    child(.interoperabilityDirectory, of: exif), of: bytes, pointer: .interoperabilityDirectory,
    in: builder.indexOfExif)
  return builder.isEmpty ? nil : builder.encoded()
}

/// Tags that describe how pixels lie in the file, or are metadata of another kind.
private let pixelTags: Set<UInt16> = [
  254, 255, 256, 257, 258, 259, 262, 263, 264, 265, 266, 273, 277, 278, 279, 280, 281, 284, 288, 289, 290, 291, 292,
  293, 317, 320, 321, 322, 323, 324, 325, 330, 332, 334, 338, 339, 340, 341, 347, 512, 513, 514, 515, 517, 518, 519,
  520, 521, 700, 33723, 34377, 34675, 37724,
]

/// Puts directories and their values one behind the other.
private struct EXIFBlockBuilder {
  private struct Field {
    var tag: UInt16
    var type: UInt16
    var count: Int
    var data: [UInt8]
    /// The directory that the field points to.
    var target: Int?
  }

  private let isBigEndian: Bool
  private let limits: DecodingLimits
  private var directories: [[Field]] = []
  private(set) var indexOfExif: Int?

  init(isBigEndian: Bool, limits: DecodingLimits) {
    self.isBigEndian = isBigEndian
    self.limits = limits
  }

  var isEmpty: Bool { directories.allSatisfy(\.isEmpty) }

  /// - Parameter pointer: the tag by which the directory numbered `parent` names this one.
  mutating func add(
    _ directory: TIFFDirectory?, of bytes: Span<UInt8>, leavingOut excluded: Set<UInt16> = [],
    pointer: EXIFTag? = nil, in parent: Int? = nil
  ) {
    guard let directory, parent != nil || pointer == nil else { return }
    let pointers: Set<UInt16> = [0x8769, 0x8825, 0xA005]
    var fields: [Field] = []
    var byteCount = 0
    for field in directory.fields where field.type.rawValue <= 12 && fields.count < EXIFMetadata.maximumTagCount {
      guard !excluded.contains(field.tag), !pointers.contains(field.tag), field.isContained(in: bytes),
        field.values.count <= limits.maximumMetadataChunkByteCount - byteCount
      else { continue }
      byteCount += field.values.count
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
    var block: [UInt8] = isBigEndian ? [0x4D, 0x4D] : [0x49, 0x49]
    block += integer(42, 2) + integer(8, 4)
    for (fields, offset) in zip(directories, offsets) {
      block += encoded(fields.sorted { $0.tag < $1.tag }, at: offset, offsets: offsets)
    }
    return block
  }

  private func encoded(_ fields: [Field], at offset: Int, offsets: [Int]) -> [UInt8] {
    var entries = integer(fields.count, 2)
    var values: [UInt8] = []
    let valuesOffset = offset + 2 + fields.count * 12 + 4
    for field in fields {
      entries += integer(Int(field.tag), 2) + integer(Int(field.type), 2) + integer(field.count, 4)
      if let target = field.target {
        entries += integer(offsets[target], 4)
      } else if field.data.count <= 4 {
        entries += field.data + [UInt8](repeating: 0, count: 4 - field.data.count)
      } else {
        entries += integer(valuesOffset + values.count, 4)
        values += field.data + [UInt8](repeating: 0, count: field.data.count & 1)
      }
    }
    return entries + [0, 0, 0, 0] + values
  }

  private func integer(_ value: Int, _ byteCount: Int) -> [UInt8] {
    let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    return isBigEndian ? bytes.reversed() : bytes
  }
}
