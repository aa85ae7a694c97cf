// The transform of the first coefficients of luma blocks (RFC 6386, section 14.3), forwards.

/// Returns the Walsh-Hadamard transform of the first coefficients of sixteen blocks, with libwebp's rounding.
func forwardWalshHadamard(_ input: [16 of Int32]) -> [16 of Int32] {
  var rows = [16 of Int32](repeating: 0)
  for y in 0..<4 {
    let base = y * 4
    let a0 = input[base] &+ input[base + 2]
    let a1 = input[base + 1] &+ input[base + 3]
    let a2 = input[base + 1] &- input[base + 3]
    let a3 = input[base] &- input[base + 2]
    rows[base] = a0 &+ a1
    rows[base + 1] = a3 &+ a2
    rows[base + 2] = a3 &- a2
    rows[base + 3] = a0 &- a1
  }
  var output = [16 of Int32](repeating: 0)
  for x in 0..<4 {
    let a0 = rows[x] &+ rows[8 + x]
    let a1 = rows[4 + x] &+ rows[12 + x]
    let a2 = rows[4 + x] &- rows[12 + x]
    let a3 = rows[x] &- rows[8 + x]
    output[x] = (a0 &+ a1) &>> 1
    output[4 + x] = (a3 &+ a2) &>> 1
    output[8 + x] = (a3 &- a2) &>> 1
    output[12 + x] = (a0 &- a1) &>> 1
  }
  return output
}
