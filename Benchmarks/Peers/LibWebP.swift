// libwebp with its simple decoding interface: whole images, default upsampling, one thread. Declarations follow
// decode.h of version 1.

private typealias VersionFunction = @convention(c) () -> Int32
private typealias InfoFunction =
  @convention(c) (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<Int32>?, UnsafeMutablePointer<Int32>?) -> Int32
private typealias DecodeFunction =
  @convention(c) (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt8>?, Int, Int32) -> UnsafeMutablePointer<UInt8>?

/// The system's libwebp.
@safe final class LibWebP: Peer {
  let name: String
  let format = "webp"
  private let readInfo: InfoFunction
  private let decodeRGBA: DecodeFunction
  private let decodeRGB: DecodeFunction

  /// Opens the library. `nil` if libwebp is not installed.
  init?() {
    guard let library = DynamicLibrary(["libwebp.so.7", "libwebp.so", "libwebp.7.dylib", "libwebp.dylib"]),
      let version: VersionFunction = unsafe try? library.function("WebPGetDecoderVersion"),
      let readInfo: InfoFunction = unsafe try? library.function("WebPGetInfo"),
      let decodeRGBA: DecodeFunction = unsafe try? library.function("WebPDecodeRGBAInto"),
      let decodeRGB: DecodeFunction = unsafe try? library.function("WebPDecodeRGBInto")
    else { return nil }
    unsafe self.readInfo = readInfo
    unsafe self.decodeRGBA = decodeRGBA
    unsafe self.decodeRGB = decodeRGB
    let number = version()
    name = "libwebp \(number >> 16).\(number >> 8 & 255).\(number & 255)"
  }

  func decode(_ bytes: [UInt8], as layout: PixelLayout, into picture: inout PeerPicture) {
    let bytes = firstFrame(of: bytes) ?? bytes
    // SAFETY: the input outlives both calls; the buffer has the size stated in the same bytes, which libwebp checks.
    unsafe bytes.withUnsafeBufferPointer { input in
      var (width, height): (Int32, Int32) = (0, 0)
      guard unsafe readInfo(input.baseAddress, input.count, &width, &height) != 0 else {
        abandon("libwebp does not read the header")
      }
      picture.width = Int(width)
      picture.height = Int(height)
      picture.bitsPerSample = 8
      // A simple lossy file has no alpha; all others may have it.
      let isSimpleLossy = input.count > 15 && bytes[12..<16].elementsEqual("VP8 ".utf8)
      picture.samplesPerPixel = layout == .rgba8 || !isSimpleLossy ? 4 : 3
      picture.allocatePixels()
      let bytesPerRow = Int32(picture.bytesPerRow)
      let decode = unsafe picture.samplesPerPixel == 4 ? decodeRGBA : decodeRGB
      unsafe picture.pixels.withUnsafeMutableBufferPointer { output in
        let result = unsafe decode(input.baseAddress, input.count, output.baseAddress, output.count, bytesPerRow)
        if unsafe result == nil { abandon("libwebp does not decode the image") }
      }
    }
  }

  /// Returns a still file with an animation's first frame, which must cover the canvas, because libwebp's still decoder
  /// does not accept animations. Returns `nil` for still files.
  private func firstFrame(of bytes: [UInt8]) -> [UInt8]? {
    func integer(at index: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(bytes[index + $1]) << (8 * $1) }
    }
    guard bytes.count > 30, bytes[12..<16].elementsEqual("VP8X".utf8), bytes[20] & 2 != 0 else { return nil }
    var start = 30
    while start + 24 <= bytes.count {
      let byteCount = integer(at: start + 4, 4)
      guard bytes[start..<start + 4].elementsEqual("ANMF".utf8) else {
        start += 8 + byteCount + byteCount & 1
        continue
      }
      let chunks = bytes[start + 24..<min(bytes.count, start + 8 + byteCount)]
      // VP8X with the alpha flag and the canvas of the animation.
      let header = Array("WEBPVP8X".utf8) + [10, 0, 0, 0, 16, 0, 0, 0] + bytes[24..<30]
      let size = header.count + chunks.count
      return Array("RIFF".utf8) + (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) } + header + chunks
    }
    return nil
  }

  func encode(_ picture: PeerPicture, as settings: PeerSettings) -> [UInt8]? { nil }
}
