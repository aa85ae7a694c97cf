// Outputs: what is replaced, what is kept, and results that are lost.

import Foundation
import ImageCodecs
import Testing

@Suite final class OutputFileTests {
  private let directory: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let noise = (0..<64 * 64).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 9) }
    let png = try Bitmap(width: 64, height: 64, format: .gray8, pixels: noise).encoded(as: .png)
    try Data(png).write(to: directory.appendingPathComponent("a.png"))
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  private var names: Set<String> {
    get throws { Set(try FileManager.default.contentsOfDirectory(atPath: directory.path)) }
  }

  /// No file may exceed one block, so that writing fails midway.
  @Test(arguments: ["real.pgm", "link.pgm"]) func aFailedWriteKeepsTheOldFile(_ output: String) throws {
    try Data("old".utf8).write(to: directory.appendingPathComponent("real.pgm"))
    try FileManager.default.createSymbolicLink(
      atPath: directory.appendingPathComponent("link.pgm").path, withDestinationPath: "real.pgm")
    let run = try ToolRun(script: "trap '' XFSZ; ulimit -f 1; exec \"$tool\" convert a.png \(output)", in: directory)
    #expect(run.exitCode == 2)
    #expect(run.errors == "imagecodec: \(output): cannot be written: the file is too large for the system\n")
    #expect(try Data(contentsOf: directory.appendingPathComponent("real.pgm")) == Data("old".utf8))
    #expect(try names == ["a.png", "real.pgm", "link.pgm"])
  }

  @Test func permissionsAndLinksAreKept() throws {
    let real = directory.appendingPathComponent("real.pgm")
    let link = directory.appendingPathComponent("link.pgm").path
    try Data("old".utf8).write(to: real)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: real.path)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real.pgm")
    let run = try ToolRun("convert", "a.png", "link.pgm", in: directory)
    #expect(run.exitCode == 0)
    #expect(try Data(contentsOf: real).starts(with: Data("P5\n64 64\n".utf8)))
    #expect(try FileManager.default.attributesOfItem(atPath: real.path)[.posixPermissions] as? Int == 0o600)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "real.pgm")
  }

  @Test func pipesAndStreamsAreWrittenInPlace() throws {
    let expected = try ToolRun("convert", "a.png", "-", "--format", "pgm", in: directory).output
    #expect(expected.count == "P5\n64 64\n255\n".utf8.count + 64 * 64)
    for script in [
      "mkfifo p; \"$tool\" convert a.png p --format pgm & cat p; wait",
      "\"$tool\" convert a.png /dev/stdout --format pgm",
      "\"$tool\" convert a.png /dev/stdout --format pgm > file; cat file",
    ] {
      #expect(try ToolRun(script: script, in: directory).output == expected, "\(script)")
    }
  }

  #if os(Linux)
    @Test(arguments: [
      "identify a.png", "identify --json a.png", "check a.png", "placeholder a.png", "frames a.png out",
      "convert a.png - --format png", "previews a.png out --chunk-size 100", "--help", "--version",
    ]) func lostOutputIsAFailure(_ arguments: String) throws {
      let run = try ToolRun(script: "exec \"$tool\" \(arguments) > /dev/full", in: directory)
      #expect(run.exitCode == 2)
      #expect(run.errors == "imagecodec: standard output cannot be written: no space is left on the device\n")
    }

    @Test(arguments: ["", "--isolate"]) func lostResultsOfBatchAreAFailure(_ option: String) throws {
      // The input remains open: the end does not wait for it.
      let script = """
        mkfifo jobs; exec 3<>jobs
        for i in 1 2 3; do echo '{"input":"a.png","output":"b.png"}' >&3; done
        "$tool" batch --jobs 2 \(option) < jobs > /dev/full; echo $?
        """
      let run = try ToolRun(script: script, in: directory)
      #expect(run.text == "2\n")
      #expect(run.errors == "imagecodec: standard output cannot be written: no space is left on the device\n")
    }
  #endif

  @Test func aClosedPipeEndsTheToolBySignal() throws {
    let files = String(repeating: " a.png", count: 5000)
    let run = try ToolRun(script: "{ \"$tool\" identify\(files); echo $? >&2; } | head -n 1", in: directory)
    #expect(run.text.split(separator: "\n").count == 1)
    // 128 and SIGPIPE; a process that starts the tests may ignore the signal.
    #expect(
      run.errors == "141\n"
        || run.errors == "imagecodec: standard output cannot be written: the reader has closed it\n2\n")
  }

  @Test func inputsAreLimited() throws {
    for command in [
      "convert - o.png --limits server < /dev/zero", "convert /dev/zero o.png --limits server",
      "thumbnail /dev/zero o.png --size 8x8 --limits server", "check - --limits server < /dev/zero",
      "transform - o.jpg --limits server < /dev/zero",
    ] {
      // The address space is large enough for the limit of 256 MiB, but not for much more.
      let run = try ToolRun(script: "ulimit -v 1500000; exec \"$tool\" \(command)", in: directory)
      #expect(run.exitCode == 1, "\(command)")
      #expect(run.errors.contains("limitExceeded: the file exceeds the limit of 268435456 bytes"), "\(run.errors)")
    }
  }

  @Test func directoriesAreNoFiles() throws {
    let run = try ToolRun("convert", ".", "o.png", in: directory)
    #expect(run.errors == "imagecodec: .: cannot be read: it is a directory\n" && run.exitCode == 2)
    let out = try ToolRun("convert", "a.png", ".", "--format", "png", in: directory)
    #expect(out.errors == "imagecodec: .: cannot be written: it is a directory\n" && out.exitCode == 2)
  }

  @Test func commandsThatTakeManyFilesTakeDirectories() throws {
    try FileManager.default.createDirectory(
      at: directory.appendingPathComponent("d/e/.hidden"), withIntermediateDirectories: true)
    for name in ["d/e/b.png", "d/a.png", "d/.c.png", "d/e/.hidden/d.png"] {
      try FileManager.default.copyItem(
        at: directory.appendingPathComponent("a.png"), to: directory.appendingPathComponent(name))
    }
    try FileManager.default.createSymbolicLink(
      atPath: directory.appendingPathComponent("d/loop").path, withDestinationPath: ".")
    #expect(try ToolRun("check", "d", in: directory).text == "d/a.png: OK\nd/e/b.png: OK\n")
    for command in [["identify"], ["placeholder"]] {
      #expect(try ToolRun(command + ["d/"], in: directory).text.split(separator: "\n").count == 2)
    }
    // A pipe in a directory would keep the command waiting.
    let run = try ToolRun(script: "mkfifo d/pipe; exec \"$tool\" identify d", in: directory)
    #expect(run.exitCode == 0 && run.text.split(separator: "\n").count == 2)
  }
}
