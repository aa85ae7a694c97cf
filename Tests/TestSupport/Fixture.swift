// Fixtures in files: records of names, integers and bytes, or text.

internal import Platform

/// A file in the folder Fixtures, read from its start to its end.
package struct Fixture {
  private var rest: ArraySlice<UInt8>

  /// Reads a file; one that cannot be read counts as empty.
  ///
  /// - Parameter path: the source file whose folder has the folder Fixtures.
  package init(_ name: String, beside path: String) {
    let folder = Array(path.utf8.reversed().drop { $0 != UInt8(ascii: "/") }.reversed())
    do throws(SystemError) {
      let file = try FileDescriptor(reading: folder + Array("Fixtures/\(name)".utf8))
      rest = (try file.readToEnd(maximumByteCount: 1 << 26) ?? [])[...]
    } catch {
      rest = []
    }
  }

  /// The rest as text.
  package var text: String { String(decoding: rest, as: UTF8.self) }

  /// The next bytes, fewer at the end.
  package mutating func take(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// The next bytes as an integer, the least significant one first.
  package mutating func integer(_ byteCount: Int) -> UInt64 {
    take(byteCount).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The next bytes after their number, an integer of four bytes.
  package mutating func block() -> [UInt8] { take(Int(integer(4))) }

  /// The name at the start of a record, after its length in one byte; `nil` at the end.
  package mutating func name() -> String? {
    guard let length = take(1).first else { return nil }
    return String(decoding: take(Int(length)), as: UTF8.self)
  }
}
