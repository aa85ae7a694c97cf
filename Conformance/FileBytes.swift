// Files in and out of the tool.

import Foundation

/// The bytes of a file.
///
/// - Throws: what the file system says.
func readFile(_ path: String) throws -> [UInt8] {
  [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
}

/// Writes a file, or writes it anew.
///
/// - Throws: what the file system says.
func writeFile(_ bytes: [UInt8], to path: String) throws {
  try Data(bytes).write(to: URL(fileURLWithPath: path))
}

/// Makes a folder and those above it, unless they are there.
///
/// - Throws: what the file system says.
func makeFolder(_ path: String) throws {
  try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
}

/// The paths of the files below a folder that are there to be decoded, in order, relative to it.
///
/// Left out are folders of references (`_ref`), tables and read-me files.
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
