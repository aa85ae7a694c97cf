// libjxl with its decoder on one thread. Declarations follow decode.h and types.h of version 0.7.

private typealias VersionFunction = @convention(c) () -> UInt32
private typealias CreateFunction = @convention(c) (UnsafeRawPointer?) -> OpaquePointer?
private typealias DestroyFunction = @convention(c) (OpaquePointer?) -> Void
private typealias EventsFunction = @convention(c) (OpaquePointer?, Int32) -> Int32
private typealias InputFunction = @convention(c) (OpaquePointer?, UnsafePointer<UInt8>?, Int) -> Int32
private typealias ProcessFunction = @convention(c) (OpaquePointer?) -> Int32
private typealias InfoFunction = @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32
private typealias OutputFunction =
  @convention(c) (OpaquePointer?, UnsafeRawPointer?, UnsafeMutableRawPointer?, Int) -> Int32

/// The fields of JxlPixelFormat: 8-bit samples in rows without padding.
private struct LayoutOfPixels {
  var samplesPerPixel: UInt32
  var type: Int32 = 2
  var byteOrder: Int32 = 0
  var alignment = 0
}

/// The system's libjxl.
@safe final class LibJXL: Peer {
  let name: String
  let format = "jxl"
  private let create: CreateFunction
  private let destroy: DestroyFunction
  private let subscribe: EventsFunction
  private let setInput: InputFunction
  private let process: ProcessFunction
  private let basicInfo: InfoFunction
  private let setOutput: OutputFunction

  /// Opens the library. `nil` if libjxl is not installed.
  init?() {
    guard let library = DynamicLibrary(["libjxl.so.0.7", "libjxl.so", "libjxl.dylib"]),
      let version: VersionFunction = unsafe try? library.function("JxlDecoderVersion"),
      let create: CreateFunction = unsafe try? library.function("JxlDecoderCreate"),
      let destroy: DestroyFunction = unsafe try? library.function("JxlDecoderDestroy"),
      let subscribe: EventsFunction = unsafe try? library.function("JxlDecoderSubscribeEvents"),
      let setInput: InputFunction = unsafe try? library.function("JxlDecoderSetInput"),
      let process: ProcessFunction = unsafe try? library.function("JxlDecoderProcessInput"),
      let basicInfo: InfoFunction = unsafe try? library.function("JxlDecoderGetBasicInfo"),
      let setOutput: OutputFunction = unsafe try? library.function("JxlDecoderSetImageOutBuffer")
    else { return nil }
    unsafe self.create = create
    unsafe self.destroy = destroy
    unsafe self.subscribe = subscribe
    unsafe self.setInput = setInput
    unsafe self.process = process
    unsafe self.basicInfo = basicInfo
    unsafe self.setOutput = setOutput
    let number = version()
    name = "libjxl \(number / 1_000_000).\(number / 1000 % 1000).\(number % 1000)"
  }

  // Results and events of the decoder.
  private static let success: Int32 = 0
  private static let needsOutput: Int32 = 5
  private static let hasInfo: Int32 = 0x40
  private static let hasImage: Int32 = 0x1000

  func decode(_ bytes: [UInt8], as layout: PixelLayout, into picture: inout PeerPicture) {
    // SAFETY: the decoder lives until the end of this function, as do the input and the pixels that it is given; the
    // buffer has the size stated in the header, which libjxl checks.
    unsafe bytes.withUnsafeBufferPointer { input in
      let decoder = unsafe create(nil)
      defer { unsafe destroy(decoder) }
      guard unsafe subscribe(decoder, Self.hasInfo | Self.hasImage) == Self.success,
        unsafe setInput(decoder, input.baseAddress, input.count) == Self.success
      else { abandon("libjxl does not start") }
      while true {
        switch unsafe process(decoder) {
        case Self.success, Self.hasImage: return
        case Self.hasInfo: unsafe readInfo(decoder, layout, &picture)
        case Self.needsOutput:
          var format = LayoutOfPixels(samplesPerPixel: UInt32(picture.samplesPerPixel))
          let result = unsafe picture.pixels.withUnsafeMutableBufferPointer { output in
            unsafe setOutput(decoder, &format, output.baseAddress, output.count)
          }
          guard result == Self.success else { abandon("libjxl does not accept the buffer") }
        default: abandon("libjxl does not decode the image")
        }
      }
    }
  }

  /// Encoding is not compared.
  func encode(_ picture: PeerPicture, as settings: PeerSettings) -> [UInt8]? { nil }

  /// Reads JxlBasicInfo, of whose 204 bytes the size, the number of colour channels and that of alpha bits matter.
  private func readInfo(_ decoder: OpaquePointer?, _ layout: PixelLayout, _ picture: inout PeerPicture) {
    var fields = [UInt32](repeating: 0, count: 256)
    // SAFETY: the memory is larger than the structure.
    let result = unsafe fields.withUnsafeMutableBytes { unsafe basicInfo(decoder, $0.baseAddress) }
    guard result == Self.success else { abandon("libjxl does not read the header") }
    (picture.width, picture.height) = (Int(fields[1]), Int(fields[2]))
    picture.bitsPerSample = 8
    let (colorCount, hasAlpha) = (Int(fields[Self.colorCountField]), fields[Self.alphaBitsField] > 0)
    picture.samplesPerPixel = layout == .rgba8 ? 4 : colorCount + (hasAlpha ? 1 : 0)
    picture.allocatePixels()
  }

  /// The positions in units of four bytes.
  private static let colorCountField = 13
  private static let alphaBitsField = 15
}
