// Pictures of every raster format in documents, by data URLs, compared with the same file decoded alone.

import Foundation
import ImageCodecs
import Testing

struct EmbeddedPictureTests {
  @Test func everyRasterFormat() throws {
    for (name, bytes) in try SmallFiles.ofRasterFormats() {
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
