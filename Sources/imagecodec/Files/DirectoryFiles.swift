// The files of directories that are given in place of files.

internal import Platform

/// Lists the files of directories.
enum DirectoryFiles {
  /// Replaces directories by the files in them and in their subdirectories, except hidden ones, sorted by name. Devices,
  /// pipes and links to directories are skipped. A directory that cannot be listed remains, for an error that names it.
  static func expanding(_ files: [String]) -> [String] {
    files.flatMap { file in
      file != "-" && kind(file) == .directory ? self.files(in: file) : [file]
    }
  }

  private static func kind(_ file: String, followsLinks: Bool = true) -> FileStatus.Kind? {
    (try? FileStatus(path: FileName.bytes(of: file), followsLinks: followsLinks))?.kind
  }

  private static func files(in directory: String) -> [String] {
    var files: [String] = []
    var directories = [directory]
    while let directory = directories.popLast() {
      guard let names = try? Directories.names(in: FileName.bytes(of: directory)) else {
        files.append(directory)
        continue
      }
      let prefix = directory.hasSuffix("/") ? directory : directory + "/"
      for name in names where name.first != UInt8(ascii: ".") {
        let file = prefix + FileName.text(of: name)
        switch kind(file, followsLinks: false) {
        case .directory: directories.append(file)
        case .special: break
        case .link:
          // A link without a destination is an error that names it.
          let destination = kind(file)
          if destination == .regular || destination == nil { files.append(file) }
        case .regular, nil: files.append(file)
        }
      }
    }
    return files.sorted()
  }
}
