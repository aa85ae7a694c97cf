// What is timed: files from a folder, or pictures made here and encoded by our own encoders.

import Foundation
import GIFCodec
import ImageCore
import PNGCodec

/// A file in memory.
struct BenchInput {
  /// How it is called in the table.
  var name: String
  /// The short name of its format.
  var format: String
  /// The whole file.
  var bytes: [UInt8]
}

extension BenchInput {
  /// The files of known formats below a folder, in order of their paths.
  static func files(in folder: String) -> [BenchInput] {
    guard let walk = FileManager.default.enumerator(atPath: folder) else { return [] }
    let paths = walk.compactMap { $0 as? String }.sorted()
    return paths.compactMap { path in
      let format = (path as NSString).pathExtension.lowercased()
      guard Codecs.formats.contains(format), let data = FileManager.default.contents(atPath: folder + "/" + path)
      else { return nil }
      return BenchInput(name: path, format: format, bytes: [UInt8](data))
    }
  }

  /// One picture of each kind that codecs meet, about a megapixel each. The same ones on every run.
  static func generated() throws(DecodeError) -> [BenchInput] {
    let (width, height) = (1280, 800)
    var scene = Scene(width: width, height: height)
    let photo = try scene.photo(format: .rgb8)
    let screenshot = try scene.screenshot()
    let plain = PNGEncoder(options: .init(reducesColors: false))
    let interlaced = PNGEncoder(options: .init(isInterlaced: true, reducesColors: false))
    let reducing = PNGEncoder()
    let files: [(String, Bitmap, PNGEncoder)] = [
      ("photo-rgb8", photo, plain), ("photo-rgba8", try scene.photo(format: .rgba8), plain),
      ("photo-gray8", try scene.photo(format: .gray8), plain), ("photo-rgb16", try scene.photo(format: .rgb16), plain),
      ("photo-rgb8-adam7", photo, interlaced), ("screenshot-rgba8", screenshot, plain),
      ("screenshot-palette", screenshot, reducing), ("icon-rgba8", try Scene.icon(), plain),
    ]
    var inputs: [BenchInput] = []
    for (name, bitmap, encoder) in files {
      inputs.append(BenchInput(name: "generated/\(name)", format: "png", bytes: try encoder.encode(bitmap)))
    }
    for (name, bitmap) in [("photo", photo), ("screenshot", screenshot)] {
      inputs.append(BenchInput(name: "generated/\(name)-gif", format: "gif", bytes: try GIFEncoder().encode(bitmap)))
    }
    return inputs + [try slide(over: photo), Illustration.input]
  }

  /// An animation: a window that moves over a picture.
  private static func slide(over picture: Bitmap) throws(DecodeError) -> BenchInput {
    var frames: [GIFEncoder.Frame] = []
    for step in 0..<20 {
      let window = PixelRegion(x: step * 24, y: step * 12, width: 480, height: 320)
      frames.append(GIFEncoder.Frame(bitmap: try picture.copy(of: window), delay: .milliseconds(40)))
    }
    let bytes = try GIFEncoder().encode(animation: frames, loopCount: .infinite)
    return BenchInput(name: "generated/slide-gif", format: "gif", bytes: bytes)
  }
}
