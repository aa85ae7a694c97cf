// File access of the tool.

import Foundation

/// Returns the bytes of a file.
///
/// - Throws: the error of the file system.
func readFile(_ path: String) throws -> [UInt8] {
  [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
}

/// Returns whether there is a file at a path.
func fileExists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

/// Writes a file, replacing an existing one.
///
/// - Throws: the error of the file system.
func writeFile(_ bytes: [UInt8], to path: String) throws {
  try Data(bytes).write(to: URL(fileURLWithPath: path))
}

/// Creates a folder and its parents unless they exist.
///
/// - Throws: the error of the file system.
func makeFolder(_ path: String) throws {
  try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
}

/// Returns the sorted paths of the files to decode below a folder, relative to it.
///
/// Folders of references (`_ref`), tables and read-me files are skipped.
func filesToDecode(in folder: String) -> [String] {
  guard let walk = FileManager.default.enumerator(atPath: folder) else { return [] }
  var paths: [String] = []
  while let path = walk.nextObject() as? String {
    if path == "_ref" || path.hasSuffix("/_ref") {
      walk.skipDescendants()
      continue
    }
    let isRegular = walk.fileAttributes?[.type] as? FileAttributeType == .typeRegular
    if isRegular, !path.hasSuffix(".tsv"), !path.hasSuffix(".md") { paths.append(path) }
  }
  return paths.sorted()
}
