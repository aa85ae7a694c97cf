// Macros for the constants of an enumeration, which the overlay declares.

public var CLOCK_PROCESS_CPUTIME_ID: clockid_t { _CLOCK_PROCESS_CPUTIME_ID }
