// The inputs: files from a folder, or generated images encoded by our own encoders.

import BMPCodec
import Foundation
import GIFCodec
import ICOCodec
import ImageCoding
import PNGCodec
import TIFFCodec

/// A file in memory.
struct BenchInput {
  /// The name in the table.
  var name: String
  /// The short name of the format.
  var format: String
  /// The bytes of the file.
  var bytes: [UInt8]
}

extension BenchInput {
  /// Returns the files of known formats below a folder, sorted by path.
  static func files(in folder: String) -> [BenchInput] {
    guard let walk = FileManager.default.enumerator(atPath: folder) else { return [] }
    let paths = walk.compactMap { $0 as? String }.sorted()
    return paths.compactMap { path in
      let pathExtension = (path as NSString).pathExtension.lowercased()
      let format = pathExtension == "tif" ? "tiff" : pathExtension
      guard Codecs.formats.contains(format), let data = FileManager.default.contents(atPath: folder + "/" + path)
      else { return nil }
      return BenchInput(name: path, format: format, bytes: [UInt8](data))
    }
  }

  /// Generates an image of about one megapixel of each kind that codecs encounter, and encodes the selected ones only,
  /// because encoding is slow in debug builds. The result is the same on every run.
  static func generated(
    selects: (_ name: String, _ format: String) -> Bool
  ) throws -> [BenchInput] {
    let (width, height) = (1280, 800)
    var scene = Scene(width: width, height: height)
    let photo = try scene.photo(format: .rgb8)
    let screenshot = try scene.screenshot()
    // All images are generated in a fixed order, because the noise generator's state continues from one to the next.
    let (rgba, gray) = (try scene.photo(format: .rgba8), try scene.photo(format: .gray8))
    let deep = try scene.photo(format: .rgb16)
    let plain = PNGEncoder(options: .init(reducesColors: false))
    let interlaced = PNGEncoder(options: .init(isInterlaced: true, reducesColors: false))
    let deflating = TIFFEncoder(options: .init(compression: .deflate(level: 6)))
    let fax = TIFFEncoder(options: .init(compression: .group4))
    let icon = IconEncoder(options: .init(sizes: [256]))
    let files: [(name: String, format: String, bytes: () throws -> [UInt8])] = [
      ("photo-rgb8", "png", { try plain.encode(photo) }),
      ("photo-rgba8", "png", { try plain.encode(rgba) }),
      ("photo-gray8", "png", { try plain.encode(gray) }),
      ("photo-rgb16", "png", { try plain.encode(deep) }),
      ("photo-rgb8-adam7", "png", { try interlaced.encode(photo) }),
      ("screenshot-rgba8", "png", { try plain.encode(screenshot) }),
      ("screenshot-palette", "png", { try PNGEncoder().encode(screenshot) }),
      ("icon-rgba8", "png", { try plain.encode(Scene.icon()) }),
      ("photo-jpg", "jpg", { PlainJPEG.encode(photo) }),
      ("photo-dng", "dng", { PlainDNG.encode(photo, isCompressed: false) }),
      ("photo-dng-lossless-jpeg", "dng", { PlainDNG.encode(photo, isCompressed: true) }),
      ("photo-gif", "gif", { try GIFEncoder().encode(photo) }),
      ("screenshot-gif", "gif", { try GIFEncoder().encode(screenshot) }),
      ("slide-gif", "gif", { try slide(over: photo) }),
      ("illustration-svg", "svg", { Illustration.bytes }),
      ("photo-tiff-lzw", "tiff", { try TIFFEncoder().encode(photo) }),
      ("photo-tiff-deflate", "tiff", { try deflating.encode(photo) }),
      ("page-tiff-g4", "tiff", { try fax.encode(page(of: screenshot)) }),
      ("photo-bmp", "bmp", { try BMPEncoder(options: .init(bitsPerPixel: 24)).encode(photo) }),
      ("screenshot-ico", "ico", { try icon.encode(screenshot) }),
      ("photo-qoi", "qoi", { PlainQOI.encode(photo) }),
      ("screenshot-qoi", "qoi", { PlainQOI.encode(screenshot) }),
    ]
    return try files.filter { selects("generated/\($0.name)", $0.format) }.map { file in
      BenchInput(name: "generated/\(file.name)", format: file.format, bytes: try file.bytes())
    }
  }

  /// Returns a picture in black and white.
  private static func page(of picture: Bitmap) throws(CodecError) -> Bitmap {
    let gray = try picture.converted(to: .gray8)
    return try Bitmap(
      width: gray.width, height: gray.height, format: .gray8, pixels: gray.packedPixels.map { $0 < 128 ? 0 : 255 })
  }

  /// Returns an animation of a window that moves over an image.
  private static func slide(over picture: Bitmap) throws(CodecError) -> [UInt8] {
    var frames: [AnimationFrame] = []
    for step in 0..<20 {
      let window = PixelRegion(x: step * 24, y: step * 12, width: 480, height: 320)
      frames.append(AnimationFrame(bitmap: try picture.copy(of: window), delay: .milliseconds(40)))
    }
    return try GIFEncoder().encode(animation: frames, loopCount: .infinite)
  }
}
