// The script of each character of a text, as determined by its neighbours (UAX 24, section 5).

extension Script {
  /// Returns the scripts of characters. Within a run of one direction, neutral characters take the script of the
  /// preceding ones or, at the start, of the following ones.
  package static func scripts(of scalars: [Unicode.Scalar], in runs: some Sequence<Range<Int>>) -> [Script] {
    // A fast path for Latin text.
    if scalars.allSatisfy({ $0.value < 0x250 }) { return Array(repeating: .latin, count: scalars.count) }
    var scripts = scalars.map { Script(of: $0) }
    for run in runs {
      var previous = run.lazy.map { scripts[$0] }.first { !$0.isIndefinite } ?? .common
      for index in run {
        if scripts[index].isIndefinite { scripts[index] = previous } else { previous = scripts[index] }
      }
    }
    return scripts
  }
}
