// libjpeg-turbo by its TurboJPEG interface: whole images, the accurate inverse DCT, its default upsampling. Declarations
// follow turbojpeg.h of version 2.

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

/// The system's libjpeg-turbo.
@safe final class TurboJPEG: Peer {
  let name = "libjpeg-turbo"
  let format = "jpg"
  private let handle: TurboJPEGHandle
  private let readHeader: HeaderFunction
  private let decompress: DecompressFunction

  /// `nil` where libturbojpeg is not installed.
  init?() {
    guard let library = DynamicLibrary(["libturbojpeg.so.0", "libturbojpeg.so", "libturbojpeg.dylib"]),
      let start: InitFunction = unsafe try? library.function("tjInitDecompress"),
      let readHeader: HeaderFunction = unsafe try? library.function("tjDecompressHeader3"),
      let decompress: DecompressFunction = unsafe try? library.function("tjDecompress2"),
      let handle = unsafe start()
    else { return nil }
    unsafe self.handle = handle
    unsafe self.readHeader = readHeader
    unsafe self.decompress = decompress
  }

  func decode(_ bytes: [UInt8], as layout: PixelLayout, into picture: inout PeerPicture) {
    // SAFETY: the input outlives both calls; the buffer is sized by the header that the same bytes gave.
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

  func encode(_ picture: PeerPicture, effort: Int) -> [UInt8]? { nil }
}
