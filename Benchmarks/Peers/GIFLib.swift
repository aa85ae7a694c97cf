// giflib 5 with DGifSlurp, which decodes all frames to palette indices. Offsets follow gif_lib.h of version 5 on 64
// bits.

/// `GifFileType *`.
private typealias GIFHandle = UnsafeMutableRawPointer
private typealias GIFReadFunction = @convention(c) (GIFHandle?, UnsafeMutablePointer<UInt8>?, CInt) -> CInt
private typealias GIFOpenFunction =
  @convention(c) (UnsafeMutableRawPointer?, GIFReadFunction, UnsafeMutablePointer<CInt>?) -> GIFHandle?
private typealias GIFSlurpFunction = @convention(c) (GIFHandle?) -> CInt
private typealias GIFCloseFunction = @convention(c) (GIFHandle?, UnsafeMutablePointer<CInt>?) -> CInt

/// The system's giflib.
@safe package final class GIFLib: FramePeer {
  package let name = "giflib"
  private let open: GIFOpenFunction
  private let slurp: GIFSlurpFunction
  private let close: GIFCloseFunction

  /// Opens the library. `nil` if giflib 5 is not installed, or pointers do not have 64 bits.
  package init?() {
    guard MemoryLayout<Int>.size == 8,
      let library = DynamicLibrary(["libgif.so.7", "libgif.7.dylib"]),
      let open: GIFOpenFunction = unsafe try? library.function("DGifOpen"),
      let slurp: GIFSlurpFunction = unsafe try? library.function("DGifSlurp"),
      let close: GIFCloseFunction = unsafe try? library.function("DGifCloseFile")
    else { return nil }
    unsafe self.open = open
    unsafe self.slurp = slurp
    unsafe self.close = close
  }

  package func decodeIndices(_ bytes: [UInt8]) {
    unsafe withDecodedFile(bytes) { _ in }
  }

  package func decodeIndices(_ bytes: [UInt8], into frames: inout [[UInt8]]) {
    unsafe withDecodedFile(bytes) { file in
      let count = unsafe Int(file.load(fromByteOffset: Layout.imageCount, as: CInt.self))
      if frames.count != count { frames = [[UInt8]](repeating: [], count: count) }
      // SAFETY: there are `count` images, each with one index byte per pixel.
      guard let images = unsafe file.load(fromByteOffset: Layout.images, as: UnsafeRawPointer?.self) else { return }
      for index in 0..<count {
        let image = unsafe images + index * Layout.imageByteCount
        let width = unsafe Int(image.load(fromByteOffset: Layout.width, as: CInt.self))
        let height = unsafe Int(image.load(fromByteOffset: Layout.height, as: CInt.self))
        guard let raster = unsafe image.load(fromByteOffset: Layout.raster, as: UnsafePointer<UInt8>?.self) else {
          continue
        }
        if frames[index].count != width * height { frames[index] = [UInt8](repeating: 0, count: width * height) }
        unsafe frames[index].withUnsafeMutableBufferPointer { target in
          unsafe target.baseAddress?.update(from: raster, count: width * height)
        }
      }
    }
  }

  private func withDecodedFile(_ bytes: [UInt8], _ body: (UnsafeRawPointer) -> Void) {
    // SAFETY: the input outlives the file, which is closed here.
    unsafe bytes.withUnsafeBufferPointer { input in
      var source = unsafe GIFSource(next: input.baseAddress, remaining: input.count)
      unsafe withUnsafeMutablePointer(to: &source) { source in
        let file = unsafe open(source, readFromMemory, nil)
        guard let file = unsafe file, unsafe slurp(file) == 1 else { abandon("giflib rejects a file") }
        unsafe body(UnsafeRawPointer(file))
        _ = unsafe close(file, nil)
      }
    }
  }
}

/// Offsets in `GifFileType` and `SavedImage`.
private enum Layout {
  static let imageCount = 32
  static let images = 72
  static let userData = 104
  static let width = 8
  static let height = 12
  static let raster = 32
  static let imageByteCount = 56
}

/// The rest of the input. The read function receives its address.
@unsafe private struct GIFSource {
  var next: UnsafePointer<UInt8>?
  var remaining: Int
}

private let readFromMemory: GIFReadFunction = { file, target, count in
  // SAFETY: the user data is the GIFSource that `withDecodedFile` keeps alive; no more is copied than it has left, and
  // giflib's target has room for `count` bytes.
  guard let file = unsafe file, let target = unsafe target,
    let source = unsafe file.load(fromByteOffset: Layout.userData, as: UnsafeMutablePointer<GIFSource>?.self),
    let next = unsafe source.pointee.next
  else { return 0 }
  let taken = unsafe min(Int(count), source.pointee.remaining)
  unsafe target.update(from: next, count: taken)
  unsafe source.pointee.next = next + taken
  unsafe source.pointee.remaining -= taken
  return CInt(taken)
}
