// Pictures of every raster format in documents, by data URLs, compared with the same file decoded by itself.

import Foundation
import ImageCodecs
import Testing

struct EmbeddedPictureTests {
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
  /// Greys, the columns from right to left.
  private static let tga = "AgADAAAAAAAAAAAABQADAAgQSUS6MPLfk2qcaW86nCLvzeQ="

  private static func files() throws -> [(name: String, bytes: [UInt8])] {
    var pixels: [UInt8] = []
    for index in 0..<16 * 12 {
      let (red, blue) = (UInt8(index), UInt8(index % 16 * 15))
      pixels += [red, 255 - red, blue, 255]
    }
    let picture = try Bitmap(width: 16, height: 12, format: .rgba8, pixels: pixels)
    let encoded: [(String, EncodingFormat)] = [
      ("PNG", .png), ("JPEG", .jpeg), ("GIF", .gif), ("WebP", .webP), ("lossy WebP", try .webP(quality: 0.8)),
      ("TIFF", .tiff), ("BMP", .bmp), ("ICO", .ico), ("PNM", .pnm()),
    ]
    var files: [(String, [UInt8])] = []
    for (name, format) in encoded { files.append((name, try picture.encoded(as: format))) }
    files.append(("XBM", Array("#define a_width 9\n#define a_height 2\nstatic char a_bits[]={0x55,1,0xaa,0};".utf8)))
    // One pixel, of three components.
    let header: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 1, 3, 0]
    let data: [UInt8] = [0xfe, 9, 99, 199, 0, 0, 0, 0, 0, 0, 0, 1]
    files.append(("QOI", Array("qoif".utf8) + header + data))
    files.append(("TGA", Array(try #require(Data(base64Encoded: tga)))))
    #if HEVC
      files.append(("HEIC", Array(try #require(Data(base64Encoded: heic)))))
    #endif
    return files
  }

  @Test func everyRasterFormat() throws {
    for (name, bytes) in try Self.files() {
      let expected = try Bitmap(decoding: bytes).converted(to: .rgba8)
      let (width, height) = (expected.width, expected.height)
      let link = "data:image/x;base64,\(Data(bytes).base64EncodedString())"
      for rendering in ["pixelated", "auto"] {
        let text = """
          <svg xmlns='http://www.w3.org/2000/svg' width='\(width)' height='\(height)'><image width='\(width)' \
          height='\(height)' image-rendering='\(rendering)' href='\(link)'/></svg>
          """
        let document = try SVGDocument(parsing: Array(text.utf8), options: .withBuiltInPictures)
        #expect(document.diagnostics.isEmpty, "\(name): \(document.diagnostics)")
        // At its own size every pixel is that of the file.
        let drawn = try document.render().converted(to: .rgba8)
        #expect(drawn.packedPixels == expected.packedPixels, "\(name)")
      }
    }
  }

  @Test func whatCannotBeDecodedIsReported() throws {
    for link in ["data:image/png;base64,AAAA", "data:video/mp4,ftyp", "a.png"] {
      let text = "<svg xmlns='http://www.w3.org/2000/svg'><image width='9' height='9' href='\(link)'/></svg>"
      let document = try SVGDocument(parsing: Array(text.utf8), options: .withBuiltInPictures)
      #expect(document.diagnostics.count == 1, "\(link): \(document.diagnostics)")
    }
  }
}
