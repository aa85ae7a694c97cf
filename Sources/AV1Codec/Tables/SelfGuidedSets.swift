// The parameters of the self-guided filter (section 7.17.3).

/// `Sgr_Params`: the radius and the strength of both passes of each set.
let selfGuidedSets: InlineArray<64, UInt8> = [
  2, 12, 1, 4, 2, 15, 1, 6, 2, 18, 1, 8, 2, 21, 1, 9, 2, 24, 1, 10, 2, 29, 1, 11, 2, 36, 1, 12, 2, 45, 1, 13,
  2, 56, 1, 14, 2, 68, 1, 15, 0, 0, 1, 5, 0, 0, 1, 8, 0, 0, 1, 11, 0, 0, 1, 14, 2, 30, 0, 0, 2, 75, 0, 0,
]

/// The radius of a pass of a set; 0 if the set does not have the pass.
func selfGuidedRadius(_ set: Int, pass: Int) -> Int { Int(selfGuidedSets[(set & 15) * 4 + pass * 2]) }
