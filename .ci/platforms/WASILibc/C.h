// The C library of WASI, of which only mathematical functions are in use.

#include "../Mathematics.h"
