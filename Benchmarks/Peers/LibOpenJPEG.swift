// libopenjp2 on one thread. Declarations follow openjpeg.h of version 2.5.

private typealias VersionFunction = @convention(c) () -> UnsafePointer<CChar>?
private typealias CreateFunction = @convention(c) (Int32) -> OpaquePointer?
private typealias DestroyFunction = @convention(c) (OpaquePointer?) -> Void
private typealias DefaultsFunction = @convention(c) (UnsafeMutableRawPointer?) -> Void
private typealias SetupFunction = @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32
private typealias CreateStreamFunction = @convention(c) (Int32) -> OpaquePointer?
private typealias ReadCallback =
  @convention(c) (UnsafeMutableRawPointer?, Int, UnsafeMutableRawPointer?) -> Int
private typealias SkipCallback = @convention(c) (Int64, UnsafeMutableRawPointer?) -> Int64
private typealias SeekCallback = @convention(c) (Int64, UnsafeMutableRawPointer?) -> Int32
private typealias SetReadFunction = @convention(c) (OpaquePointer?, ReadCallback) -> Void
private typealias SetSkipFunction = @convention(c) (OpaquePointer?, SkipCallback) -> Void
private typealias SetSeekFunction = @convention(c) (OpaquePointer?, SeekCallback) -> Void
private typealias SetDataFunction =
  @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void
private typealias SetLengthFunction = @convention(c) (OpaquePointer?, UInt64) -> Void
private typealias ReadHeaderFunction =
  @convention(c) (OpaquePointer?, OpaquePointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?) -> Int32
private typealias DecodeFunction =
  @convention(c) (OpaquePointer?, OpaquePointer?, UnsafeMutableRawPointer?) -> Int32
private typealias DestroyImageFunction = @convention(c) (UnsafeMutableRawPointer?) -> Void

/// The input that the callbacks read.
@unsafe private struct Input {
  let bytes: UnsafePointer<UInt8>?
  let count: Int
  var position = 0
}

/// The system's libopenjp2.
@safe final class LibOpenJPEG: Peer {
  let name: String
  let format = "jp2"
  private let create: CreateFunction
  private let destroy: DestroyFunction
  private let defaults: DefaultsFunction
  private let setup: SetupFunction
  private let createStream: CreateStreamFunction
  private let destroyStream: DestroyFunction
  private let setRead: SetReadFunction
  private let setSkip: SetSkipFunction
  private let setSeek: SetSeekFunction
  private let setData: SetDataFunction
  private let setLength: SetLengthFunction
  private let readHeader: ReadHeaderFunction
  private let decodeImage: DecodeFunction
  private let destroyImage: DestroyImageFunction

  /// Opens the library. `nil` if libopenjp2 is not installed.
  init?() {
    guard let library = DynamicLibrary(["libopenjp2.so.7", "libopenjp2.so", "libopenjp2.dylib"]),
      let version: VersionFunction = unsafe try? library.function("opj_version"),
      let create: CreateFunction = unsafe try? library.function("opj_create_decompress"),
      let destroy: DestroyFunction = unsafe try? library.function("opj_destroy_codec"),
      let defaults: DefaultsFunction = unsafe try? library.function("opj_set_default_decoder_parameters"),
      let setup: SetupFunction = unsafe try? library.function("opj_setup_decoder"),
      let createStream: CreateStreamFunction = unsafe try? library.function("opj_stream_default_create"),
      let destroyStream: DestroyFunction = unsafe try? library.function("opj_stream_destroy"),
      let setRead: SetReadFunction = unsafe try? library.function("opj_stream_set_read_function"),
      let setSkip: SetSkipFunction = unsafe try? library.function("opj_stream_set_skip_function"),
      let setSeek: SetSeekFunction = unsafe try? library.function("opj_stream_set_seek_function"),
      let setData: SetDataFunction = unsafe try? library.function("opj_stream_set_user_data"),
      let setLength: SetLengthFunction = unsafe try? library.function("opj_stream_set_user_data_length"),
      let readHeader: ReadHeaderFunction = unsafe try? library.function("opj_read_header"),
      let decodeImage: DecodeFunction = unsafe try? library.function("opj_decode"),
      let destroyImage: DestroyImageFunction = unsafe try? library.function("opj_image_destroy")
    else { return nil }
    unsafe self.create = create
    unsafe self.destroy = destroy
    unsafe self.defaults = defaults
    unsafe self.setup = setup
    unsafe self.createStream = createStream
    unsafe self.destroyStream = destroyStream
    unsafe self.setRead = setRead
    unsafe self.setSkip = setSkip
    unsafe self.setSeek = setSeek
    unsafe self.setData = setData
    unsafe self.setLength = setLength
    unsafe self.readHeader = readHeader
    unsafe self.decodeImage = decodeImage
    unsafe self.destroyImage = destroyImage
    name = unsafe "OpenJPEG " + (version().map { unsafe String(cString: $0) } ?? "")
  }

