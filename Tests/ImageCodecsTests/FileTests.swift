// Images in files, by URL and path.

import Foundation
import ImageCodecs
import Testing

@Suite final class FileTests {
  private let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

  init() throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  private func url(_ name: String) -> URL { directory.appendingPathComponent(name) }

  private let picture: Bitmap = {
    let pixels = (0..<7 * 5 * 3).map { UInt8(truncatingIfNeeded: $0 * 31) }
    return (try? Bitmap(width: 7, height: 5, format: .rgb8, pixels: pixels)) ?? Bitmap()
  }()

  @Test func thumbnailsOfFilesAreThoseOfTheirBytes() throws {
    for (name, bytes) in try SmallFiles.ofRasterFormats() {
      try Data(bytes).write(to: url("file"))
      for thumbnail in [Thumbnail(width: 3), Thumbnail(width: 40, height: 40, fit: .cover, enlarges: true)] {
        let made = try ImageFile(contentsOf: url("file")).thumbnail(thumbnail)
        let expected = try ImageFile(bytes).thumbnail(thumbnail)
        #expect(made.bitmap == expected.bitmap, "\(name)")
        #expect(made.details == expected.details, "\(name)")
      }
    }
  }

  @Test(arguments: ["https://example.com", "ftp://example.com", "data:"]) func otherURLsAreNotThoseOfFiles(
    _ start: String
  ) throws {
    try picture.write(to: url("a.png"))
    let remote = try #require(URL(string: start + url("a.png").path))
    let calls: [() throws -> Void] = [
      { _ = try ImageFile(contentsOf: remote) }, { _ = try Bitmap(contentsOf: remote) },
      { try self.picture.write(to: remote) },
    ]
    for call in calls {
      let error = #expect(throws: CodecError.self) { try call() }
      #expect(error?.kind == .fileAccessFailed)
    }
  }

  @Test func theExtensionSelectsTheFormat() throws {
    for (name, type) in [
      ("a.png", AssetType.png), ("a.JPG", .jpeg), ("a.jpeg", .jpeg), ("a.gif", .gif), ("a.tiff", .tiff),
      ("a.bmp", .bmp), ("a.webp", .webp),
    ] {
      try picture.write(to: url(name))
      let info = try ImageFile(contentsOf: url(name)).info()
      #expect(info.type == type && info.width == 7 && info.height == 5)
      #expect(try Bitmap(contentsOfFile: url(name).path).pixelSize == picture.pixelSize)
      #expect(try ImageFile(contentsOf: url(name)).decode().info.type == type)
    }
    #expect(try Bitmap(contentsOf: url("a.png")).packedPixels == picture.packedPixels)
    for name in ["a.tga", "a.jxl", "a", "a.xyz"] {
      let error = #expect(throws: CodecError.self) { try self.picture.write(to: self.url(name)) }
      #expect(error?.kind == .unsupported)
      #expect(!FileManager.default.fileExists(atPath: url(name).path))
    }
  }

  @Test func metadataIsReadAndWritten() throws {
    var metadata = ImageMetadata()
    metadata.comments = ["a comment"]
    try picture.write(toFile: url("a.jpg").path, as: .jpeg, metadata: metadata)
    #expect(try ImageFile(contentsOf: url("a.jpg")).metadata().comments == ["a comment"])
    #expect(try ImageFile(contentsOfFile: url("a.jpg").path).metadata().comments == ["a comment"])
  }

  @Test func aFailedWriteLeavesTheOldFile() throws {
    try picture.write(to: url("a.png"))
    let old = try Data(contentsOf: url("a.png"))
    #expect(throws: CodecError.self) { try Bitmap().write(to: self.url("a.png")) }
    #expect(try Data(contentsOf: url("a.png")) == old)
    let error = #expect(throws: CodecError.self) {
      try self.picture.write(to: self.url("missing").appendingPathComponent("a.png"))
    }
    #expect(error?.kind == .fileAccessFailed)
  }

  @Test func onlyRegularFilesWithinTheLimitAreRead() throws {
    try picture.write(to: url("a.png"))
    try FileManager.default.createSymbolicLink(at: url("link.png"), withDestinationURL: url("a.png"))
    #expect(try Bitmap(contentsOf: url("link.png")).width == 7)
    for path in [url("none.png").path, directory.path, "/dev/zero"] {
      let error = #expect(throws: CodecError.self) { try Bitmap(contentsOfFile: path) }
      #expect(error?.kind == .fileAccessFailed, "\(path)")
    }
    let options = DecodingOptions(limits: DecodingLimits(maximumByteCount: 50))
    let error = #expect(throws: CodecError.self) { try Bitmap(contentsOf: self.url("a.png"), options: options) }
    #expect(error?.kind == .limitExceeded)
  }

  @Test func errorsDescribeThemselves() {
    let error: any Error = CodecError(.malformed, "PLTE is missing", format: .png)
    #expect(error.localizedDescription == "The PNG image cannot be processed: PLTE is missing.")
  }
}
