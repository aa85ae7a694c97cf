/* The intrinsics of the compiler for the 128-bit vectors of WebAssembly, which its own modules do not have. They need the
   option -msimd128. Builds that can use them add this folder to the compiler's search paths. */
#include <wasm_simd128.h>
