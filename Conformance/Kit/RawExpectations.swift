// The expected contents of camera raw files, as PREVIEWS.tsv and RAW.tsv describe them.

/// An expected embedded picture: a row of PREVIEWS.tsv.
package struct ExpectedPreview: Hashable, Sendable {
  /// The position in the file, in bytes.
  package var range: Range<Int>
  /// The number of columns as stored.
  package var width: Int
  /// The number of rows as stored.
  package var height: Int
  /// The SHA-256 of the bytes.
  package var hash: String

  /// Reads a row. `nil` if a column is missing.
  package init?(_ row: TabSeparatedTable.Row) {
    guard let offset = row.integer("offset"), let length = row.integer("length"), let width = row.integer("width"),
      let height = row.integer("height"), let hash = row.text("sha256"), offset >= 0, length >= 0
    else { return nil }
    (range, self.width, self.height, self.hash) = (offset..<offset + length, width, height, hash)
  }
}

/// The facts that a raw file states about the camera and the picture.
package struct CameraFacts: Hashable, Sendable {
  /// The maker of the camera; `nil` if the file states none.
  package var make: String?
  /// The camera.
  package var model: String?
  /// The orientation as in EXIF, 1 to 8.
  package var orientation: Int?
  /// The times that the file states, in the order in which they count: `YYYY:MM:DD HH:MM:SS`.
  package var dates: [String]

  /// Creates facts.
  package init(make: String?, model: String?, orientation: Int?, dates: [String]) {
    (self.make, self.model, self.orientation, self.dates) = (make, model, orientation, dates)
  }

  /// Returns the difference from expected facts in one line; `nil` if there is none. Facts that the table omits are not
  /// compared.
  package func difference(from expected: ExpectedCamera) -> String? {
    func differ(_ name: String, _ ours: String?, _ reference: String?) -> String? {
      guard let reference, ours.map({ Self.trimmed($0) }) != Self.trimmed(reference) else { return nil }
      return "\(name) \(ours ?? "missing"), reference \(reference)"
    }
    if let reason = differ("make", make, expected.make) ?? differ("model", model, expected.model) { return reason }
    if let reference = expected.orientation, orientation != reference {
      return "orientation \(orientation.map { String($0) } ?? "missing"), reference \(reference)"
    }
    guard let date = expected.date, !dates.contains(date) else { return nil }
    return "date \(dates.first ?? "missing"), reference \(date)"
  }

  private static func trimmed(_ text: String) -> Substring {
    var text = text.drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return text
  }
}

/// The expected facts and samples of a raw file: a row of RAW.tsv.
package struct ExpectedCamera: Hashable, Sendable {
  /// The maker of the camera; `nil` if it is not to be compared.
  package var make: String?
  /// The camera.
  package var model: String?
  /// The orientation as in EXIF, 1 to 8.
  package var orientation: Int?
  /// The time of the exposure.
  package var date: String?
  /// The SHA-256 of the stored samples as 16-bit little-endian words, before black levels are subtracted.
  package var sampleHash: String?

  /// Reads a row. `nil` if it states nothing.
  package init?(_ row: TabSeparatedTable.Row) {
    (make, model, date) = (row.text("make"), row.text("model"), row.text("date"))
    (orientation, sampleHash) = (row.integer("orientation"), row.text("raw_sha256"))
    if make == nil, model == nil, date == nil, orientation == nil, sampleHash == nil { return nil }
  }
}
