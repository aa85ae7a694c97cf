// Fuzzing of colour transforms: any bytes as the profile of a picture, or of the target.

import ColorManagement
import ImageCoding

/// Converts a few pixels with a profile. The first byte selects the pixels, the intent and the role of the profile.
func fuzzColorTransform(_ bytes: [UInt8]) {
  guard let first = bytes.first else { return }
  let profile = Array(bytes.dropFirst())
  let models: [PixelFormat.ColorModel] = [.rgb, .gray, .cmyk, .bgr]
  let types: [SampleType] = [.uint8, .uint16, .float32]
  let format = PixelFormat(
    models[Int(first & 3)], alpha: first & 128 == 0 ? .none : .premultiplied, sampleType: types[Int(first >> 2 & 3) % 3]
  )
  let intent = RenderingIntent.allCases[Int(first >> 4 & 3)]
  let isTarget = first & 64 != 0 && first & 128 == 0
  var budget = ResourceBudget(.server)
  guard
    let transform = try? ColorTransform(
      from: isTarget ? .displayP3 : .icc(profile), format: format, to: isTarget ? .icc(profile) : .sRGB,
      intent: intent, blackPointCompensation: first & 64 != 0, budget: &budget)
  else { return }
  let samples = (0..<32 * format.bytesPerPixel).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ Int(first)) }
  var output = [UInt8](repeating: 0, count: 32 * transform.outputFormat.bytesPerPixel)
  var span = output.mutableSpan
  transform.convert(samples.span, into: &span)
}
