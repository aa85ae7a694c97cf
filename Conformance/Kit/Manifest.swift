// What a folder of cases says of each file: MANIFEST.tsv, and FRAMES.tsv for animations.

/// A file to decode and what must come out.
package struct ConformanceCase: Sendable {
  /// What must become of the file.
  package enum Expectation: String, Sendable {
    /// It decodes to the reference.
    case decode
    /// A strict decode fails with an error.
    case reject
    /// Anything but a crash, a hang or an excess of memory; a match is informational.
    case any
  }

  /// The path inside of the folder.
  package var path: String
  /// The format's short name, told from the content.
  package var format: String
  /// The path of the reference inside of the folder.
  package var reference: String?
  /// What must become of the file.
  package var expectation: Expectation
  /// How pixels are compared; `nil` where there is nothing to compare with.
  package var rule: ComparisonRule?
  /// The columns of the reference; `nil` where the manifest does not say.
  package var width: Int?
  /// The rows of the reference.
  package var height: Int?
  /// The bits of a reference sample: 8 or 16.
  package var referenceDepth: Int
  /// The SHA-256 of the normalised pixels (of an animation's first frame), in lower-case hexadecimal digits.
  package var hash: String?
  /// The hash of what a viewer shows that plays no animations, where that is not the first frame.
  package var stillHash: String?
  /// Whether the reference is a drawing whose edges are areas, as librsvg draws them; others are sampled, as resvg's.
  package var hasAreaEdges = false
  /// Whether the reference was drawn by who rounds the document's natural size before stretching it.
  package var roundsNaturalSize = false
  /// The SHA-256 of the planes before any conversion, by kind: `yuv` and `alpha`; empty where there are none.
  package var planeHashes: [String: String] = [:]
  /// What the animation shows frame by frame; empty for still images.
  package var frames: [ConformanceFrame] = []

  /// The name of the suite: the first component of the path.
  package var suite: String {
    path.firstIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }
}

/// A composed frame of an animation as it must be.
package struct ConformanceFrame: Sendable {
  /// Counted from 0.
  package var index: Int
  /// Milliseconds that the file states; `nil` where the table does not say.
  package var delayInMilliseconds: Double?
  /// The SHA-256 of the normalised canvas.
  package var hash: String?
  /// The path of the reference inside of the folder.
  package var reference: String?
}

/// The cases of a folder.
package struct Manifest: Sendable {
  /// In the order of the file.
  package let cases: [ConformanceCase]

  /// Reads the tables: MANIFEST.tsv, FRAMES.tsv and PLANES.tsv.
  ///
  /// - Throws: ``ManifestError`` when a row has no usable path, format or expectation.
  package init(manifest: [UInt8], frames: [UInt8] = [], planes: [UInt8] = []) throws(ManifestError) {
    let planesByPath = Self.planes(in: TabSeparatedTable(planes))
    let framesByPath = Self.frames(in: TabSeparatedTable(frames))
    var cases: [ConformanceCase] = []
    for (number, row) in TabSeparatedTable(manifest).rows.enumerated() {
      guard let path = row.path("path"), let format = row.text("format"),
        let expectation = row.text("expected").flatMap(ConformanceCase.Expectation.init(rawValue:))
      else { throw ManifestError(row: number + 1) }
      var rule = row.text("compare").flatMap(ComparisonRule.init(manifest:))
      // Lossy rows say `tol`, but a decoder that follows the reference's integer transform matches it to the bit.
      if format == "jpeg", rule == .tolerance, row.text("ref_decoder")?.hasPrefix("djpeg") == true { rule = .exact }
      // A suite's own references come from the renderer that it tests.
      let hasAreaEdges = row.text("ref_decoder") == "suite-native" && row.text("source")?.contains("/librsvg@") == true
      cases.append(
        ConformanceCase(
          path: path, format: format, reference: row.path("reference"), expectation: expectation, rule: rule,
          width: row.integer("width"), height: row.integer("height"), referenceDepth: row.integer("ref_depth") ?? 8,
          hash: row.text("rgba_sha256"),
          stillHash: row.text("still_sha256"), hasAreaEdges: hasAreaEdges,
          roundsNaturalSize: row.text("ref_decoder")?.hasPrefix("resvg_py") == true,
          planeHashes: planesByPath[path] ?? [:], frames: framesByPath[path] ?? []))
    }
    self.cases = cases
  }

  /// The hashes of a file's first picture. Other kinds of rows are for finding out where a difference comes from.
  private static func planes(in table: TabSeparatedTable) -> [String: [String: String]] {
    var planes: [String: [String: String]] = [:]
    for row in table.rows where row.integer("index") == 0 {
      guard let path = row.path("path"), let kind = row.text("kind"), kind == "yuv" || kind == "alpha" else { continue }
      planes[path, default: [:]][kind] = row.text("sha256")
    }
    return planes
  }

  /// The rows of kind `frame`; other kinds are the entries of icon files.
  private static func frames(in table: TabSeparatedTable) -> [String: [ConformanceFrame]] {
    var frames: [String: [ConformanceFrame]] = [:]
    for row in table.rows where row.text("kind") == "frame" {
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
  /// Counted from 1 below the header.
  package let row: Int
  /// One line.
  package var description: String { "row \(row) of MANIFEST.tsv has no path, format or expectation" }
}
