// Division by powers of two (section 4.7).

/// `Round2`, which rounds halves up.
func rounded(_ value: Int, _ shift: Int) -> Int {
  shift == 0 ? value : (value + 1 << (shift - 1)) >> shift
}
