// Font files and their folders. On platforms without files there are none.

internal import Platform

/// Opens a regular file; `nil` if that is not possible.
private func openFile(_ path: String) -> FileDescriptor? {
  // A pipe is not opened, but would otherwise be waited for.
  guard let file = try? FileDescriptor(reading: Array(path.utf8), waits: false),
    (try? file.status)?.kind == .regular
  else { return nil }
  return file
}

/// Reads a file; `nil` if it cannot be read, is empty, not a regular file or too large.
func readFile(_ path: String, maximumByteCount: Int) -> [UInt8]? {
  guard let file = openFile(path), let byteCount = (try? file.status).map({ Int(clamping: $0.byteCount) }),
    byteCount > 0, byteCount <= maximumByteCount, let bytes = try? file.bytes(in: 0..<byteCount)
  else { return nil }
  return bytes.count == byteCount ? bytes : nil
}

/// Reads ranges of a file. A range is shorter if the file ends within it; the result is `nil` if the file cannot be
/// opened.
func readFile(_ path: String, ranges: [Range<Int>]) -> [[UInt8]]? {
  guard let file = openFile(path) else { return nil }
  return ranges.map { (try? file.bytes(in: $0)) ?? [] }
}

/// Lists the names in a folder, sorted and without hidden ones, and whether each is itself a folder.
func folderEntries(_ path: String) -> [(name: String, isFolder: Bool)] {
  let names = (try? Directories.names(in: Array(path.utf8))) ?? []
  return names.map { String(decoding: $0, as: UTF8.self) }.filter { !$0.hasPrefix(".") }.sorted().map { name in
    (name, (try? FileStatus(path: Array((path + "/" + name).utf8)))?.kind == .directory)
  }
}
