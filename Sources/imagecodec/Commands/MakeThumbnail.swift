// `imagecodec thumbnail`: makes a small version of an image.

internal import ArgumentParser
internal import ImageCodecs

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Writes the thumbnail of an image.
struct MakeThumbnail: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "thumbnail",
    abstract: "Write a small version of an image: upright, in sRGB, without metadata.",
    discussion: """
      Images are decoded at a reduced size if their format allows it, and resized while they are decoded. Images that \
      are smaller than the size keep theirs, unless --enlarge is given. Drawings fill the size.
      Of a video one key frame is used; --at-key-frame and --at-time select it.
      """)

  @Argument(help: "The image; - means standard input.")
  var input: String

  @Argument(help: "The file to write; - means standard output.")
  var output: String

  @Option(help: "The format to write. Default: the format of the output's extension.")
  var format: OutputFormat?

  @OptionGroup var thumbnail: ThumbnailArguments

  @OptionGroup var keyFrame: KeyFrameArguments

  @OptionGroup var encoding: EncodingArguments

  @OptionGroup var decoding: DecodingArguments

  func run() throws {
    let format = try encoding.format(format, for: output)
    var options = decoding.options
    options.keyFrame = keyFrame.keyFrame
    if thumbnail.keepGainMap, format != .jpeg {
      throw ToolFailure(file: output, usage: "--keep-gain-map applies to JPEG only")
    }
    let settings = encoding.settings(background: thumbnail.background?.color)
    let made = try makeThumbnail(as: format, settings, options)
    StandardStreams.report(made.details.diagnostics, of: input)
    try StandardStreams.write(made.bytes, to: output)
  }

  private func makeThumbnail(
    as format: OutputFormat, _ settings: EncodingSettings, _ options: DecodingOptions
  ) throws -> EncodedThumbnail {
    let request = thumbnail.request
    // A file is read as it is decoded. Streams are read first, and so are files that are written in formats of the tool or
    // whose names are not UTF-8.
    if StandardStreams.isRegularFile(input), FileName.isText(input), format.isStreamable {
      return try naming(input) {
        try ImageFile(contentsOfFile: input, options: options)
          .encodedThumbnail(request, as: format.encodingFormat(settings))
      }
    }
    let data = try StandardStreams.data(input, limits: options.limits)
    return try naming(input) {
      try format.encodeThumbnail(request, of: data, settings: settings, options: options)
    }
  }
}
