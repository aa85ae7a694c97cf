// Selects the face of a family that matches a query best (CSS Fonts 4, 5.2, steps 4a to 4c).

/// The matching within one family.
struct FaceMatching {
  private var candidates: [FaceDescription]

  init(_ candidates: [FaceDescription]) {
    self.candidates = candidates
  }

  /// Returns the best match; `nil` if there are no candidates.
  func best(for query: FontQuery) -> FaceDescription? {
    var matching = self
    matching.keepNearestStretch(query.stretch)
    matching.keepBestStyle(query.style)
    matching.keepNearestWeight(query.weight)
    return matching.candidates.first
  }

  /// For a narrow width, narrower faces are preferred; for a wide one, wider faces.
  private mutating func keepNearestStretch(_ wanted: Double) {
    let prefersNarrower = wanted <= 100
    let best = candidates.map { $0.stretch }.min { a, b in
      let (aIsFirst, bIsFirst) = prefersNarrower ? (a <= wanted, b <= wanted) : (a >= wanted, b >= wanted)
      return aIsFirst == bIsFirst ? abs(a - wanted) < abs(b - wanted) : aIsFirst
    }
    candidates.removeAll { $0.stretch != best }
  }

  private mutating func keepBestStyle(_ wanted: FontStyle) {
    let order: [FontStyle] =
      switch wanted {
      case .italic: [.italic, .oblique, .normal]
      case .oblique: [.oblique, .italic, .normal]
      case .normal: [.normal, .oblique, .italic]
      }
    let best = order.first { style in candidates.contains { $0.style == style } }
    candidates.removeAll { $0.style != best }
  }

  private mutating func keepNearestWeight(_ wanted: Int) {
    let weights = candidates.map { $0.weight }
    let best: Int?
    if weights.contains(wanted) {
      best = wanted
    } else if (400..<450).contains(wanted), weights.contains(500) {
      best = 500
    } else if (450...500).contains(wanted), weights.contains(400) {
      best = 400
    } else {
      let lighter = weights.filter { $0 < wanted }.max()
      let heavier = weights.filter { $0 > wanted }.min()
      best = wanted <= 500 ? lighter ?? heavier : heavier ?? lighter
    }
    candidates.removeAll { $0.weight != best }
  }
}
