// Small files of every format that is decoded.

import Foundation
import ImageCodecs
import TestSupport
import Testing

enum SmallFiles {
  /// 20 × 18 pixels of one component, coded by an encoder of HEVC.
  private static let heic = """
    AAAAGGZ0eXBoZWljAAAAAGhlaWNtaWYxAAABJW1ldGEAAAAAAAAAIWhkbHIAAAAAAAAAAHBpY3QAAAAAAAAAAAAAAAAAAAAADnBp\
    dG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAABRQAAAKUAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABodmMxAAAA\
    AKlpcHJwAAAAjGlwY28AAAAUaXNwZQAAAAAAAAAUAAAAEgAAAHBodmNDAQQIAAAAn+gAAAAAHvAA/Pz4+AAADwOgAAEAF0ABDAH/\
    /wQIAAADAJ/oAAADAAAeugJAoQABACVCAQEECAAAAwCf6AAAAwAAHsMhnLPluqvK5oCAAAADAIAAAAyEogABAAZEAcFxgRIAAAAV\
    aXBtYQAAAAAAAAABAAECgYIAAACtbWRhdAAAAKEoAa58miniKOzYTi3/+YvpCKQRHE0al6fTG+8+eY+JfEVNszipZw4qD9PBDrs+\
    Dmr2YDgim7NTqtF4N4ywWflpo2M2gO6+pKFCaaYbeHeMxm5Mj9S9BxgHisKc+VXL5CK4DODhtkGaqF+CWwQyIAdsPWZrathKrj6k\
    +/PNUz+zql+l8xhpAzvlgBCwjOImzRELXFE0FA9Lk01IS1Skl8790A==
    """
  /// 20 × 18 pixels of one component, coded by an encoder of AV1.
  private static let avif = """
    AAAAGGZ0eXBhdmlmAAAAAGF2aWZtaWYxAAAAwW1ldGEAAAAAAAAAIWhkbHIAAAAAAAAAAHBpY3QAAAAAAAAAAAAAAAAAAAAADnBpdG\
    0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAAA4QAAAIIAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABhdjAxAAAAAEVp\
    cHJwAAAAKGlwY28AAAAUaXNwZQAAAAAAAAAUAAAAEgAAAAxhdjFDgQAcAAAAABVpcG1hAAAAAAAAAAEAAQKBggAAAIptZGF0CgUYES\
    cWUTJ5FQAIIRDQpHZcxaf4QKmonPg5E5F9UlA7tFnabcBTsUTa6xJAElKo279JGCaMKQMk5sW92J95WnUjXaPY280KoC6Dr7GqBJ9N\
    cIsIO1a7VVL7Kmh7duA7zm5gNdMyrHgdAFvfdHpwD6NTtwxiW2bs5ocJfYUW6HogJQ==
    """
  /// 16 × 16 pixels of one component, coded by an encoder of H.264.
  private static let avci = """
    AAAAGGZ0eXBhdmNpAAAAAGF2Y2ltaWYxAAAA5G1ldGEAAAAAAAAAIWhkbHIAAAAAAAAAAHBpY3QAAAAAAAAAAAAAAAAAAAAADnBpdG0A\
    AAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAABBAAAAE4AAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABhdmMxAAAAAGhpcHJw\
    AAAAS2lwY28AAAAUaXNwZQAAAAAAAAAQAAAAEAAAAC9hdmNDAWQQCv/hABJnZBAK8u9CAAADAAIAAAMAZAgBAAZo7gISyLD8+PgAAAAA\
    FWlwbWEAAAAAAAAAAQABAoGCAAAAVm1kYXQAAABKZYiEP8+me4mYUbLb6JljPCRXZPsoCzBgA3kFagkr+Mo0DTIeq0XtbsO4QKCeKNoB\
    5kvacpMdOPqBA2q1oV1u3JM/eCRXoWZpqJ0=
    """
  /// 20 × 18 grey pixels, coded with varblocks by an encoder of JPEG XL.
  private static let jxl = """
    /wqIACaApLgQABKIAgDkAsXAFgAAFSqjjBu8nOv58kOHxbSN6wxttW1hSaLIODZJJ3BIEivwfDd8rrgfQIiR2Zjf/YzX3jeOttc8BADA\
    DJm1lEqnSadCCmTZlkReMqNiJnm8mOdC/AF3QO1IpspfT3YLTwNIz3diVg9KjOuvjyWYcCLbmlsggPgiEWbUjwFoCbx+rTtOzFvq+TYy\
    +WgjZLDGZYbdREZ1kEukKJZ4qWCOa/YKqnc/9fNeW0eYUmGAVob7iSOOKrYX
    """
  /// 13 × 9 grey pixels, coded without loss by an encoder of JPEG 2000.
  private static let jpeg2000 = """
    /0//UQApAAAAAAANAAAACQAAAAAAAAAAAAAADQAAAAkAAAAAAAAAAAABBwEB/1IADAAAAAEAAgQEAAH/XAAKQEBISFBISFD/ZAAlAAFDcmVh\
    dGVkIGJ5IE9wZW5KUEVHIHZlcnNpb24gMi41LjD/kAAKAAAAAACKAAH/k9+AgAaJU2hx9SYlSyejxLHDlH/PwCY+0Hg+oGAYTmmb3nQODjkY\
    LY6qtaO0Eq1qp4Rwz8BmPtF4/ARALcV1UKXCmF5lg0JQA5d6whny47nbn+uiPy9/EY8FkZs7zeIwPdo7R5OqlcpGael/LwN1Iv9OK27c6b4D\
    pkHBKaL/2Q==
    """
  /// Greys, the columns from right to left.
  private static let tga = "AgADAAAAAAAAAAAABQADAAgQSUS6MPLfk2qcaW86nCLvzeQ="

