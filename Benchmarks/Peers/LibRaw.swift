// libraw: the samples of sensors, and pictures developed by adaptive homogeneity-directed demosaicing. Declarations follow
// libraw.h of version 0.20.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

private typealias VersionFunction = @convention(c) () -> UnsafePointer<CChar>?
private typealias CreateFunction = @convention(c) (UInt32) -> UnsafeMutableRawPointer?
private typealias CloseFunction = @convention(c) (UnsafeMutableRawPointer?) -> Void
private typealias OpenFunction = @convention(c) (UnsafeMutableRawPointer?, UnsafeRawPointer?, Int) -> Int32
private typealias StepFunction = @convention(c) (UnsafeMutableRawPointer?) -> Int32
private typealias SetFunction = @convention(c) (UnsafeMutableRawPointer?, Int32) -> Void
private typealias SetFloatFunction = @convention(c) (UnsafeMutableRawPointer?, Float) -> Void
private typealias SetElementFunction = @convention(c) (UnsafeMutableRawPointer?, Int32, Float) -> Void
private typealias ElementFunction = @convention(c) (UnsafeMutableRawPointer?, Int32) -> Float
private typealias MakeFunction =
  @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<Int32>?) -> UnsafeMutableRawPointer?
private typealias ReleaseFunction = @convention(c) (UnsafeMutableRawPointer?) -> Void

/// The system's libraw, on one thread.
@safe package final class LibRaw {
  /// The library's name and version.
  package let name: String
  private let create: CreateFunction
  private let close: CloseFunction
  private let open: OpenFunction
  private let unpack: StepFunction
  private let copySamples: StepFunction
  private let width: StepFunction
  private let height: StepFunction
  private let process: StepFunction
  private let make: MakeFunction
  private let release: ReleaseFunction
  private let settings: DevelopmentSettings

  /// Opens the library. `nil` if libraw is not installed.
  package init?() {
    // SAFETY: setenv copies null-terminated strings. The library would use several threads otherwise.
    unsafe setenv("OMP_NUM_THREADS", "1", 1)
    let names = (20...24).reversed().map { "libraw.so.\($0)" } + ["libraw.so", "libraw.dylib"]
    guard let library = DynamicLibrary(names),
      let version: VersionFunction = unsafe try? library.function("libraw_version"),
      let create: CreateFunction = unsafe try? library.function("libraw_init"),
      let close: CloseFunction = unsafe try? library.function("libraw_close"),
      let open: OpenFunction = unsafe try? library.function("libraw_open_buffer"),
      let unpack: StepFunction = unsafe try? library.function("libraw_unpack"),
      let copySamples: StepFunction = unsafe try? library.function("libraw_raw2image"),
      let width: StepFunction = unsafe try? library.function("libraw_get_iwidth"),
      let height: StepFunction = unsafe try? library.function("libraw_get_iheight"),
      let process: StepFunction = unsafe try? library.function("libraw_dcraw_process"),
      let make: MakeFunction = unsafe try? library.function("libraw_dcraw_make_mem_image"),
      let release: ReleaseFunction = unsafe try? library.function("libraw_dcraw_clear_mem"),
      let settings = unsafe DevelopmentSettings(library)
    else { return nil }
    unsafe self.create = create
    unsafe self.close = close
    unsafe self.open = open
    unsafe self.unpack = unpack
    unsafe self.copySamples = copySamples
    unsafe self.width = width
    unsafe self.height = height
    unsafe self.process = process
    unsafe self.make = make
    unsafe self.release = release
    unsafe self.settings = settings
    name = unsafe "LibRaw " + (version().map { unsafe String(cString: $0) } ?? "")
  }

  /// Unpacks the samples of a sensor and discards them.
  package func unpackSamples(_ bytes: [UInt8]) {
    unsafe withImage(bytes) { _ in }
  }

  /// Unpacks the samples of the part of a sensor that is the picture.
  package func samples(_ bytes: [UInt8]) -> (width: Int, height: Int, samples: [UInt16]) {
    unsafe withImage(bytes) { image in
      guard unsafe copySamples(image) == 0 else { abandon("LibRaw does not copy the samples") }
      let (width, height) = (Int(unsafe width(image)), Int(unsafe height(image)))
      // SAFETY: the first field of libraw_data_t points to four samples for each pixel, of which one is not zero.
      guard let pixels = unsafe image?.load(as: UnsafePointer<UInt16>?.self) else { abandon("LibRaw has no samples") }
      var samples: [UInt16] = []
      samples.reserveCapacity(width * height)
      for index in stride(from: 0, to: 4 * width * height, by: 4) {
        unsafe samples.append(pixels[index] | pixels[index + 1] | pixels[index + 2] | pixels[index + 3])
      }
      return (width, height, samples)
    }
  }

  /// Develops a file in sRGB of 16 bits with the camera's white balance.
  package func develop(_ bytes: [UInt8], into picture: inout PeerPicture) {
    unsafe withImage(bytes) { image in
      unsafe settings.apply(image)
      var error: Int32 = 0
      // SAFETY: libraw_processed_image_t is a type of four bytes, the height, the width, the number of samples and their
      // bits of two bytes each, the number of bytes, and the pixels, which are copied before they are released.
      guard unsafe process(image) == 0, let result = unsafe make(image, &error) else {
        abandon("LibRaw does not develop the picture")
      }
      func field(_ offset: Int) -> Int { Int(unsafe result.load(fromByteOffset: offset, as: UInt16.self)) }
      (picture.height, picture.width) = (field(4), field(6))
      (picture.samplesPerPixel, picture.bitsPerSample) = (field(8), field(10))
      picture.allocatePixels()
      unsafe picture.pixels.withUnsafeMutableBytes { target in
        unsafe target.copyMemory(from: UnsafeRawBufferPointer(start: result + 16, count: target.count))
      }
      unsafe release(result)
    }
  }

  /// Opens and unpacks a file.
  private func withImage<Result>(_ bytes: [UInt8], _ body: (UnsafeMutableRawPointer?) -> Result) -> Result {
    // SAFETY: the bytes outlive the image, which is closed at the end.
    unsafe bytes.withUnsafeBytes { buffer in
      let image = unsafe create(0)
      defer { unsafe close(image) }
      guard unsafe open(image, buffer.baseAddress, buffer.count) == 0, unsafe unpack(image) == 0 else {
        abandon("LibRaw does not unpack the file")
      }
      return unsafe body(image)
    }
  }
}

