// Shaping within the default limits, for tests in which costs do not matter.

import Fonts
import ImageCore
import TextShaping

extension FontFace {
  func shape(
    _ text: [Unicode.Scalar], range: Range<Int>, script: Script, direction: TextDirection, language: String? = nil,
    features: [FontFeature] = []
  ) throws(CodecError) -> [ShapedGlyph] {
    var budget = ResourceBudget(.default)
    return try shape(
      text, range: range, script: script, direction: direction, language: language, features: features,
      budget: &budget)
  }
}

extension FaceSelection {
  mutating func add(_ query: FontQuery) throws(CodecError) -> ListNumber? {
    var budget = ResourceBudget(.default)
    return try add(query, budget: &budget) { (face, _) throws(CodecError) in face }
  }

  mutating func faces(of scalars: [Unicode.Scalar], lists: [ListNumber]) throws(CodecError) -> [FaceNumber] {
    var budget = ResourceBudget(.default)
    return try faces(of: scalars, lists: lists, budget: &budget)
  }
}
