// Cases whose pixels are rendered: an SVG at four times the size of its reference, averaged, with the images of its
// folder.

import ConformanceKit
import ImageCoding
import SVGCodec

/// Evaluates drawings.
///
/// Renderers use different antialiasing, which a comparison of edges would measure. Both sides are therefore rendered
/// at four times the width and height, where the antialiasing of a pixel has a weight of one sixteenth, and averaged.
struct DrawingEvaluator {
  /// The number of rendered pixels per reference pixel in each direction.
  private static let supersampling = 4

  /// The folder that paths are relative to.
  let folder: String
  let references: ReferenceReader
  let fonts: DrawingFonts

  /// Returns the outcome of a case.
  ///
  /// Where renderers differ, a drawing that agrees with a browser's passes.
  func outcome(of test: ConformanceCase, _ bytes: [UInt8]) -> CaseResult {
    guard test.format == "svg" else { return CaseResult(.skipped("perceptual comparison requires a drawing")) }
    do throws(ReferenceReader.Failure) {
      let outcome = outcome(of: test, bytes, try self.reference(of: test))
      guard outcome != .passed, let path = fonts.browserReferences[test.path],
        let browser = try? references.readDrawing(path), self.outcome(of: test, bytes, browser) == .passed
      else { return CaseResult(outcome) }
      return CaseResult(.passed, remark: "agrees with the browser, not with the reference: \(outcome.reason)")
    } catch {
      return CaseResult(.skipped(error.reason))
    }
  }

  /// Returns the image that a case is compared with.
  func reference(of test: ConformanceCase) throws(ReferenceReader.Failure) -> NormalizedImage {
    try references.readDrawing(fonts.averagedReferences[test.path] ?? test.reference)
  }

  private func outcome(of test: ConformanceCase, _ bytes: [UInt8], _ reference: NormalizedImage) -> Outcome {
    do throws(CodecError) {
      let (document, bitmap) = try draw(test, bytes, width: reference.width, height: reference.height)
      guard let difference = PerceptualDifference(NormalizedImage(bitmap), reference) else {
        return .failed("\(bitmap.width) × \(bitmap.height), reference \(reference.width) × \(reference.height)")
      }
      if difference.isAcceptable { return .passed }
      // Features that are known to be missing are reported as unsupported, not as failed.
      if let missing = document.diagnostics.first(where: { $0.reason.hasSuffix("is not drawn") }) {
        return .unsupported(missing.reason)
      }
      return .failed(difference.summary)
    } catch {
      return error.kind == .unsupported ? .unsupported(error.reason) : .failed("\(error)")
    }
  }

  /// Renders a case for comparison.
  func draw(
    _ test: ConformanceCase, _ bytes: [UInt8], width: Int, height: Int
  ) throws(CodecError) -> (SVGDocument, Bitmap) {
    let document = try SVGDocument(parsing: bytes, options: options(for: test))
    // librsvg's own references use area coverage, so they are compared at their size.
    let factor = test.hasAreaEdges ? 1 : Self.supersampling
    let size = PixelSize(width: width * factor, height: height * factor)
    let bitmap = try document.render(filling: size, keepsProportions: !test.roundsNaturalSize)
    return (document, try bitmap.averaged(by: factor))
  }

  /// Images are loaded from the folder of the file and decoded by this package.
  private func options(for test: ConformanceCase) -> SVGDocument.Options {
    let path = folder + "/" + test.path
    let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    var options = SVGDocument.Options(
      decodeImage: { bytes, budget throws(CodecError) in
        guard let decoder = Decoders.recognizing(bytes) else {
          throw CodecError(.unrecognizedFormat, "no decoder recognises the image")
        }
        var bitmap = Bitmap()
        let options = DecodingOptions(limits: budget.limits)
        _ = try decoder.decode(bytes.span, into: &bitmap, options: options, budget: &budget)
        return bitmap
      },
      loadResource: { link in link.contains(":") ? nil : try? readFile(parent + "/" + link) })
    options.fonts = fonts.provider(for: test.path)
    // The default font size is 16 in browsers and in resvg's Python package, and 12 in resvg itself and librsvg.
    options.defaultFontSize = test.roundsNaturalSize || test.isFromBrowser ? 16 : 12
    return options
  }
}

extension SVGDocument {
  /// Renders the document at a size, with its aspect ratio if the size was derived from it, otherwise stretched.
  fileprivate func render(filling size: PixelSize, keepsProportions: Bool) throws(CodecError) -> Bitmap {
    if pixelSize() == size { return try render() }
    if keepsProportions, pixelSize(width: size.width) == size { return try render(width: size.width) }
    return try render(width: size.width, height: size.height)
  }
}

extension Bitmap {
  /// Returns premultiplied pixels, each the mean of a square of pixels of the receiver.
  fileprivate func averaged(by side: Int) throws(CodecError) -> Bitmap {
    guard side > 1 else { return self }
    let source = packedPixels
    let (columns, rows) = (width / side, height / side)
    var pixels: [UInt8] = []
    pixels.reserveCapacity(columns * rows * 4)
    for row in 0..<rows {
      var sums = [Int](repeating: 0, count: columns * 4)
      for line in row * side..<(row + 1) * side {
        let start = line * width * 4
        for column in 0..<columns * side {
          for sample in 0..<4 { sums[column / side * 4 + sample] += Int(source[start + column * 4 + sample]) }
        }
      }
      for sum in sums { pixels.append(UInt8(clamping: (sum + side * side / 2) / (side * side))) }
    }
    return try Bitmap(width: columns, height: rows, format: PixelFormat.rgba8.premultiplied, pixels: pixels)
  }
}
