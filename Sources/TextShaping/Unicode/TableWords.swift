// The storage format of the tables of words in this folder: space-separated words in one literal.

/// The words of a table.
struct TableWords {
  let words: [Substring]

  init(_ literal: StaticString) {
    words = literal.description.split(separator: " ")
  }
}
