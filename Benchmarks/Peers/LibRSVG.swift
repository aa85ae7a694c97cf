// librsvg 2.46 or later, which renders with cairo. Functions follow rsvg.h, cairo.h and gobject.h.

private typealias OpenFunction =
  @convention(c) (UnsafePointer<UInt8>?, UInt, UnsafeMutablePointer<UnsafeMutableRawPointer?>?) ->
  UnsafeMutableRawPointer?
private typealias RenderFunction =
  @convention(c) (
    UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafePointer<Double>?,
    UnsafeMutablePointer<UnsafeMutableRawPointer?>?
  ) -> CInt
private typealias MakeSurfaceFunction =
  @convention(c) (UnsafeMutablePointer<UInt32>?, CInt, CInt, CInt, CInt) -> UnsafeMutableRawPointer?
private typealias MakeContextFunction = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
private typealias ReleaseFunction = @convention(c) (UnsafeMutableRawPointer?) -> Void

/// The system's librsvg and cairo.
@safe package final class LibRSVG: DrawingPeer {
  package let name: String
  private let open: OpenFunction
  private let render: RenderFunction
  private let unref: ReleaseFunction
  private let makeSurface: MakeSurfaceFunction
  private let makeContext: MakeContextFunction
  private let destroyContext: ReleaseFunction
  private let destroySurface: ReleaseFunction

  /// Opens the libraries. `nil` if librsvg 2 or cairo is not installed.
  package init?() {
    guard let library = DynamicLibrary(["librsvg-2.so.2", "librsvg-2.2.dylib"]),
      let cairo = DynamicLibrary(["libcairo.so.2", "libcairo.2.dylib"]),
      let objects = DynamicLibrary(["libgobject-2.0.so.0", "libgobject-2.0.0.dylib"]),
      let open: OpenFunction = unsafe try? library.function("rsvg_handle_new_from_data"),
      let render: RenderFunction = unsafe try? library.function("rsvg_handle_render_document"),
      let unref: ReleaseFunction = unsafe try? objects.function("g_object_unref"),
      let makeSurface: MakeSurfaceFunction = unsafe try? cairo.function("cairo_image_surface_create_for_data"),
      let makeContext: MakeContextFunction = unsafe try? cairo.function("cairo_create"),
      let destroyContext: ReleaseFunction = unsafe try? cairo.function("cairo_destroy"),
      let destroySurface: ReleaseFunction = unsafe try? cairo.function("cairo_surface_destroy")
    else { return nil }
    name = "librsvg" + Self.version(of: library)
    unsafe self.open = open
    unsafe self.render = render
    unsafe self.unref = unref
    unsafe self.makeSurface = makeSurface
    unsafe self.makeContext = makeContext
    unsafe self.destroyContext = destroyContext
    unsafe self.destroySurface = destroySurface
  }

  /// The version, which librsvg 2.52 and later export as variables.
  private static func version(of library: DynamicLibrary) -> String {
    let numbers = ["major", "minor", "micro"].compactMap { part -> UInt32? in
      let number: UnsafePointer<UInt32>? = unsafe try? library.function("rsvg_\(part)_version")
      return unsafe number?.pointee
    }
    return numbers.count == 3 ? " " + numbers.map { String($0) }.joined(separator: ".") : ""
  }

  package func draw(_ bytes: [UInt8], width: Int, height: Int) -> DrawnPicture {
    var pixels = [UInt32](repeating: 0, count: width * height)
    // SAFETY: input and pixels outlive the handle and the surface, which are released here; the surface has `height`
    // rows of `width` 4-byte pixels, a stride that cairo accepts for 32 bits.
    unsafe bytes.withUnsafeBufferPointer { input in
      unsafe pixels.withUnsafeMutableBufferPointer { target in
        guard let handle = unsafe open(input.baseAddress, UInt(input.count), nil),
          let surface = unsafe makeSurface(
            target.baseAddress, cairoFormatARGB32, CInt(width), CInt(height), CInt(width * 4)),
          let context = unsafe makeContext(surface)
        else { abandon("librsvg rejects a file") }
        // RsvgRectangle: x, y, width, height.
        let viewport = [0, 0, Double(width), Double(height)]
        if unsafe render(handle, context, viewport, nil) == 0 { abandon("librsvg does not render a file") }
        unsafe destroyContext(context)
        unsafe destroySurface(surface)
        unsafe unref(handle)
      }
    }
    return DrawnPicture(width: width, height: height, pixels: pixels)
  }
}

/// `CAIRO_FORMAT_ARGB32`.
private let cairoFormatARGB32: CInt = 0
