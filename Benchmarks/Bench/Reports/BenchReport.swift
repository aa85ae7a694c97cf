// The results of a run as values that are written as JSON and read again, so that charts need no second measurement.

import Foundation

/// The results of one or several runs.
struct BenchReport: Codable {
  /// A job that was measured.
  struct Row: Codable {
    var input: String
    /// The short name of the format, such as png.
    var format: String
    var operation: String
    var megapixels: Double
    var milliseconds: Double
    /// The median deviation from the median, in percent.
    var spread: Double
    var byteCount: Int?
    var peer: String?
    var peerMilliseconds: Double?
    var peerByteCount: Int?
    /// Our time divided by the peer's.
    var ratio: Double?
  }

  /// A scenario that was measured with one engine.
  struct ScenarioRow: Codable {
    var scenario: String
    var engine: String
    var processorMilliseconds: Double
    var wallMilliseconds: Double
    /// Our processor time divided by that of the engine; nil for our own.
    var ratio: Double?
    /// The peak of memory above that of an idle process.
    var megabytes: Double?
  }

  /// The cost of a format at one size, or with a number of decodes at once.
  struct ScalingRow: Codable {
    var format: String
    var megapixels: Double
    var concurrentDecodes: Int
    /// Wall time per picture.
    var milliseconds: Double
    /// The highest memory that a decode was charged for.
    var megabytes: Double
  }

  var rows: [Row] = []
  var scenarios: [ScenarioRow] = []
  var scaling: [ScalingRow] = []

  init() {}

  /// Reads a report.
  init(contentsOfFile path: String) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// Adds the result of a job.
  mutating func add(_ result: JobResult, format: String) {
    rows.append(
      Row(
        input: result.input, format: format, operation: result.operation.rawValue,
        megapixels: Double(result.pixelCount) / 1e6, milliseconds: result.ours.median * 1000,
        spread: result.ours.spread, byteCount: result.encodedByteCount, peer: result.peer?.name,
        peerMilliseconds: result.peer.map { $0.times.median * 1000 }, peerByteCount: result.peer?.encodedByteCount,
        ratio: result.ratio))
  }

  /// Writes the report, with sorted keys, so that versions can be compared.
  func write(toFile path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(self).write(to: URL(fileURLWithPath: path))
  }
}
