import ColorManagement
import ImageCore
import Testing

@Suite struct ColorTransformTests {
  @Test func displayP3WhiteAndRed() throws {
    let bitmap = try Bitmap(width: 2, height: 1, format: .rgb8, pixels: [255, 255, 255, 255, 0, 0])
    var source = bitmap
    source.colorSpace = .displayP3
    let result = try source.converted(to: .sRGB)
    #expect(result.packedPixels == [255, 255, 255, 255, 0, 0])
    #expect(result.colorSpace == .sRGB)
    let back = try bitmap.converted(to: .displayP3)
    #expect(back.packedPixels == [255, 255, 255, 234, 51, 35])
  }

  @Test func unspecifiedIsSRGB() throws {
    var budget = ResourceBudget(.default)
    let transform = try ColorTransform(from: .unspecified, format: .rgba8, to: .sRGB, budget: &budget)
    #expect(transform.isIdentity)
  }
}
