// The output of `identify`: a line of text, or a JSON object with a fixed set of keys.

package import ImageCodecs
internal import MetadataFormats

/// The information about an image, ready to be printed.
package struct ImageReport {
  private let file: String
  private let info: ImageInfo

  /// Creates the report for a file.
  package init(file: String, info: ImageInfo) {
    self.file = file
    self.info = info
  }

  /// A line of text. Control characters are escaped.
  package var text: String {
    var parts = ["\(info.type.formatName)", "\(info.width)x\(info.height)"]
    if let bitDepth = info.bitDepth { parts.append("\(bitDepth)-bit") }
    if let colorModel = info.colorModel { parts.append(colorModel.rawValue) }
    if info.hasAlpha { parts.append("alpha") }
    if info.isProgressive { parts.append("progressive") }
    if let coding = info.coding { parts.append("(\(coding))") }
    if let count = info.imageCount, count > 1 { parts.append("\(count) images") }
    if info.isAnimated {
      parts.append("\(info.frameCount.map(String.init) ?? "?") frames")
      parts.append("loop \(loopCount)")
      if let duration = info.duration { parts.append("\(duration.milliseconds) ms") }
    }
    if info.orientation != .up { parts.append("orientation \(info.orientation.rawValue)") }
    if let profileName { parts.append("icc \"\(profileName)\"") }
    return TerminalText.escaped("\(file): \(parts.joined(separator: " "))")
  }

  /// A JSON object. Unknown values are `null`. Only a name that is not UTF-8 adds a key: `fileBase64`.
  package var json: String {
    var object = JSONLine()
    object.add("file", name: file)
    object.add("format", info.type.filenameExtension ?? info.type.rawValue)
    object.add("mimeType", info.type.mimeType)
    object.add("width", info.width)
    object.add("height", info.height)
    object.add("bitDepth", info.bitDepth)
    object.add("color", info.colorModel?.rawValue)
    object.add("alpha", info.hasAlpha)
    object.add("images", info.imageCount)
    object.add("frames", info.frameCount)
    object.add("loopCount", info.loopCount?.rawCount)
    object.add("durationMs", info.duration?.milliseconds)
    object.add("orientation", Int(info.orientation.rawValue))
    object.add("icc", profileName)
    object.add("progressive", info.isProgressive)
    object.add("coding", info.coding)
    object.add("orientedWidth", info.orientedSize.width)
    object.add("orientedHeight", info.orientedSize.height)
    return object.text
  }

  private var loopCount: String {
    switch info.loopCount {
    case .finite(let count)?: "\(count)"
    default: "infinite"
    }
  }

  /// The profile's description, or `"unnamed"` if it has none; `nil` if there is no profile.
  private var profileName: String? {
    guard let profile = info.colorSpace.iccProfile else { return nil }
    return (try? ICCProfileHeader(parsing: profile.span))?.profileDescription ?? "unnamed"
  }
}

extension Duration {
  /// Whole milliseconds, rounded to nearest.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    let rest = (attoseconds + 500_000_000_000_000) / 1_000_000_000_000_000
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    return overflow ? .max : Int(clamping: whole.addingReportingOverflow(rest).partialValue)
  }
}
