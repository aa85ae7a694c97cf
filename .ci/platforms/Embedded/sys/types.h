// The type of <sys/types.h> that zlib's header needs, for platforms without an operating system.

typedef long off_t;
