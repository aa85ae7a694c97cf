import Foundation
import Gallery
import ImageCodecs
import Testing

@Test func makesVersionsOfAllPicturesAndNamesTheOthers() async throws {
  let work = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
  let (photos, site) = (work.appendingPathComponent("photos"), work.appendingPathComponent("site"))
  try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: work) }
  let picture = try Bitmap(
    width: 1200, height: 800, format: .rgb8, pixels: (0..<1200 * 800 * 3).map { UInt8(truncatingIfNeeded: $0 / 997) })
  try picture.write(to: photos.appendingPathComponent("Lake <at> noon.jpg"))
  try picture.write(to: photos.appendingPathComponent("b.png"))
  try Data("not a picture".utf8).write(to: photos.appendingPathComponent("c.txt"))

  let summary = try await Gallery(title: "Summer & sun").make(from: photos, into: site)
  #expect(summary.photoCount == 2)
  #expect(summary.refused.map(\.path) == ["c.txt"])
  let html = try String(contentsOf: site.appendingPathComponent("index.html"), encoding: .utf8)
  #expect(html.contains("Summer &amp; sun") && html.contains("Lake &lt;at> noon"))
  for match in html.matches(of: /([0-9a-z-]+\.jpg) (\d+)w/) {
    let bitmap = try Bitmap(contentsOf: site.appendingPathComponent(String(match.1)))
    #expect(bitmap.width == Int(match.2))
  }
}
