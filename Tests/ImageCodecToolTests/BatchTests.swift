// `imagecodec batch` as a program sees it that writes jobs and reads results.

import Foundation
import ImageCodecs
import Testing

@Suite final class BatchTests {
  private let directory: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    var pixels: [UInt8] = []
    for index in 0..<48 * 36 { pixels += [UInt8(index & 255), UInt8(index / 48 * 7), 90] }
    let bitmap = try Bitmap(width: 48, height: 36, format: .rgb8, pixels: pixels)
    try Data(try bitmap.encoded(as: .png)).write(to: directory.appendingPathComponent("a.png"))
    try Data([1, 2, 3]).write(to: directory.appendingPathComponent("bad.png"))
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  private struct Outcome: Decodable {
    var line: Int
    var status: String
    var output: String?
    var width: Int?
    var height: Int?
    var frames: Int?
    var bytes: Int?
    var kind: String?
    var reason: String?
    var byteOffset: Int?
  }

  private func run(_ input: Data, _ arguments: String...) throws -> (outcomes: [Outcome], run: ToolRun) {
    let run = try ToolRun(["batch"] + arguments, input: input, in: directory)
    let outcomes = try run.text.split(separator: "\n").map {
      try JSONDecoder().decode(Outcome.self, from: Data($0.utf8))
    }
    return (outcomes.sorted { $0.line < $1.line }, run)
  }

  private func bitmap(_ name: String) throws -> Bitmap {
    try Bitmap(decoding: try Data(contentsOf: directory.appendingPathComponent(name)))
  }

  @Test func jobsAndTheirResults() throws {
    let jobs = """
      {"id": 7, "input": "a.png", "output": "b.jpg", "size": "24x24", "quality": 90}
      {"id": "x\\n", "input": "a.png", "output": "c.png", "width": 10, "height": 10, "fit": "cover", "gravity": "left"}

      {"input": "a.png", "output": "d", "format": "png", "size": "x9", "filter": "BICUBIC", "sharpen": 0.5}
      """
    let (outcomes, run) = try run(Data(jobs.utf8))
    #expect(run.exitCode == 0)
    #expect(run.errors.isEmpty)
    #expect(outcomes.map(\.line) == [1, 2, 4])
    #expect(outcomes.allSatisfy { $0.status == "ok" && $0.frames == 1 })
    #expect(outcomes.map(\.width) == [24, 10, 12])
    #expect(outcomes.map(\.height) == [18, 10, 9])
    #expect(run.text.hasPrefix(#"{"line":1,"id":7,"input":"a.png","output":"b.jpg","status":"ok","width":24,"#))
    #expect(run.text.contains(#""id":"x\n""#))
    let source = try Data(contentsOf: directory.appendingPathComponent("a.png"))
    let expected = try ImageFile(source).encodedThumbnail(
      Thumbnail(width: 24, height: 24), as: .jpeg(.init(quality: 90)))
    #expect(try Data(contentsOf: directory.appendingPathComponent("b.jpg")) == Data(expected.bytes))
    #expect(outcomes[0].bytes == expected.bytes.count)
    let covered = try ImageFile(source).thumbnail(Thumbnail(width: 10, height: 10, fit: .cover(.left))).bitmap
    #expect(try bitmap("c.png").packedPixels == covered.packedPixels)
    #expect(try bitmap("d").pixelSize == PixelSize(width: 12, height: 9))
  }

