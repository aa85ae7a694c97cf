// Random pictures compared with the tools of libjpeg-turbo that are installed; skipped where they are not.

#if os(Linux) || os(macOS)
  import Foundation
  import ImageCoding
  import JPEGCodec
  import TestSupport
  import Testing

  @Suite struct InstalledToolTests {
    /// The path of cjpeg, if it is installed.
    private static let cjpeg = ["/usr/bin/cjpeg", "/usr/local/bin/cjpeg", "/opt/homebrew/bin/cjpeg"]
      .first { FileManager.default.isExecutableFile(atPath: $0) }

    private func encodeWithCjpeg(_ arguments: [String], _ picture: [UInt8]) throws -> [UInt8] {
      let input = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try Data(picture).write(to: input)
      defer { try? FileManager.default.removeItem(at: input) }
      let process = Process()
      process.executableURL = URL(fileURLWithPath: Self.cjpeg ?? "")
      process.arguments = arguments + [input.path]
      let output = Pipe()
      process.standardOutput = output
      process.standardError = Pipe()
      try process.run()
      let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      return [UInt8](bytes)
    }

    @Test(.enabled(if: cjpeg != nil))
    func randomFilesAreThoseOfCjpeg() throws {
      let seed = UInt64.random(in: 0...UInt64.max)
      print("randomFilesAreThoseOfCjpeg: seed \(seed)")
      var noise = TestRandom(seed)
      func below(_ bound: Int) -> Int { Int(noise.next() % UInt64(bound)) }
      let factors = ["444": "1x1", "422": "2x1", "420": "2x2", "440": "1x2", "411": "4x1"]
      for _ in 0..<40 {
        let (width, height) = (1 + below(90), 1 + below(90))
        let amplitude = 1 + below(200)
        let pixels = (0..<width * height * 3).map { index in
          UInt8(max(0, min(255, (index / 3 % width * 5 + index * 7 / width) % 256 + below(amplitude) - amplitude / 2)))
        }
        let subsampling = JPEGEncoder.Options.Subsampling.allCases[below(6)]
        var options = JPEGEncoder.Options(
          quality: 1 + below(100), subsampling: subsampling, isProgressive: below(3) == 0,
          optimizesHuffmanTables: below(3) == 0, limitsStepsToBaseline: below(2) == 0)
        var arguments = ["-dct", "int", "-quality", String(options.quality)]
        arguments += factors[subsampling.rawValue].map { ["-sample", $0] } ?? ["-grayscale"]
        if options.isProgressive { arguments.append("-progressive") }
        if options.optimizesHuffmanTables { arguments.append("-optimize") }
        if options.limitsStepsToBaseline { arguments.append("-baseline") }
        if below(2) == 0 {
          let count = 1 + below(9)
          options.restartInterval = below(2) == 0 ? .rows(count) : .mcus(count)
          if case .rows = options.restartInterval {
            arguments += ["-restart", String(count)]
          } else {
            arguments += ["-restart", "\(count)B"]
          }
        }
        let header = Array("P6\n\(width) \(height)\n255\n".utf8)
        let expected = withoutMetadata(try encodeWithCjpeg(arguments, header + pixels))
        let bitmap = try Bitmap(width: width, height: height, format: .rgb8, pixels: pixels)
        let file = withoutMetadata(try JPEGEncoder(options: options).encode(bitmap))
        #expect(file == expected && !file.isEmpty, "seed \(seed): \(width) × \(height) \(arguments)")
      }
    }

    /// Runs where libjpeg-turbo's tools are installed, and is skipped elsewhere.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/cjpeg")))
    func freshPicturesAreThoseOfTheInstalledLibjpegTurbo() throws {
      var noise = TestRandom(UInt64(Date().timeIntervalSince1970))
      for sampling in ["1x1", "2x2", "2x1", "1x2", "4x2"] {
        let width = Int.random(in: 18...90, using: &noise)
        let height = Int.random(in: 18...90, using: &noise)
        var source = Data("P6 \(width) \(height) 255\n".utf8)
        for _ in 0..<width * height * 3 { source.append(UInt8.random(in: 0...255, using: &noise)) }
        let quality = "\(Int.random(in: 1...100, using: &noise))"
        let file = try run("/usr/bin/cjpeg", ["-quality", quality, "-sample", sampling], input: source)
        let reference = try run("/usr/bin/djpeg", ["-dct", "int", "-pnm"], input: file)
        let image = try JPEGDecoder().decode([UInt8](file).span)
        #expect(image.bitmap.packedPixels == [UInt8](reference.suffix(width * height * 3)), "\(sampling) \(quality)")
      }
    }

    private func run(_ tool: String, _ arguments: [String], input: Data) throws -> Data {
      let folder = FileManager.default.temporaryDirectory
      let source = folder.appendingPathComponent(UUID().uuidString)
      try input.write(to: source)
      defer { try? FileManager.default.removeItem(at: source) }
      let process = Process()
      let output = Pipe()
      process.executableURL = URL(fileURLWithPath: tool)
      process.arguments = arguments + [source.path]
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
      let result = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return result
    }
  }
#endif
