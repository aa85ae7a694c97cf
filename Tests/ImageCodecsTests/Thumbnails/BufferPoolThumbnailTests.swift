// Thumbnails whose buffers come from a pool equal those without one.

import ImageCodecs
import TestSupport
import Testing

@Suite struct BufferPoolThumbnailTests {
  /// Photos that take different paths: rows of a scan, coefficients, strips, passes, floating-point samples, alpha.
  private static func files() throws -> [[UInt8]] {
    let photo = try ThumbnailPictures.photo(width: 500, height: 360)
    let alpha = try ThumbnailPictures.photo(width: 430, height: 300, .rgba8)
    let deep = try ThumbnailPictures.photo(width: 310, height: 200, .rgb16)
    return [
      try photo.encoded(as: .jpeg), try photo.encoded(as: .jpeg(.init(isProgressive: true))),
      try alpha.encoded(as: .png), try alpha.encoded(as: .png(.init(isInterlaced: true))),
      try deep.encoded(as: .png), try photo.encoded(as: .gif),
      Array(#"<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><circle r="90"/></svg>"#.utf8),
    ]
  }

  private static let requests = [
    Thumbnail(width: 200), Thumbnail(width: 90, height: 90, fit: .cover(.center), light: .linear),
    Thumbnail(width: 460, height: 300, fit: .exact, enlarges: true, background: RGBA8(red: 3, green: 5, blue: 7)),
  ]

  @Test func filesAreTheSameWithAPool() throws {
    let files = try Self.files()
    let pool = BufferPool(maximumByteCount: 8 << 20)
    let options = DecodingOptions(bufferPool: pool)
    for _ in 0..<2 {
      for file in files {
        for request in Self.requests {
          for format in [EncodingFormat.jpeg, .png] {
            let expected = try ImageFile(file).encodedThumbnail(request, as: format)
            let made = try ImageFile(file, options: options).encodedThumbnail(request, as: format)
            #expect(made.bytes == expected.bytes)
            #expect(pool.byteCount <= pool.maximumByteCount)
          }
          let bitmap = try ImageFile(file, options: options).thumbnail(request).bitmap
          #expect(try bitmap == ImageFile(file).thumbnail(request).bitmap)
        }
      }
    }
    #expect(pool.byteCount > 100_000)
  }

  @Test func theSameImageNeedsNothingNew() throws {
    let file = try ThumbnailPictures.photo(width: 900, height: 700).encoded(as: .jpeg)
    let pool = BufferPool()
    let options = DecodingOptions(bufferPool: pool)
    _ = try ImageFile(file, options: options).encodedThumbnail(Thumbnail(width: 300), as: .jpeg)
    let kept = pool.byteCount
    #expect(kept > 100_000)
    for _ in 0..<5 { _ = try ImageFile(file, options: options).encodedThumbnail(Thumbnail(width: 300), as: .jpeg) }
    #expect(pool.byteCount == kept)
  }

  @Test func damagedFilesDoNotShowOtherImages() throws {
    let pool = BufferPool()
    let options = DecodingOptions(bufferPool: pool)
    let bright = try Bitmap(
      width: 640, height: 480, format: .rgb8, pixels: [UInt8](repeating: 255, count: 640 * 480 * 3))
    for isProgressive in [false, true] {
      let whole = try bright.encoded(as: .jpeg(.init(isProgressive: isProgressive)))
      let photo = try ThumbnailPictures.photo(width: 640, height: 480)
      for format in [EncodingFormat.jpeg(.init(isProgressive: isProgressive)), .png] {
        let file = try photo.encoded(as: format)
        for part in [file.count / 3, file.count * 2 / 3] {
          _ = try ImageFile(whole, options: options).thumbnail(Thumbnail(width: 320))
          let cut = Array(file[..<part])
          let expected = try? ImageFile(cut).thumbnail(Thumbnail(width: 320))
          let made = try? ImageFile(cut, options: options).thumbnail(Thumbnail(width: 320))
          #expect(made?.bitmap == expected?.bitmap)
        }
      }
    }
  }

  @Test func tasksShareAPool() async throws {
    let files = try Self.files()
    let expected = try files.map { try ImageFile($0).encodedThumbnail(Thumbnail(width: 150), as: .png).bytes }
    let pool = BufferPool(maximumByteCount: 1 << 20)
    let options = DecodingOptions(bufferPool: pool)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for task in 0..<6 {
        group.addTask {
          for round in 0..<files.count {
            let index = (task + round) % files.count
            let file = files[index]
            let made = try ImageFile(file, options: options).encodedThumbnail(Thumbnail(width: 150), as: .png)
            guard made.bytes == expected[index], pool.byteCount <= 1 << 20 else { return false }
          }
          return true
        }
      }
      for try await isEqual in group { #expect(isEqual) }
    }
  }
}
