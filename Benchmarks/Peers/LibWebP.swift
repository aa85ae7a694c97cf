// libwebp with its simple interfaces: whole images, default upsampling, the default effort, one thread. Declarations follow
// decode.h and encode.h of version 1.

private typealias VersionFunction = @convention(c) () -> Int32
private typealias InfoFunction =
  @convention(c) (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<Int32>?, UnsafeMutablePointer<Int32>?) -> Int32
private typealias DecodeFunction =
  @convention(c) (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt8>?, Int, Int32) -> UnsafeMutablePointer<UInt8>?

private typealias EncodeFunction =
  @convention(c) (
    UnsafePointer<UInt8>?, Int32, Int32, Int32, Float, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>
  ) -> Int
private typealias LosslessEncodeFunction =
  @convention(c) (
    UnsafePointer<UInt8>?, Int32, Int32, Int32, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>
  ) -> Int
private typealias FreeFunction = @convention(c) (UnsafeMutableRawPointer?) -> Void

/// The system's libwebp.
@safe final class LibWebP: Peer {
  let name: String
  let format = "webp"
  private let readInfo: InfoFunction
  private let decodeRGBA: DecodeFunction
  private let decodeRGB: DecodeFunction
  /// Functions for RGB and for RGBA.
  private let lossyEncoders: [EncodeFunction]
  private let losslessEncoders: [LosslessEncodeFunction]
  private let free: FreeFunction

  /// Opens the library. `nil` if libwebp is not installed.
  init?() {
    guard let library = DynamicLibrary(["libwebp.so.7", "libwebp.so", "libwebp.7.dylib", "libwebp.dylib"]),
      let version: VersionFunction = unsafe try? library.function("WebPGetDecoderVersion"),
      let readInfo: InfoFunction = unsafe try? library.function("WebPGetInfo"),
      let decodeRGBA: DecodeFunction = unsafe try? library.function("WebPDecodeRGBAInto"),
      let decodeRGB: DecodeFunction = unsafe try? library.function("WebPDecodeRGBInto"),
      let encodeRGB: EncodeFunction = unsafe try? library.function("WebPEncodeRGB"),
      let encodeRGBA: EncodeFunction = unsafe try? library.function("WebPEncodeRGBA"),
      let encodeLosslessRGB: LosslessEncodeFunction = unsafe try? library.function("WebPEncodeLosslessRGB"),
      let encodeLosslessRGBA: LosslessEncodeFunction = unsafe try? library.function("WebPEncodeLosslessRGBA"),
      let free: FreeFunction = unsafe try? library.function("WebPFree")
    else { return nil }
    unsafe self.readInfo = readInfo
    unsafe self.decodeRGBA = decodeRGBA
    unsafe self.decodeRGB = decodeRGB
    unsafe lossyEncoders = [encodeRGB, encodeRGBA]
    unsafe losslessEncoders = [encodeLosslessRGB, encodeLosslessRGBA]
    unsafe self.free = free
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

  func encode(_ picture: PeerPicture, as settings: PeerSettings) -> [UInt8]? {
    guard picture.bitsPerSample == 8, picture.samplesPerPixel >= 3 else { return nil }
    let index = picture.samplesPerPixel - 3
    let (width, height) = (Int32(picture.width), Int32(picture.height))
    let bytesPerRow = Int32(picture.bytesPerRow)
    // SAFETY: the pixels are rows without padding of the size passed; the output belongs to the library until it is
    // freed here.
    return unsafe picture.pixels.withUnsafeBufferPointer { pixels in
      var output: UnsafeMutablePointer<UInt8>?
      let byteCount =
        unsafe settings.isLossless
        ? losslessEncoders[index](pixels.baseAddress, width, height, bytesPerRow, &output)
        : lossyEncoders[index](pixels.baseAddress, width, height, bytesPerRow, Float(settings.quality), &output)
      defer { unsafe free(output) }
      if byteCount == 0 { abandon("libwebp does not encode the image") }
      return unsafe Array(UnsafeBufferPointer(start: output, count: byteCount))
    }
  }
}
