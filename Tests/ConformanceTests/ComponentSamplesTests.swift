// The comparison of components: slightly wrong samples fail.

import ConformanceKit
import Testing

@Suite struct ComponentSamplesTests {
  /// A row of a component of 4 × 3 samples of 12 bits.
  private func expected(_ peak: Int, _ meanSquare: Double, isSigned: Bool = false) throws -> ExpectedComponent {
    let table = TabSeparatedTable(
      Array(
        ("component\treduce\twidth\theight\tdepth\tsigned\tsha256\treference\tpeak\tmse\n"
          + "0\t1\t4\t3\t12\t\(isSigned ? 1 : 0)\tabcd\ta.png#1\t\(peak)\t\(meanSquare)\n").utf8))
    return try #require(table.rows.first.flatMap { ExpectedComponent($0) })
  }

  private func samples(_ values: [Int], width: Int = 4, height: Int = 3, isSigned: Bool = false) -> ComponentSamples {
    ComponentSamples(width: width, height: height, depth: 12, isSigned: isSigned, values: values)
  }

  private let flat = [Int](repeating: 100, count: 12)

  private func reference(_ path: String, _ channel: Int) -> [Int]? { path == "a.png" && channel == 1 ? flat : nil }

  @Test func equalHashesPassAndOthersFailWithoutLimits() throws {
    let exact = try expected(0, 0)
    #expect(samples(flat).difference(from: exact, hash: "abcd", reference: reference) == nil)
    #expect(samples(flat).difference(from: exact, hash: "abce", reference: reference) != nil)
  }

  @Test func sizesAndSignsMustAgree() throws {
    let exact = try expected(0, 0)
    #expect(samples(flat, width: 3, height: 4).difference(from: exact, hash: "abcd", reference: reference) != nil)
    #expect(samples(flat, isSigned: true).difference(from: exact, hash: "abcd", reference: reference) != nil)
  }

  @Test func errorsAreLimited() throws {
    var (one, two, many) = (flat, flat, flat)
    one[5] += 2
    two[5] -= 3
    for index in 0..<7 { many[index] += 1 }
    let limits = try expected(2, 0.5)
    #expect(samples(one).difference(from: limits, hash: "", reference: reference) == nil)
    #expect(samples(two).difference(from: limits, hash: "", reference: reference) != nil)
    #expect(samples(many).difference(from: limits, hash: "", reference: reference) != nil)
    #expect(samples(one).difference(from: limits, hash: "", reference: { _, _ in nil }) != nil)
  }

  /// Half the range is added to the samples of references.
  @Test func signedReferencesAreOffset() throws {
    let limits = try expected(1, 1, isSigned: true)
    let values = flat.map { $0 - 2048 }
    #expect(samples(values, isSigned: true).difference(from: limits, hash: "", reference: reference) == nil)
    let wrong = values.map { $0 + 2 }
    #expect(samples(wrong, isSigned: true).difference(from: limits, hash: "", reference: reference) != nil)
  }

  @Test func bytesAreInTwosComplement() {
    #expect(samples([-1, 5, 256, -2048]).bytes == [255, 255, 5, 0, 0, 1, 0, 248])
    let short = ComponentSamples(width: 2, height: 1, depth: 8, isSigned: true, values: [-1, 5])
    #expect(short.bytes == [255, 5])
  }
}
