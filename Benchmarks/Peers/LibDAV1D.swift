// libdav1d on one thread. Declarations follow dav1d.h of version 1.

/// `Dav1dContext *`.
private typealias DAV1DContext = UnsafeMutableRawPointer
private typealias DAV1DVersionFunction = @convention(c) () -> UnsafePointer<CChar>?
private typealias DAV1DSettingsFunction = @convention(c) (UnsafeMutableRawPointer?) -> Void
private typealias DAV1DOpenFunction =
  @convention(c) (UnsafeMutablePointer<DAV1DContext?>?, UnsafeMutableRawPointer?) -> CInt
private typealias DAV1DCloseFunction = @convention(c) (UnsafeMutablePointer<DAV1DContext?>?) -> Void
private typealias DAV1DCreateFunction = @convention(c) (UnsafeMutableRawPointer?, Int) -> UnsafeMutablePointer<UInt8>?
private typealias DAV1DContextFunction = @convention(c) (DAV1DContext?, UnsafeMutableRawPointer?) -> CInt
private typealias DAV1DPictureFunction = @convention(c) (UnsafeMutableRawPointer?) -> Void
private typealias DAV1DFlushFunction = @convention(c) (DAV1DContext?) -> Void

/// The system's libdav1d, with one context for all pictures.
@safe package final class LibDAV1D: PlanePeer {
  package let name: String
  private var context: DAV1DContext?
  private let close: DAV1DCloseFunction
  private let createData: DAV1DCreateFunction
  private let sendData: DAV1DContextFunction
  private let nextPicture: DAV1DContextFunction
  private let unreference: DAV1DPictureFunction
  private let flush: DAV1DFlushFunction
  /// A `Dav1dData` and a `Dav1dPicture`, with room to spare.
  private let data = UnsafeMutableRawPointer.allocate(byteCount: 256, alignment: 16)
  private let picture = UnsafeMutableRawPointer.allocate(byteCount: 2048, alignment: 16)

  /// Opens the library. `nil` if libdav1d is not installed.
  package init?() {
    guard let library = DynamicLibrary(["libdav1d.so.6", "libdav1d.so.7", "libdav1d.7.dylib"]),
      let version: DAV1DVersionFunction = unsafe try? library.function("dav1d_version"),
      let setDefaults: DAV1DSettingsFunction = unsafe try? library.function("dav1d_default_settings"),
      let open: DAV1DOpenFunction = unsafe try? library.function("dav1d_open"),
      let close: DAV1DCloseFunction = unsafe try? library.function("dav1d_close"),
      let createData: DAV1DCreateFunction = unsafe try? library.function("dav1d_data_create"),
      let sendData: DAV1DContextFunction = unsafe try? library.function("dav1d_send_data"),
      let nextPicture: DAV1DContextFunction = unsafe try? library.function("dav1d_get_picture"),
      let unreference: DAV1DPictureFunction = unsafe try? library.function("dav1d_picture_unref"),
      let flush: DAV1DFlushFunction = unsafe try? library.function("dav1d_flush")
    else { return nil }
    unsafe (self.close, self.createData, self.sendData) = (close, createData, sendData)
    unsafe (self.nextPicture, self.unreference, self.flush) = (nextPicture, unreference, flush)
    unsafe name = version().map { unsafe "libdav1d \(String(cString: $0))" } ?? "libdav1d"
    // SAFETY: `Dav1dSettings` has about 100 bytes, of which the first two integers are the numbers of threads and of
    // frames that are decoded at a time.
    let settings = UnsafeMutableRawPointer.allocate(byteCount: 1024, alignment: 16)
    defer { unsafe settings.deallocate() }
    unsafe setDefaults(settings)
    unsafe settings.storeBytes(of: 1, toByteOffset: 0, as: CInt.self)
    unsafe settings.storeBytes(of: 1, toByteOffset: 4, as: CInt.self)
    if unsafe open(&context, settings) != 0 { return nil }
  }

  package func decode(_ picture: PeerCodedPicture) {
    withDecoded(picture) {}
  }

  package func planes(_ picture: PeerCodedPicture) -> [UInt8] {
    var result: [UInt8] = []
    withDecoded(picture) {
      // SAFETY: after pointers to two headers follow those to three planes, two distances between rows, and width,
      // height, layout and depth. A plane has the rows and samples that its layout implies.
      let rows = unsafe (self.picture + 40).assumingMemoryBound(to: Int.self)
      let values = unsafe (self.picture + 56).assumingMemoryBound(to: CInt.self)
      let planes = unsafe (self.picture + 16).assumingMemoryBound(to: UnsafePointer<UInt8>?.self)
      let (width, height, layout) = unsafe (Int(values[0]), Int(values[1]), values[2])
      let sampleByteCount = unsafe values[3] > 8 ? 2 : 1
      for plane in 0..<(layout == 0 ? 1 : 3) {
        let columnCount = plane > 0 && layout < 3 ? (width + 1) / 2 : width
        let rowCount = plane > 0 && layout == 1 ? (height + 1) / 2 : height
        guard let samples = unsafe planes[plane] else { continue }
        for row in 0..<rowCount {
          let start = unsafe samples + row * rows[min(plane, 1)]
          unsafe result.append(contentsOf: UnsafeBufferPointer(start: start, count: columnCount * sampleByteCount))
        }
      }
    }
    return result
  }

  deinit {
    // SAFETY: the context was created by the initializer and is used by no other object.
    unsafe close(&context)
    unsafe data.deallocate()
    unsafe picture.deallocate()
  }

  /// Calls a closure while `picture` is the decoded picture.
  private func withDecoded(_ coded: PeerCodedPicture, _ body: () -> Void) {
    // The configuration record has four bytes before its OBUs.
    let units = coded.configuration.dropFirst(4) + coded.payload
    // SAFETY: `dav1d_data_create` returns memory for all units, which the context releases. The picture is valid until
    // it is released.
    guard let memory = unsafe createData(data, units.count) else { abandon("libdav1d has no memory") }
    for (index, byte) in units.enumerated() { unsafe memory[index] = byte }
    unsafe picture.initializeMemory(as: UInt8.self, repeating: 0, count: 2048)
    guard unsafe sendData(context, data) == 0, unsafe nextPicture(context, picture) == 0 else {
      abandon("libdav1d does not decode the picture")
    }
    body()
    unsafe unreference(picture)
    unsafe flush(context)
  }
}
