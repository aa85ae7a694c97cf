// libtiff with files in memory: strips or tiles as coded, or RGBA. Declarations follow tiffio.h of version 4.

private typealias Handle = UnsafeMutableRawPointer
private typealias TransferFunction = @convention(c) (Handle?, UnsafeMutableRawPointer?, Int) -> Int
private typealias SeekFunction = @convention(c) (Handle?, UInt64, Int32) -> UInt64
private typealias CloseFunction = @convention(c) (Handle?) -> Int32
private typealias SizeFunction = @convention(c) (Handle?) -> UInt64
private typealias MapFunction =
  @convention(c) (Handle?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?, UnsafeMutablePointer<UInt64>?) -> Int32
private typealias UnmapFunction = @convention(c) (Handle?, UnsafeMutableRawPointer?, UInt64) -> Void
private typealias OpenFunction =
  @convention(c) (
    UnsafePointer<CChar>?, UnsafePointer<CChar>?, Handle?, TransferFunction, TransferFunction, SeekFunction,
    CloseFunction, SizeFunction, MapFunction, UnmapFunction
  ) -> OpaquePointer?
private typealias FileFunction = @convention(c) (OpaquePointer?) -> Void
private typealias CountFunction = @convention(c) (OpaquePointer?) -> UInt32
private typealias ByteCountFunction = @convention(c) (OpaquePointer?) -> Int
private typealias BlockFunction = @convention(c) (OpaquePointer?, UInt32, UnsafeMutableRawPointer?, Int) -> Int
private typealias RasterFunction =
  @convention(c) (OpaquePointer?, UInt32, UInt32, UnsafeMutableRawPointer?, Int32, Int32) -> Int32
private typealias VersionFunction = @convention(c) () -> UnsafePointer<CChar>?
private typealias HandlerFunction = @convention(c) (UnsafeRawPointer?) -> UnsafeRawPointer?

/// A file in memory, as seen by libtiff's callbacks.
@safe private final class MemoryFile {
  let bytes: UnsafeBufferPointer<UInt8>
  var position = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    unsafe self.bytes = bytes
  }

  /// Returns the file of a handle.
  @unsafe static func of(_ handle: Handle?) -> MemoryFile? {
    unsafe handle.map { unsafe Unmanaged<MemoryFile>.fromOpaque($0).takeUnretainedValue() }
  }
}

/// The system's libtiff.
@safe final class LibTIFF: Peer {
  let name: String
  let format = "tiff"
  private let open: OpenFunction
  private let close: FileFunction
  private let stripCount: CountFunction
  private let stripByteCount: ByteCountFunction
  private let tileCount: CountFunction
  private let tileByteCount: ByteCountFunction
  private let readStrip: BlockFunction
  private let readTile: BlockFunction
  private let readRaster: RasterFunction
  /// Blocks on their way to the picture, reused.
  private var block: [UInt8] = []

  /// Opens the library. `nil` if libtiff is not installed.
  init?() {
    guard let library = DynamicLibrary(["libtiff.so.6", "libtiff.so.5", "libtiff.so", "libtiff.6.dylib"]),
      let open: OpenFunction = unsafe try? library.function("TIFFClientOpen"),
      let close: FileFunction = unsafe try? library.function("TIFFClose"),
      let stripCount: CountFunction = unsafe try? library.function("TIFFNumberOfStrips"),
      let stripByteCount: ByteCountFunction = unsafe try? library.function("TIFFStripSize"),
      let tileCount: CountFunction = unsafe try? library.function("TIFFNumberOfTiles"),
      let tileByteCount: ByteCountFunction = unsafe try? library.function("TIFFTileSize"),
      let readStrip: BlockFunction = unsafe try? library.function("TIFFReadEncodedStrip"),
      let readTile: BlockFunction = unsafe try? library.function("TIFFReadEncodedTile"),
      let readRaster: RasterFunction = unsafe try? library.function("TIFFReadRGBAImageOriented"),
      let silence: HandlerFunction = unsafe try? library.function("TIFFSetWarningHandler"),
      let version: VersionFunction = unsafe try? library.function("TIFFGetVersion")
    else { return nil }
    unsafe self.open = open
    unsafe self.close = close
    unsafe self.stripCount = stripCount
    unsafe self.stripByteCount = stripByteCount
    unsafe self.tileCount = tileCount
    unsafe self.tileByteCount = tileByteCount
    unsafe self.readStrip = readStrip
    unsafe self.readTile = readTile
    unsafe self.readRaster = readRaster
    unsafe _ = silence(nil)
    // "LIBTIFF, Version 4.5.0" and a line about the authors.
    let text = unsafe version().map { unsafe String(cString: $0) } ?? ""
    let words = text.split(whereSeparator: { " \n".contains($0) })
    name = "libtiff \(words.count > 2 ? words[2] : "")"
  }

