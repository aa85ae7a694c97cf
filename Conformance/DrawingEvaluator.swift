// Cases whose pixels are drawn: an SVG at the size of its reference, with the pictures of its folder.

import ConformanceKit
import ImageCore
import SVGCodec

/// Evaluates drawings.
struct DrawingEvaluator {
  /// The folder that paths are relative to.
  let folder: String
  let references: ReferenceReader
  let fonts: DrawingFonts

  /// What becomes of a case.
  func outcome(of test: ConformanceCase, _ bytes: [UInt8]) -> Outcome {
    guard test.format == "svg" else { return .skipped("only drawings are compared perceptually") }
    do throws(ReferenceReader.Failure) {
      let reference = try references.readDrawing(test.reference)
      return outcome(of: test, bytes, reference)
    } catch {
      return .skipped(error.reason)
    }
  }

  private func outcome(of test: ConformanceCase, _ bytes: [UInt8], _ reference: NormalizedImage) -> Outcome {
    do throws(DecodeError) {
      let (document, bitmap) = try draw(test, bytes, width: reference.width, height: reference.height)
      guard let difference = PerceptualDifference(NormalizedImage(bitmap), reference) else {
        return .failed("\(bitmap.width) × \(bitmap.height), reference \(reference.width) × \(reference.height)")
      }
      if difference.isAcceptable { return .passed }
      // What is known not to be drawn is no failure of what is.
      if let missing = document.diagnostics.first(where: { $0.reason.hasSuffix("is not drawn") }) {
        return .unsupported(missing.reason)
      }
      return .failed(difference.summary)
    } catch {
      return error.kind == .unsupported ? .unsupported(error.reason) : .failed("\(error)")
    }
  }

  /// Draws a case as it is compared: as its reference was drawn. Any other way would differ from it along every edge.
  func draw(
    _ test: ConformanceCase, _ bytes: [UInt8], width: Int, height: Int
  ) throws(DecodeError) -> (SVGDocument, Bitmap) {
    var options = Self.options(besides: folder + "/" + test.path)
    options.fonts = fonts.provider(for: test.path)
    options.textPathTolerance = 0.5
    // What resvg's Python package has; resvg itself and librsvg have 12.
    options.defaultFontSize = test.roundsNaturalSize ? 16 : 12
    let document = try SVGDocument(parsing: bytes, options: options)
    let size = PixelSize(width: width, height: height)
    let antialiasing: SVGDocument.Antialiasing = test.hasAreaEdges ? .area : .samples
    if document.pixelSize() == size { return (document, try document.render(antialiasing: antialiasing)) }
    guard test.roundsNaturalSize else {
      return (document, try document.render(width: width, height: height, antialiasing: antialiasing))
    }
    let natural = document.intrinsicSize
    func rounded(_ value: Double) -> Double { max(1, value.rounded()) }
    let bitmap = try document.render(
      size, naturalSize: ImageSize(width: rounded(natural.width), height: rounded(natural.height)),
      antialiasing: antialiasing)
    return (document, bitmap)
  }

  /// Pictures are looked up beside the file and decoded by this package.
  private static func options(besides path: String) -> SVGDocument.Options {
    let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    return SVGDocument.Options(
      decodeImage: { bytes, limits throws(DecodeError) in
        guard let decoder = Decoders.recognizing(bytes) else {
          throw DecodeError(.unrecognizedFormat, "no decoder recognises it")
        }
        return try decoder.decode(bytes.span, options: DecodingOptions(limits: limits)).bitmap
      },
      loadResource: { link in link.contains(":") ? nil : try? readFile(parent + "/" + link) })
  }
}
