// Prints what the library makes of files, as one line of hashes for each result. Two builds that agree on every line
// decode, scale and encode alike: it is run for processors that have no full test environment.

internal import Platform

@main
struct Digests {
  /// Usage: `digests FILE…` or `digests drawings`.
  static func main() {
    for argument in CommandLine.arguments.dropFirst() {
      if argument == "drawings" {
        for drawing in Drawing.all { print(drawing.name, to: drawing.bytes) }
      } else if let bytes = read(argument) {
        print(argument, to: bytes)
      } else {
        Swift.print(argument, "cannot be read")
      }
    }
  }

  /// The bytes of a file; `nil` if it cannot be read.
  private static func read(_ path: String) -> [UInt8]? {
    do throws(SystemError) {
      let file = try FileDescriptor(reading: Array(path.utf8))
      return try file.readToEnd(maximumByteCount: 64 << 20)
    } catch {
      return nil
    }
  }

  private static func print(_ name: String, to bytes: [UInt8]) {
    for result in FileDigests(bytes).results { Swift.print(name, result) }
  }
}