  /// The properties of a file that is being decoded. Its first directory is read here, because functions with variable
  /// arguments cannot be called.
  private struct Layout {
    private var values: [Int: Int] = [:]

    init(_ bytes: [UInt8]) {
      let isBigEndian = bytes.first == 0x4D
      func integer(_ start: Int, _ count: Int) -> Int {
        guard start >= 0, start + count <= bytes.count else { return 0 }
        return (0..<count).reduce(0) { $0 << 8 | Int(bytes[start + (isBigEndian ? $1 : count - 1 - $1)]) }
      }
      let directory = integer(4, 4)
      for index in 0..<integer(directory, 2) {
        let entry = directory + 2 + index * 12
        let isShort = integer(entry + 2, 2) == 3
        let isInline = integer(entry + 4, 4) * (isShort ? 2 : 4) <= 4
        let place = isInline ? entry + 8 : integer(entry + 8, 4)
        values[integer(entry, 2)] = integer(place, isShort ? 2 : 4)
      }
    }

    var width: Int { values[256] ?? 0 }
    var height: Int { values[257] ?? 0 }
    var bits: Int { values[258] ?? 1 }
    var photometric: Int { values[262] ?? 0 }
    var samples: Int { values[277] ?? 1 }
    var isPlanar: Bool { values[284] == 2 }
    var tileWidth: Int { values[322] ?? 0 }
    var tileHeight: Int { values[323] ?? 0 }
  }

  func decode(
    _ bytes: [UInt8], as layout: PixelLayout, into picture: inout PeerPicture
  ) throws(PeerRejection) {
    // SAFETY: the file and the bytes outlive the TIFF handle, and all buffers have the sizes that libtiff states.
    unsafe try bytes.withUnsafeBufferPointer { (buffer) throws(PeerRejection) in
      let file = unsafe MemoryFile(buffer)
      try withExtendedLifetime(file) { () throws(PeerRejection) in
        let handle = unsafe Unmanaged.passUnretained(file).toOpaque()
        guard let tiff = unsafe openFile(handle) else {
          throw PeerRejection(description: "libtiff does not open the file")
        }
        defer { unsafe close(tiff) }
        unsafe try decode(tiff, Layout(bytes), as: layout, into: &picture)
      }
    }
  }

  private func openFile(_ handle: Handle) -> OpaquePointer? {
    unsafe open(
      "memory", "r", handle,
      { handle, target, count in
        guard let file = unsafe MemoryFile.of(handle), let target = unsafe target else { return 0 }
        let available = unsafe max(0, min(count, file.bytes.count - file.position))
        if available > 0, let base = unsafe file.bytes.baseAddress {
          unsafe target.copyMemory(from: base + file.position, byteCount: available)
        }
        file.position += available
        return available
      },
      { _, _, _ in 0 },
      { handle, offset, origin in
        guard let file = unsafe MemoryFile.of(handle) else { return 0 }
        let base = unsafe origin == 0 ? 0 : origin == 1 ? file.position : file.bytes.count
        file.position = base + Int(truncatingIfNeeded: offset)
        return UInt64(file.position)
      },
      { _ in 0 },
      { handle in unsafe MemoryFile.of(handle).map { unsafe UInt64($0.bytes.count) } ?? 0 },
      { handle, base, size in
        guard let file = unsafe MemoryFile.of(handle) else { return 0 }
        unsafe base?.pointee = unsafe UnsafeMutableRawPointer(mutating: file.bytes.baseAddress)
        unsafe size?.pointee = unsafe UInt64(file.bytes.count)
        return 1
      },
      { _, _, _ in })
  }

  private func decode(
    _ tiff: OpaquePointer, _ properties: Layout, as layout: PixelLayout, into picture: inout PeerPicture
  ) throws(PeerRejection) {
    picture.width = properties.width
    picture.height = properties.height
    if layout == .rgba8 {
      picture.samplesPerPixel = 4
      picture.bitsPerSample = 8
      picture.allocatePixels()
      let (width, height) = (UInt32(picture.width), UInt32(picture.height))
      let succeeds = unsafe picture.pixels.withUnsafeMutableBytes { output in
        unsafe readRaster(tiff, width, height, output.baseAddress, 1, 1) != 0
      }
      if !succeeds { throw PeerRejection(description: "libtiff does not decode the image") }
      return
    }
    guard [1, 8, 16].contains(properties.bits), properties.photometric <= 2, !properties.isPlanar else {
      throw PeerRejection(description: "the peer libtiff reads gray and RGB samples of 1, 8 and 16 bits only")
    }
    picture.samplesPerPixel = properties.samples
    picture.bitsPerSample = max(8, properties.bits)
    picture.allocatePixels()
    if properties.tileWidth > 0 {
      unsafe try decodeTiles(tiff, properties, into: &picture)
    } else {
      unsafe try decodeStrips(tiff, properties, into: &picture)
    }
  }

