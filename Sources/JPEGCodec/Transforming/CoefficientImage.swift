// A JPEG file decoded to quantised coefficients and no further.

internal import ImageCoding
internal import MetadataFormats

/// The coefficients of a file, and what is needed to write them again.
struct CoefficientImage {
  let frame: FrameHeader
  let orientation: ImageOrientation
  let colorTransform: EncodingFrame.ColorTransform
  private let planes: CoefficientPlanes
  /// The quantisation table of each component.
  private let tables: [QuantizationTable]

  /// Decodes all scans.
  ///
  /// - Throws: `CodecError`, also for damage that a decoder would tolerate.
  init(reading bytes: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) {
    let options = DecodingOptions(limits: budget.limits)
    let core = try DecodingContext.spending(&budget, options, format: JPEGDecoder.type) {
      (context) throws(CodecError) in
      try JPEGCore(readingCoefficientsOf: bytes, &context)
    }
    guard let frame = core.frame, let buffered = core.buffered, let info = core.info else {
      throw core.error(.truncated, "the input ends before the first scan")
    }
    self.frame = frame
    orientation = info.orientation
    switch info.colorModel {
    case .gray: colorTransform = .gray
    case .rgb: colorTransform = .rgb
    case .cmyk: colorTransform = .cmyk
    case .ycck: colorTransform = .ycck
    default: colorTransform = .yCbCr
    }
    planes = buffered.planes
    var tables: [QuantizationTable] = []
    for (index, table) in buffered.quantization.enumerated() {
      guard let table else { throw core.error(.malformed, "a component has no scan") }
      let destination = frame.components[index].quantizationTable
      let others = frame.components.prefix(index).enumerated().filter { $1.quantizationTable == destination }
      guard others.allSatisfy({ tables[$0.offset] == table }) else {
        throw core.error(.unsupported, "components use different tables of one destination")
      }
      tables.append(table)
    }
    self.tables = tables
  }

  /// Returns the coefficients of the result.
  func transformed(
    by geometry: TransformGeometry, to frame: EncodingFrame, _ budget: inout ResourceBudget
  ) throws(CodecError) -> CoefficientStore {
    var store = try CoefficientStore(frame, budget: &budget)
    let places = geometry.places()
    let coefficients = planes.coefficients
    for (index, component) in frame.components.enumerated() {
      let source = self.frame.components[index]
      let plane = planes.planes[index]
      for row in 0..<component.paddedBlockRowCount {
        try budget.chargeWork(count: component.paddedBlocksPerRow, unitsEach: 60)
        for column in 0..<component.blocksPerRow where row < component.blockRowCount {
          let origin = geometry.origin(column: column, row: row, of: component)
          guard origin.column < source.paddedBlocksPerRow, origin.row < source.paddedBlockRowCount else { continue }
          let start = plane.block(row: origin.row, column: origin.column)
          store.store(
            coefficients.span.extracting(start..<start &+ 64),
            movedTo: places.span.extracting(origin.table &* 64..<origin.table &* 64 &+ 64),
            at: store.index(component: index, row: row, column: column))
        }
      }
      store.pad(component: index, component)
    }
    try store.checkRange()
    return store
  }

  /// SOF0, SOF1 or SOF2.
  func frameMarker(isProgressive: Bool) -> Marker {
    // 16-bit quantisation steps are not permitted in baseline files.
    Marker(rawValue: isProgressive ? 0xC2 : tables.contains { $0.isWide } ? 0xC1 : 0xC0)
  }

  /// Appends everything before the frame header.
  func writeHeaders(
    of frame: EncodingFrame, geometry: TransformGeometry, markers: JPEGTransformer.MarkerCopying,
    resetsOrientation: Bool, isTurned: Bool, from bytes: Span<UInt8>, to segments: inout SegmentWriter
  ) throws(CodecError) {
    segments.append(.startOfImage)
    var copier = SegmentCopier(
      size: PixelSize(width: geometry.width, height: geometry.height),
      isResized: geometry.width != self.frame.width || geometry.height != self.frame.height,
      resetsOrientation: resetsOrientation, removesThumbnail: resetsOrientation && isTurned)
    try copier.copy(bytes, markers: markers, colorTransform: colorTransform, to: &segments)
    var written: Set<Int> = []
    for (index, component) in frame.components.enumerated()
    where written.insert(component.quantizationTable).inserted {
      let table = geometry.operation.isTransposed ? tables[index].transposed : tables[index]
      segments.append(table, at: component.quantizationTable)
    }
  }
}

extension QuantizationTable {
  /// The table of a transposed picture.
  fileprivate var transposed: QuantizationTable {
    let natural = naturalSteps
    return QuantizationTable(naturalSteps: (0..<64).map { natural[$0 % 8 * 8 + $0 / 8] })
  }
}

extension CoefficientStore {
  /// Repeats the DC coefficients of the previous blocks in those that only complete MCUs.
  mutating func pad(component index: Int, _ component: EncodingFrame.Component) {
    let (across, down) = (component.horizontalFactor, component.verticalFactor)
    for mcuRow in 0..<component.paddedBlockRowCount / down {
      let isWholeRow = (mcuRow + 1) * down <= component.blockRowCount
      let firstColumn = isWholeRow ? component.blocksPerRow / across * across : 0
      for mcuColumn in firstColumn / across..<component.paddedBlocksPerRow / across {
        var previous: Int16 = 0
        for row in mcuRow * down..<(mcuRow + 1) * down {
          for column in mcuColumn * across..<(mcuColumn + 1) * across {
            let block = self.index(component: index, row: row, column: column)
            if row < component.blockRowCount, column < component.blocksPerRow {
              previous = coefficients[block * 64]
            } else {
              storeDC(previous, at: block)
            }
          }
        }
      }
    }
  }

  /// Throws `CodecError.Kind.encodingFailed` if a coefficient is larger than 8-bit samples yield.
  func checkRange() throws(CodecError) {
    let coefficients = coefficients.span
    for block in masks.indices {
      let start = block &* 64
      var largest: UInt16 = 0
      for index in start &+ 1..<start &+ 64 { largest = max(largest, coefficients[index].magnitude) }
      guard largest <= 1023, coefficients[start].magnitude <= 2047 else {
        throw CodecError(.encodingFailed, "a coefficient is out of range", format: JPEGDecoder.type)
      }
    }
  }
}
