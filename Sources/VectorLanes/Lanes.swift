// The 128-bit vectors of the kernels.
//
// The operations are functions of concrete types that all modules can inline. Only those are here that the standard
// library's vectors do not reliably compile to single instructions: a loop over lanes that becomes one instruction in
// a function may stay a loop after inlining. `PortableVector` defines each operation. Kernels/ has it for processors with
// intrinsics, one folder for each instruction set; others run the definition, with which tests compare the instructions.

@usableFromInline package typealias UInt8x16 = SIMD16<UInt8>
@usableFromInline package typealias Int16x8 = SIMD8<Int16>
@usableFromInline package typealias UInt16x8 = SIMD8<UInt16>
@usableFromInline package typealias Int32x4 = SIMD4<Int32>
@usableFromInline package typealias Float32x4 = SIMD4<Float>
