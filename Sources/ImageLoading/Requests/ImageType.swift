// The name that Nuke's earlier versions have for types.

public import ImageCodecs

/// The former name of `AssetType`.
@available(*, deprecated, renamed: "AssetType")
public typealias ImageType = AssetType