/// The functions that change the settings of development.
@unsafe private struct DevelopmentSettings {
  let demosaicing: SetFunction
  let bitsPerSample: SetFunction
  let colorSpace: SetFunction
  let constantBrightness: SetFunction
  /// `nil` in versions without it, which take the highest sample for white if it is above three quarters of white.
  let maximumThreshold: SetFloatFunction?
  let gamma: SetElementFunction
  let factors: SetElementFunction
  let cameraFactors: ElementFunction

  init?(_ library: DynamicLibrary) {
    guard let demosaicing: SetFunction = unsafe try? library.function("libraw_set_demosaic"),
      let bitsPerSample: SetFunction = unsafe try? library.function("libraw_set_output_bps"),
      let colorSpace: SetFunction = unsafe try? library.function("libraw_set_output_color"),
      let constantBrightness: SetFunction = unsafe try? library.function("libraw_set_no_auto_bright"),
      let gamma: SetElementFunction = unsafe try? library.function("libraw_set_gamma"),
      let factors: SetElementFunction = unsafe try? library.function("libraw_set_user_mul"),
      let cameraFactors: ElementFunction = unsafe try? library.function("libraw_get_cam_mul")
    else { return nil }
    unsafe self.demosaicing = demosaicing
    unsafe self.bitsPerSample = bitsPerSample
    unsafe self.colorSpace = colorSpace
    unsafe self.constantBrightness = constantBrightness
    unsafe self.maximumThreshold = try? library.function("libraw_set_adjust_maximum_thr")
    unsafe self.gamma = gamma
    unsafe self.factors = factors
    unsafe self.cameraFactors = cameraFactors
  }

  /// Chooses the camera's white balance, the demosaicing that is AHD, and sRGB of 16 bits without other adjustments.
  func apply(_ image: UnsafeMutableRawPointer?) {
    unsafe demosaicing(image, 3)
    unsafe bitsPerSample(image, 16)
    unsafe colorSpace(image, 1)
    unsafe constantBrightness(image, 1)
    unsafe maximumThreshold?(image, 0)
    unsafe gamma(image, 0, 1 / 2.4)
    unsafe gamma(image, 1, 12.92)
    for color in Int32(0)..<4 { unsafe factors(image, color, cameraFactors(image, color)) }
  }
}
