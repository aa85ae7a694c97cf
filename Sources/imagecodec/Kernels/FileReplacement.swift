// Replaces a file in one step. Foundation's move does not replace, and its replacement copies attributes and keeps backups.

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#else
  internal import Foundation
#endif

/// Moves a file to the place of another one of the same volume, which need not exist. Returns whether that succeeded; if
/// not, both files are unchanged.
func replaceFile(_ path: String, with newPath: String) -> Bool {
  #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
    // SAFETY: both strings are terminated by zero and outlive the call.
    return unsafe rename(newPath, path) == 0
  #else
    try? FileManager.default.removeItem(atPath: path)
    return (try? FileManager.default.moveItem(atPath: newPath, toPath: path)) != nil
  #endif
}
