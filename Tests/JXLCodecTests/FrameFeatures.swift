// Filters, patches, splines, noise and upsampling of the frames that a simple encoder writes.

/// The features of a frame of three channels that are not in XYB.
struct FrameFeatures {
  /// Whether the default filters are applied.
  var isFiltered = false
  /// The factor of upsampling: 1, 2, 4 or 8.
  var upsampling = 1
  /// The strengths of noise; empty if there is none.
  var noise: [Int] = []
  /// Splines of two points and a colour.
  var splines: [(x: Int, y: Int, dx: Int, dy: Int, color: Int)] = []
  /// The positions of a patch of 9 × 7 samples, and the mode of blending: 1 replaces, 2 adds.
  var patches: [(x: Int, y: Int)] = []
  var patchMode = 2

  /// The flags of the frame.
  var flags: Int { (noise.isEmpty ? 0 : 1) | (patches.isEmpty ? 0 : 2) | (splines.isEmpty ? 0 : 0x10) }

  /// Writes the filters of a frame header.
  func writeFilters(_ writer: inout BitWriter) {
    if isFiltered {
      writer.write(1, 1)
    } else {
      // None, and no extensions.
      writer.write(0, 2)
      writer.write(0, 2)
      writer.write(0, 2)
    }
  }

  /// Writes the frame that patches are copied from, in slot 2.
  func writePatchFrame(_ writer: inout BitWriter) {
    guard !patches.isEmpty else { return }
    // A Modular frame for reference only, neither YCbCr nor upsampled, with a size.
    writer.write(0, 1)
    writer.write(2, 2)
    writer.write(1, 1)
    writer.write(0, 2)
    writer.write(0, 1)
    writer.writeU32(form: 0)
    writer.write(3, 2)
    writer.write(1, 1)
    writer.writeU32(form: 0, 12, 8)
    writer.writeU32(form: 0, 8, 8)
    // The slot, before the colours are transformed; no name, filters and extensions.
    writer.write(2, 2)
    writer.write(1, 1)
    writer.writeU32(form: 0)
    writer.write(0, 1)
    writer.write(0, 1)
    writer.write(0, 2)
    writer.write(0, 2)
    writer.write(0, 2)
    let channels = (0..<3).map { channel in (0..<96).map { ($0 * 37 + channel * 50) % 120 } }
    let frame = ModularFile(width: 12, height: 8, channels: channels)
    ModularFile.writeSections([frame.section.bytes], to: &writer)
  }

  /// Writes the start of the first section.
  func write(_ writer: inout BitWriter) {
    if !patches.isEmpty {
      ModularFile.writeCodes(&writer, contextCount: 10)
      // One rectangle of slot 2 at 3, 1.
      for value in [1, 2, 3, 1, 8, 6, patches.count - 1] { ModularFile.writeValue(&writer, value) }
      for (index, patch) in patches.enumerated() {
        let values =
          index == 0
          ? [patch.x, patch.y]
          : [patch.x - patches[index - 1].x, patch.y - patches[index - 1].y].map(ModularFile.packed)
        for value in values + [patchMode] { ModularFile.writeValue(&writer, value) }
        if patchMode >= 3 { ModularFile.writeValue(&writer, 0) }
      }
    }
    if !splines.isEmpty {
      ModularFile.writeCodes(&writer, contextCount: 6)
      ModularFile.writeValue(&writer, splines.count - 1)
      for (index, spline) in splines.enumerated() {
        let start = index == 0 ? (x: 0, y: 0) : (x: splines[index - 1].x, y: splines[index - 1].y)
        let difference = [spline.x - start.x, spline.y - start.y]
        for value in index == 0 ? difference : difference.map(ModularFile.packed) {
          ModularFile.writeValue(&writer, value)
        }
      }
      ModularFile.writeValue(&writer, 0)
      for spline in splines {
        for value in [1, ModularFile.packed(spline.dx), ModularFile.packed(spline.dy)] {
          ModularFile.writeValue(&writer, value)
        }
        // Constant colours and a constant width.
        for value in [spline.color, spline.color / 2, -spline.color / 3, 9] {
          ModularFile.writeValue(&writer, ModularFile.packed(value))
          for _ in 1..<32 { ModularFile.writeValue(&writer, 0) }
        }
      }
    }
    for strength in noise { writer.write(strength, 10) }
  }
}
