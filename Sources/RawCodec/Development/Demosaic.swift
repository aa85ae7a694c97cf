// The choice of a demosaicing method, and pictures that need none.

internal import ImageCoding

/// Turns rows of a mosaic into rows of three planes.
enum Demosaic {
  case directional(DirectionalDemosaic)
  case window(WindowDemosaic)
  case binning(BinningDemosaic)
  /// All samples of a pixel are present: one, or three that are interleaved.
  case none(planeCount: Int, output: [Float])

  /// Adds a row. Returns whether ``output`` holds a new row.
  mutating func append(_ row: Span<Float>) -> Bool {
    switch self {
    case .directional(var method):
      // So that its rows are not shared while they change.
      self = .none(planeCount: 0, output: [])
      let isReady = method.append(row)
      self = .directional(method)
      return isReady
    case .window(var method):
      self = .none(planeCount: 0, output: [])
      let isReady = method.append(row)
      self = .window(method)
      return isReady
    case .binning(var method):
      self = .none(planeCount: 0, output: [])
      let isReady = method.append(row)
      self = .binning(method)
      return isReady
    case .none(let planeCount, var output):
      self = .none(planeCount: 0, output: [])
      let width = row.count / planeCount
      for plane in 0..<planeCount {
        for x in 0..<width { output[plane &* width &+ x] = row[x &* planeCount &+ plane] }
      }
      self = .none(planeCount: planeCount, output: output)
      return true
    }
  }

  /// Continues below the picture. Returns whether ``output`` holds a new row; `nil` after the last.
  mutating func appendReflection() -> Bool? {
    switch self {
    case .directional(var method):
      self = .none(planeCount: 0, output: [])
      let isReady = method.appendReflection()
      self = .directional(method)
      return isReady
    case .window(var method):
      self = .none(planeCount: 0, output: [])
      let isReady = method.appendReflection()
      self = .window(method)
      return isReady
    case .binning, .none: return nil
    }
  }

  /// The last row that was completed.
  var output: [Float] {
    switch self {
    case .directional(let method): method.output
    case .window(let method): method.output
    case .binning(let method): method.output
    case .none(_, let output): output
    }
  }

  /// The work units for a sample of the mosaic.
  var workPerSample: Int {
    switch self {
    case .directional: 60
    case .window: 130
    case .binning: 10
    case .none: 4
    }
  }
}
