// The loading module: re-exports the codecs, so that code written for Nuke needs one import.

@_exported public import ImageCodecs