  @Test func aBadLineIsOneError() throws {
    let good = #"{"input":"a.png","output":"good.png","size":"8x8"}"#
    var input = Data()
    let bad = [
      "", "{", "[]", "null", "7", #""text""#, "{}", #"{"input":"a.png"}"#, #"{"input":1,"output":"b.png"}"#,
      #"{"input":"a.png","output":"b.png","sise":"8x8"}"#, #"{"input":"a.png","output":"b.png","size":"0x8"}"#,
      #"{"input":"a.png","output":"b.png","size":"8"}"#, #"{"input":"a.png","output":"b.png","width":-8}"#,
      #"{"input":"a.png","output":"b.png","width":1e99}"#, #"{"input":"a.png","output":"b.png","sharpen":9}"#,
      #"{"input":"a.png","output":"b.unknown"}"#, #"{"input":"-","output":"b.png"}"#,
      #"{"input":"a.png","output":"b.png","fit":"round"}"#, #"{"input":"a.png","output":"b.png","deadline":0}"#,
      #"{"input":"missing.png","output":"b.png"}"#, #"{"input":".","output":"b.png"}"#,
      #"{"input":"bad.png","output":"b.png"}"#, #"{"input":"a.png","output":"missing/b.png"}"#,
      String(repeating: "[", count: 10_000), good + good, #"{"input":"a.png","output":"b.png"} x"#,
    ]
    for line in bad { input += Data((line + "\n").utf8) }
    input += Data([0x7B, 0xFF, 0xFE, 0x00, 0x7D, 0x0A, 0x0D, 0x0A])
    input += Data(repeating: 0x61, count: 3 << 20) + Data([0x0A])
    input += Data(good.utf8)
    let (outcomes, run) = try run(input, "--jobs", "3")
    #expect(run.exitCode == 1)
    #expect(run.errors.isEmpty)
    // Blank lines are the first of `bad` and the one with a carriage return.
    let expected = Array(2...bad.count + 1) + [bad.count + 3, bad.count + 4]
    #expect(outcomes.map(\.line) == expected)
    #expect(outcomes.dropLast().allSatisfy { $0.status == "error" && $0.reason != nil && $0.kind != nil })
    #expect(outcomes.last?.status == "ok")
    #expect(outcomes.first { $0.kind == "unrecognizedFormat" }?.byteOffset == 3)
    #expect(outcomes.filter { $0.kind == "fileAccessFailed" }.count == 3)
    #expect(try bitmap("good.png").pixelSize == PixelSize(width: 8, height: 6))
    #expect(!FileManager.default.fileExists(atPath: directory.appendingPathComponent("b.png").path))
  }

  private func reason(_ job: String) throws -> (kind: String?, reason: String?) {
    let outcomes = try run(Data(job.utf8)).outcomes
    #expect(outcomes.count == 1)
    return (outcomes.first?.kind, outcomes.first?.reason)
  }

