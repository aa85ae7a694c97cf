// The expectations for the files of a folder: MANIFEST.tsv, BROWSER.tsv for drawings by a browser, FRAMES.tsv for
// animations, PLANES.tsv for planes, COMPONENTS.tsv for components, JPEGS.tsv for the JPEG files that others were made from,
// and PREVIEWS.tsv and RAW.tsv for the contents of camera raw files.

/// A file to decode and the expected result.
package struct ConformanceCase: Sendable {
  /// The expected outcome.
  package enum Expectation: String, Sendable {
    /// The file decodes to the reference.
    case decode
    /// Strict decoding fails with an error.
    case reject
    /// Any outcome except a crash, a hang or excessive memory. Whether the file matches its reference is only reported.
    case any
  }

  /// The path relative to the folder.
  package var path: String
  /// The short name of the format, which the content determines.
  package var format: String
  /// The path of the reference relative to the folder.
  package var reference: String?
  /// The expected outcome.
  package var expectation: Expectation
  /// The rule for comparing pixels; `nil` if there is no reference.
  package var rule: ComparisonRule?
  /// The width of the reference in pixels; `nil` if the manifest does not state it.
  package var width: Int?
  /// The height of the reference in pixels; `nil` if the manifest does not state it.
  package var height: Int?
  /// The bits per sample of the reference: 8 or 16.
  package var referenceDepth: Int
  /// The SHA-256 of the normalised pixels, of the first frame for an animation, in lower-case hexadecimal digits.
  package var hash: String?
  /// The hash of the image shown by viewers without animation support, if it is not the first frame.
  package var stillHash: String?
  /// Whether the reference is a drawing with area-based antialiasing, as by librsvg, instead of sampling, as by resvg.
  package var hasAreaEdges = false
  /// Whether the reference's renderer rounds the document's intrinsic size before scaling it.
  package var roundsNaturalSize = false
  /// Whether a browser made the reference.
  package var isFromBrowser = false
  /// The meaning of the samples of a reference that contains them as stored; `nil` if there is none.
  package var storedSamples: StoredSamples?
  /// Whether the reference has the samples of associated alpha as stored, as those of TIFF.
  package var isTIFF: Bool { format == "tiff" }
  /// Whether the reference has the orientation applied, as those of TIFF and JPEG XL.
  package var hasOrientationApplied: Bool { isTIFF || format == "jxl" }
  /// The SHA-256 of the planes before conversion, by kind: `yuv` and `alpha`. Empty if there are none.
  package var planeHashes: [String: String] = [:]
  /// The expected components of a codestream, at several reductions; empty if there are none.
  package var components: [ExpectedComponent] = []
  /// The expected embedded pictures of a raw file; empty if the tables state none.
  package var previews: [ExpectedPreview] = []
  /// The expected facts and samples of a raw file; `nil` if the tables state none.
  package var camera: ExpectedCamera?
  /// The SHA-256 of the JPEG file that the file was made from; `nil` if the tables state none.
  package var originalHash: String?
  /// The number of frames of an animation; `nil` if the manifest does not state it.
  package var frameCount: Int?
  /// The expected frames of an animation, or the first of them; empty for still images.
  package var frames: [ConformanceFrame] = []
  /// The features of the file, as far as the manifest states them, such as `ct6` or `progressive`.
  package var features: [String] = []
  /// The expected images of an icon, by index; empty if the tables state none.
  package var entries: [ConformanceFrame] = []

  /// The name of the suite: the first component of the path.
  package var suite: String {
    path.firstIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }
}

/// An expected composed frame of an animation.
package struct ConformanceFrame: Sendable {
  /// The index of the frame, counted from 0.
  package var index: Int
  /// The delay stored in the file, in milliseconds; `nil` if the table does not state it.
  package var delayInMilliseconds: Double?
  /// The SHA-256 of the normalised canvas.
  package var hash: String?
  /// The path of the reference relative to the folder.
  package var reference: String?
}

