// Little CMS 2: conversion of 8-bit pixels to sRGB. Declarations follow lcms2.h of version 2.

private typealias VersionFunction = @convention(c) () -> Int32
private typealias OpenFunction = @convention(c) (UnsafeRawPointer?, UInt32) -> UnsafeMutableRawPointer?
private typealias MakeFunction = @convention(c) () -> UnsafeMutableRawPointer?
private typealias TransformFunction =
  @convention(c) (UnsafeMutableRawPointer?, UInt32, UnsafeMutableRawPointer?, UInt32, UInt32, UInt32) ->
  UnsafeMutableRawPointer?
private typealias ConvertFunction =
  @convention(c) (UnsafeMutableRawPointer?, UnsafeRawPointer?, UnsafeMutableRawPointer?, UInt32) -> Void
private typealias CloseFunction = @convention(c) (UnsafeMutableRawPointer?) -> Int32
private typealias DeleteFunction = @convention(c) (UnsafeMutableRawPointer?) -> Void

/// The system's Little CMS.
@safe package final class LittleCMS {
  /// The library's name and version.
  package let name: String
  private let open: OpenFunction
  private let makeSRGB: MakeFunction
  private let makeTransform: TransformFunction
  private let convert: ConvertFunction
  private let close: CloseFunction
  private let delete: DeleteFunction

  /// Opens the library. `nil` if it is not installed.
  package init?() {
    guard let library = DynamicLibrary(["liblcms2.so.2", "liblcms2.2.dylib", "liblcms2.dylib"]),
      let version: VersionFunction = unsafe try? library.function("cmsGetEncodedCMMversion"),
      let open: OpenFunction = unsafe try? library.function("cmsOpenProfileFromMem"),
      let makeSRGB: MakeFunction = unsafe try? library.function("cmsCreate_sRGBProfile"),
      let makeTransform: TransformFunction = unsafe try? library.function("cmsCreateTransform"),
      let convert: ConvertFunction = unsafe try? library.function("cmsDoTransform"),
      let close: CloseFunction = unsafe try? library.function("cmsCloseProfile"),
      let delete: DeleteFunction = unsafe try? library.function("cmsDeleteTransform")
    else { return nil }
    unsafe self.open = open
    unsafe self.makeSRGB = makeSRGB
    unsafe self.makeTransform = makeTransform
    unsafe self.convert = convert
    unsafe self.close = close
    unsafe self.delete = delete
    let number = version()
    name = "lcms \(number / 1000).\(number % 1000 / 10)"
  }

  /// A conversion of pixels to sRGB, relative to the white of the medium and without black-point compensation.
  @safe package final class Transform {
    private let library: LittleCMS
    private let handle: UnsafeMutableRawPointer
    private let channels: Int

    /// - Parameters:
    ///   - profile: the ICC profile of the pixels.
    ///   - channels: 1 for gray, 3 for RGB, 4 for CMYK.
    ///   - isExact: whether 16-bit samples are converted without the approximations for speed, instead of 8-bit ones
    ///     as the library does by default.
    package init?(_ library: LittleCMS, profile: [UInt8], channels: Int, isExact: Bool) {
      let space: UInt32 = channels == 1 ? 3 : channels == 3 ? 4 : 6
      let byteCount: UInt32 = isExact ? 2 : 1
      let source = space << 16 | UInt32(channels) << 3 | byteCount
      let target = 4 << 16 | 3 << 3 | byteCount
      // SAFETY: the profile is copied by the library; both profiles are closed once, after the transform that they are
      // for has been created.
      let made = unsafe profile.withUnsafeBytes { bytes -> UnsafeMutableRawPointer? in
        guard let input = unsafe library.open(bytes.baseAddress, UInt32(bytes.count)) else { return nil }
        let output = unsafe library.makeSRGB()
        defer {
          _ = unsafe library.close(input)
          _ = unsafe library.close(output)
        }
        return unsafe library.makeTransform(input, source, output, target, 1, isExact ? 0x100 : 0)
      }
      guard let made = unsafe made else { return nil }
      self.library = library
      unsafe handle = made
      self.channels = channels
    }

    deinit {
      // SAFETY: the transform is deleted once.
      unsafe library.delete(handle)
    }

    /// Converts 8-bit pixels without alpha to RGB.
    package func convert(_ pixels: [UInt8], into output: inout [UInt8]) {
      precondition(output.count == pixels.count / channels * 3)
      // SAFETY: both buffers have the size of the pixels, as checked above.
      unsafe pixels.withUnsafeBytes { source in
        unsafe output.withUnsafeMutableBytes { target in
          unsafe library.convert(handle, source.baseAddress, target.baseAddress, UInt32(source.count / channels))
        }
      }
    }

    /// As ``convert(_:into:)`` for samples of 16 bits.
    package func convert(_ pixels: [UInt16], into output: inout [UInt16]) {
      precondition(output.count == pixels.count / channels * 3)
      // SAFETY: both buffers have the size of the pixels, as checked above.
      unsafe pixels.withUnsafeBytes { source in
        unsafe output.withUnsafeMutableBytes { target in
          unsafe library.convert(handle, source.baseAddress, target.baseAddress, UInt32(source.count / 2 / channels))
        }
      }
    }
  }
}