  private func decodeStrips(
    _ tiff: OpaquePointer, _ layout: Layout, into picture: inout PeerPicture
  ) throws(PeerRejection) {
    let byteCount = unsafe stripByteCount(tiff)
    var start = 0
    if layout.bits == 1, block.count < byteCount { block = [UInt8](repeating: 0, count: byteCount) }
    let rowByteCount = (picture.width + 7) / 8
    for strip in 0..<(unsafe stripCount(tiff)) {
      if layout.bits == 1 {
        let read = unsafe block.withUnsafeMutableBytes { unsafe readStrip(tiff, strip, $0.baseAddress, byteCount) }
        if read < 0 { throw PeerRejection(description: "libtiff does not decode a strip") }
        for row in 0..<read / rowByteCount {
          expandBits(row * rowByteCount, to: start, in: &picture, inverts: layout.photometric == 0)
          start += picture.width
        }
      } else {
        let read = unsafe picture.pixels.withUnsafeMutableBytes {
          unsafe readStrip(tiff, strip, $0.baseAddress.map { unsafe $0 + start }, min(byteCount, $0.count - start))
        }
        if read < 0 { throw PeerRejection(description: "libtiff does not decode a strip") }
        start += read
      }
    }
    if layout.bits == 8, layout.photometric == 0 {
      for index in picture.pixels.indices { picture.pixels[index] = ~picture.pixels[index] }
    }
  }

  /// The bytes of each value of eight pixels.
  private static let bitTable: [UInt64] = (0..<256).map { byte in
    var entry: UInt64 = 0
    for pixel in 0..<8 where byte >> (7 - pixel) & 1 == 1 { entry |= 0xFF << UInt64(8 * pixel) }
    return entry
  }

  private func expandBits(_ from: Int, to start: Int, in picture: inout PeerPicture, inverts: Bool) {
    let table = Self.bitTable
    let mask: UInt64 = inverts ? .max : 0
    let whole = picture.width / 8
    unsafe picture.pixels.withUnsafeMutableBytes { output in
      for index in 0..<whole {
        let entry = table[Int(block[from + index])] ^ mask
        unsafe output.storeBytes(of: entry.littleEndian, toByteOffset: start + 8 * index, as: UInt64.self)
      }
    }
    for x in whole * 8..<picture.width {
      let isSet = block[from + x / 8] >> UInt8(7 - x % 8) & 1 == 1
      picture.pixels[start + x] = isSet != inverts ? 255 : 0
    }
  }

  private func decodeTiles(
    _ tiff: OpaquePointer, _ layout: Layout, into picture: inout PeerPicture
  ) throws(PeerRejection) {
    guard layout.bits >= 8 else {
      throw PeerRejection(description: "the peer libtiff does not read tiles of bits")
    }
    let byteCount = unsafe tileByteCount(tiff)
    if block.count < byteCount { block = [UInt8](repeating: 0, count: byteCount) }
    let pixelByteCount = layout.samples * layout.bits / 8
    let columns = (picture.width - 1) / layout.tileWidth + 1
    for tile in 0..<Int(unsafe tileCount(tiff)) {
      let read = unsafe block.withUnsafeMutableBytes {
        unsafe readTile(tiff, UInt32(tile), $0.baseAddress, byteCount)
      }
      if read < 0 { throw PeerRejection(description: "libtiff does not decode a tile") }
      let (left, top) = (tile % columns * layout.tileWidth, tile / columns * layout.tileHeight)
      let count = min(layout.tileWidth, picture.width - left) * pixelByteCount
      for row in 0..<max(0, min(layout.tileHeight, picture.height - top)) {
        let from = row * layout.tileWidth * pixelByteCount
        let to = (top + row) * picture.bytesPerRow + left * pixelByteCount
        picture.pixels.replaceSubrange(to..<to + count, with: block[from..<from + count])
      }
    }
  }

  func encode(_ picture: PeerPicture, as settings: PeerSettings) -> [UInt8]? { nil }
}
