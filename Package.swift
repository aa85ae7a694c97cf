// swift-tools-version: 6.2
import PackageDescription

// Each codec is a product of its own; `ImageCodecs` is the umbrella that sniffs and dispatches.
// Dependencies point one way: ImageCore ← shared formats ← codecs ← ImageCodecs ← tools.

let settings: [SwiftSetting] =
  [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableExperimentalFeature("Lifetimes"),
  ] + (Context.environment["WARNINGS_AS_ERRORS"] == "1" ? [.treatAllWarnings(as: .error)] : [])

func module(_ name: String, path: String? = nil, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, path: path, swiftSettings: settings)
}

func tool(
  _ name: String, path: String, exclude: [String] = [], _ dependencies: [Target.Dependency] = []
) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: path, exclude: exclude, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
  name: "swift-image-codecs",
  // InlineArray needs the 26 releases; Mutex and Span are older.
  platforms: [.macOS(.v26), .iOS(.v26), .tvOS(.v26), .watchOS(.v26), .visionOS(.v26)],
  products: [
    .library(name: "ImageCodecs", targets: ["ImageCodecs"]),
    .library(name: "ImageCore", targets: ["ImageCore"]),
    .library(name: "PNGCodec", targets: ["PNGCodec"]),
    .library(name: "SVGCodec", targets: ["SVGCodec"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0")
  ],
  targets: [
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    module("ImageCore"),
    module("ByteCompression", ["ImageCore", "CZlib"]),
    module("MetadataFormats", ["ImageCore"]),
    module("VectorGraphics", ["ImageCore"]),
    module("PNGCodec", ["ImageCore", "ByteCompression", "MetadataFormats"]),
    module("SVGCodec", ["ImageCore", "ByteCompression", "VectorGraphics"]),
    module("ImageCodecs", ["ImageCore", "PNGCodec"]),
    tests("VectorGraphicsTests", ["VectorGraphics", "ImageCore"]),
    tests("SVGCodecTests", ["SVGCodec", "VectorGraphics", "ImageCore"]),
    tests("PNGCodecTests", ["PNGCodec", "ByteCompression", "ImageCore"]),
  ],
  swiftLanguageModes: [.v6]
)
