// Images of several frames, made by a simple encoder.

/// A frame of a layered image.
struct Layer {
  var x = 0
  var y = 0
  var width: Int
  var height: Int
  var channels: [[Int]]
  /// 0 replace, 1 add, 2 blend, 3 alpha-weighted add, 4 multiply; of all channels.
  var mode = 0
  /// The slot of the frame below.
  var source = 0
  /// The slot that the frame is saved in.
  var slot = 0
  var duration = 0
}

/// An image of one or two channels, the second of which is alpha, in layers or frames of an animation.
struct LayeredFile {
  var width: Int
  var height: Int
  var layers: [Layer]
  var isAnimated = false

  var codestream: [UInt8] {
    let channelCount = layers[0].channels.count
    var image = ModularFile(width: width, height: height, channels: [[Int]](repeating: [], count: channelCount))
    image.isAnimated = isAnimated
    var writer = BitWriter()
    writer.write(0x0AFF, 16)
    image.writeHeaders(&writer)
    writer.align()
    for (index, layer) in layers.enumerated() {
      writeHeader(layer, isLast: index == layers.count - 1, &writer)
      let frame = ModularFile(width: layer.width, height: layer.height, channels: layer.channels)
      ModularFile.writeSections([frame.section.bytes], to: &writer)
    }
    return writer.bytes
  }

  private func writeHeader(_ layer: Layer, isLast: Bool, _ writer: inout BitWriter) {
    let hasAlpha = layer.channels.count == 2
    // A regular Modular frame without flags, neither YCbCr nor upsampled.
    writer.write(0, 1)
    writer.write(0, 2)
    writer.write(1, 1)
    writer.write(0, 2)
    writer.write(0, 1)
    writer.writeU32(form: 0)
    if hasAlpha { writer.writeU32(form: 0) }
    writer.write(3, 2)
    writer.writeU32(form: 0)
    let isCropped = layer.x != 0 || layer.y != 0 || layer.width != width || layer.height != height
    writer.write(isCropped ? 1 : 0, 1)
    if isCropped {
      writer.writeU32(form: 0, ModularFile.packed(layer.x), 8)
      writer.writeU32(form: 0, ModularFile.packed(layer.y), 8)
      writer.writeU32(form: 0, layer.width, 8)
      writer.writeU32(form: 0, layer.height, 8)
    }
    let covers =
      layer.x <= 0 && layer.y <= 0 && layer.x + layer.width >= width && layer.y + layer.height >= height
    for _ in 0..<(hasAlpha ? 2 : 1) {
      writer.writeU32(form: min(layer.mode, 3), max(0, layer.mode - 3), layer.mode < 3 ? 0 : 2)
      if hasAlpha, layer.mode == 2 || layer.mode == 3 {
        writer.writeU32(form: 0)
        writer.write(1, 1)
      } else if layer.mode == 4 {
        writer.write(1, 1)
      }
      if layer.mode != 0 || !covers { writer.write(layer.source, 2) }
    }
    if isAnimated { writer.writeU32(form: 2, layer.duration, 8) }
    writer.write(isLast ? 1 : 0, 1)
    if !isLast { writer.write(layer.slot, 2) }
    // Not saved before the colour transform, if the header can say so.
    if !isLast, layer.duration == 0 || layer.slot != 0, covers, layer.mode == 0 { writer.write(0, 1) }
    writer.writeU32(form: 0)
    // No filters and no extensions.
    writer.write(0, 1)
    writer.write(0, 1)
    writer.write(0, 2)
    writer.write(0, 2)
    writer.write(0, 2)
  }
}
