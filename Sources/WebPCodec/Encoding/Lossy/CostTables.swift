// The tables that rates are looked up in.

/// The tables of costs while a macroblock is encoded.
struct CostTables {
  let levels: [UInt16]
  let ends: [UInt16]
  let fixed: [UInt16]
  let probabilities: [UInt8]
}