/// The cases of a folder.
package struct Manifest: Sendable {
  /// The cases in file order.
  package let cases: [ConformanceCase]

  /// Reads the tables: MANIFEST.tsv, BROWSER.tsv, which has the same columns, FRAMES.tsv, PLANES.tsv,
  /// COMPONENTS.tsv, JPEGS.tsv, PREVIEWS.tsv and RAW.tsv.
  ///
  /// - Throws: ``ManifestError`` if a row has no valid path, format or expectation.
  package init(
    manifest: [UInt8], browser: [UInt8] = [], frames: [UInt8] = [], planes: [UInt8] = [],
    components: [UInt8] = [], originals: [UInt8] = [], previews: [UInt8] = [], cameras: [UInt8] = []
  ) throws(ManifestError) {
    var originalsByPath: [String: String] = [:]
    for row in TabSeparatedTable(originals).rows {
      if let path = row.path("path") { originalsByPath[path] = row.text("jpeg_sha256") }
    }
    var componentsByPath: [String: [ExpectedComponent]] = [:]
    for row in TabSeparatedTable(components).rows {
      guard let path = row.path("path"), let component = ExpectedComponent(row) else { continue }
      componentsByPath[path, default: []].append(component)
    }
    var previewsByPath: [String: [ExpectedPreview]] = [:]
    for row in TabSeparatedTable(previews).rows {
      guard let path = row.path("path"), let preview = ExpectedPreview(row) else { continue }
      previewsByPath[path, default: []].append(preview)
    }
    var camerasByPath: [String: ExpectedCamera] = [:]
    for row in TabSeparatedTable(cameras).rows {
      if let path = row.path("path") { camerasByPath[path] = ExpectedCamera(row) }
    }
    let planesByPath = Self.planes(in: TabSeparatedTable(planes))
    let framesByPath = Self.frames(in: TabSeparatedTable(frames)) { $0 == "frame" }
    let entriesByPath = Self.frames(in: TabSeparatedTable(frames)) { $0.hasPrefix("entry") }
    var cases: [ConformanceCase] = []
    for (number, row) in (TabSeparatedTable(manifest).rows + TabSeparatedTable(browser).rows).enumerated() {
      guard let path = row.path("path"), let format = row.text("format"),
        let expectation = row.text("expected").flatMap(ConformanceCase.Expectation.init(rawValue:))
      else { throw ManifestError(row: number + 1) }
      var rule = row.text("compare").flatMap(ComparisonRule.init(manifest:))
      // The manifest says `tol` for lossy files, but a decoder that follows the reference's integer transform matches
      // it exactly.
      if format == "jpeg", rule == .tolerance, row.text("ref_decoder")?.hasPrefix("djpeg") == true { rule = .exact }
      // Suites that include references made them with the renderer that they test.
      let hasAreaEdges = row.text("ref_decoder") == "suite-native" && row.text("source")?.contains("/librsvg@") == true
      cases.append(
        ConformanceCase(
          path: path, format: format, reference: row.path("reference"), expectation: expectation, rule: rule,
          width: row.integer("width"), height: row.integer("height"), referenceDepth: row.integer("ref_depth") ?? 8,
          hash: row.text("rgba_sha256"),
          stillHash: row.text("still_sha256"), hasAreaEdges: hasAreaEdges,
          roundsNaturalSize: row.text("ref_decoder")?.hasPrefix("resvg_py") == true,
          isFromBrowser: row.text("ref_decoder")?.hasPrefix("chromium") == true,
          storedSamples: row.text("features").flatMap { StoredSamples(features: $0) },
          planeHashes: planesByPath[path] ?? [:], components: componentsByPath[path] ?? [],
          previews: previewsByPath[path] ?? [], camera: camerasByPath[path],
          originalHash: originalsByPath[path],
          frameCount: row.integer("frames"), frames: framesByPath[path] ?? [],
          features: row.text("features").map { Self.features(in: $0) } ?? [],
          entries: entriesByPath[path] ?? []))
    }
    self.cases = cases
  }

  /// Returns the features of a row, which are separated by commas. Numbers that differ from file to file are left out.
  private static func features(in text: String) -> [String] {
    text.split(separator: ",").map { $0.trimmingPrefix { $0 == " " } }
      .filter { !$0.isEmpty && !$0.contains("=") }.map { String($0) }
  }

  /// Returns the hashes of each file's first image. Rows of other kinds serve to locate differences.
  private static func planes(in table: TabSeparatedTable) -> [String: [String: String]] {
    var planes: [String: [String: String]] = [:]
    for row in table.rows where row.integer("index") == 0 {
      guard let path = row.path("path"), let kind = row.text("kind"), kind == "yuv" || kind == "alpha" else { continue }
      planes[path, default: [:]][kind] = row.text("sha256")
    }
    return planes
  }

  /// Returns the rows whose kind satisfies a condition, by path: `frame`, or `entry` and the size of an icon's image.
  private static func frames(
    in table: TabSeparatedTable, ofKind isIncluded: (String) -> Bool
  ) -> [String: [ConformanceFrame]] {
    var frames: [String: [ConformanceFrame]] = [:]
    for row in table.rows where row.text("kind").map(isIncluded) ?? false {
      guard let path = row.path("path"), let index = row.integer("index") else { continue }
      frames[path, default: []].append(
        ConformanceFrame(
          index: index, delayInMilliseconds: row.text("delay_ms").flatMap(Double.init),
          hash: row.text("rgba_sha256"), reference: row.path("reference")))
    }
    return frames
  }
}

/// A manifest that cannot be read.
package struct ManifestError: Error, CustomStringConvertible {
  /// The row, counted from 1 after the header.
  package let row: Int
  /// The error in one line.
  package var description: String { "row \(row) of MANIFEST.tsv and BROWSER.tsv has no path, format or expectation" }
}
