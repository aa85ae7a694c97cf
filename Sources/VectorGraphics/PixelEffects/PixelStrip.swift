// Strips of adjacent lines, for filters that process rows and columns alike. The samples at one place of all lines are
// contiguous, so that processing along the lines is vectorised in both directions, and a strip stays in the cache from
// the first pass to the last.

internal import ImageCore

/// The direction of lines.
enum Axis: Hashable, Sendable {
  case horizontal, vertical
}

/// Adjacent lines of pixels.
struct PixelStrip {
  private static let minimumLineCount = 8
  private static let maximumLineCount = 64
  private static let maximumPixelCount = 1 << 17

  /// The number of lines in a strip for a line length; the last strip of a layer may have fewer.
  static func lineCount(length: Int) -> Int {
    max(minimumLineCount, min(maximumLineCount, maximumPixelCount / max(length, 1)))
  }

  /// The number of lines.
  var lineCount = 0
  /// The number of pixels in a line.
  var length = 0
  /// The samples, place by place along the lines, four bytes per pixel.
  var samples: [UInt8] = []
  /// Storage for the result of a pass over the samples.
  var scratch: [UInt8] = []

  /// The number of bytes of all lines at one place.
  var stride: Int { lineCount * 4 }

  /// Allocates room for a strip, leaving the samples unspecified.
  mutating func resize(lineCount: Int, length: Int) {
    self.lineCount = lineCount
    self.length = length
    let count = lineCount * length * 4
    if samples.count != count {
      samples = [UInt8](repeating: 0, count: count)
      scratch = [UInt8](repeating: 0, count: count)
    }
  }

  /// Moves samples and scratch out of the strip, so that both can be used at the same time. The strip has none until
  /// they are returned.
  mutating func takeSamples() -> (samples: [UInt8], scratch: [UInt8]) {
    let taken = (samples, scratch)
    samples = []
    scratch = []
    return taken
  }

  /// Returns samples and scratch to the strip.
  mutating func giveBack(_ samples: consuming [UInt8], _ scratch: consuming [UInt8]) {
    self.samples = samples
    self.scratch = scratch
  }
}

extension Layer {
  /// Calls `body` to update each strip; transparent strips are skipped.
  mutating func updateStrips(
    along axis: Axis, _ interruption: Interruption, _ body: (inout PixelStrip) -> Void
  ) throws(CodecError) {
    let width = bounds.width
    let height = bounds.height
    let lineTotal = axis == .vertical ? width : height
    let length = axis == .vertical ? height : width
    var strip = PixelStrip()
    let lineCount = PixelStrip.lineCount(length: length)
    var first = 0
    while first < lineTotal {
      try interruption.check()
      let count = min(lineCount, lineTotal - first)
      strip.resize(lineCount: count, length: length)
      let isEmpty =
        axis == .vertical
        ? gatherColumns(first, width, &strip) : gatherRows(first, width, &strip)
      if !isEmpty {
        body(&strip)
        if axis == .vertical {
          scatterColumns(first, width, strip)
        } else {
          scatterRows(first, width, strip)
        }
      }
      first += count
    }
  }

  /// Whether all pixels are transparent.
  private func gatherColumns(_ first: Int, _ width: Int, _ strip: inout PixelStrip) -> Bool {
    let source = pixelWords(of: pixels.span)
    let count = strip.lineCount
    let length = strip.length
    return withPixelWords(&strip.samples) { target in
      var all: UInt32 = 0
      for y in 0..<length {
        let from = source.extracting(y &* width &+ first..<y &* width &+ first &+ count)
        var to = target._mutatingExtracting(y &* count..<y &* count &+ count)
        for index in to.indices {
          let word = from[index]
          all |= word
          to[index] = word
        }
      }
      return all == 0
    }
  }

  private mutating func scatterColumns(_ first: Int, _ width: Int, _ strip: PixelStrip) {
    let source = pixelWords(of: strip.samples.span)
    let count = strip.lineCount
    withPixelWords(&pixels) { target in
      for y in 0..<strip.length {
        let from = source.extracting(y &* count..<y &* count &+ count)
        var to = target._mutatingExtracting(y &* width &+ first..<y &* width &+ first &+ count)
        for index in to.indices { to[index] = from[index] }
      }
    }
  }

  private func gatherRows(_ first: Int, _ width: Int, _ strip: inout PixelStrip) -> Bool {
    let source = pixelWords(of: pixels.span)
    let count = strip.lineCount
    return withPixelWords(&strip.samples) { target in
      var all: UInt32 = 0
      for line in 0..<count {
        let from = source.extracting((first &+ line) &* width..<(first &+ line &+ 1) &* width)
        var place = line
        for index in from.indices {
          let word = from[index]
          all |= word
          target[place] = word
          place &+= count
        }
      }
      return all == 0
    }
  }

  private mutating func scatterRows(_ first: Int, _ width: Int, _ strip: PixelStrip) {
    let source = pixelWords(of: strip.samples.span)
    let count = strip.lineCount
    withPixelWords(&pixels) { target in
      for line in 0..<count {
        var to = target._mutatingExtracting((first &+ line) &* width..<(first &+ line &+ 1) &* width)
        var place = line
        for index in to.indices {
          to[index] = source[place]
          place &+= count
        }
      }
    }
  }
}
