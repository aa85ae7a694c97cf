// All directories of a TIFF structure: the chain, subdirectories and the Exif directory.

internal import ImageCoding
internal import MetadataFormats

/// The directories of a TIFF structure, each visited once.
struct DirectoryTree {
  /// The relation of a directory to the others.
  enum Role: Hashable {
    /// A directory of the chain that starts at the header, counted from 0.
    case page(Int)
    /// A subdirectory of another image.
    case subdirectory
    /// The Exif directory.
    case exif
  }

  /// A directory and its relation to the others.
  struct Node {
    let role: Role
    let directory: TIFFDirectory
  }

  /// The range of the structure in the file. All offsets are relative to its start.
  let range: Range<Int>
  let header: TIFFHeader
  private(set) var nodes: [Node] = []

  /// The maximum number of directories of a file.
  static let maximumCount = 64
  /// The maximum number of subdirectories of a directory.
  private static let maximumSubdirectoryCount = 16
  /// The work units for following a link.
  private static let workPerLink = 200

  /// Reads all directories.
  ///
  /// - Parameters:
  ///   - range: the range of the structure in `file`, within the file.
  ///   - allowance: the number of directories that may still be read.
  /// - Throws: `CodecError.Kind.truncated` or `CodecError.Kind.malformed` if the first directory cannot be read;
  ///   errors of `budget`.
  init(
    _ file: Span<UInt8>, in range: Range<Int>, header: TIFFHeader, allowance: inout Int,
    budget: inout ResourceBudget
  ) throws(CodecError) {
    self.range = range
    self.header = header
    let bytes = file.extracting(range)
    var pending: [(offset: UInt64, role: Role)] = [(header.firstDirectoryOffset, .page(0))]
    var visited: Set<UInt64> = []
    while let next = pending.popLast() {
      guard next.offset > 0, allowance > 0, visited.insert(next.offset).inserted else { continue }
      allowance -= 1
      try budget.chargeWork(Self.workPerLink)
      let directory: TIFFDirectory
      do throws(CodecError) {
        directory = try TIFFDirectory(
          bytes, at: next.offset, header: header, keepsIncomplete: !nodes.isEmpty, format: budget.format,
          budget: &budget)
      } catch {
        // A damaged directory is left out, but for the first one.
        if nodes.isEmpty || !error.isDamage { throw error }
        continue
      }
      nodes.append(Node(role: next.role, directory: directory))
      // The last one is the next to be read: subdirectories come before the rest of the chain.
      if case .page(let index) = next.role { pending.append((directory.nextOffset, .page(index + 1))) }
      guard next.role != .exif else { continue }
      let fields = RawFields(directory, bytes, header)
      if let exif = fields.integer(.exifDirectory), exif > 0 { pending.append((UInt64(exif), .exif)) }
      for offset in fields.integers(.subDirectories, maximumCount: Self.maximumSubdirectoryCount).reversed()
      where offset > 0 {
        pending.append((UInt64(offset), .subdirectory))
      }
    }
  }

  /// The first directory.
  var main: TIFFDirectory? { nodes.first?.directory }
  /// The Exif directory.
  var exif: TIFFDirectory? { nodes.first { $0.role == .exif }?.directory }

  /// Returns the fields of a directory.
  @_lifetime(copy file)
  func fields(_ directory: TIFFDirectory, in file: Span<UInt8>) -> RawFields {
    RawFields(directory, file.extracting(range), header)
  }
}
