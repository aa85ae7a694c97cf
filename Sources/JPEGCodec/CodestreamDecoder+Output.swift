// What comes out: the facts of the headers, the picture as far as it is known, and the finished image.

internal import ImageCore
internal import MetadataFormats

extension CodestreamDecoder {
  /// The headers are complete: the first scan follows.
  mutating func completeHeader(_ frame: FrameHeader) {
    metadata = collector.finished()
    let model = ImageInfo.ColorModel(
      frame: frame, hasJFIF: collector.hasJFIF, adobeTransform: collector.adobeTransform)
    var orientation = ImageOrientation.up
    if let exif = metadata.exif, let stated = ImageOrientation(exif: exif.span) { orientation = stated }
    info = ImageInfo(
      type: JPEGDecoder.type, width: frame.width, height: frame.height, bitDepth: frame.precision, colorModel: model,
      orientation: orientation, colorSpace: metadata.iccProfile.map { .icc($0) } ?? .unspecified,
      isProgressive: frame.process == .progressive, coding: frame.codingName)
  }

  /// The frame at the size at which it is rendered.
  var renderedFrame: FrameHeader? {
    guard let frame, let info else { return nil }
    let target = info.orientation.swapsAxes ? options.targetSize?.transposed : options.targetSize
    return frame.scaled(toEighths: frame.eighths(for: target))
  }

  /// Rows from the top that will not change.
  var completedRowCount: Int {
    if let rows { return rows.reconstruction.writtenRowCount }
    return stage == .finished && stored != nil ? renderedFrame?.height ?? 0 : 0
  }

  /// Completes the pixels once the input is over.
  mutating func finish(into bitmap: inout Bitmap) throws(DecodeError) -> DecodingDetails {
    guard let frame = renderedFrame, let info else {
      throw failure(.truncated, "the input ends before the first scan")
    }
    var isComplete = true
    if let rows {
      bitmap.zeroPixels(rows: rows.reconstruction.writtenRowCount..<frame.height)
      clear(rows.lost, columnsPerUnit: frame.mcuWidth, rowsPerUnit: frame.mcuHeight, frame, &bitmap)
      isComplete = rows.lost.ranges.isEmpty && rows.reconstruction.writtenRowCount == frame.height
    } else {
      try renderStored(into: &bitmap)
      isComplete = stored?.lost.ranges.isEmpty ?? false
    }
    tag(&bitmap, info)
    return DecodingDetails(info: info, metadata: metadata, diagnostics: diagnostics, isComplete: isComplete)
  }

  /// Attaches what the pixels mean and how they are to be shown, and turns them where that was asked for.
  func tag(_ bitmap: inout Bitmap, _ info: ImageInfo) {
    let natural = info.colorModel?.naturalFormat ?? .rgb8
    bitmap.colorSpace = info.colorSpace.applying(from: natural, to: bitmap.format)
    bitmap.orientation = info.orientation
    bitmap = bitmap.handlingOrientation(options.orientation)
  }

  /// Renders what the scans so far tell.
  func renderStored(into bitmap: inout Bitmap) throws(DecodeError) {
    guard let stored, let original = frame, let frame = renderedFrame, let model = info?.colorModel else {
      throw failure(.truncated, "the input ends before the first scan")
    }
    let format = options.pixelFormat ?? model.naturalFormat
    try bitmap.reset(
      width: frame.width, height: frame.height, format: format, limits: options.limits, type: JPEGDecoder.type,
      byteOffset: offset)
    var renderer = StoredRenderer(
      stored, frame: original, rendered: frame,
      smoothsBlocks: smoothsIncompleteScans && frame.process == .progressive)
    var writer = RowWriter(frame: frame, model: model, format: format)
    var written = 0
    for band in 0..<frame.mcuRowCount {
      try options.checkCancellation(format: JPEGDecoder.type)
      renderer.render(band: band, of: stored)
      let isLast = band == frame.mcuRowCount - 1
      let end = isLast ? frame.height : (band + 1) * frame.mcuHeight - writer.delayedRowCount
      writer.write(rows: written..<end, from: &renderer.bands, to: &bitmap)
      written = end
    }
    guard let scan = stored.lostScan else { return }
    let isInterleaved = scan.components.count > 1
    let component = original.components[0]
    // A scan of one component counts its blocks, which cover more of the picture the less they are sampled.
    clear(
      stored.lost,
      columnsPerUnit: isInterleaved ? frame.mcuWidth : frame.mcuWidth / component.horizontalFactor,
      rowsPerUnit: isInterleaved ? frame.mcuHeight : frame.mcuHeight / component.verticalFactor, frame, &bitmap)
  }

  /// Zeroes the pixels of units that were not decoded.
  private func clear(
    _ lost: LostUnits, columnsPerUnit: Int, rowsPerUnit: Int, _ frame: FrameHeader, _ bitmap: inout Bitmap
  ) {
    let unitsPerRow = (frame.width + columnsPerUnit - 1) / columnsPerUnit
    for range in lost.ranges {
      var unit = range.lowerBound
      while unit < range.upperBound {
        let column = unit % unitsPerRow
        let count = min(unitsPerRow - column, range.upperBound - unit)
        let top = unit / unitsPerRow * rowsPerUnit
        let left = column * columnsPerUnit
        if top < frame.height {
          let right = min(left + count * columnsPerUnit, frame.width)
          bitmap.clear(
            PixelRegion(
              x: left, y: top, width: right - left, height: min(rowsPerUnit, frame.height - top)))
        }
        unit += count
      }
    }
  }
}

extension FrameHeader {
  /// The process in the specification's words.
  var codingName: String {
    let name =
      switch marker.rawValue {
      case 0xC0: "baseline"
      case 0xC1, 0xC9: "extended sequential"
      default: "progressive"
      }
    return name + (isArithmetic ? ", arithmetic" : "")
  }
}

extension CodestreamDecoder {
  /// Reads up to the first scan, or as many segments behind the frame header as are there.
  mutating func readInfo(_ bytes: Span<UInt8>) throws(DecodeError) -> ImageInfo {
    stopsAtFirstScan = true
    var unused = Bitmap()
    do {
      try advance(bytes, baseOffset: 0, isFinal: true, into: &unused)
    } catch {
      // Size and coding are known once the frame header is.
      guard error.kind == .truncated, let frame, frame.height > 0 else { throw error }
      completeHeader(frame)
    }
    guard let info else { throw failure(.truncated, "the input ends before the first scan") }
    return info
  }
}
