// Filters by name, for command lines and configurations.

extension ResamplingFilter {
  /// Creates the filter with a name: that of the case, or of Pillow's constant, such as `LANCZOS`. Case is ignored. `nil`
  /// if there is none.
  public init?(name: some StringProtocol) {
    let name = name.lowercased()
    switch name {
    case "lanczos", "antialias": self = .lanczos3
    case "linear": self = .bilinear
    case "cubic": self = .bicubic
    default:
      guard let filter = Self(rawValue: name) else { return nil }
      self = filter
    }
  }
}
