// `imagecodec batch --isolate`: workers that crash or exceed their limits fail their own jobs only.

import Foundation
import ImageCodecs
import Platform
import Testing

#if os(Linux)
  @Suite final class IsolationTests {
    private let directory: URL

    init() throws {
      directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      let pixels = (0..<300 * 300 * 3).map { UInt8(truncatingIfNeeded: $0 / 5) }
      let picture = try Bitmap(width: 300, height: 300, format: .rgb8, pixels: pixels)
      try Data(try picture.encoded(as: .png)).write(to: directory.appendingPathComponent("a.png"))
    }

    deinit {
      try? FileManager.default.removeItem(at: directory)
    }

    private func job(_ id: String, _ input: String = "a.png", output: String, _ rest: String = "") -> String {
      #"{"id":"\#(id)","input":"\#(input)","output":"\#(output)"\#(rest)}"# + "\n"
    }

    private func statuses(_ run: ToolRun) -> [String] {
      run.text.split(separator: "\n").map { $0.contains(#""status":"ok""#) ? "ok" : "error" }
    }

    @Test func resultsAreThoseWithoutIsolation() throws {
      let jobs =
        job("1", output: "b.png", #","size":"20x20""#) + "not a job\n\n" + job("2", "none.png", output: "c.png")
        + #"{"id":123456789012345678901234567890,"input":"a.png","output":"d.jpg","size":"9x9"}"# + "\n"
        + String(repeating: "x", count: 3 << 20) + "\n" + job("3", output: "e.pam")
      // More than fits into a pipe.
      try Data(jobs.utf8).write(to: directory.appendingPathComponent("jobs"))
      func lines(_ options: String) throws -> [String] {
        let run = try ToolRun(script: "exec \"$tool\" batch \(options) < jobs", in: directory)
        #expect(run.exitCode == 1 && run.errors.isEmpty)
        return run.text.split(separator: "\n").map { line in
          String(line).replacing(/"milliseconds":\d+/, with: "")
        }.sorted()
      }
      let expected = try lines("")
      #expect(expected.count == 6)
      #expect(try lines("--isolate") == expected)
      #expect(try lines("--isolate --jobs 3") == expected)
    }

    /// The processes whose parent is another one.
    private func children(of parent: Int32) throws -> [Int32] {
      try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { name in
        guard let process = Int32(name),
          let status = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8),
          // The name of the program, in parentheses, may contain anything.
          let rest = status.split(separator: ")").last?.split(separator: " "), rest.count > 1, Int32(rest[1]) == parent
        else { return nil }
        return process
      }
    }

    @Test func aWorkerThatIsKilledFailsItsJob() throws {
      let process = Process()
      process.executableURL = ToolRun.tool
      process.arguments = ["batch", "--isolate", "--jobs", "1"]
      process.currentDirectoryURL = directory
      let (input, output) = (Pipe(), Pipe())
      (process.standardInput, process.standardOutput) = (input, output)
      // The output of the job is a pipe and larger than its buffer, so that the worker waits in the middle of the job.
      #expect(try ToolRun(script: "mkfifo pipe", in: directory).exitCode == 0)
      try process.run()
      DispatchQueue.global().asyncAfter(deadline: .now() + 60) { if process.isRunning { process.terminate() } }
      let jobs = job("first", output: "b.png") + job("killed", output: "pipe", #","format":"pam","size":"300x300""#)
      try input.fileHandleForWriting.write(contentsOf: Data((jobs + job("last", output: "c.png")).utf8))
      try input.fileHandleForWriting.close()
      let reader = try #require(FileHandle(forReadingAtPath: directory.appendingPathComponent("pipe").path))
      #expect(try reader.read(upToCount: 2) == Data("P7".utf8))
      let workers = try children(of: process.processIdentifier)
      #expect(workers.count == 1)
      for worker in workers { kill(worker, SIGSEGV) }
      let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationStatus == 1)
      let lines = text.split(separator: "\n")
      #expect(lines.count == 3)
      #expect(lines[0].contains(#""id":"first""#) && lines[0].contains(#""status":"ok""#))
      #expect(
        lines[1] == #"{"line":2,"id":"killed","input":"a.png","output":"pipe","status":"error","kind":"workerFailed","#
          + #""reason":"the worker was ended by signal 11 (invalid memory access or stack overflow)"}"#)
      #expect(lines[2].contains(#""id":"last""#) && lines[2].contains(#""status":"ok""#))
    }

    @Test func aWorkerThatExceedsItsMemoryFailsItsJob() throws {
      // 64 MB of pixels, and what is made of them.
      let large = try Bitmap(width: 4000, height: 4000, format: .gray8).encoded(as: .png(.init(level: .fastest)))
      try Data(large).write(to: directory.appendingPathComponent("large.png"))
      let jobs =
        job("first", output: "b.png", #","size":"20x20""#)
        + job("large", "large.png", output: "large.pam", #","size":"4000x4000","deadline":600"#)
        + job("last", output: "c.png", #","size":"20x20""#)
      let run = try ToolRun(
        ["batch", "--isolate", "--memory", "64", "--limits", "default"], input: Data(jobs.utf8), in: directory)
      #expect(run.exitCode == 1)
      #expect(statuses(run) == ["ok", "error", "ok"])
      #expect(
        run.text.contains(
          #""id":"large","input":"large.png","output":"large.pam","status":"error","kind":"workerFailed""#))
      // Without the limit the job is done.
      let free = try ToolRun(
        ["batch", "--isolate", "--limits", "default"], input: Data(jobs.utf8), in: directory)
      #expect(statuses(free) == ["ok", "ok", "ok"])
    }

    @Test func aWorkerThatExceedsItsProcessorTimeFailsItsJob() throws {
      let noise = """
        <svg xmlns="http://www.w3.org/2000/svg" width="3000" height="3000"><filter id="f" x="0" y="0" width="1" height="1">
        <feTurbulence baseFrequency="0.01" numOctaves="500"/></filter><rect width="3000" height="3000" filter="url(#f)"/></svg>
        """
      try Data(noise.utf8).write(to: directory.appendingPathComponent("noise.svg"))
      let jobs = job("slow", "noise.svg", output: "b.png", #","size":"3000x3000""#) + job("last", output: "c.png")
      let run = try ToolRun(
        ["batch", "--isolate", "--processor-time", "1", "--limits", "unlimited"], input: Data(jobs.utf8), in: directory)
      #expect(statuses(run) == ["error", "ok"])
      #expect(run.text.contains("the worker was ended by signal 24 (processor time limit)"))
    }

    /// A worker that ends between jobs is replaced, and no job fails.
    @Test func anIdleWorkerIsReplaced() throws {
      let process = Process()
      process.executableURL = ToolRun.tool
      process.arguments = ["batch", "--isolate"]
      process.currentDirectoryURL = directory
      let (input, output) = (Pipe(), Pipe())
      (process.standardInput, process.standardOutput) = (input, output)
      try process.run()
      DispatchQueue.global().asyncAfter(deadline: .now() + 60) { if process.isRunning { process.terminate() } }
      for _ in 0..<3 {
        try input.fileHandleForWriting.write(contentsOf: Data(job("x", output: "b.png", #","size":"9x9""#).utf8))
        let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        #expect(text.contains(#""status":"ok""#))
        for worker in try children(of: process.processIdentifier) {
          kill(worker, SIGKILL)
          // Until it is a zombie, it may still take a job.
          while (try? String(contentsOfFile: "/proc/\(worker)/stat", encoding: .utf8))?.contains(") Z ") == false {
            Thread.sleep(forTimeInterval: 0.01)
          }
        }
      }
      try input.fileHandleForWriting.close()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
  }
#endif
