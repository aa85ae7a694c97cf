// The implementations that make the thumbnails of scenarios.

import CodecPeers
import Foundation
import ImageCodecs

/// Makes a thumbnail from file to file.
enum ScenarioEngine {
  case ours
  case libvips(LibVips)

  /// The name of the implementation.
  var name: String {
    switch self {
    case .ours: "ours"
    case .libvips(let library): library.name
    }
  }

  /// Makes the thumbnail of a scenario.
  func run(_ scenario: Scenario, from input: String, to output: String) throws {
    switch self {
    case .ours:
      let request = Thumbnail(width: scenario.side, height: scenario.side)
      let made = try ImageFile(contentsOfFile: input).encodedThumbnail(request, as: scenario.format)
      try Data(made.bytes).write(to: URL(fileURLWithPath: output))
    case .libvips(let library):
      let saver = scenario.saver
      library.makeThumbnail(of: input, to: output, side: scenario.side, saver: saver.name, saver.arguments)
    }
  }
}

/// The memory of this process, as Linux reports it.
enum ProcessMemory {
  /// The resident bytes.
  static var resident: Int? { bytes("VmRSS:") }
  /// The maximum of resident bytes so far.
  static var peak: Int? { bytes("VmHWM:") }

  private static func bytes(_ key: String) -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix(key) }),
      let kilobytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({ Int($0) })
    else { return nil }
    return kilobytes << 10
  }
}
