// Whether the process that started this one is still there.

#if os(macOS)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// The process that started this one, for children whose work is useless once it has ended.
package struct ParentProcess: Sendable {
  #if os(macOS) || canImport(Glibc) || canImport(Musl) || canImport(Android)
    private let number = getppid()

    /// Whether it has ended: an orphan belongs to another process.
    package var hasEnded: Bool { getppid() != number }
  #else
    package var hasEnded: Bool { false }
  #endif

  /// Remembers the parent that this process has now.
  package init() {}
}
