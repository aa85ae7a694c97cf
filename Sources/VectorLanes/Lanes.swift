// The 128-bit vectors of the kernels.
//
// The operations are functions of concrete types that all modules can inline. Only those are here that the standard
// library's vectors do not reliably compile to single instructions: a loop over lanes that becomes one instruction in
// a function may stay a loop after inlining. `PortableVector` defines each operation. Kernels/ has it for processors with
// intrinsics, one folder for each instruction set; others run the definition, with which tests compare the instructions.

@usableFromInline package typealias Bytes = SIMD16<UInt8>
@usableFromInline package typealias Words = SIMD8<Int16>
@usableFromInline package typealias UnsignedWords = SIMD8<UInt16>
@usableFromInline package typealias DoubleWords = SIMD4<Int32>
@usableFromInline package typealias Floats = SIMD4<Float>
