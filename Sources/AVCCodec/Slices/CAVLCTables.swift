// The variable-length codes of CAVLC (section 9.2), as lengths and values of their code words (tables 9-5 to 9-10).

/// Code words of one table: their symbols are their indices.
package struct CodeWords {
  package let lengths: [UInt8]
  package let values: [UInt8]
}

/// The tables of `coeff_token`, by the range of nC: 0…1, 2…3, 4…7, then of DC coefficients of chroma in 4:2:0 and 4:2:2.
/// Symbols are four times the number of coefficients plus that of trailing ones.
package let coefficientTokens: [CodeWords] = [
  CodeWords(
    lengths: [
      1, 0, 0, 0, 6, 2, 0, 0, 8, 6, 3, 0, 9, 8, 7, 5, 10, 9, 8, 6, 11, 10, 9, 7, 13, 11, 10, 8, 13, 13, 11, 9, 13, 13,
      13, 10, 14, 14, 13, 11, 14, 14, 14, 13, 15, 15, 14, 14, 15, 15, 15, 14, 16, 15, 15, 15, 16, 16, 16, 15, 16, 16,
      16, 16, 16, 16, 16, 16,
    ],
    values: [
      1, 0, 0, 0, 5, 1, 0, 0, 7, 4, 1, 0, 7, 6, 5, 3, 7, 6, 5, 3, 7, 6, 5, 4, 15, 6, 5, 4, 11, 14, 5, 4, 8, 10, 13, 4,
      15, 14, 9, 4, 11, 10, 13, 12, 15, 14, 9, 12, 11, 10, 13, 8, 15, 1, 9, 12, 11, 14, 13, 8, 7, 10, 9, 12, 4, 6, 5,
      8,
    ]),
  CodeWords(
    lengths: [
      2, 0, 0, 0, 6, 2, 0, 0, 6, 5, 3, 0, 7, 6, 6, 4, 8, 6, 6, 4, 8, 7, 7, 5, 9, 8, 8, 6, 11, 9, 9, 6, 11, 11, 11, 7,
      12, 11, 11, 9, 12, 12, 12, 11, 12, 12, 12, 11, 13, 13, 13, 12, 13, 13, 13, 13, 13, 14, 13, 13, 14, 14, 14, 13, 14,
      14, 14, 14,
    ],
    values: [
      3, 0, 0, 0, 11, 2, 0, 0, 7, 7, 3, 0, 7, 10, 9, 5, 7, 6, 5, 4, 4, 6, 5, 6, 7, 6, 5, 8, 15, 6, 5, 4, 11, 14, 13, 4,
      15, 10, 9, 4, 11, 14, 13, 12, 8, 10, 9, 8, 15, 14, 13, 12, 11, 10, 9, 12, 7, 11, 6, 8, 9, 8, 10, 1, 7, 6, 5, 4,
    ]),
  CodeWords(
    lengths: [
      4, 0, 0, 0, 6, 4, 0, 0, 6, 5, 4, 0, 6, 5, 5, 4, 7, 5, 5, 4, 7, 5, 5, 4, 7, 6, 6, 4, 7, 6, 6, 4, 8, 7, 7, 5, 8, 8,
      7, 6, 9, 8, 8, 7, 9, 9, 8, 8, 9, 9, 9, 8, 10, 9, 9, 9, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10,
    ],
    values: [
      15, 0, 0, 0, 15, 14, 0, 0, 11, 15, 13, 0, 8, 12, 14, 12, 15, 10, 11, 11, 11, 8, 9, 10, 9, 14, 13, 9, 8, 10, 9, 8,
      15, 14, 13, 13, 11, 14, 10, 12, 15, 10, 13, 12, 11, 14, 9, 12, 8, 10, 13, 8, 13, 7, 9, 12, 9, 12, 11, 10, 5, 8, 7,
      6, 1, 4, 3, 2,
    ]),
  CodeWords(
    lengths: [2, 0, 0, 0, 6, 1, 0, 0, 6, 6, 3, 0, 6, 7, 7, 6, 6, 8, 8, 7],
    values: [1, 0, 0, 0, 7, 1, 0, 0, 4, 6, 1, 0, 3, 3, 2, 5, 2, 3, 2, 0]),
  CodeWords(
    lengths: [
      1, 0, 0, 0, 7, 2, 0, 0, 7, 7, 3, 0, 9, 7, 7, 5, 9, 9, 7, 6, 10, 10, 9, 7, 11, 11, 10, 7, 12, 12, 11, 10, 13, 12,
      12, 11,
    ],
    values: [
      1, 0, 0, 0, 15, 1, 0, 0, 14, 13, 1, 0, 7, 12, 11, 1, 6, 5, 10, 1, 7, 6, 4, 9, 7, 6, 5, 8, 7, 6, 5, 4, 7, 5, 4, 4,
    ]),
]

