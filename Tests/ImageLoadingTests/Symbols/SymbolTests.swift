// Compares the symbols that the page about Nuke lists with those that the tests use.

import Foundation
import ImageLoading
import Testing

/// Collects the names of symbols together with uses of them.
struct SymbolUses {
  private(set) var names: [String] = []

  /// Notes a name. That the value compiles is the point.
  mutating func use<Value>(_ name: String, _ value: @autoclosure () -> Value) {
    names.append(name)
  }
}

/// Lets deprecated symbols be used without a warning.
private protocol DeprecatedSymbolUses {
  mutating func useDeprecatedPipeline()
  mutating func useDeprecatedRequests()
}

extension SymbolUses: DeprecatedSymbolUses {}

@Suite struct SymbolTests {
  /// The rows of the tables: symbol, state, remark.
  private static func rows() throws -> [(symbol: String, state: String, remark: String)] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = root.appendingPathComponent("Sources/ImageLoading/COMING-FROM-NUKE.md")
    return try String(contentsOf: page, encoding: .utf8).split(separator: "\n").compactMap { line in
      let cells = line.components(separatedBy: " | ")
      guard cells.count == 3, cells[0].hasPrefix("| `") else { return nil }
      let symbol = cells[0].dropFirst(3).prefix { $0 != "`" }
      return (String(symbol), cells[1], cells[2])
    }
  }

  @Test func everySymbolOfThePageIsUsed() throws {
    var uses = SymbolUses()
    uses.useCodecsSymbols()
    uses.useLoadingSymbols()
    uses.usePipelineSymbols()
    uses.useProcessingSymbols()
    uses.useRequestsSymbols()
    var deprecated: any DeprecatedSymbolUses = uses
    deprecated.useDeprecatedPipeline()
    deprecated.useDeprecatedRequests()
    let used = try #require(deprecated as? SymbolUses).names
    let rows = try Self.rows()
    #expect(used.sorted() == rows.filter { $0.state != "absent" }.map(\.symbol).sorted())
    #expect(rows.count == 460)
    #expect(rows.filter { $0.state == "present" }.count >= 400)
    #expect(Set(rows.map(\.state)) == ["present", "other signature", "absent"])
    // A reason is given for everything that is not as in Nuke.
    #expect(rows.allSatisfy { $0.state == "present" || $0.remark.count > 5 })
  }
}
