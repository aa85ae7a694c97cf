// Finds the font files in a folder, and the folders where systems install fonts.

/// Lists the font files in a folder and its subfolders, sorted by name.
func fontFiles(in folder: String) -> [String] {
  var files: [String] = []
  // Links can form cycles, so depth and number are limited.
  var pending = [(path: folder, depth: 0)]
  var visited = 0
  while let next = pending.popLast(), visited < 4096 {
    visited += 1
    var inner: [(path: String, depth: Int)] = []
    for entry in folderEntries(next.path) {
      let path = next.path.hasSuffix("/") ? next.path + entry.name : next.path + "/" + entry.name
      if entry.isFolder {
        if next.depth < 8 { inner.append((path, next.depth + 1)) }
      } else if isFontName(entry.name) {
        files.append(path)
      }
    }
    pending.append(contentsOf: inner.reversed())
  }
  return files
}

private func isFontName(_ name: String) -> Bool {
  let name = name.lowercased()
  return [".ttf", ".otf", ".ttc", ".otc", ".woff", ".woff2"].contains { name.hasSuffix($0) }
}

extension FontProvider {
  /// The system's fonts. Its folders are read when a font is first needed.
  ///
  /// Each value reads the folders separately; create one and copy it.
  public static var system: FontProvider {
    var provider = FontProvider(folders: systemFolders)
    #if os(Android)
      provider.serifFamily = "Noto Serif"
      provider.sansSerifFamily = "Roboto"
      provider.monospaceFamily = "Droid Sans Mono"
      provider.cursiveFamily = "Dancing Script"
      provider.fantasyFamily = "Roboto"
      provider.defaultFamily = "Roboto"
    #elseif os(Linux)
      provider.serifFamily = "DejaVu Serif"
      provider.sansSerifFamily = "DejaVu Sans"
      provider.monospaceFamily = "DejaVu Sans Mono"
      provider.cursiveFamily = "DejaVu Serif"
      provider.fantasyFamily = "DejaVu Sans"
      provider.defaultFamily = "DejaVu Serif"
    #endif
    return provider
  }

  private static var systemFolders: [String] {
    #if os(macOS)
      ["/Library/Fonts", "/System/Library/Fonts", "/System/Library/AssetsV2", "/Network/Library/Fonts"]
    #elseif canImport(Darwin)
      ["/System/Library/Fonts"]
    #elseif os(Android)
      ["/system/fonts"]
    #else
      ["/usr/share/fonts", "/usr/local/share/fonts"]
    #endif
  }
}
