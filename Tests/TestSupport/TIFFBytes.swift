// TIFF files that the tests write, byte by byte.

/// A field of a directory.
package enum TIFFFieldBytes {
  case byte(Int, [UInt8])
  case ascii(Int, String)
  case short(Int, [Int])
  case long(Int, [Int])
  case rational(Int, [(Int, Int)])
  case signedRational(Int, [(Int, Int)])
  case undefined(Int, [UInt8])
  /// Data elsewhere in the file, to which two fields refer: with its offset and its byte count.
  case blob(offset: Int, count: Int, [UInt8])
  /// Several pieces of data, to which two fields refer.
  case blobs(offsets: Int, counts: Int, [[UInt8]])
  /// The directory of another index.
  case subdirectories(Int, [Int])
}

/// A little- or big-endian TIFF file.
package struct TIFFBytes {
  package private(set) var bytes: [UInt8]
  private let isBigEndian: Bool

  /// Creates a file.
  ///
  /// - Parameters:
  ///   - directories: the directories of the chain.
  ///   - others: directories to which only ``TIFFFieldBytes/subdirectories(_:_:)`` refers, by their index.
  package init(directories: [[TIFFFieldBytes]], others: [[TIFFFieldBytes]] = [], isBigEndian: Bool = false) {
    self.isBigEndian = isBigEndian
    bytes = isBigEndian ? [0x4D, 0x4D, 0, 42, 0, 0, 0, 8] : [0x49, 0x49, 42, 0, 8, 0, 0, 0]
    let all = directories + others
    var offsets: [Int] = []
    var end = 8
    for directory in all {
      offsets.append(end)
      end += 2 + directory.reduce(0) { $0 + Self.entryCount($1) } * 12 + 4
    }
    var data: [UInt8] = []
    for (index, directory) in all.enumerated() {
      var entries: [(tag: Int, type: Int, count: Int, value: [UInt8])] = []
      for field in directory {
        switch field {
        case .byte(let tag, let values): entries.append((tag, 1, values.count, values))
        case .undefined(let tag, let values): entries.append((tag, 7, values.count, values))
        case .ascii(let tag, let text): entries.append((tag, 2, text.utf8.count + 1, Array(text.utf8) + [0]))
        case .short(let tag, let values): entries.append((tag, 3, values.count, values.flatMap { integer($0, 2) }))
        case .long(let tag, let values): entries.append((tag, 4, values.count, values.flatMap { integer($0, 4) }))
        case .rational(let tag, let values), .signedRational(let tag, let values):
          var type = 5
          if case .signedRational = field { type = 10 }
          entries.append((tag, type, values.count, values.flatMap { integer($0.0, 4) + integer($0.1, 4) }))
        case .blob(let offset, let count, let blob):
          entries.append((offset, 4, 1, integer(end + data.count, 4)))
          entries.append((count, 4, 1, integer(blob.count, 4)))
          data += blob
        case .blobs(let offsets, let counts, let blobs):
          var places: [UInt8] = []
          for blob in blobs {
            places += integer(end + data.count, 4)
            data += blob
          }
          entries.append((offsets, 4, blobs.count, places))
          entries.append((counts, 4, blobs.count, blobs.flatMap { integer($0.count, 4) }))
        case .subdirectories(let tag, let indices):
          entries.append((tag, 4, indices.count, indices.flatMap { integer(offsets[directories.count + $0], 4) }))
        }
      }
      bytes += integer(entries.count, 2)
      for entry in entries.sorted(by: { $0.tag < $1.tag }) {
        bytes += integer(entry.tag, 2) + integer(entry.type, 2) + integer(entry.count, 4)
        if entry.value.count <= 4 {
          bytes += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
        } else {
          bytes += integer(end + data.count, 4)
          data += entry.value
        }
      }
      bytes += integer(index + 1 < directories.count ? offsets[index + 1] : 0, 4)
    }
    bytes += data
  }

  private static func entryCount(_ field: TIFFFieldBytes) -> Int {
    switch field {
    case .blob, .blobs: 2
    default: 1
    }
  }

  private func integer(_ value: Int, _ byteCount: Int) -> [UInt8] {
    let littleEndian = (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    return isBigEndian ? littleEndian.reversed() : littleEndian
  }
}
