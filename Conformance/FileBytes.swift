// Files in and out of the tool.

import Foundation

/// The bytes of a file.
///
/// - Throws: what the file system says.
func readFile(_ path: String) throws -> [UInt8] {
  [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
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
