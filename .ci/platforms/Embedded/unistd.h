// Included by zlib's header, which needs nothing of it.
