// libde265 with its interface for single NAL units, without worker threads. Declarations follow de265.h of version 1.

/// `de265_decoder_context *`.
private typealias DE265Context = UnsafeMutableRawPointer
/// `const struct de265_image *`.
private typealias DE265Image = UnsafeRawPointer
private typealias DE265VersionFunction = @convention(c) () -> UnsafePointer<CChar>?
private typealias DE265OpenFunction = @convention(c) () -> DE265Context?
private typealias DE265ContextFunction = @convention(c) (DE265Context?) -> CInt
private typealias DE265ResetFunction = @convention(c) (DE265Context?) -> Void
private typealias DE265PushFunction =
  @convention(c) (DE265Context?, UnsafePointer<UInt8>?, CInt, Int64, UnsafeMutableRawPointer?) -> CInt
private typealias DE265DecodeFunction = @convention(c) (DE265Context?, UnsafeMutablePointer<CInt>?) -> CInt
private typealias DE265PictureFunction = @convention(c) (DE265Context?) -> DE265Image?
private typealias DE265SizeFunction = @convention(c) (DE265Image?, CInt) -> CInt
private typealias DE265PlaneFunction =
  @convention(c) (DE265Image?, CInt, UnsafeMutablePointer<CInt>?) -> UnsafePointer<UInt8>?

extension PeerCodedPicture {
  /// The NAL units of the configuration record, then those of the payload.
  fileprivate var units: [ArraySlice<UInt8>] {
    var units: [ArraySlice<UInt8>] = []
    func integer(_ bytes: [UInt8], _ index: Int, _ count: Int) -> Int {
      bytes[index..<index + count].reduce(0) { $0 << 8 | Int($1) }
    }
    var position = 23
    for _ in 0..<configuration[22] {
      let count = integer(configuration, position + 1, 2)
      position += 3
      for _ in 0..<count {
        let byteCount = integer(configuration, position, 2)
        units.append(configuration[position + 2..<position + 2 + byteCount])
        position += 2 + byteCount
      }
    }
    position = 0
    while position + 4 <= payload.count {
      let byteCount = integer(payload, position, 4)
      units.append(payload[position + 4..<position + 4 + byteCount])
      position += 4 + byteCount
    }
    return units
  }
}

/// The system's libde265, with one context for all pictures.
@safe package final class LibDE265: PlanePeer {
  package let name: String
  private let context: DE265Context
  private let reset: DE265ResetFunction
  private let close: DE265ContextFunction
  private let push: DE265PushFunction
  private let flush: DE265ContextFunction
  private let decode: DE265DecodeFunction
  private let nextPicture: DE265PictureFunction
  private let readWidth: DE265SizeFunction
  private let readHeight: DE265SizeFunction
  private let readDepth: DE265SizeFunction
  private let plane: DE265PlaneFunction

  /// Opens the library. `nil` if libde265 is not installed.
  package init?() {
    guard let library = DynamicLibrary(["libde265.so.0", "libde265.0.dylib"]),
      let version: DE265VersionFunction = unsafe try? library.function("de265_get_version"),
      let open: DE265OpenFunction = unsafe try? library.function("de265_new_decoder"),
      let context = unsafe open(),
      let reset: DE265ResetFunction = unsafe try? library.function("de265_reset"),
      let close: DE265ContextFunction = unsafe try? library.function("de265_free_decoder"),
      let push: DE265PushFunction = unsafe try? library.function("de265_push_NAL"),
      let flush: DE265ContextFunction = unsafe try? library.function("de265_flush_data"),
      let decode: DE265DecodeFunction = unsafe try? library.function("de265_decode"),
      let nextPicture: DE265PictureFunction = unsafe try? library.function("de265_get_next_picture"),
      let readWidth: DE265SizeFunction = unsafe try? library.function("de265_get_image_width"),
      let readHeight: DE265SizeFunction = unsafe try? library.function("de265_get_image_height"),
      let readDepth: DE265SizeFunction = unsafe try? library.function("de265_get_bits_per_pixel"),
      let plane: DE265PlaneFunction = unsafe try? library.function("de265_get_image_plane")
    else { return nil }
    unsafe (self.context, self.reset) = (context, reset)
    unsafe (self.close, self.push, self.flush) = (close, push, flush)
    unsafe (self.decode, self.nextPicture, self.plane) = (decode, nextPicture, plane)
    unsafe (self.readWidth, self.readHeight, self.readDepth) = (readWidth, readHeight, readDepth)
    name = unsafe version().map { unsafe "libde265 \(String(cString: $0))" } ?? "libde265"
  }

  package func decode(_ picture: PeerCodedPicture) {
    unsafe withDecoded(picture) { _ in }
  }

  package func planes(_ picture: PeerCodedPicture) -> [UInt8] {
    var result: [UInt8] = []
    unsafe withDecoded(picture) { image in
      for channel in 0..<3 as Range<CInt> {
        let (width, height) = unsafe (Int(readWidth(image, channel)), Int(readHeight(image, channel)))
        var stride: CInt = 0
        guard width > 0, let samples = unsafe plane(image, channel, &stride) else { continue }
        let byteCount = unsafe readDepth(image, channel) > 8 ? width * 2 : width
        // SAFETY: the plane has `height` rows that are `stride` bytes apart.
        for row in 0..<height {
          unsafe result.append(
            contentsOf: UnsafeBufferPointer(start: samples + row * Int(stride), count: byteCount))
        }
      }
    }
    return result
  }

  deinit {
    // SAFETY: the context was created by the initializer and is used by no other object.
    _ = unsafe close(context)
  }

  private func withDecoded(_ picture: PeerCodedPicture, _ body: (DE265Image) -> Void) {
    // SAFETY: libde265 copies the NAL units, and the image is valid until the context is reset.
    defer { unsafe reset(context) }
    for unit in picture.units {
      let result = unsafe unit.withUnsafeBufferPointer { bytes in
        unsafe push(context, bytes.baseAddress, CInt(bytes.count), 0, nil)
      }
      if result != 0 { abandon("libde265 does not read a NAL unit") }
    }
    _ = unsafe flush(context)
    var hasMore: CInt = 1
    while hasMore != 0 {
      guard unsafe decode(context, &hasMore) == 0 else { break }
      guard let image = unsafe nextPicture(context) else { continue }
      unsafe body(image)
      return
    }
    abandon("libde265 does not decode the picture")
  }
}