  private static let codestream: Int32 = 0
  private static let file: Int32 = 2
  /// More than the size of opj_dparameters_t, which contains two paths.
  private static let parameterByteCount = 16384

  func decode(_ bytes: [UInt8], as layout: PixelLayout, into picture: inout PeerPicture) {
    // SAFETY: the input and its reader live until the end of this function, as do the codec and the stream; the image is
    // destroyed after its samples are copied.
    unsafe bytes.withUnsafeBufferPointer { buffer in
      var input = unsafe Input(bytes: buffer.baseAddress, count: buffer.count)
      unsafe withUnsafeMutablePointer(to: &input) { input in
        let codec = unsafe create(bytes[0] == 0xFF ? Self.codestream : Self.file)
        let stream = unsafe openStream(input, buffer.count)
        defer {
          unsafe destroyStream(stream)
          unsafe destroy(codec)
        }
        var parameters = [UInt8](repeating: 0, count: Self.parameterByteCount)
        let isReady = unsafe parameters.withUnsafeMutableBytes { parameters in
          unsafe defaults(parameters.baseAddress)
          return unsafe setup(codec, parameters.baseAddress)
        }
        var image: UnsafeMutableRawPointer?
        guard isReady == 1, unsafe readHeader(stream, codec, &image) == 1,
          unsafe decodeImage(codec, stream, image) == 1, let image = unsafe image
        else { abandon("OpenJPEG does not decode the image") }
        unsafe copy(image, layout, &picture)
        unsafe destroyImage(image)
      }
    }
  }

  /// Encoding is not compared.
  func encode(_ picture: PeerPicture, as settings: PeerSettings) -> [UInt8]? { nil }

  private func openStream(_ input: UnsafeMutablePointer<Input>, _ count: Int) -> OpaquePointer? {
    let stream = unsafe createStream(1)
    unsafe setData(stream, UnsafeMutableRawPointer(input), nil)
    unsafe setLength(stream, UInt64(count))
    unsafe setRead(stream) { target, count, data in
      guard let target = unsafe target, let input = unsafe data?.assumingMemoryBound(to: Input.self) else { return -1 }
      let length = unsafe min(count, input.pointee.count - input.pointee.position)
      guard length > 0, let source = unsafe input.pointee.bytes else { return -1 }
      unsafe target.copyMemory(from: source + input.pointee.position, byteCount: length)
      unsafe input.pointee.position += length
      return length
    }
    unsafe setSkip(stream) { count, data in
      guard let input = unsafe data?.assumingMemoryBound(to: Input.self) else { return -1 }
      unsafe input.pointee.position = min(input.pointee.count, input.pointee.position + Int(count))
      return count
    }
    unsafe setSeek(stream) { position, data in
      guard let input = unsafe data?.assumingMemoryBound(to: Input.self) else { return 0 }
      unsafe input.pointee.position = min(input.pointee.count, Int(position))
      return 1
    }
    return unsafe stream
  }

  /// Interleaves the samples of opj_image_t: four edges, the number of components and the colour space in units of four
  /// bytes, then the components.
  private func copy(_ image: UnsafeMutableRawPointer, _ layout: PixelLayout, _ picture: inout PeerPicture) {
    // SAFETY: the offsets are those of the structures; each component has as many samples as it states.
    let count = unsafe Int(image.load(fromByteOffset: 16, as: UInt32.self))
    guard count > 0, let components = unsafe image.load(fromByteOffset: 24, as: UnsafeRawPointer?.self) else {
      abandon("OpenJPEG returns no components")
    }
    picture.width = unsafe Int(components.load(fromByteOffset: Self.widthOffset, as: UInt32.self))
    picture.height = unsafe Int(components.load(fromByteOffset: Self.heightOffset, as: UInt32.self))
    picture.bitsPerSample = 8
    let pixelCount = picture.width * picture.height
    picture.samplesPerPixel = layout == .rgba8 ? 4 : count
    picture.allocatePixels()
    let step = picture.samplesPerPixel
    for channel in 0..<step {
      let source = step == 4 && count < 3 && channel < 3 ? 0 : channel
      guard source < count else {
        for index in 0..<pixelCount { picture.pixels[index * step + channel] = 255 }
        continue
      }
      let component = unsafe components + source * Self.componentByteCount
      guard let samples = unsafe component.load(fromByteOffset: Self.samplesOffset, as: UnsafePointer<Int32>?.self),
        unsafe component.load(fromByteOffset: Self.depthOffset, as: UInt32.self) == 8
      else { abandon("OpenJPEG returns no samples of 8 bits") }
      for index in 0..<pixelCount {
        picture.pixels[index * step + channel] = unsafe UInt8(truncatingIfNeeded: samples[index])
      }
    }
  }

  // The offsets in opj_image_comp_t, and its size.
  private static let widthOffset = 8
  private static let heightOffset = 12
  private static let depthOffset = 24
  private static let samplesOffset = 48
  private static let componentByteCount = 64
}
