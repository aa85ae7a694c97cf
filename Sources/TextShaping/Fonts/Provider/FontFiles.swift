// Reads files and folders without Foundation, using the C library's streams and directory listings. No other file here
// calls C. If the C library has no directory listing, folders are empty.

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

#if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
  /// Reads a file; `nil` if it cannot be read, is not a regular file or is too large.
  func readFile(_ path: String, maximumByteCount: Int) -> [UInt8]? {
    // SAFETY: the stream is used and closed within the call, and fread writes at most `count` bytes to the buffer.
    guard let stream = unsafe fopen(path, "rb") else { return nil }
    defer { unsafe fclose(stream) }
    guard unsafe fseek(stream, 0, SEEK_END) == 0 else { return nil }
    let count = unsafe ftell(stream)
    guard count > 0, count <= maximumByteCount, unsafe fseek(stream, 0, SEEK_SET) == 0 else { return nil }
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      initializedCount = unsafe fread(buffer.baseAddress, 1, count, stream)
    }
    return bytes.count == count ? bytes : nil
  }

  /// Reads ranges of a file. A range is shorter if the file ends within it; the result is `nil` if the file cannot be
  /// opened.
  func readFile(_ path: String, ranges: [Range<Int>]) -> [[UInt8]]? {
    // SAFETY: as above.
    guard let stream = unsafe fopen(path, "rb") else { return nil }
    defer { unsafe fclose(stream) }
    return ranges.map { range in
      guard unsafe fseek(stream, range.lowerBound, SEEK_SET) == 0 else { return [] }
      return unsafe [UInt8](unsafeUninitializedCapacity: range.count) { buffer, initializedCount in
        initializedCount = unsafe fread(buffer.baseAddress, 1, range.count, stream)
      }
    }
  }

  /// Lists the names in a folder, sorted and without hidden ones, and whether each is itself a folder.
  func folderEntries(_ path: String) -> [(name: String, isFolder: Bool)] {
    // SAFETY: the listing is used and closed within the call; an entry's name ends with a zero byte and is copied before
    // the next entry is read.
    guard let listing = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(listing) }
    var entries: [(name: String, isFolder: Bool)] = []
    while let entry = unsafe readdir(listing) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasPrefix(".") { continue }
      var isFolder = unsafe Int32(entry.pointee.d_type) == Int32(DT_DIR)
      if unsafe Int32(entry.pointee.d_type) != Int32(DT_REG), !isFolder {
        // The entry is a link, or the file system does not report its kind: try to open it.
        if let inner = unsafe opendir(path + "/" + name) {
          isFolder = true
          unsafe closedir(inner)
        }
      }
      entries.append((name, isFolder))
    }
    return entries.sorted { $0.name < $1.name }
  }
#else
  /// This platform has no files.
  func readFile(_ path: String, maximumByteCount: Int) -> [UInt8]? { nil }

  /// This platform has no files.
  func readFile(_ path: String, ranges: [Range<Int>]) -> [[UInt8]]? { nil }

  /// This platform has no folders.
  func folderEntries(_ path: String) -> [(name: String, isFolder: Bool)] { [] }
#endif