  /// A small file of every raster format.
  static func ofRasterFormats() throws -> [(name: String, bytes: [UInt8])] {
    var pixels: [UInt8] = []
    for index: UInt8 in 0..<16 * 12 { pixels += [index, 255 - index, index % 16 * 15, 255] }
    let picture = try Bitmap(width: 16, height: 12, format: .rgba8, pixels: pixels)
    let encoded: [(String, EncodingFormat)] = [
      ("PNG", .png), ("JPEG", .jpeg), ("GIF", .gif), ("WebP", .webp), ("lossy WebP", try .webp(quality: 0.8)),
      ("TIFF", .tiff), ("BMP", .bmp), ("ICO", .ico), ("PNM", .pnm()),
    ]
    var files: [(String, [UInt8])] = []
    for (name, format) in encoded { files.append((name, try picture.encoded(as: format))) }
    files.append(("ICNS", SampleFiles.icns))
    files.append(("XBM", Array("#define a_width 9\n#define a_height 2\nstatic char a_bits[]={0x55,1,0xaa,0};".utf8)))
    // One pixel, of three components.
    files.append(
      ("QOI", Array("qoif".utf8) + [0, 0, 0, 1, 0, 0, 0, 1, 3, 0, 0xfe, 9, 99, 199, 0, 0, 0, 0, 0, 0, 0, 1]))
    files.append(("TGA", Array(try #require(Data(base64Encoded: tga)))))
    let samples = DNGBytes.noise(10 * 8, bits: 12)
    var dng = DNGBytes(width: 10, height: 8, samples: samples)
    dng.bits = 12
    files.append(("DNG", dng.bytes))
    files.append(("JPEG 2000", Array(try #require(Data(base64Encoded: jpeg2000)))))
    #if HEVC
      files.append(("HEIC", Array(try #require(Data(base64Encoded: heic)))))
    #endif
    #if AV1
      files.append(("AVIF", Array(try #require(Data(base64Encoded: avif)))))
    #endif
    #if AVC
      files.append(("AVCI", Array(try #require(Data(base64Encoded: avci)))))
    #endif
    #if JPEGXL
      files.append(("JPEG XL", Array(try #require(Data(base64Encoded: jxl)))))
    #endif
    return files
  }
}
