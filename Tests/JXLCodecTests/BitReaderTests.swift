// Fields of headers, from bits that a simple writer made.

import Testing

@testable import JXLCodec
