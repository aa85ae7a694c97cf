// One photo of the gallery: its smaller versions, its placeholder, its caption.

import Foundation
import ImageCodecs

/// A photo and the files made of it.
struct Photo: Sendable {
  /// The name of the file without its extension, made safe for use in links.
  var name: String
  var size: PixelSize
  /// The versions from small to large.
  var versions: [(fileName: String, width: Int)]
  /// A small blurred picture as a data URL.
  var placeholder: String
  var caption: String
  var date: String?

  /// The longer sides of the versions in pixels.
  private static let sides = [480, 960, 1920]

  /// Makes the versions of a photo.
  init(_ source: URL, number: Int, into folder: URL) async throws {
    let file = try ImageFile(contentsOf: source)
    let info = try await file.info()
    let tags = try await file.metadata()
    let pictures = try await file.thumbnails(Self.sides.map { Thumbnail(width: $0, height: $0, background: .white) })
    let stem = source.deletingPathExtension().lastPathComponent
    let safe = stem.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
    name = "\(number)-" + String(safe)
    size = info.orientedSize
    versions = []
    for picture in pictures where versions.last?.width != picture.bitmap.width {
      let fileName = "\(name)-\(picture.bitmap.width).jpg"
      try picture.bitmap.write(to: folder.appendingPathComponent(fileName), as: .jpeg(quality: 0.82))
      versions.append((fileName, picture.bitmap.width))
    }
    let blurred = try await ThumbHash(pictures[0].bitmap).makeBitmap().encoded(as: .png)
    placeholder = "data:image/png;base64," + Data(blurred).base64EncodedString()
    caption = tags.iptcRecords?.caption ?? tags.exifTags?.imageDescription ?? stem
    date = (tags.exifTags?.dateTaken?.local).map { "\($0.year)-\(Self.padded($0.month))-\(Self.padded($0.day))" }
  }

  private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