  @Test func identifiersAreRepeatedAsTheyAre() throws {
    let literals = [
      "123456789012345678901234567890", "-1.50e+400", "0", #""a\u0041\ud83d\ude00\"\\\/ü""#, #""""#, "1E-7",
    ]
    let jobs = literals.map { #"{"id":\#($0),"input":"a.png","output":"i.png","size":"4x4"}"# }
    let (outcomes, run) = try run(Data(jobs.joined(separator: "\n").utf8))
    #expect(outcomes.count == literals.count && run.exitCode == 0)
    for literal in literals { #expect(run.text.contains(#","id":\#(literal),"input""#), "\(literal)") }
  }

  @Test func ambiguousJobsAreRefused() throws {
    let rest = #""input":"a.png","output":"b.png""#
    for (job, expected) in [
      (#"{"id":1,\#(rest),"id":2}"#, "the member 'id' is repeated"),
      (#"{\#(rest),"inpu\u0074":"c.png"}"#, "the member 'input' is repeated"),
      (#"{\#(rest),"size":null,"size":"4x4"}"#, "the member 'size' is repeated"),
      (#"{"id":true,\#(rest)}"#, "the member 'id' has the wrong type"),
      (#"{"id":[1],\#(rest)}"#, "the member 'id' has the wrong type"),
      (#"{\#(rest),"width":"8"}"#, "the member 'width' has the wrong type"),
      (#"{\#(rest),"width":8.5}"#, "8.5 is not a value of 'width'"),
      (#"{\#(rest),"width":1e400}"#, "1e400 is not a value of 'width'"),
      (#"{\#(rest),"Size":"4x4"}"#, "the member 'Size' is not known"),
      (#"[\#(rest)]"#, "the line is not an object"),
      (#"{"input":"a.png"}"#, "the member 'output' is missing"),
    ] {
      let (kind, reason) = try reason(job)
      #expect(kind == "invalidJob" && reason == expected, "\(job)")
    }
    // RFC 8259, sections 6 and 7.
    for value in [
      "01", "1.", ".5", "+1", "1e", "-", "0x1", "NaN", "True", #""\x41""#, #""\u12g4""#, #""\ud800""#,
      #""\ud800\u0041""#,
      #""\udc00""#, "\"a\tb\"", #""open"#, "1 2", "",
    ] {
      let (kind, reason) = try reason(#"{\#(rest),"id":\#(value)}"#)
      #expect(kind == "invalidJob" && reason?.hasPrefix("the line is not valid JSON from byte ") == true, "\(value)")
    }
    for tail in [",}", "", "}}", "} ,"] {
      let (kind, _) = try reason("{\(rest)\(tail)")
      #expect(kind == "invalidJob", "\(tail)")
    }
    #expect(!FileManager.default.fileExists(atPath: directory.appendingPathComponent("b.png").path))
    // A number with the value of an integer is one.
    #expect(try reason(#" { \#(rest) , "width" : 8.0 , "height":8e0, "enlarge":null } "#).kind == nil)
    #expect(try bitmap("b.png").pixelSize == PixelSize(width: 8, height: 6))
  }

  @Test func aJobDoesNotOverwriteItsInputUnasked() throws {
    let before = try Data(contentsOf: directory.appendingPathComponent("a.png"))
    try FileManager.default.createSymbolicLink(
      atPath: directory.appendingPathComponent("l.png").path, withDestinationPath: "a.png")
    for (input, output) in [("a.png", "a.png"), ("a.png", "./a.png"), ("l.png", "a.png"), ("a.png", "l.png")] {
      let (kind, reason) = try reason(#"{"input":"\#(input)","output":"\#(output)","size":"4x4"}"#)
      #expect(kind == "invalidJob" && reason == "the output is the same file as the input")
    }
    #expect(try Data(contentsOf: directory.appendingPathComponent("a.png")) == before)
    #expect(try reason(#"{"input":"a.png","output":"l.png","size":"4x4","overwriteInput":true}"#).kind == nil)
    #expect(try bitmap("a.png").pixelSize == PixelSize(width: 4, height: 3))
  }

  @Test(arguments: ["", "--isolate"]) func thumbnailsDoNotMixWithResults(_ option: String) throws {
    let job = #"{"input":"a.png","output":"/dev/stdout","format":"png","size":"4x4"}"#
    for redirection in ["", "> file; cat file"] {
      let run = try ToolRun(script: "echo '\(job)' | \"$tool\" batch \(option) \(redirection)", in: directory)
      let outcome = try JSONDecoder().decode(Outcome.self, from: run.output)
      #expect(outcome.kind == "invalidJob")
      #expect(outcome.reason == "the output is standard output, which receives the results")
    }
  }

  @Test func limitsAndDeadlinesAreThoseOfAJob() throws {
    let huge = try Bitmap(width: 5000, height: 5000, format: .gray8)
    let interlaced = try huge.encoded(as: .png(.init(compressionLevel: 1, isInterlaced: true)))
    try Data(interlaced).write(to: directory.appendingPathComponent("huge.png"))
    let job = #"{"input":"huge.png","output":"b.png","size":"8x8"}"#
    let late = #"{"input":"huge.png","output":"c.png","size":"8x8","deadline":0.001}"#
    let (outcomes, run) = try run(Data((late + "\n" + job).utf8), "--deadline", "60")
    #expect(run.exitCode == 1)
    #expect(outcomes.map(\.kind) == ["deadlineExceeded", nil])
  }

  /// A program that starts the tool once, and waits for each result before it writes the next job.
  @Test func resultsArriveBeforeTheInputEnds() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("imagecodec")
    process.arguments = ["batch", "--jobs", "1"]
    process.currentDirectoryURL = directory
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    // Ends the test if nothing arrives.
    DispatchQueue.global().asyncAfter(deadline: .now() + 20) { if process.isRunning { process.terminate() } }
    for index in 0..<3 {
      try input.fileHandleForWriting.write(contentsOf: Data("{\"id\":\(index)}\n".utf8))
      let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      #expect(text.contains("\"id\":\(index)") || text.contains("invalidJob"))
      #expect(text.hasSuffix("\n"))
    }
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 1)
  }

  @Test func manyJobsAtATime() throws {
    let jobs = (0..<60).map { #"{"id":\#($0),"input":"a.png","output":"o\#($0 % 7).png","size":"\#($0 % 9 + 4)x"}"# }
    let (outcomes, run) = try run(Data(jobs.joined(separator: "\n").utf8), "--jobs", "8")
    #expect(run.exitCode == 0)
    #expect(outcomes.map(\.line) == Array(1...60))
    #expect(outcomes.map(\.width) == (0..<60).map { $0 % 9 + 4 })
    for index in 0..<7 { #expect((4...12).contains(try bitmap("o\(index).png").width)) }
  }
}
