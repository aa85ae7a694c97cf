// Finds the font files in a folder, and the folders where systems and users install fonts.

internal import Platform

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
  /// The fonts of the user and of the system. Their folders are read when a font is first needed.
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
      userFolders + ["/Library/Fonts", "/System/Library/Fonts", "/System/Library/AssetsV2", "/Network/Library/Fonts"]
    #elseif canImport(Darwin)
      ["/System/Library/Fonts"]
    #elseif os(Android)
      ["/system/fonts"]
    #else
      userFolders + ["/usr/share/fonts", "/usr/local/share/fonts"]
    #endif
  }

  private static var userFolders: [String] {
    userFontFolders(
      home: ProcessEnvironment.value(of: "HOME"), dataHome: ProcessEnvironment.value(of: "XDG_DATA_HOME"))
  }
}

/// Returns the folders where a user installs fonts: those of macOS, or of the XDG Base Directory Specification.
///
/// - Parameters:
///   - home: the user's home directory, the variable `HOME`.
///   - dataHome: the folder of the user's data, the variable `XDG_DATA_HOME`. By default it is `.local/share` in the home
///     directory; relative paths are ignored, as the specification demands.
package func userFontFolders(home: String?, dataHome: String?) -> [String] {
  let home = home.flatMap { $0.hasPrefix("/") ? $0 : nil }
  #if os(macOS)
    return home.map { [$0 + "/Library/Fonts"] } ?? []
  #else
    let data = dataHome.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home.map { $0 + "/.local/share" }
    return [data.map { $0 + "/fonts" }, home.map { $0 + "/.fonts" }].compactMap { $0 }
  #endif
}
