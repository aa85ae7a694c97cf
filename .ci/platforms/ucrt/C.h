// The C library of Windows, of which only mathematical functions are in use.

#include "../Mathematics.h"
