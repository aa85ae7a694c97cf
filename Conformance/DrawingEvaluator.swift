// Cases whose pixels are drawn: an SVG at four times the size of its reference, averaged, with the pictures of its folder.

import ConformanceKit
import ImageCore
import SVGCodec

/// Evaluates drawings.
///
/// Renderers antialias in different ways, and a comparison of edges would be one of those. So both sides are drawn at four
/// times the width and height, where a pixel's antialiasing counts for a sixteenth, and averaged.
struct DrawingEvaluator {
  /// Pixels of a drawing for each of its reference, in both directions.
  private static let supersampling = 4

  /// The folder that paths are relative to.
  let folder: String
  let references: ReferenceReader
  let fonts: DrawingFonts

  /// What becomes of a case.
  func outcome(of test: ConformanceCase, _ bytes: [UInt8]) -> Outcome {
    guard test.format == "svg" else { return .skipped("only drawings are compared perceptually") }
    do throws(ReferenceReader.Failure) {
      let reference = try self.reference(of: test)
      return outcome(of: test, bytes, reference)
    } catch {
      return .skipped(error.reason)
    }
  }

  /// The picture that a case is compared with.
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
      // What is known not to be drawn is no failure of what is.
      if let missing = document.diagnostics.first(where: { $0.reason.hasSuffix("is not drawn") }) {
        return .unsupported(missing.reason)
      }
      return .failed(difference.summary)
    } catch {
      return error.kind == .unsupported ? .unsupported(error.reason) : .failed("\(error)")
    }
  }

  /// Draws a case as it is compared.
  func draw(
    _ test: ConformanceCase, _ bytes: [UInt8], width: Int, height: Int
  ) throws(CodecError) -> (SVGDocument, Bitmap) {
    let document = try SVGDocument(parsing: bytes, options: options(for: test))
    // References of librsvg's own have areas for edges, at their size.
    let factor = test.hasAreaEdges ? 1 : Self.supersampling
    let size = PixelSize(width: width * factor, height: height * factor)
    let bitmap = try document.render(filling: size, keepsProportions: !test.roundsNaturalSize)
    return (document, try bitmap.averaged(by: factor))
  }

  /// Pictures are looked up beside the file and decoded by this package.
  private func options(for test: ConformanceCase) -> SVGDocument.Options {
    let path = folder + "/" + test.path
    let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    var options = SVGDocument.Options(
      decodeImage: { bytes, budget throws(CodecError) in
        guard let decoder = Decoders.recognizing(bytes) else {
          throw CodecError(.unrecognizedFormat, "no decoder recognises it")
        }
        var bitmap = Bitmap()
        let options = DecodingOptions(limits: budget.limits)
        _ = try decoder.decode(bytes.span, into: &bitmap, options: options, budget: &budget)
        return bitmap
      },
      loadResource: { link in link.contains(":") ? nil : try? readFile(parent + "/" + link) })
    options.fonts = fonts.provider(for: test.path)
    // What resvg's Python package has; resvg itself and librsvg have 12.
    options.defaultFontSize = test.roundsNaturalSize ? 16 : 12
    return options
  }
}

extension SVGDocument {
  /// Draws the document at a size: in its own proportions if that is how the size came about, else stretched.
  fileprivate func render(filling size: PixelSize, keepsProportions: Bool) throws(CodecError) -> Bitmap {
    if pixelSize() == size { return try render() }
    if keepsProportions, pixelSize(width: size.width) == size { return try render(width: size.width) }
    return try render(width: size.width, height: size.height)
  }
}

extension Bitmap {
  /// Premultiplied pixels, each the mean of a square of pixels of the receiver.
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
