// libjpeg-turbo with its TurboJPEG interface: whole images, the accurate DCTs, default upsampling. Declarations follow
// turbojpeg.h of version 2.

/// `tjhandle`.
typealias TurboJPEGHandle = OpaquePointer
private typealias InitFunction = @convention(c) () -> TurboJPEGHandle?
private typealias HeaderFunction =
  @convention(c) (
    TurboJPEGHandle?, UnsafePointer<UInt8>?, UInt, UnsafeMutablePointer<Int32>?, UnsafeMutablePointer<Int32>?,
    UnsafeMutablePointer<Int32>?, UnsafeMutablePointer<Int32>?
  ) -> Int32
private typealias DecompressFunction =
  @convention(c) (
    TurboJPEGHandle?, UnsafePointer<UInt8>?, UInt, UnsafeMutablePointer<UInt8>?, Int32, Int32, Int32, Int32, Int32
  ) -> Int32

private typealias CompressFunction =
  @convention(c) (
    TurboJPEGHandle?, UnsafePointer<UInt8>?, Int32, Int32, Int32, Int32,
    UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?, UnsafeMutablePointer<UInt>?, Int32, Int32, Int32
  ) -> Int32
private typealias FreeFunction = @convention(c) (UnsafeMutablePointer<UInt8>?) -> Void

/// The system's libjpeg-turbo.
@safe final class TurboJPEG: Peer {
  let name = "libjpeg-turbo"
  let format = "jpg"
  private let handle: TurboJPEGHandle
  private let readHeader: HeaderFunction
  private let decompress: DecompressFunction
  /// Baseline and progressive files have separate compressors, because a compressor keeps the Huffman tables of the
  /// last file.
  private let baselineCompressor: TurboJPEGHandle
  private let progressiveCompressor: TurboJPEGHandle
  private let compress: CompressFunction
  private let free: FreeFunction

  /// Opens the library. `nil` if libturbojpeg is not installed.
  init?() {
    guard let library = DynamicLibrary(["libturbojpeg.so.0", "libturbojpeg.so", "libturbojpeg.dylib"]),
      let start: InitFunction = unsafe try? library.function("tjInitDecompress"),
      let readHeader: HeaderFunction = unsafe try? library.function("tjDecompressHeader3"),
      let decompress: DecompressFunction = unsafe try? library.function("tjDecompress2"),
      let startCompression: InitFunction = unsafe try? library.function("tjInitCompress"),
      let compress: CompressFunction = unsafe try? library.function("tjCompress2"),
      let free: FreeFunction = unsafe try? library.function("tjFree"),
      let handle = unsafe start(), let baselineCompressor = unsafe startCompression(),
      let progressiveCompressor = unsafe startCompression()
    else { return nil }
    unsafe self.handle = handle
    unsafe self.readHeader = readHeader
    unsafe self.decompress = decompress
    unsafe self.baselineCompressor = baselineCompressor
    unsafe self.progressiveCompressor = progressiveCompressor
    unsafe self.compress = compress
    unsafe self.free = free
  }

  func decode(_ bytes: [UInt8], as layout: PixelLayout, into picture: inout PeerPicture) {
    // SAFETY: the input outlives both calls; the buffer has the size stated in the header of the same bytes.
    unsafe bytes.withUnsafeBufferPointer { input in
      var (width, height, sampling, colorSpace): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
      guard
        unsafe readHeader(handle, input.baseAddress, UInt(input.count), &width, &height, &sampling, &colorSpace) == 0
      else { abandon("libjpeg-turbo does not read the header") }
      // TJCS_GRAY is 2; TJPF_RGB is 0, TJPF_GRAY 6, TJPF_RGBA 7.
      let isGray = colorSpace == 2
      picture.width = Int(width)
      picture.height = Int(height)
      picture.bitsPerSample = 8
      picture.samplesPerPixel = layout == .rgba8 ? 4 : (isGray ? 1 : 3)
      let pixelFormat: Int32 = layout == .rgba8 ? 7 : (isGray ? 6 : 0)
      picture.allocatePixels()
      unsafe picture.pixels.withUnsafeMutableBufferPointer { output in
        // 4096 is TJFLAG_ACCURATEDCT.
        let result = unsafe decompress(
          handle, input.baseAddress, UInt(input.count), output.baseAddress, width, 0, height, pixelFormat, 4096)
        if result != 0 { abandon("libjpeg-turbo does not decode the image") }
      }
    }
  }

  func encode(_ picture: PeerPicture, as settings: PeerSettings) -> [UInt8]? {
    // TJPF_RGB is 0, TJPF_GRAY 6; TJSAMP_420 is 2, TJSAMP_GRAY 3.
    guard picture.bitsPerSample == 8, picture.samplesPerPixel == 1 || picture.samplesPerPixel == 3 else { return nil }
    let isGray = picture.samplesPerPixel == 1
    // TJFLAG_ACCURATEDCT is 4096, TJFLAG_PROGRESSIVE 16384.
    let flags: Int32 = 4096 | (settings.isProgressive ? 16384 : 0)
    // SAFETY: the pixels are rows without padding of the size passed; the output belongs to the library until it is
    // freed here.
    return unsafe picture.pixels.withUnsafeBufferPointer { pixels in
      var output: UnsafeMutablePointer<UInt8>?
      var byteCount: UInt = 0
      let result = unsafe compress(
        settings.isProgressive ? progressiveCompressor : baselineCompressor, pixels.baseAddress, Int32(picture.width),
        0, Int32(picture.height), isGray ? 6 : 0, &output,
        &byteCount, isGray ? 3 : 2, Int32(settings.quality), flags)
      defer { unsafe free(output) }
      if result != 0 { abandon("libjpeg-turbo does not encode the image") }
      return unsafe Array(UnsafeBufferPointer(start: output, count: Int(byteCount)))
    }
  }
}
