// Reading of files and directories whose names are bytes.

import Foundation
import Platform
import Testing

@Suite final class FilesTests {
  private let directory: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  private func path(_ name: [UInt8]) -> [UInt8] { Array((directory.path + "/").utf8) + name }

  @Test func readsUpToALimit() throws {
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let file = path(Array("a".utf8))
    try Data(bytes).write(to: directory.appendingPathComponent("a"))
    #expect(try FileDescriptor(reading: file).readToEnd(maximumByteCount: bytes.count) == bytes)
    #expect(try FileDescriptor(reading: file).readToEnd(maximumByteCount: .max) == bytes)
    #expect(try FileDescriptor(reading: file).readToEnd(maximumByteCount: bytes.count - 1) == nil)
    #expect(try FileDescriptor(reading: file).status.byteCount == 200_000)
    // Devices have no size.
    let zeros = Array("/dev/zero".utf8)
    #expect(try FileDescriptor(reading: zeros).readToEnd(maximumByteCount: 100_000) == nil)
    #expect(try FileDescriptor(reading: Array("/dev/null".utf8)).readToEnd(maximumByteCount: 0) == [])
    #expect(throws: SystemError.self) { try FileDescriptor(reading: path([])).readToEnd(maximumByteCount: 9) }
    #expect(throws: SystemError.self) { _ = try FileDescriptor(reading: path(Array("b".utf8))).number }
    #if os(Linux)
      // Its size is said to be zero.
      let status = try FileDescriptor(reading: Array("/proc/self/status".utf8)).readToEnd(maximumByteCount: 1 << 20)
      #expect(status?.starts(with: Array("Name:".utf8)) == true)
    #endif
  }

  @Test func namesAreBytes() throws {
    let name: [UInt8] = [0x62, 0xFF, 0x0A, 0xC3]
    try Directories.create(path(name + Array("/inner//deep".utf8)))
    try FileReplacement.write([7].span, toPath: path(name + Array("/f".utf8)))
    #expect(try Directories.names(in: path([])) == [name])
    #expect(Set(try Directories.names(in: path(name))) == [Array("inner".utf8), Array("f".utf8)])
    #expect(try Directories.realPath(path(name + Array("/inner/../f".utf8))).suffix(6) == name + Array("/f".utf8))
    #expect(try FileStatus(path: path(name)).kind == .directory)
    // A directory that exists is not an error.
    try Directories.create(path(name))
    #expect(throws: SystemError.self) { try Directories.create(path(name + Array("/f/x".utf8))) }
    #expect(throws: SystemError.self) { try Directories.create([]) }
    #expect(throws: SystemError.self) { try Directories.names(in: path(name + Array("/f".utf8))) }
  }

  @Test func rangesEndWithTheFile() throws {
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    try Data(bytes).write(to: directory.appendingPathComponent("a"))
    let file = try FileDescriptor(reading: path(Array("a".utf8)))
    for range in [0..<200_000, 0..<1, 70_000..<170_000, 199_999..<200_000] {
      #expect(try file.bytes(in: range) == Array(bytes[range]))
    }
    #expect(try file.bytes(in: 199_990..<300_000) == Array(bytes[199_990...]))
    #expect(try file.bytes(in: 200_000..<200_001) == [] && file.bytes(in: 0..<0) == [])
    // Other reads go on where they were.
    #expect(try file.readArrived(maximumByteCount: 3) == Array(bytes[..<3]))
    #expect(throws: SystemError.self) { try FileDescriptor(reading: path([])).bytes(in: 0..<1) }
  }

  @Test func touchedFilesHaveTheCurrentTime() throws {
    let url = directory.appendingPathComponent("a")
    try Data([UInt8](repeating: 1, count: 10_000)).write(to: url)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000.5)], ofItemAtPath: url.path)
    let old = try FileStatus(path: path(Array("a".utf8)))
    #expect(abs(old.modificationTime - 1_000.5) < 0.01 && old.allocatedByteCount >= 8_192)
    let start = Date().timeIntervalSince1970
    FileStatus.touch(path: path(Array("a".utf8)))
    #expect(try abs(FileStatus(path: path(Array("a".utf8))).modificationTime - start) < 60)
    FileStatus.touch(path: path(Array("missing".utf8)))
  }

  @Test func movedFilesReplaceOthers() throws {
    for name in ["a", "b"] { try Data(name.utf8).write(to: directory.appendingPathComponent(name)) }
    try FileReplacement.move(path(Array("a".utf8)), to: path(Array("b".utf8)))
    #expect(try Directories.names(in: path([])) == [Array("b".utf8)])
    #expect(try FileDescriptor(reading: path(Array("b".utf8))).readToEnd(maximumByteCount: 9) == Array("a".utf8))
    #expect(throws: SystemError.self) { try FileReplacement.move(path(Array("a".utf8)), to: path(Array("c".utf8))) }
  }

  @Test func identityIsThatOfTheFile() throws {
    for name in ["a", "b"] { try Data([1]).write(to: directory.appendingPathComponent(name)) }
    try FileManager.default.linkItem(
      at: directory.appendingPathComponent("a"), to: directory.appendingPathComponent("hard"))
    try FileManager.default.createSymbolicLink(
      atPath: directory.appendingPathComponent("soft").path, withDestinationPath: "a")
    func status(_ name: String, followsLinks: Bool = true) throws -> FileStatus {
      try FileStatus(path: path(Array(name.utf8)), followsLinks: followsLinks)
    }
    #expect(try status("a").isSameFile(as: status("hard")) && status("a").isSameFile(as: status("soft")))
    #expect(try !status("a").isSameFile(as: status("b")))
    #expect(try status("soft", followsLinks: false).kind == .link)
  }
}
