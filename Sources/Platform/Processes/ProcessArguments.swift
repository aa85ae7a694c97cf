// The arguments of the process as bytes: `CommandLine.arguments` replaces what is not UTF-8.

/// The arguments of this process.
package enum ProcessArguments {
  /// The arguments after the name of the program.
  package static var bytes: [[UInt8]] {
    #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
      // SAFETY: the system passes `argc` strings, each of which ends with a zero byte, and which last as long as the
      // process. Nothing changes them.
      let strings = unsafe UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(max(0, CommandLine.argc)))
      return unsafe strings.dropFirst().map { string in
        guard let string = unsafe string else { return [] }
        var bytes: [UInt8] = []
        var place = unsafe string
        while unsafe place.pointee != 0 {
          bytes.append(UInt8(bitPattern: unsafe place.pointee))
          unsafe place += 1
        }
        return bytes
      }
    #elseif hasFeature(Embedded)
      return []
    #else
      return CommandLine.arguments.dropFirst().map { Array($0.utf8) }
    #endif
  }
}
