// A job of `imagecodec batch`: a JSON object on a line. README.md of Benchmarks lists the members.

internal import Foundation
internal import ImageCodecs

/// A thumbnail to make from a file to a file.
struct BatchJob {
  /// The identifier that the result repeats: a string or an integer.
  enum Identifier {
    case text(String)
    case number(Int)
  }

  var id: Identifier?
  var input = ""
  var output = ""
  var format = OutputFormat.jpeg
  var request = Thumbnail()
  var settings = EncodingSettings()
  /// The time in seconds after which the job fails; `nil` for that of the command.
  var deadline: Double?
}

/// A line that is not a job.
struct BatchJobError: Error {
  var reason: String
}

extension BatchJob: Decodable {
  /// The names of all members.
  enum Member: String, CodingKey, CaseIterable {
    case id, input, output, format, size, width, height, fit, gravity, enlarge, filter, light, color, background
    case sharpen, frames, gainMap, quality, progressive, level, deadline
  }

  /// Any name, so that unknown members are found.
  private struct AnyMember: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
      self.stringValue = stringValue
    }

    init?(intValue: Int) {
      nil
    }
  }

  /// Reads a job.
  ///
  /// - Throws: ``BatchJobError``.
  init(line: Data) throws {
    do {
      self = try JSONDecoder().decode(BatchJob.self, from: line)
    } catch let error as BatchJobError {
      throw error
    } catch DecodingError.typeMismatch(_, let context) {
      let name = context.codingPath.last?.stringValue
      throw BatchJobError(reason: name.map { "the member '\($0)' has the wrong type" } ?? "the line is not an object")
    } catch DecodingError.keyNotFound(let key, _) {
      throw BatchJobError(reason: "the member '\(key.stringValue)' is missing")
    } catch {
      throw BatchJobError(reason: "the line is not valid JSON")
    }
  }

  init(from decoder: any Decoder) throws {
    for key in try decoder.container(keyedBy: AnyMember.self).allKeys
    where Member(rawValue: key.stringValue) == nil {
      throw BatchJobError(reason: "the member '\(key.stringValue)' is not known")
    }
    let members = try decoder.container(keyedBy: Member.self)
    if let number = try? members.decodeIfPresent(Int.self, forKey: .id) {
      id = .number(number)
    } else {
      id = try members.decodeIfPresent(String.self, forKey: .id).map { .text($0) }
    }
    input = try members.decode(String.self, forKey: .input)
    output = try members.decode(String.self, forKey: .output)
    guard !input.isEmpty, !output.isEmpty, input != "-", output != "-" else {
      throw BatchJobError(reason: "input and output must be names of files")
    }
    if let format = try members.value(.format, { OutputFormat(argument: $0) }) {
      self.format = format
    } else if let format = OutputFormat(fileName: output) {
      self.format = format
    } else {
      throw BatchJobError(reason: "the extension of the output is not that of a format")
    }
    try readRequest(members)
    try readSettings(members)
    deadline = try members.number(.deadline, in: 0.001...86_400)
  }

  private mutating func readRequest(_ members: KeyedDecodingContainer<Member>) throws {
    let size = try members.value(.size) { SizeArgument(argument: $0) }
    request.width = try members.integer(.width, in: 1...PixelArgument.maximum) ?? size?.width
    request.height = try members.integer(.height, in: 1...PixelArgument.maximum) ?? size?.height
    let gravity = try members.value(.gravity) { Thumbnail.Gravity(rawValue: $0) }
    let fit = try members.value(.fit) { FitArgument(rawValue: $0) } ?? .inside
    request.fit = fit.value(gravity: gravity ?? .center)
    request.enlarges = try members.decodeIfPresent(Bool.self, forKey: .enlarge) ?? false
    request.filter = try members.value(.filter) { ResamplingFilter(name: $0) } ?? .lanczos3
    request.light = try members.value(.light) { ResamplingLight(rawValue: $0) } ?? .encoded
    request.color = try members.value(.color) { Thumbnail.Color(rawValue: $0) } ?? .sRGB
    request.background = try members.value(.background) { ColorArgument(argument: $0)?.color }
    request.sharpening = try members.number(.sharpen, in: 0...4) ?? 0
    request.frames = try members.value(.frames) { Thumbnail.Frames(rawValue: $0) } ?? .first
    request.keepsGainMap = try members.decodeIfPresent(Bool.self, forKey: .gainMap) ?? false
  }

  private mutating func readSettings(_ members: KeyedDecodingContainer<Member>) throws {
    if let quality = try members.integer(.quality, in: 1...100) {
      settings.jpeg.quality = quality
      settings.webP.quality = quality
    }
    settings.jpeg.isProgressive = try members.decodeIfPresent(Bool.self, forKey: .progressive) ?? false
    if let background = request.background { settings.jpeg.background = background }
    if let level = try members.value(.level, { PNGEncoder.Options.Level(rawValue: $0) }) {
      settings.png = PNGEncoder.Options(level: level)
    }
  }
}

extension KeyedDecodingContainer<BatchJob.Member> {
  /// Reads a string that names a value.
  fileprivate func value<Value>(_ member: Key, _ parse: (String) -> Value?) throws -> Value? {
    guard let text = try decodeIfPresent(String.self, forKey: member) else { return nil }
    guard let value = parse(text) else {
      throw BatchJobError(reason: "'\(text.prefix(40))' is not a value of '\(member.rawValue)'")
    }
    return value
  }

  fileprivate func integer(_ member: Key, in range: ClosedRange<Int>) throws -> Int? {
    guard let number = try decodeIfPresent(Int.self, forKey: member) else { return nil }
    guard range.contains(number) else {
      throw BatchJobError(reason: "\(number) is not a value of '\(member.rawValue)'")
    }
    return number
  }

  fileprivate func number(_ member: Key, in range: ClosedRange<Double>) throws -> Double? {
    guard let number = try decodeIfPresent(Double.self, forKey: member) else { return nil }
    guard range.contains(number) else {
      throw BatchJobError(reason: "\(number) is not a value of '\(member.rawValue)'")
    }
    return number
  }
}
