// The form of this folder's tables: words with a space between them, in one literal.

/// The words of a table.
struct TableWords {
  let words: [Substring]

  init(_ literal: StaticString) {
    words = literal.description.split(separator: " ")
  }
}
