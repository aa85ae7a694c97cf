// `imagecodec convert`: converts an image. An animation remains one if the format supports frames.

internal import ArgumentParser
internal import ImageCodecs
internal import JPEG2000Codec
internal import RawCodec

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Decodes an image and writes it in another format.
struct Convert: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Convert an image to another format.",
    discussion: """
      Of a file with several pages or entries the main one is converted; --page selects another.
      Animations keep their frames and timing in PNG, GIF and WebP; --frame selects one frame. If frames are not \
      supported, the still picture is written, unless decoding is strict.
      Of a video one key frame is converted; --at-key-frame and --at-time select it.
      --width and --height are those of the upright image. Colours and metadata are kept; see also 'thumbnail'.
      An output file with the extension .yuv receives the image's planes before colour conversion: Y, U, V and then \
      alpha, without padding; samples of more than 8 bits as 16-bit little-endian words. Of JPEG 2000 it receives the \
      components of the codestream at their own sizes, in their order, signed ones in two's complement. Of DNG it receives \
      the stored frame of the sensor before black levels are subtracted, as 16-bit little-endian words.
      """)

  @Argument(help: "The image; - means standard input.")
  var input: String

  @Argument(help: "The file to write; - means standard output.")
  var output: String

  @Option(help: "The format to write. Default: the format of the output's extension.")
  var format: OutputFormat?

  @Option(help: "The frame of an animation, counted from 0.")
  var frame: Int?

  @Option(help: "The page or entry of a file with several images, counted from 0. Default: the main image.")
  var page: Int?

  @OptionGroup var keyFrame: KeyFrameArguments

  @OptionGroup var part: PartArguments

  @Option(help: "Write samples of this many bits, 8 or 16, if the format can. Default: as many as the image has.")
  var depth: Int?

  @OptionGroup var encoding: EncodingArguments

  @OptionGroup var drawing: DrawingArguments

  @OptionGroup var decoding: DecodingArguments

  @OptionGroup var color: ColorArguments

  private var options: DecodingOptions {
    var options = decoding.options
    options.imageIndex = page
    options.keyFrame = keyFrame.keyFrame
    options.region = part.region?.value
    return options
  }

  func validate() throws {
    guard let depth else { return }
    guard depth == 8 || depth == 16 else { throw ValidationError("--depth must be 8 or 16, not \(depth)") }
    guard frame == nil else { throw ValidationError("--depth and --frame exclude each other") }
  }

  /// The type of the samples to write; `nil` for that of the image.
  private var sampleType: SampleType? { depth.map { $0 == 8 ? .uint8 : .uint16 } }

  func run() throws {
    if format == nil, output.lowercased().hasSuffix(".yuv") { return try writePlanes() }
    let format = try encoding.format(format, for: output)
    var options = self.options
    let settings = encoding.settings(background: drawing.backgroundColor)
    let video = StandardStreams.openVideo(input, options: options, colorConversion: color.conversion)
    let bytes = video == nil ? try StandardStreams.read(input, limits: options.limits) : []
    let isDrawing = SVGDecoder().probe(bytes.span) == .yes(SVGDecoder.type)
    if isDrawing { try checkOptionsOfDrawings() }
    if let count = part.reduce {
      let info = try naming(input) {
        let image = try video ?? ImageFile(bytes, options: options, colorConversion: color.conversion)
        return try image.info()
      }
      options.targetSize = PartArguments.target(info, reducedBy: count)
    }
    var file = FileOutput(path: output)
    let encoded = try naming(input) {
      let image = try video ?? ImageFile(bytes, options: options, colorConversion: color.conversion)
      var budget = ResourceBudget(options)
      budget.allowEncoding(ofByteCount: bytes.count)
      if isDrawing {
        let path = input == "-" ? nil : input
        var drawn = try drawing.draw(bytes, of: path, options: options, budget: &budget)
        _ = try color.conversion.apply(to: &drawn.bitmap, options, budget: &budget)
        try applyDepth(to: &drawn.bitmap, &budget)
        StandardStreams.report(drawn.diagnostics, of: input)
        return try format.encode(
          drawn.bitmap, metadata: nil, settings: settings, to: file.makeOutput(), budget: &budget)
      }
      let resizing = drawing.resizing
      if let frame {
        let picture = try decodeFrame(frame, of: image, &budget)
        let resized = try resizing.map { try resize(picture, $0, &budget) } ?? picture
        return try format.encode(resized, metadata: nil, settings: settings, to: file.makeOutput(), budget: &budget)
      }
      let animation =
        format.isAnimatable && page == nil && depth == nil && !part.isPresent
        ? try image.animation(budget: &budget) : nil
      let heldByteCount = budget.heldByteCount
      var decoded = try decodeStill(image, resizing, &budget)
      StandardStreams.report(decoded.diagnostics, of: input)
      if let animation {
        // Its picture is the first frame.
        budget.settle(heldByteCount: heldByteCount)
        decoded.bitmap = Bitmap()
        do throws(CodecError) {
          let encoded = try format.encode(
            animation, metadata: decoded.metadata, settings: settings, to: file.makeOutput(), budget: &budget,
            report: { StandardStreams.report($0, of: input) }
          ) { (picture, budget) throws(CodecError) in
            guard let resizing else { return picture }
            let resized = try resize(picture, resizing, &budget)
            budget.release(picture.byteCount)
            return resized
          }
          if let encoded { return encoded }
        } catch {
          guard error.kind == .unsupported, options.tolerance != .strict else { throw error }
          StandardStreams.printError("imagecodec: \(input): only a still picture is written: \(error.reason)")
          budget.settle(heldByteCount: heldByteCount)
          // The frames written so far are dropped with the draft.
          file = FileOutput(path: output)
        }
        decoded = try decodeStill(image, resizing, &budget)
      }
      return try format.encode(
        decoded.bitmap, metadata: decoded.metadata, settings: settings, to: file.makeOutput(), budget: &budget)
    }
    try file.finish(encoded)
  }

  /// - Throws: ``ToolFailure`` for an option that selects a part of other images.
  private func checkOptionsOfDrawings() throws {
    let others = [
      ("--region", part.region != nil), ("--reduce", part.reduce != nil), ("--frame", frame != nil),
      ("--page", page != nil), ("--at-key-frame", keyFrame.atKeyFrame != nil), ("--at-time", keyFrame.atTime != nil),
    ]
    guard let option = others.first(where: \.1) else { return }
    throw ToolFailure(file: input, usage: "\(option.0) does not apply to drawings")
  }

  private func decodeStill(
    _ image: ImageFile, _ resizing: Thumbnail?, _ budget: inout ResourceBudget
  ) throws(CodecError) -> DecodedImage {
    var decoded =
      if let resizing { try image.thumbnail(resizing, budget: &budget) } else { try image.decode(budget: &budget) }
    try applyDepth(to: &decoded.bitmap, &budget)
    return decoded
  }

  /// Converts samples to the depth that is asked for.
  private func applyDepth(to picture: inout Bitmap, _ budget: inout ResourceBudget) throws(CodecError) {
    let format = picture.format
    guard let sampleType, format.sampleType != sampleType else { return }
    let target = PixelFormat(format.colorModel, alpha: format.alpha, sampleType: sampleType)
    try picture.convert(to: target, budget: &budget)
  }

  /// Writes the planes of an image whose samples are coded as planes.
  private func writePlanes() throws {
    let others = [
      ("--width", drawing.width != nil), ("--height", drawing.height != nil), ("--depth", depth != nil),
      ("--background", drawing.background != nil), ("--frame", frame != nil),
      ("--color-space", color.conversion != .keep),
    ]
    if let problem = encoding.optionWithoutMeaning(for: nil)
      ?? others.first(where: \.1).map({ "\($0.0) does not apply to planes" })
    {
      throw ToolFailure(file: output, usage: problem)
    }
    let file = try StandardStreams.data(input, limits: options.limits)
    let planes = try naming(input) { () throws -> [UInt8] in
      let decoder = try ImageFormatRegistry.shared.decoder(for: file.span)
      if let decoder = decoder as? JPEG2000Decoder {
        guard part.region == nil else {
          throw CodecError(.unsupported, "components are written as a whole, not in regions", format: .jpeg2000)
        }
        let planes = try decoder.components(file.span, discarded: part.reduce ?? 0, options: options)
        return planes.reduce(into: []) { $0 += $1.rawSamples() }
      }
      guard !part.isPresent else {
        throw CodecError(.unsupported, "planes are written as a whole, at full size")
      }
      if let decoder = decoder as? RawDecoder {
        return try decoder.sensorFrame(file.span, options: options).rawSamples()
      }
      guard let decoder = decoder as? any PlanarImageDecoder else {
        let type = ImageFormatRegistry.shared.type(of: file.span)
        throw CodecError(.unsupported, "images of this format have no planes to write", format: type)
      }
      return try decoder.planes(file.span, options: options).rawPlanes()
    }
    try StandardStreams.write(planes, to: output)
  }

  private func resize(
    _ picture: Bitmap, _ request: Thumbnail, _ budget: inout ResourceBudget
  ) throws(CodecError) -> Bitmap {
    try picture.thumbnail(request, options: options, colorConversion: color.conversion, budget: &budget)
  }

  private func decodeFrame(_ index: Int, of image: ImageFile, _ budget: inout ResourceBudget) throws -> Bitmap {
    let animation = try image.animation(budget: &budget)
    let frameCount = animation?.frameCount ?? 1
    guard index >= 0, index < frameCount else {
      throw ToolFailure(file: input, usage: "frame \(index) is out of range: the frame count is \(frameCount)")
    }
    guard let animation else { return try image.decode(budget: &budget).bitmap }
    let picture = try animation.frame(at: index, budget: &budget)
    StandardStreams.report(animation.diagnostics, of: input)
    StandardStreams.report(try animation.diagnostics(ofFrameAt: index), of: input)
    return picture
  }
}
