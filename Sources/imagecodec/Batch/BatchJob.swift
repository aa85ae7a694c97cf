// A job of `imagecodec batch`: a JSON object on a line. The article CommandLineTool lists the members.

internal import ImageCodecs

/// A thumbnail to make from a file to a file.
struct BatchJob {
  /// The JSON text of the identifier that the result repeats: a string or a number of any size.
  var id: String?
  var input = ""
  var output = ""
  var format = OutputFormat.jpeg
  var request = Thumbnail()
  var settings = EncodingSettings()
  /// The time in seconds after which the job fails; `nil` for that of the command.
  var deadline: Double?
  /// Whether the output may be the file of the input.
  var overwritesInput = false
}

/// A line that is not a job.
struct BatchJobError: Error {
  var reason: String
}

extension BatchJob {
  /// The names of all members.
  enum Member: String, CaseIterable {
    case id, input, output, overwriteInput, format, size, width, height, fit, gravity, enlarge, filter, light, color
    case background, sharpen, frames, gainMap, quality, progressive, level, deadline
  }

  /// Reads a job.
  ///
  /// - Throws: ``BatchJobError``.
  init(line: [UInt8]) throws(BatchJobError) {
    let object = try JobObject(parsing: line)
    // In order, so that the error for a line is always the same.
    if let name = object.members.keys.sorted().first(where: { Member(rawValue: $0) == nil }) {
      throw BatchJobError(reason: "the member '\(name.prefix(40))' is not known")
    }
    try readFiles(object)
    try readRequest(object)
    try readSettings(object)
    deadline = try object.number(.deadline, in: 0.001...86_400)
  }

  private mutating func readFiles(_ object: JobObject) throws(BatchJobError) {
    id = try object.literal(Member.id.rawValue)
    input = try object.file(.input)
    output = try object.file(.output)
    guard !input.isEmpty, !output.isEmpty, input != "-", output != "-" else {
      throw BatchJobError(reason: "input and output must be names of files")
    }
    overwritesInput = try object.boolean(.overwriteInput) ?? false
    if let format = try object.value(.format, { OutputFormat(argument: $0) }) {
      self.format = format
    } else if let format = OutputFormat(fileName: output) {
      self.format = format
    } else {
      throw BatchJobError(reason: "the extension of the output is not that of a format")
    }
  }

  private mutating func readRequest(_ object: JobObject) throws(BatchJobError) {
    let size = try object.value(.size) { SizeArgument(argument: $0) }
    request.width = try object.integer(.width, in: 1...PixelArgument.maximum) ?? size?.width
    request.height = try object.integer(.height, in: 1...PixelArgument.maximum) ?? size?.height
    let gravity = try object.value(.gravity) { Thumbnail.Gravity(rawValue: $0) }
    let fit = try object.value(.fit) { FitArgument(rawValue: $0) } ?? .inside
    request.fit = fit.value(gravity: gravity ?? .center)
    request.enlarges = try object.boolean(.enlarge) ?? false
    request.filter = try object.value(.filter) { ResamplingFilter(name: $0) } ?? .lanczos3
    request.light = try object.value(.light) { ResamplingLight(rawValue: $0) } ?? .encoded
    request.color = try object.value(.color) { Thumbnail.Color(rawValue: $0) } ?? .sRGB
    request.background = try object.value(.background) { ColorArgument(argument: $0)?.color }
    request.sharpening = try object.number(.sharpen, in: 0...4) ?? 0
    request.frames = try object.value(.frames) { Thumbnail.Frames(rawValue: $0) } ?? .first
    request.keepsGainMap = try object.boolean(.gainMap) ?? false
  }

  private mutating func readSettings(_ object: JobObject) throws(BatchJobError) {
    if let quality = try object.integer(.quality, in: 1...100) {
      settings.jpeg.quality = quality
      settings.webP.quality = quality
    }
    settings.jpeg.isProgressive = try object.boolean(.progressive) ?? false
    if let background = request.background { settings.jpeg.background = background }
    if let level = try object.value(.level, { PNGEncoder.Options.Level(rawValue: $0) }) {
      settings.png = PNGEncoder.Options(level: level)
    }
  }
}

extension JobObject {
  fileprivate func file(_ member: BatchJob.Member) throws(BatchJobError) -> String {
    guard let name = try fileName(member.rawValue) else {
      throw BatchJobError(reason: "the member '\(member.rawValue)' is missing")
    }
    return name
  }

  fileprivate func boolean(_ member: BatchJob.Member) throws(BatchJobError) -> Bool? {
    try boolean(member.rawValue)
  }

  /// Reads a string that names a value.
  fileprivate func value<Value>(
    _ member: BatchJob.Member, _ parse: (String) -> Value?
  ) throws(BatchJobError) -> Value? {
    guard let text = try string(member.rawValue) else { return nil }
    guard let value = parse(text) else {
      throw BatchJobError(reason: "'\(text.prefix(40))' is not a value of '\(member.rawValue)'")
    }
    return value
  }

  fileprivate func integer(
    _ member: BatchJob.Member, in range: ClosedRange<Int>
  ) throws(BatchJobError) -> Int? {
    guard let number = try number(member.rawValue) else { return nil }
    guard let integer = Int(exactly: number.value), range.contains(integer) else {
      throw BatchJobError(reason: "\(number.literal.prefix(40)) is not a value of '\(member.rawValue)'")
    }
    return integer
  }

  fileprivate func number(
    _ member: BatchJob.Member, in range: ClosedRange<Double>
  ) throws(BatchJobError) -> Double? {
    guard let number = try number(member.rawValue) else { return nil }
    guard range.contains(number.value) else {
      throw BatchJobError(reason: "\(number.literal.prefix(40)) is not a value of '\(member.rawValue)'")
    }
    return number.value
  }
}
