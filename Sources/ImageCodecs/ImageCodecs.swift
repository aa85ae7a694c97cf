@_exported public import ImageCore
