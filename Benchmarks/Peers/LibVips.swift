// libvips 8 with one thread and without its cache. Operations are created by name and their arguments set one by one,
// because the functions of its C interface take variable numbers of arguments. Declarations follow vips.h and gobject.h.

private typealias InitFunction = @convention(c) (UnsafePointer<CChar>?) -> CInt
private typealias SetFunction = @convention(c) (CInt) -> Void
private typealias TextFunction = @convention(c) () -> UnsafePointer<CChar>?
private typealias NewFunction = @convention(c) (UnsafePointer<CChar>?) -> UnsafeMutableRawPointer?
private typealias SetArgumentFunction =
  @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> CInt
private typealias BuildFunction = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
private typealias ReleaseFunction = @convention(c) (UnsafeMutableRawPointer?) -> Void
private typealias TypeFunction = @convention(c) () -> UInt
private typealias InitValueFunction =
  @convention(c) (UnsafeMutableRawPointer?, UInt) -> UnsafeMutableRawPointer?
private typealias PropertyFunction =
  @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, UnsafeMutableRawPointer?) -> Void

/// The system's libvips, for whole thumbnails from file to file.
@safe package final class LibVips {
  /// The library's name and version.
  package let name: String
  private let makeOperation: NewFunction
  private let setArgument: SetArgumentFunction
  private let build: BuildFunction
  private let releaseOutputs: ReleaseFunction
  private let errors: TextFunction
  private let imageType: TypeFunction
  private let initValue: InitValueFunction
  private let getProperty: PropertyFunction
  private let setProperty: PropertyFunction
  private let unsetValue: ReleaseFunction
  private let unref: ReleaseFunction
  private let setThreadCount: SetFunction

  /// Opens and initialises the library. `nil` if it is not installed.
  package init?() {
    guard let vips = DynamicLibrary(["libvips.so.42", "libvips.42.dylib"]),
      let objects = DynamicLibrary(["libgobject-2.0.so.0", "libgobject-2.0.0.dylib"]),
      let initialize: InitFunction = unsafe try? vips.function("vips_init"),
      let setConcurrency: SetFunction = unsafe try? vips.function("vips_concurrency_set"),
      let setCacheSize: SetFunction = unsafe try? vips.function("vips_cache_set_max"),
      let version: TextFunction = unsafe try? vips.function("vips_version_string"),
      let makeOperation: NewFunction = unsafe try? vips.function("vips_operation_new"),
      let setArgument: SetArgumentFunction = unsafe try? vips.function("vips_object_set_argument_from_string"),
      let build: BuildFunction = unsafe try? vips.function("vips_cache_operation_build"),
      let releaseOutputs: ReleaseFunction = unsafe try? vips.function("vips_object_unref_outputs"),
      let errors: TextFunction = unsafe try? vips.function("vips_error_buffer"),
      let imageType: TypeFunction = unsafe try? vips.function("vips_image_get_type"),
      let initValue: InitValueFunction = unsafe try? objects.function("g_value_init"),
      let getProperty: PropertyFunction = unsafe try? objects.function("g_object_get_property"),
      let setProperty: PropertyFunction = unsafe try? objects.function("g_object_set_property"),
      let unsetValue: ReleaseFunction = unsafe try? objects.function("g_value_unset"),
      let unref: ReleaseFunction = unsafe try? objects.function("g_object_unref"),
      unsafe initialize("bench") == 0
    else { return nil }
    setThreadCount = setConcurrency
    setConcurrency(1)
    setCacheSize(0)
    // SAFETY: the version is a constant, null-terminated string.
    name = unsafe "libvips " + (version().map { unsafe String(cString: $0).prefix { $0 != "-" } } ?? "")
    unsafe self.makeOperation = makeOperation
    unsafe self.setArgument = setArgument
    unsafe self.build = build
    unsafe self.releaseOutputs = releaseOutputs
    unsafe self.errors = errors
    self.imageType = imageType
    unsafe self.initValue = initValue
    unsafe self.getProperty = getProperty
    unsafe self.setProperty = setProperty
    unsafe self.unsetValue = unsetValue
    unsafe self.unref = unref
  }

  /// Sets the number of threads of an operation; 1 by default.
  package func setConcurrency(_ count: Int) { setThreadCount(CInt(count)) }

  /// Writes the thumbnail of a file.
  ///
  /// - Parameters:
  ///   - side: the width and height in pixels that the thumbnail fits into.
  ///   - saver: the operation that writes it, such as `jpegsave`, and its arguments.
  package func makeThumbnail(
    of input: String, to output: String, side: Int, saver: String, _ arguments: [(name: String, value: String)]
  ) {
    let reading = [("filename", input), ("width", "\(side)"), ("height", "\(side)"), ("size", "down")]
    // SAFETY: objects are those that libvips returned, and are released once; a GValue is three words of zeros before
    // g_value_init, and holds an image between both properties.
    let thumbnail = unsafe run("thumbnail", reading, image: nil)
    var value: (UInt, UInt, UInt) = (0, 0, 0)
    unsafe withUnsafeMutableBytes(of: &value) { bytes in
      guard unsafe initValue(bytes.baseAddress, imageType()) != nil else { abandon("libvips has no type of images") }
      unsafe getProperty(thumbnail, "out", bytes.baseAddress)
      let saving = unsafe run(saver, [("filename", output)] + arguments, image: bytes.baseAddress)
      unsafe finish(saving)
      unsafe unsetValue(bytes.baseAddress)
    }
    unsafe finish(thumbnail)
  }

  /// Runs an operation and returns it, so that its outputs can be read.
  private func run(
    _ operation: String, _ arguments: [(String, String)], image: UnsafeMutableRawPointer?
  ) -> UnsafeMutableRawPointer? {
    // SAFETY: strings are null-terminated and copied by libvips.
    guard let created = unsafe makeOperation(operation) else { abandon("libvips has no operation \(operation)") }
    if let image = unsafe image { unsafe setProperty(created, "in", image) }
    for (name, value) in arguments where unsafe setArgument(created, name, value) != 0 {
      abandon("libvips rejects \(name)=\(value): \(message)")
    }
    guard let built = unsafe build(created) else { abandon("libvips cannot run \(operation): \(message)") }
    unsafe unref(created)
    return unsafe built
  }

  private func finish(_ operation: UnsafeMutableRawPointer?) {
    // SAFETY: called once for each operation that `run` returned.
    unsafe releaseOutputs(operation)
    unsafe unref(operation)
  }

  private var message: String {
    // SAFETY: the buffer is a null-terminated string.
    unsafe errors().map { unsafe String(cString: $0) } ?? ""
  }
}
