// The functions of png.h 1.6 in use, looked up by name.

/// Pointers to libpng's functions.
@unsafe struct LibPNGFunctions {
  typealias Handle = PNGHandle?
  typealias Create =
    @convention(c) (
      UnsafePointer<CChar>?, UnsafeMutableRawPointer?, PNGErrorFunction?, PNGErrorFunction?
    ) -> Handle
  typealias OnImage = @convention(c) (Handle) -> Void
  typealias OnImageAndInfo = @convention(c) (Handle, Handle) -> Void
  typealias Question32 = @convention(c) (Handle, Handle) -> UInt32
  typealias Question8 = @convention(c) (Handle, Handle) -> UInt8

  let version: @convention(c) (Handle) -> UnsafePointer<CChar>
  let createRead: Create
  let createWrite: Create
  let createInfo: @convention(c) (Handle) -> Handle
  let setRead: @convention(c) (Handle, UnsafeMutableRawPointer?, PNGTransferFunction?) -> Void
  let readInfo: OnImageAndInfo
  let readUpdate: OnImageAndInfo
  let readImage: @convention(c) (Handle, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>) -> Void
  let readEnd: OnImageAndInfo
  let destroyRead:
    @convention(c) (
      UnsafeMutablePointer<Handle>?, UnsafeMutablePointer<Handle>?, UnsafeMutablePointer<Handle>?
    ) -> Void
  let setExpand: OnImage
  let setSwap: OnImage
  let setScale16: OnImage
  let setGrayToRGB: OnImage
  let setAddAlpha: @convention(c) (Handle, UInt32, Int32) -> Void
  let setInterlaceHandling: @convention(c) (Handle) -> Int32
  let width: Question32
  let height: Question32
  let channels: Question8
  let bitDepth: Question8
  let setWrite: @convention(c) (Handle, UnsafeMutableRawPointer?, PNGTransferFunction?, PNGFlushFunction?) -> Void
  let setLevel: @convention(c) (Handle, Int32) -> Void
  let setHeader: @convention(c) (Handle, Handle, UInt32, UInt32, Int32, Int32, Int32, Int32, Int32) -> Void
  let writeInfo: OnImageAndInfo
  let writeRow: @convention(c) (Handle, UnsafePointer<UInt8>?) -> Void
  let writeEnd: OnImageAndInfo
  let destroyWrite: @convention(c) (UnsafeMutablePointer<Handle>?, UnsafeMutablePointer<Handle>?) -> Void

  /// Looks up all functions.
  ///
  /// - Throws: ``DynamicLibrary/MissingFunction`` if one is missing.
  init(_ library: DynamicLibrary) throws(DynamicLibrary.MissingFunction) {
    unsafe version = try library.function("png_get_libpng_ver")
    unsafe createRead = try library.function("png_create_read_struct")
    unsafe createWrite = try library.function("png_create_write_struct")
    unsafe createInfo = try library.function("png_create_info_struct")
    unsafe setRead = try library.function("png_set_read_fn")
    unsafe readInfo = try library.function("png_read_info")
    unsafe readUpdate = try library.function("png_read_update_info")
    unsafe readImage = try library.function("png_read_image")
    unsafe readEnd = try library.function("png_read_end")
    unsafe destroyRead = try library.function("png_destroy_read_struct")
    unsafe setExpand = try library.function("png_set_expand")
    unsafe setSwap = try library.function("png_set_swap")
    unsafe setScale16 = try library.function("png_set_scale_16")
    unsafe setGrayToRGB = try library.function("png_set_gray_to_rgb")
    unsafe setAddAlpha = try library.function("png_set_add_alpha")
    unsafe setInterlaceHandling = try library.function("png_set_interlace_handling")
    unsafe width = try library.function("png_get_image_width")
    unsafe height = try library.function("png_get_image_height")
    unsafe channels = try library.function("png_get_channels")
    unsafe bitDepth = try library.function("png_get_bit_depth")
    unsafe setWrite = try library.function("png_set_write_fn")
    unsafe setLevel = try library.function("png_set_compression_level")
    unsafe setHeader = try library.function("png_set_IHDR")
    unsafe writeInfo = try library.function("png_write_info")
    unsafe writeRow = try library.function("png_write_row")
    unsafe writeEnd = try library.function("png_write_end")
    unsafe destroyWrite = try library.function("png_destroy_write_struct")
  }
}
