// libpng 1.6 with its low-level interface: custom read, write and error functions, whole images, rows in the caller's
// memory. Declarations follow png.h of version 1.6.

/// `png_structp`, `png_infop`.
typealias PNGHandle = OpaquePointer
typealias PNGErrorFunction = @convention(c) (PNGHandle?, UnsafePointer<CChar>?) -> Void
typealias PNGTransferFunction = @convention(c) (PNGHandle?, UnsafeMutablePointer<UInt8>?, Int) -> Void
typealias PNGFlushFunction = @convention(c) (PNGHandle?) -> Void

/// The system's libpng.
@safe final class LibPNG: Peer {
  let name: String
  let format = "png"
  private let functions: LibPNGFunctions

  /// Opens the library. `nil` if libpng 1.6 is not installed.
  init?() {
    guard let library = DynamicLibrary(libraryNames), let functions = unsafe try? LibPNGFunctions(library) else {
      return nil
    }
    unsafe self.functions = functions
    name = unsafe "libpng " + String(cString: functions.version(nil))
  }

  func decode(_ bytes: [UInt8], as layout: PixelLayout, into picture: inout PeerPicture) {
    let functions = unsafe self.functions
    // SAFETY: the input outlives the read structure, which is destroyed here; errors never return.
    unsafe bytes.withUnsafeBufferPointer { input in
      var source = unsafe PNGSource(next: input.baseAddress, remaining: input.count)
      unsafe withUnsafeMutablePointer(to: &source) { source in
        var png = unsafe functions.createRead(functions.version(nil), nil, failOnError, ignoreWarning)
        var info = unsafe functions.createInfo(png)
        unsafe functions.setRead(png, source, readFromMemory)
        unsafe functions.readInfo(png, info)
        unsafe request(layout, of: png, info)
        unsafe functions.readUpdate(png, info)
        unsafe describe(&picture, png, info)
        unsafe readRows(of: png, into: &picture)
        unsafe functions.readEnd(png, nil)
        unsafe functions.destroyRead(&png, &info, nil)
      }
    }
  }

  /// Sets the transformations for a layout.
  private func request(_ layout: PixelLayout, of png: PNGHandle?, _ info: PNGHandle?) {
    unsafe functions.setExpand(png)
    switch layout {
    case .natural:
      if 1.littleEndian == 1 { unsafe functions.setSwap(png) }
    case .rgba8:
      unsafe functions.setScale16(png)
      unsafe functions.setGrayToRGB(png)
      // 1 is PNG_FILLER_AFTER.
      unsafe functions.setAddAlpha(png, 0xFF, 1)
    }
    _ = unsafe functions.setInterlaceHandling(png)
  }

  private func describe(_ picture: inout PeerPicture, _ png: PNGHandle?, _ info: PNGHandle?) {
    picture.width = unsafe Int(functions.width(png, info))
    picture.height = unsafe Int(functions.height(png, info))
    picture.samplesPerPixel = unsafe Int(functions.channels(png, info))
    picture.bitsPerSample = unsafe Int(functions.bitDepth(png, info))
    picture.allocatePixels()
  }

  private func readRows(of png: PNGHandle?, into picture: inout PeerPicture) {
    let (height, bytesPerRow) = (picture.height, picture.bytesPerRow)
    // SAFETY: row pointers are `bytesPerRow` apart in a buffer of `height` rows, and libpng writes no more than that,
    // because the buffer size is that of the layout after `png_read_update_info`.
    unsafe picture.pixels.withUnsafeMutableBufferPointer { buffer in
      var rows = unsafe (0..<height).map { y in unsafe buffer.baseAddress.map { unsafe $0 + y * bytesPerRow } }
      unsafe functions.readImage(png, &rows)
    }
  }

  func encode(_ picture: PeerPicture, as settings: PeerSettings) -> [UInt8]? {
    let functions = unsafe self.functions
    var output: [UInt8] = []
    output.reserveCapacity(picture.pixels.count / 2)
    // SAFETY: the output and the pixels outlive the write structure, which is destroyed here; errors never return.
    unsafe withUnsafeMutablePointer(to: &output) { target in
      var png = unsafe functions.createWrite(functions.version(nil), nil, failOnError, ignoreWarning)
      var info = unsafe functions.createInfo(png)
      unsafe functions.setWrite(png, target, writeToMemory, flushNothing)
      unsafe functions.setLevel(png, Int32(settings.effort))
      let colorType: Int32 = [1: 0, 2: 4, 3: 2, 4: 6][picture.samplesPerPixel] ?? 6
      unsafe functions.setHeader(
        png, info, UInt32(picture.width), UInt32(picture.height), Int32(picture.bitsPerSample), colorType, 0, 0, 0)
      unsafe functions.writeInfo(png, info)
      if picture.bitsPerSample == 16, 1.littleEndian == 1 { unsafe functions.setSwap(png) }
      unsafe picture.pixels.withUnsafeBufferPointer { buffer in
        for y in 0..<picture.height {
          unsafe functions.writeRow(png, buffer.baseAddress.map { unsafe $0 + y * picture.bytesPerRow })
        }
      }
      unsafe functions.writeEnd(png, nil)
      unsafe functions.destroyWrite(&png, &info)
    }
    return output
  }
}

/// The rest of the input. The read function receives its address.
@unsafe private struct PNGSource {
  var next: UnsafePointer<UInt8>?
  var remaining: Int
}

/// libpng calls this for errors. It must not return, because there is no `setjmp` to return to.
private let failOnError: PNGErrorFunction = { _, message in
  // SAFETY: libpng's messages are null-terminated.
  unsafe abandon("libpng: " + (message.map { unsafe String(cString: $0) } ?? "unknown error"))
}

private let ignoreWarning: PNGErrorFunction = { _, _ in }

private let readFromMemory: PNGTransferFunction = { png, target, count in
  // SAFETY: the pointer is the PNGSource that `decode` keeps alive; no more is copied than it has left, and libpng's
  // target has room for `count` bytes.
  guard let source = unsafe ioPointer(png)?.assumingMemoryBound(to: PNGSource.self), let target = unsafe target,
    let next = unsafe source.pointee.next, unsafe count <= source.pointee.remaining
  else { abandon("libpng reads past the end of the input") }
  unsafe target.update(from: next, count: count)
  unsafe source.pointee.next = next + count
  unsafe source.pointee.remaining -= count
}

private let writeToMemory: PNGTransferFunction = { png, bytes, count in
  // SAFETY: the pointer is the array that `encode` keeps alive; libpng's buffer holds `count` bytes.
  guard let output = unsafe ioPointer(png)?.assumingMemoryBound(to: [UInt8].self) else { return }
  unsafe output.pointee.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
}

private let flushNothing: PNGFlushFunction = { _ in }

private let libraryNames = ["libpng16.so.16", "libpng16.so", "libpng16.16.dylib", "libpng16.dylib"]

private typealias IOPointerFunction = @Sendable @convention(c) (PNGHandle?) -> UnsafeMutableRawPointer?

/// The functions above cannot capture, so the function that they need is looked up separately.
private let ioPointerFunction: IOPointerFunction? =
  unsafe DynamicLibrary(libraryNames).flatMap { unsafe try? $0.function("png_get_io_ptr") }

@unsafe private func ioPointer(_ png: PNGHandle?) -> UnsafeMutableRawPointer? {
  unsafe ioPointerFunction?(png)
}