/// The tables of `total_zeros` by the number of coefficients: of blocks of 15 or 16 coefficients, then of DC
/// coefficients of chroma in 4:2:0 and 4:2:2.
package let totalZeros: [CodeWords] = [
  CodeWords(
    lengths: [1, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 9],
    values: [1, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 1]),
  CodeWords(
    lengths: [3, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 6, 6, 6, 6], values: [7, 6, 5, 4, 3, 5, 4, 3, 2, 3, 2, 3, 2, 1, 0]),
  CodeWords(lengths: [4, 3, 3, 3, 4, 4, 3, 3, 4, 5, 5, 6, 5, 6], values: [5, 7, 6, 5, 4, 3, 4, 3, 2, 3, 2, 1, 1, 0]),
  CodeWords(lengths: [5, 3, 4, 4, 3, 3, 3, 4, 3, 4, 5, 5, 5], values: [3, 7, 5, 4, 6, 5, 4, 3, 3, 2, 2, 1, 0]),
  CodeWords(lengths: [4, 4, 4, 3, 3, 3, 3, 3, 4, 5, 4, 5], values: [5, 4, 3, 7, 6, 5, 4, 3, 2, 1, 1, 0]),
  CodeWords(lengths: [6, 5, 3, 3, 3, 3, 3, 3, 4, 3, 6], values: [1, 1, 7, 6, 5, 4, 3, 2, 1, 1, 0]),
  CodeWords(lengths: [6, 5, 3, 3, 3, 2, 3, 4, 3, 6], values: [1, 1, 5, 4, 3, 3, 2, 1, 1, 0]),
  CodeWords(lengths: [6, 4, 5, 3, 2, 2, 3, 3, 6], values: [1, 1, 1, 3, 3, 2, 2, 1, 0]),
  CodeWords(lengths: [6, 6, 4, 2, 2, 3, 2, 5], values: [1, 0, 1, 3, 2, 1, 1, 1]),
  CodeWords(lengths: [5, 5, 3, 2, 2, 2, 4], values: [1, 0, 1, 3, 2, 1, 1]),
  CodeWords(lengths: [4, 4, 3, 3, 1, 3], values: [0, 1, 1, 2, 1, 3]),
  CodeWords(lengths: [4, 4, 2, 1, 3], values: [0, 1, 1, 1, 1]),
  CodeWords(lengths: [3, 3, 1, 2], values: [0, 1, 1, 1]),
  CodeWords(lengths: [2, 2, 1], values: [0, 1, 1]),
  CodeWords(lengths: [1, 1], values: [0, 1]),
  CodeWords(lengths: [1, 2, 3, 3], values: [1, 1, 1, 0]),
  CodeWords(lengths: [1, 2, 2], values: [1, 1, 0]),
  CodeWords(lengths: [1, 1], values: [1, 0]),
  CodeWords(lengths: [1, 3, 3, 4, 4, 4, 5, 5], values: [1, 2, 3, 2, 3, 1, 1, 0]),
  CodeWords(lengths: [3, 2, 3, 3, 3, 3, 3], values: [0, 1, 1, 4, 5, 6, 7]),
  CodeWords(lengths: [3, 3, 2, 2, 3, 3], values: [0, 1, 1, 2, 6, 7]),
  CodeWords(lengths: [3, 2, 2, 2, 3], values: [6, 0, 1, 2, 7]),
  CodeWords(lengths: [2, 2, 2, 2], values: [0, 1, 2, 3]),
  CodeWords(lengths: [2, 2, 1], values: [0, 1, 1]),
  CodeWords(lengths: [1, 1], values: [0, 1]),
]

/// The tables of `run_before` by the number of zeros that are left, 1…6 and more.
package let runsBefore: [CodeWords] = [
  CodeWords(lengths: [1, 1], values: [1, 0]),
  CodeWords(lengths: [1, 2, 2], values: [1, 1, 0]),
  CodeWords(lengths: [2, 2, 2, 2], values: [3, 2, 1, 0]),
  CodeWords(lengths: [2, 2, 2, 3, 3], values: [3, 2, 1, 1, 0]),
  CodeWords(lengths: [2, 2, 3, 3, 3, 3], values: [3, 2, 3, 2, 1, 0]),
  CodeWords(lengths: [2, 3, 3, 3, 3, 3, 3], values: [3, 0, 1, 3, 2, 5, 4]),
  CodeWords(
    lengths: [3, 3, 3, 3, 3, 3, 3, 4, 5, 6, 7, 8, 9, 10, 11], values: [7, 6, 5, 4, 3, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1]),
]

/// `coded_block_pattern` of intra-coded macroblocks by its code (table 9-4), with and without chroma.
package let codedBlockPatterns: [UInt8] = [
  47, 31, 15, 0, 23, 27, 29, 30, 7, 11, 13, 14, 39, 43, 45, 46, 16, 3, 5, 10, 12, 19, 21, 26, 28, 35, 37, 42, 44, 1, 2,
  4, 8, 17, 18, 20, 24, 6, 9, 22, 25, 32, 33, 34, 36, 40, 38, 41,
]
package let codedBlockPatternsWithoutChroma: [UInt8] = [15, 0, 7, 11, 13, 14, 3, 5, 10, 12, 1, 2, 4, 8, 6, 9]
