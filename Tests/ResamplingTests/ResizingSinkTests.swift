// Streamed resizing equals that of the whole bitmap, in little memory; limits and invalid arguments.

import ImageCore
import Resampling
import TestSupport
import Testing

/// Collects rows.
private final class RowCollector: ImageRowSink {
  var image: StreamedImage?
  var bytes: [UInt8] = []

  func begin(_ image: StreamedImage, budget: inout ResourceBudget) throws(CodecError) { self.image = image }
  func append(_ row: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) {
    for index in row.indices { bytes.append(row[index]) }
  }
}

private func stream(_ bitmap: Bitmap, to sink: ResizingSink) throws(CodecError) {
  var budget = ResourceBudget(.default)
  try sink.begin(
    StreamedImage(
      width: bitmap.width, height: bitmap.height, format: bitmap.format, colorSpace: bitmap.colorSpace), budget: &budget
  )
  for y in 0..<bitmap.height { try sink.append(bitmap.row(y), budget: &budget) }
}

@Suite struct ResizingSinkTests {
  @Test(arguments: ResamplingFilter.allCases) func streamingEqualsWhole(_ filter: ResamplingFilter) throws {
    for (index, format) in PixelFormat.all.enumerated() {
      for light in ResamplingLight.allCases {
        let (width, height) = (19 + index % 3, 41 - index % 18)
        let bitmap = try randomBitmap(width, height, format, seed: UInt64(index))
        for (newWidth, newHeight) in [(5, 4), (30, 60), (width, 9), (11, height), (1, 1), (width, height)] {
          var budget = ResourceBudget(.default)
          let whole = try bitmap.resized(toWidth: newWidth, height: newHeight, filter: filter, light: light)
          let sink = ResizingSink(toWidth: newWidth, height: newHeight, filter: filter, light: light)
          try stream(bitmap, to: sink)
          #expect(try sink.finish(budget: &budget).packedPixels == whole.packedPixels)
          let collector = RowCollector()
          let passing = ResizingSink(
            toWidth: newWidth, height: newHeight, filter: filter, light: light, destination: collector)
          try stream(bitmap, to: passing)
          #expect(try passing.finish(budget: &budget).isEmpty)
          #expect(collector.bytes == whole.packedPixels)
          #expect(collector.image?.width == newWidth && collector.image?.height == newHeight)
        }
      }
    }
  }

  @Test(arguments: [PixelFormat.rgb8, .rgb16]) func aThumbnailNeedsFewRows(_ format: PixelFormat) throws {
    // 400 source rows are one target row; the source has 48 MB or 96 MB.
    var budget = ResourceBudget(.default)
    let sink = ResizingSink(toWidth: 10, height: 10)
    try sink.begin(StreamedImage(width: 4000, height: 4000, format: format), budget: &budget)
    let row = [UInt8](repeating: 200, count: 4000 * format.bytesPerPixel)
    for _ in 0..<4000 { try sink.append(row.span, budget: &budget) }
    #expect(try sink.finish(budget: &budget).packedPixels == [UInt8](repeating: 200, count: 100 * format.bytesPerPixel))
    #expect(budget.peakByteCount < 2_000_000)
  }

