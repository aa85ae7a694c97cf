// The bidirectional algorithm against levels from an independent implementation (GNU FriBidi 1.0.8), the examples of
// UAX #9, and the counts of classes that the Unicode Character Database states.

import Testing
import TextShaping

@Suite struct BidiTests {
  private func levels(_ text: [Unicode.Scalar], base: UInt8?) -> [UInt8] {
    BidiLevels(text, baseLevel: base).levels
  }

  /// The characters in the order of display.
  private func display(_ text: String, base: UInt8? = nil) -> String {
    let scalars = Array(text.unicodeScalars)
    var result = String.UnicodeScalarView()
    for run in BidiLevels.visualRuns(levels(scalars, base: base)) {
      result.append(contentsOf: run.level & 1 == 1 ? Array(scalars[run.range].reversed()) : Array(scalars[run.range]))
    }
    return String(result)
  }

  @Test func classCounts() {
    var counts: [BidiClass: Int] = [:]
    for value in UInt32(0)...0x10ffff {
      // Surrogates are left-to-right.
      counts[Unicode.Scalar(value).map { BidiClass($0) } ?? .leftToRight, default: 0] += 1
    }
    // "Total code points" of DerivedBidiClass.txt, Unicode 15.0.
    let expected: [BidiClass: Int] = [
      .leftToRight: 1_096_272, .rightToLeft: 3647, .arabicLetter: 1769, .europeanNumber: 168, .europeanSeparator: 12,
      .europeanTerminator: 92, .arabicNumber: 63, .commonSeparator: 15, .nonspacingMark: 1993, .boundaryNeutral: 4016,
      .paragraphSeparator: 7, .segmentSeparator: 3, .whiteSpace: 17, .otherNeutral: 6029,
    ]
    for kind in BidiClass.allCases { #expect(counts[kind] == expected[kind] ?? 1, "\(kind)") }
  }

  /// Base level, code points, one digit a character; `-` for those that the algorithm removes.
  private static let vectors: [(UInt8, String, String)] = [
    (0, "2069 32 61 202c 62 29 2067 5d1 62 32 5d1 28 61 29 2069 5b", "000-000122112100"),
    (1, "61 5d1 28 5d0 32 28 29 28 5d 62 29 5d0 62 20 29 5b 2c 28", "211121111211211111"),
    (1, "29 663 62c 202b 20 5d1 29 28 202e 20 627 2069 62 32 301 5d0 24 61 5d 301", "121-3333-55555555555"),
    (0, "20 29 29 2b 202c 2069 24 5d 61 20 5b 200f 202c 627 31 5d", "0000-0000001-120"),
    (0, "31 29 2c 5d1 627 21 32 2068 2c 5d0 32 627 5d0 663 28 20 200f 5d 31 5d1", "00011120112112111121"),
    (0, "5d0 5d 61 202c 5d0 627 5d0 28 29 62c 5d0", "100-1111111"),
    (1, "2067 202a 202e 202b 32 32 62 5b 61 61 5d1 5d0 31 61 61 5d0 62 31 61 202e", "1---888888778887888-"),
    (1, "5b 2069 29 24 62 24 2069 24 62c 5d0", "1111211111"),
    (0, "24 20 28 5d1 2069 31 20 2068 301 627 5b 62 202d 28", "000112001112-2"),
    (1, "202a 28 202a 62c 5d1 202c 200f 202d 202b 202c 21 5d1 28 31 61 61 627", "-2-55-3---4444444"),
    (0, "20 2069 663 2069 200f 2069 31 5d1 5d1 5d1 5d1 5b", "002111211110"),
    (1, "2067 31 5b 202c 62 32 20 5d1 2066 663 5b 62 2069 20 2b 21 62 5d0 200f 61 29", "143-44333644333343343"),
    (0, "29 29 24 2069 5d0 28 61 202b 20 62", "0000100-12"),
    (0, "200f 5d1 202e 61 5d1 2c 301 62c 28 202c 61 21 2067 5d 202c 28 202c 2066 5d0", "11-111111-0001-1-13"),
    (0, "28 202e 202a 29 202a 5d0 5d0 5b 62 61 5d 28 24 202a 2066 61 5d0 61 62 663 61 2066", "0--2-55444444-68988a80"),
    (1, "62c 2069 29 5d1 627 2c 202c 2c 627 28 202e 2068 2068 2066 5d1 663 32 32 62c 5d", "111111-111-3469aaa98"),
    (0, "5d1 62c 62 202a 2069 5b 31 627", "110-2223"),
    (0, "5d1 2069 32 24 200f 202c 5d0 663 28 31 5d1 62c 20 61 28 663 61 62c 5b 28", "11221-12121100020100"),
    (1, "200f 202a 2069 62 627 61 202a 627 5d0", "1-2232-55"),
    (0, "32 28 28 2c 62c 627 202b 5d0 2067 627 61 62 627 29", "000011-1134433"),
    (0, "627 62 61 200f 32 2068 5b 61", "10012022"),
    (1, "2069 627 5d0 2069 5b 28 5d1 663 5d", "111111121"),
    (0, "202b 200f 61 61 2c 2069 28 627 663 5d 5d 5d 28 2066 2069 62c 5d1", "-1221111211111111"),
    (0, "5d1 2066 20 5d0 200f 2069 202c 61 5b 2066 663 61 5d 31 2c 2069", "102330-000422220"),
    (0, "61 5d0 627 61 31 62c 200f 62c 61 2066 5d1 5d0 31 62 627", "011001110033423"),
    (1, "2c 61 627 62 32 61 61 62c 5d1 29 28 21 5d", "1212222111111"),
    (0, "20 2c 627 5b 5d0 202c 20 28 663 20 2c 2067 21 29 202c 61", "00111-11200011-2"),
    (0, "61 5d0 31 62 202c 28 5b 5b", "0120-000"),
    (0, "627 2b 61 2069 2067 62 28 21 24 202c 202d 5d1 301 5d1 5d 2b 202d 62 2067 627 61", "100002222--22222-4456"),
    (0, "29 62c 5d 20 5b 5d0 24 24", "01111100"),
    (1, "5d 627 28 2b 2b 62 2066 5d1 2069 2069 61 2b", "111112232221"),
    (1, "32 2068 2069 62 62 21 627 31 29 5b 627 62 31 2c", "21122112111221"),
    (1, "61 61 2c 663 62c 5d0 31 62c 202c 61 21 202c 62 2068 20 2067 627 31", "22121121-22-212234"),
    (1, "200f 29 31 663 627 61 62 202c 627 2069 627 627 28 5d0 31 2069 2066 202c", "1122122-111111211-"),
    (1, "20 61 20 663 21 5b 627 61 2068 5d0 2b 31", "121211121334"),
    (1, "21 2069 627 5d 62c 28 32 5d0 5d0 5d1 2067 2c 5d1 2067", "11111121111331"),
    (0, "5d0 5d0 62 31 62 5d1 627 29 2066 21 32 32 28 31 31 61 627 2069 5d0", "1100011112222222311"),
    (0, "627 627 32 663 2069 202d 202e 61", "11221--3"),
    (1, "20 2067 2b 29 61 32 2068 202c 202d 2069 627 62 5d0 28 5d 2069 20 5b 301", "1133443--3343331111"),
    (1, "28 61 202a 5d1 2068 5b 62c 5d0", "12-32333"),
    (1, "5b 20 62 62 28 29 32 5d1 29 61 62c 2b 2069 5b 2066 24 5d1 627 2069 20 62c 61", "1122222112111112331112"),
    (1, "62 5d1 663 31 2c 20 20 31 32 61 627 202d 61 2c 5d1 301 5d1 2b 627", "21221112221-2222222"),
    (0, "2069 2c 5d0 5d1 32 5d 2069 5d0 32", "001121112"),
    (1, "2069 5d0 61 61 32 2067", "112221"),
    (1, "200f 2069 62c 5d0 2069 21 61 5d 31", "111111222"),
    (1, "663 62 62 62 32 2066 28 301 31 301 62c 202b 62 20 5d1 28", "22222122223-4333"),
    (0, "62c 21 24 5b 627 5b 32 31 2b 202b 61 5d1", "111111221-21"),
    (1, "31 31 2069 61 21 20 2068 627 20 29 202b 2069 61 202c 62 20", "2212222333-22-21"),
    (1, "202b 2068 202c 5d0 2c 61 2069 62c 20 5d0 5d1 202e 2b 202a 29 28 32 5d0", "-3-55633333-5-6667"),
    (0, "5d 24 28 5d0 663 62 62 5b", "00012000"),
    (0, "663 200f 2069 5d0 5d0 2b 2066 5d1 28", "211110032"),
    (0, "627 29 31 21 5d1 627 5d1 5d0 2066 29 62c 32 200f 2c 5d1", "112111110234333"),
    (1, "200f 62 24 202c 202c 2068 61 627 62 5d0 2069 29 2069 31 202e 663 627 202a 2069 62", "122--223232222-33-44"),
    (0, "61 31 61 200f 61 20 2068 202c 202c 32 31 5b", "0001000--222"),
    (1, "61 2c 24 32 202b 5d 5d0 28 5d 32 627 200f", "2222-3333433"),
    (0, "2069 62c 29 31 32 202e 200f 31 5d1 20 5d1 61 2067 663 202c 32 2066 2b 5d0", "01122-11111114-4345"),
    (0, "28 5b 2067 62 5b 31 2c", "0002221"),
    (0, "627 28 2068 62 24 202b 2069 5d1 5d0 2069 2069 24 61 2068 32 2067 5b", "11122-11100000223"),
    (0, "5b 5b 5d1 2b 29 61 2069 5d0 31 5d0 2069 202c 5d0", "00100001211-1"),
    (1, "62 29 28 5b 62c 32 29 663 5d 663 663 61 5b 24 5d1 301", "2111121212221111"),
    (1, "202c 32 61 31 31 202b 2c 5d 61 5d0 2068", "-2222-33431"),
    (1, "62 21 2067 5d 202a 61 61 5b 20 62 5d0 2066 627 202c 202b 20 20 5d1 202c 29 627 62c", "2113-44444547--777-777"),
    (0, "5d0 2c 2068 5d1 627 2c 62c 61 5d0 5d0 2069 5d 2067 5d0 202a 62 28 5b 31 202e", "10011112110001-2222-"),
    (1, "200f 5b 32 202b 627 200f 29 31 301 663 5d0 21 61 202c", "112-333444334-"),
    (0, "5b 200f 29 5d 62c 61 61 5d0 5b 663 28 2067 5d0 5d1 5d", "010010011200111"),
    (0, "61 31 62 31 5d1 29 29", "0000100"),
    (1, "5b 24 5d0 2069 5d1 5d0 62 5b 202e 202a 32 627 61 5b 29 31 5b", "11111122--4544444"),
    (1, "20 627 2067 61 28 32 5d1 61 202a 61 28 2069 5d0 5d1 29 2c 5b 202c 5d0 62c 62c 61", "11144434-44111111-1112"),
    (0, "31 663 2067 62 5d 5d0", "020211"),
    (0, "5d1 61 31 21 20 202d 20 627 28 663 202a 28 627 5b", "10000-2222-454"),
  ]

  @Test func independentLevels() {
    for (base, codes, expected) in Self.vectors {
      let scalars = codes.split(separator: " ").compactMap { UInt32($0, radix: 16).flatMap { Unicode.Scalar($0) } }
      let digits = zip(levels(scalars, base: base), expected).map { level, known in
        known == "-" ? "-" : String(level, radix: 36)
      }
      #expect(digits.joined() == expected, "\(codes)")
    }
  }

  /// UAX #9, section 3.4, with Hebrew letters where the annex has capitals.
  @Test func examplesOfTheAnnex() {
    #expect(display("car means \u{5d0}\u{5d1}.", base: 0) == "car means \u{5d1}\u{5d0}.")
    #expect(display("car \u{5d0}.", base: 1) == ".\u{5d0} car")
    #expect(
      display("he said \u{201c}\u{5d0} 123, \u{5d1}\u{201d}.", base: 0)
        == "he said \u{201c}\u{5d1} ,123 \u{5d0}\u{201d}.")
    #expect(display("\u{5d0}\u{5d1} a1 \u{5d2}") == "\u{5d2} a1 \u{5d1}\u{5d0}")
  }

  @Test func longText() {
    // Each of them is quadratic where a rule looks too far.
    let count = 200_000
    for unit in ["\u{5d0}(", "(\u{5d0})", "\u{2067}", "\u{202b}a", ")", "1$,", "\u{5d0} a"] {
      let text = Array(String(repeating: unit, count: count / unit.unicodeScalars.count).unicodeScalars)
      #expect(levels(text, base: 0).count == text.count)
    }
  }
}
