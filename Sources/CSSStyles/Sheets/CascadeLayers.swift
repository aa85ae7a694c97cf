// Cascade layers (CSS Cascade 5, section 6.4): a tree of names in the order of their first use.

/// The layers of a document's style sheets.
struct CascadeLayers: Sendable {
  private struct Layer {
    var name: [UInt8]
    var parent: Int
  }

  /// The maximum number of layers; further ones are joined with the last one.
  private static let maximumCount = 10_000
  /// The layer of rules outside any `@layer`.
  static let none = -1

  private var layers: [Layer] = []
  private var indices: [Key: Int] = [:]

  private struct Key: Hashable {
    var name: [UInt8]
    var parent: Int
  }

  /// Returns the layer of a name such as `base.forms` in another layer. An empty name creates an anonymous layer.
  mutating func layer(_ name: [UInt8], in parent: Int) -> Int {
    var current = parent
    let parts = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: true)
    if parts.isEmpty { return add([], to: current) }
    for part in parts {
      let key = Key(name: Array(part), parent: current)
      if let known = indices[key] {
        current = known
      } else {
        current = add(key.name, to: current)
        indices[key] = current
      }
    }
    return current
  }

  private mutating func add(_ name: [UInt8], to parent: Int) -> Int {
    guard layers.count < Self.maximumCount else { return layers.count - 1 }
    layers.append(Layer(name: name, parent: parent))
    return layers.count - 1
  }

  /// Returns the precedence of each layer: those inside a layer precede its own rules, which precede later layers.
  func ordinals() -> [Int32] {
    var children: [[Int]] = Array(repeating: [], count: layers.count)
    var roots: [Int] = []
    for (index, layer) in layers.enumerated() {
      if layer.parent >= 0 { children[layer.parent].append(index) } else { roots.append(index) }
    }
    var ordinals = [Int32](repeating: 0, count: layers.count)
    var count: Int32 = 0
    var stack = roots.reversed().map { (layer: $0, isEntered: false) }
    while let top = stack.popLast() {
      if top.isEntered {
        ordinals[top.layer] = count
        count += 1
      } else {
        stack.append((top.layer, true))
        stack += children[top.layer].reversed().map { ($0, false) }
      }
    }
    return ordinals
  }
}
