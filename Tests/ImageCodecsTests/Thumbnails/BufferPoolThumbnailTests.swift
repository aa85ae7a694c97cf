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
            let expected = try request.encoded(file.span, as: format)
            let made = try request.encoded(file.span, as: format, options: options)
            #expect(made.bytes == expected.bytes)
            #expect(pool.byteCount <= pool.maximumByteCount)
          }
          let bitmap = try request.image(of: file.span, options: options).bitmap
          #expect(try bitmap == request.image(of: file.span).bitmap)
        }
      }
    }
    #expect(pool.byteCount > 100_000)
  }

  @Test func theSameImageNeedsNothingNew() throws {
    let file = try ThumbnailPictures.photo(width: 900, height: 700).encoded(as: .jpeg)
    let pool = BufferPool()
    let options = DecodingOptions(bufferPool: pool)
    _ = try Thumbnail(width: 300).encoded(file.span, as: .jpeg, options: options)
    let kept = pool.byteCount
    #expect(kept > 100_000)
    for _ in 0..<5 { _ = try Thumbnail(width: 300).encoded(file.span, as: .jpeg, options: options) }
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
          _ = try Thumbnail(width: 320).image(of: whole.span, options: options)
          let cut = Array(file[..<part])
          let expected = try? Thumbnail(width: 320).image(of: cut.span)
          let made = try? Thumbnail(width: 320).image(of: cut.span, options: options)
          #expect(made?.bitmap == expected?.bitmap)
        }
      }
    }
  }

  @Test func tasksShareAPool() async throws {
    let files = try Self.files()
    let expected = try files.map { try Thumbnail(width: 150).encoded($0.span, as: .png).bytes }
    let pool = BufferPool(maximumByteCount: 1 << 20)
    let options = DecodingOptions(bufferPool: pool)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for task in 0..<6 {
        group.addTask {
          for round in 0..<files.count {
            let index = (task + round) % files.count
            let file = files[index]
            let made = try Thumbnail(width: 150).encoded(file.span, as: .png, options: options)
            guard made.bytes == expected[index], pool.byteCount <= 1 << 20 else { return false }
          }
          return true
        }
      }
      for try await isEqual in group { #expect(isEqual) }
    }
  }
}
