// The JPEG file that a JPEG XL file was made from.

internal import ImageCoding

#if JPEGXL
  internal import JXLCodec
#endif

extension ImageFile {
  /// Returns the JPEG file that this JPEG XL file was made from by recompression without loss, equal to the original to
  /// the last byte.
  ///
  /// - Throws: `CodecError.Kind.unsupported` if the file is not JPEG XL, or was not made from a JPEG file, or its data
  ///   of reconstruction has been removed; `CodecError.Kind.malformed` or `CodecError.Kind.truncated` if the file is
  ///   damaged, or its metadata has been changed; the errors of the limits.
  public func reconstructedJPEG() throws(CodecError) -> [UInt8] {
    guard type == .jxl else {
      throw CodecError(.unsupported, "\(type.formatName) files are not made from JPEG files", format: type)
    }
    #if JPEGXL
      return try spending { (budget) throws(CodecError) in
        try withBytes { (bytes) throws(CodecError) in
          try JXLDecoder().reconstructJPEG(bytes, options: options, budget: &budget)
        }
      }
    #else
      throw CodecError(.unsupported, "JPEG XL images need the package trait JPEGXL", format: type)
    #endif
  }
}
