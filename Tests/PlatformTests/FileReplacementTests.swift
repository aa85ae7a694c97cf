// Files that are replaced: links, permissions, failures. `Foundation` is the independent view of the file system.

import Foundation
import Platform
import Testing

@Suite final class FileReplacementTests {
  private let directory: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  private func path(_ name: String) -> String { directory.appendingPathComponent(name).path }
  private func write(_ text: String, _ name: String) throws {
    try FileReplacement.write(Array(text.utf8).span, toPath: Array(path(name).utf8))
  }
  private func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }
  private func link(_ name: String, to destination: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: destination)
  }
  private func permissions(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int
  }
  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() }
  }

  @Test func partsOfADraftAreReplaced() throws {
    let draft = try #require(try FileReplacement.draft(ofFileAt: Array(path("a").utf8)))
    try draft.write(Array("0123456789".utf8).span)
    try draft.replace(at: 2, with: Array("ab".utf8).span)
    try draft.write(Array("xyz".utf8).span)
    try draft.replace(at: 9, with: Array("ccc".utf8).span)
    try draft.replace(at: 0, with: [UInt8]().span)
    try draft.finish()
    #expect(try text("a") == "01ab45678cccz")
  }

  @Test func filesAreCreatedAndReplaced() throws {
    try write("one", "a")
    try write("two", "a")
    #expect(try text("a") == "two")
    #expect(try names == ["a"])
    try write("", "a")
    #expect(try text("a") == "")
  }

  @Test func linksAreFollowedAndKept() throws {
    try FileManager.default.createDirectory(atPath: path("inner"), withIntermediateDirectories: false)
    try write("old", "inner/real")
    try link("inner/second", to: "real")
    try link("first", to: "inner/second")
    try link("absolute", to: path("inner/real"))
    try write("new", "first")
    #expect(try text("inner/real") == "new")
    try write("newer", "absolute")
    #expect(try text("inner/real") == "newer")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path("first")) == "inner/second")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path("inner/second")) == "real")
    try link("dangling", to: "inner/created")
    try write("x", "dangling")
    #expect(try text("inner/created") == "x")
    #expect(try names == ["absolute", "dangling", "first", "inner"])
  }

  @Test func circlesOfLinksAreErrors() throws {
    try link("a", to: "b")
    try link("b", to: "a")
    #expect(throws: SystemError.self) { try write("x", "a") }
    #expect(try names == ["a", "b"])
  }

  @Test(arguments: [0o600, 0o640, 0o444, 0o666, 0o755]) func permissionsAreKept(_ mode: Int) throws {
    try write("old", "a")
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path("a"))
    try write("new", "a")
    #expect(try permissions("a") == mode)
    #expect(try text("a") == "new")
  }

  /// A file that any program creates has the same permissions.
  @Test func newFilesHaveThePermissionsOfTheMask() throws {
    try write("x", "a")
    #expect(FileManager.default.createFile(atPath: path("b"), contents: nil))
    #expect(try permissions("a") == permissions("b"))
  }

  @Test func failuresLeaveNothing() throws {
    try write("old", "a")
    for name in ["missing/b", "a/b", "", String(repeating: "n", count: 300)] {
      #expect(throws: SystemError.self, "\(name)") { try write("x", name) }
    }
    for path in [[], Array((path("nul") + "\0").utf8)] {
      #expect(throws: SystemError.self) { try FileReplacement.write([1].span, toPath: path) }
    }
    #expect(try names == ["a"])
    #expect(try text("a") == "old")
  }

  @Test func devicesAreWrittenInPlace() throws {
    try FileReplacement.write([1, 2].span, toPath: Array("/dev/null".utf8))
    #expect(try FileStatus(path: Array("/dev/null".utf8)).kind == .special)
    #if os(Linux)
      #expect(throws: SystemError.self) {
        try FileReplacement.write([1, 2].span, toPath: Array("/dev/full".utf8))
      }
    #endif
  }
}