  @Test func invalidSizes() throws {
    let bitmap = try randomBitmap(3, 3, .rgb8, seed: 1)
    for filter in ResamplingFilter.allCases {
      for (width, height) in [(0, 1), (1, 0), (-1, 5), (5, .min)] {
        #expect { try bitmap.resized(toWidth: width, height: height, filter: filter) } throws: {
          ($0 as? CodecError)?.kind == .invalidArgument
        }
      }
      for (width, height) in [(Int.max, 1), (1, .max), (.max, .max), (1 << 20, 1 << 20)] {
        #expect { try bitmap.resized(toWidth: width, height: height, filter: filter) } throws: {
          ($0 as? CodecError)?.kind == .limitExceeded
        }
        var budget = ResourceBudget(DecodingLimits(maximumPixelCount: .max, maximumSourcePixelCount: .max))
        #expect { try bitmap.resized(toWidth: width, height: height, filter: filter, budget: &budget) } throws: {
          ($0 as? CodecError)?.kind == .limitExceeded
        }
      }
      for width in [Int.max, .max / 4] {
        #expect {
          var budget = ResourceBudget(.unlimited)
          let sink = ResizingSink(toWidth: 1, height: 1, filter: filter)
          try sink.begin(StreamedImage(width: width, height: 1, format: .rgba8), budget: &budget)
        } throws: {
          ($0 as? CodecError)?.kind == .limitExceeded
        }
      }
      #expect { try Bitmap().resized(toWidth: 1, height: 1, filter: filter) } throws: {
        ($0 as? CodecError)?.kind == .invalidArgument
      }
    }
  }

  @Test func memoryAndWorkAreLimited() throws {
    let bitmap = try randomBitmap(64, 64, .rgba8, seed: 2)
    for filter in ResamplingFilter.allCases {
      var budget = ResourceBudget(.default)
      let resized = try bitmap.resized(toWidth: 50, height: 40, filter: filter, budget: &budget)
      #expect(budget.heldByteCount == resized.bytes.count && budget.work > 0)
      let (memory, work) = (budget.peakByteCount, budget.work)
      for (limits, fits) in [
        (DecodingLimits(maximumByteCount: memory), true), (DecodingLimits(maximumByteCount: memory - 1), false),
        (DecodingLimits(maximumWork: work, maximumWorkPerPixel: 0), true),
        (DecodingLimits(maximumWork: work - 1, maximumWorkPerPixel: 0), false),
      ] {
        var limited = ResourceBudget(limits)
        let result = Result { () throws(CodecError) in
          try bitmap.resized(toWidth: 50, height: 40, filter: filter, budget: &limited)
        }
        switch result {
        case .success(let same): #expect(fits && same == resized)
        case .failure(let error): #expect(!fits && error.kind == .limitExceeded && limited.heldByteCount == 0)
        }
      }
    }
    // A wide target row for each row of a tall source costs much more than either has pixels.
    let limits = DecodingLimits(maximumWork: 10_000_000)
    var budget = ResourceBudget(limits)
    let sink = ResizingSink(toWidth: 10_000, height: 100)
    try sink.begin(StreamedImage(width: 1, height: 100_000, format: .gray8), budget: &budget)
    #expect {
      for _ in 0..<100_000 { try sink.append([7].span, budget: &budget) }
    } throws: {
      ($0 as? CodecError)?.kind == .limitExceeded
    }
  }

  @Test func cancellation() throws {
    let bitmap = try randomBitmap(64, 64, .rgba8, seed: 2)
    var budget = ResourceBudget(.default) { true }
    #expect { try bitmap.resized(toWidth: 9, height: 9, budget: &budget) } throws: {
      ($0 as? CodecError)?.kind == .cancelled
    }
  }

  @Test func misuseOfTheSink() throws {
    func isInvalid(_ body: () throws -> Void) {
      #expect {
        try body()
      } throws: {
        ($0 as? CodecError)?.kind == .invalidArgument
      }
    }
    var budget = ResourceBudget(.default)
    let sink = ResizingSink(toWidth: 1, height: 1, filter: .box)
    let row: [UInt8] = [1, 2, 3, 4]
    isInvalid { try sink.append(row.span, budget: &budget) }
    isInvalid { _ = try sink.finish(budget: &budget) }
    isInvalid { try sink.begin(StreamedImage(width: 0, height: 2, format: .gray8), budget: &budget) }
    try sink.begin(StreamedImage(width: 4, height: 2, format: .gray8), budget: &budget)
    isInvalid { try sink.begin(StreamedImage(width: 4, height: 2, format: .gray8), budget: &budget) }
    isInvalid { try sink.append(row.span.extracting(0..<3), budget: &budget) }
    try sink.append(row.span, budget: &budget)
    isInvalid { _ = try sink.finish(budget: &budget) }
    try sink.append(row.span, budget: &budget)
    isInvalid { try sink.append(row.span, budget: &budget) }
    #expect(try sink.finish(budget: &budget).packedPixels == [3])
    #expect(budget.heldByteCount == 1)
  }
}
