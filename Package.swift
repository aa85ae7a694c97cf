// swift-tools-version: 6.3
import PackageDescription

// Each codec is a separate product; `ImageCodecs` is the umbrella that sniffs and dispatches.
// Dependencies point one way: ImageCore ← ImageCoding, shared formats ← codecs ← ImageCodecs ← tools.

// The variants that CI builds in addition to the usual one: the kernels of processors without specific vector code, and
// a lock that the thread sanitizer understands.
let conditions: [SwiftSetting] = ["PORTABLE_KERNELS", "THREAD_SANITIZER"]
  .filter { Context.environment[$0] == "1" }.map { .define($0) }

let settings: [SwiftSetting] =
  [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableExperimentalFeature("Lifetimes"),
  ] + (Context.environment["WARNINGS_AS_ERRORS"] == "1" ? [.treatAllWarnings(as: .error)] : []) + conditions

/// The names of test targets, separated by commas, if not all are wanted: some parts of CI need few of them. A name
/// after a minus sign leaves out that target only.
let testTargets = Set(Context.environment["TEST_TARGETS"]?.split(separator: ",").map { String($0) } ?? [])

func isWanted(_ target: Target) -> Bool {
  guard target.type == .test, !testTargets.isEmpty else { return true }
  let isExclusion = testTargets.contains { $0.hasPrefix("-") }
  return isExclusion ? !testTargets.contains("-" + target.name) : testTargets.contains(target.name)
}

func module(_ name: String, path: String? = nil, exclude: [String] = [], _ dependencies: [Target.Dependency] = [])
  -> Target
{
  .target(name: name, dependencies: dependencies, path: path, exclude: exclude, swiftSettings: settings + fuzzFlags)
}

func tool(
  _ name: String, path: String, exclude: [String] = [], _ dependencies: [Target.Dependency] = []
) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: path, exclude: exclude, swiftSettings: settings)
}

/// Tests that take less time to run than to optimise are never optimised, so that a release build takes less time.
func tests(
  _ name: String, exclude: [String] = [], isOptimized: Bool = true, _ dependencies: [Target.Dependency]
) -> Target {
  let flags: [SwiftSetting] =
    isOptimized ? [] : [.unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"], .when(configuration: .release))]
  return .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings + flags)
}

// The fuzzer needs a main of libFuzzer's and flags that must not reach a package that depends on this one: it exists
// only when asked for, as FUZZ=1 swift build --product Fuzz.
let isFuzzing = Context.environment["FUZZ"] == "1"
let fuzzFlags: [SwiftSetting] = isFuzzing ? [.unsafeFlags(["-sanitize=fuzzer", "-parse-as-library"])] : []

/// zlib, if the code of the package is not to be used.
let systemZlib: Target.Dependency = .target(name: "CZlib", condition: .when(traits: ["SystemZlib"]))
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

/// The codecs that the umbrella and the tools bring together.
let codecs: [Target.Dependency] = [
  "PNGCodec", "JPEGCodec", "GIFCodec", "WebPCodec", "ISOMediaCodec", "TIFFCodec", "BMPCodec", "ICOCodec", "ICNSCodec",
  "XBMCodec", "PNMCodec", "TGACodec", "QOICodec", "JPEG2000Codec", "RawCodec",
  "SVGCodec", .target(name: "HEVCCodec", condition: .when(traits: ["HEVC"])),
  .target(name: "AV1Codec", condition: .when(traits: ["AV1"])),
  .target(name: "AVCCodec", condition: .when(traits: ["AVC"])),
  .target(name: "JXLCodec", condition: .when(traits: ["JPEGXL"])),
]

let package = Package(
  name: "swift-image-codecs",
  // InlineArray, the `span` and `mutableSpan` of Array and the `span` of UTF8View need the 26 releases. Mutex needs macOS
  // 15 and iOS 18; Span, MutableSpan and OutputSpan need less.
  platforms: [.macOS(.v26), .iOS(.v26), .tvOS(.v26), .watchOS(.v26), .visionOS(.v26)],
  products: [
    .library(name: "ImageCodecs", targets: ["ImageCodecs"]),
    .library(name: "ImageLoading", targets: ["ImageLoading"]),
    .library(name: "ImageCore", targets: ["ImageCore"]),
    .library(name: "ImageCoding", targets: ["ImageCoding"]),
    .library(name: "MetadataFormats", targets: ["MetadataFormats"]),
    .library(name: "Fonts", targets: ["Fonts"]),
    .library(name: "TextShaping", targets: ["TextShaping"]),
    .library(name: "TextDrawing", targets: ["TextDrawing"]),
    .library(name: "PixelPlanes", targets: ["PixelPlanes"]),
    .library(name: "Resampling", targets: ["Resampling"]),
    .library(name: "Placeholders", targets: ["Placeholders"]),
    .library(name: "ColorManagement", targets: ["ColorManagement"]),
    .library(name: "PNGCodec", targets: ["PNGCodec"]),
    .library(name: "JPEGCodec", targets: ["JPEGCodec"]),
    .library(name: "GIFCodec", targets: ["GIFCodec"]),
    .library(name: "WebPCodec", targets: ["WebPCodec"]),
    .library(name: "ISOMediaCodec", targets: ["ISOMediaCodec"]),
    .library(name: "TIFFCodec", targets: ["TIFFCodec"]),
    .library(name: "BMPCodec", targets: ["BMPCodec"]),
    .library(name: "ICOCodec", targets: ["ICOCodec"]),
    .library(name: "ICNSCodec", targets: ["ICNSCodec"]),
    .library(name: "XBMCodec", targets: ["XBMCodec"]),
    .library(name: "PNMCodec", targets: ["PNMCodec"]),
    .library(name: "TGACodec", targets: ["TGACodec"]),
    .library(name: "QOICodec", targets: ["QOICodec"]),
    .library(name: "SVGCodec", targets: ["SVGCodec"]),
    .library(name: "HEVCCodec", targets: ["HEVCCodec"]),
    .library(name: "AV1Codec", targets: ["AV1Codec"]),
    .library(name: "AVCCodec", targets: ["AVCCodec"]),
    .library(name: "JXLCodec", targets: ["JXLCodec"]),
    .library(name: "JPEG2000Codec", targets: ["JPEG2000Codec"]),
    .library(name: "RawCodec", targets: ["RawCodec"]),
    .executable(name: "imagecodec", targets: ["imagecodec"]),
    .executable(name: "conformance", targets: ["conformance"]),
    .executable(name: "bench", targets: ["bench"]),
  ],
  // Codings that the licence of the source does not cover can be left out; see Sources/HEVCCodec/PATENTS.md
  // and Sources/AVCCodec/PATENTS.md. Where there is no zlib, our own code takes its place.
  traits: [
    .trait(name: "HEVC", description: "Decode HEIC images and other pictures coded as HEVC."),
    .trait(name: "AV1", description: "Decode AVIF images and other pictures coded as AV1."),
    .trait(name: "AVC", description: "Decode the key frames of videos, and images, coded as H.264."),
    .trait(name: "JPEGXL", description: "Decode JPEG XL images."),
    .trait(
      name: "SystemZlib", description: "Use the system's zlib for PNG, TIFF, fonts and SVGZ, instead of our own code."),
    .default(enabledTraits: ["HEVC", "AV1", "AVC", "JPEGXL", "SystemZlib"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0")
  ],
  targets: ([
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib",
      // The SDKs of Apple's platforms contain zlib.
      providers: [.apt(["zlib1g-dev"])]),
    module("Platform"),
    module("Threading"),
    module("VectorLanes"),
    module("ImageCore", ["Threading"]),
    module("ImageCoding", ["Threading", "ImageCore"]),
    module(
      "ByteCompression", exclude: ["Brotli/generate-dictionary.py"],
      ["Threading", "VectorLanes", "ImageCore", systemZlib]),
    module("MetadataFormats", ["ImageCore"]),
    module("PixelPlanes", ["Threading", "VectorLanes", "ImageCoding"]),
    module("Resampling", ["VectorLanes", "ImageCore"]),
    module("ColorManagement", ["Threading", "ImageCore", "MetadataFormats"]),
    module("Placeholders", ["ImageCore", "Resampling"]),
    module("VectorGraphics", ["Threading", "VectorLanes", "ImageCore", "Resampling"]),
    module("Fonts", ["Platform", "Threading", "ImageCore", "ByteCompression", "VectorGraphics"]),
    module(
      "TextShaping", exclude: ["Unicode/generate-tables.py"],
      ["Threading", "ImageCore", "VectorGraphics", "Fonts"]),
    module("TextDrawing", ["ImageCore", "VectorGraphics", "Fonts", "TextShaping"]),
    module("PNGCodec", ["VectorLanes", "ImageCoding", "ByteCompression", "MetadataFormats"]),
    module("JPEGCodec", ["Threading", "VectorLanes", "ImageCoding", "MetadataFormats", "PixelPlanes"]),
    module("GIFCodec", ["Threading", "ImageCoding", "ByteCompression"]),
    module("WebPCodec", ["Threading", "VectorLanes", "ImageCoding", "MetadataFormats", "PixelPlanes"]),
    module("ISOMediaCodec", ["Threading", "PixelPlanes", "ImageCoding", "MetadataFormats"]),
    module("TIFFCodec", ["VectorLanes", "ImageCoding", "ByteCompression", "MetadataFormats"]),
    module("BMPCodec", ["ImageCoding"]),
    module("ICOCodec", ["ImageCoding", "BMPCodec", "Resampling"]),
    module("ICNSCodec", ["ImageCoding"]),
    module("XBMCodec", ["ImageCoding"]),
    module("PNMCodec", ["ImageCoding"]),
    module("TGACodec", ["ImageCoding"]),
    module("QOICodec", ["ImageCoding"]),
    module("NALBitstreams", ["ImageCoding", "PixelPlanes"]),
    module(
      "HEVCCodec", exclude: ["PATENTS.md"],
      ["Threading", "VectorLanes", "ImageCoding", "PixelPlanes", "NALBitstreams"]),
    module(
      "AVCCodec", exclude: ["PATENTS.md", "SUPPORT.md"],
      ["VectorLanes", "ImageCoding", "PixelPlanes", "NALBitstreams"]),
    module(
      "AV1Codec", exclude: ["SUPPORT.md", "Tables/generate-tables.py"],
      ["Threading", "VectorLanes", "ImageCoding", "PixelPlanes"]),
    module(
      "JXLCodec", exclude: ["SUPPORT.md"],
      ["Threading", "VectorLanes", "ImageCoding", "ByteCompression", "MetadataFormats"]),
    module("JPEG2000Codec", exclude: ["SUPPORT.md"], ["Threading", "ImageCoding", "MetadataFormats"]),
    module(
      "RawCodec", exclude: ["SUPPORT.md"], ["ImageCoding", "ByteCompression", "MetadataFormats", "ISOMediaCodec"]),
    module("XMLDocuments", ["ImageCoding", "ByteCompression"]),
    module("CSSStyles", ["Threading", "ImageCoding", "VectorGraphics", "Fonts", "XMLDocuments"]),
    module(
      "SVGCodec", exclude: ["SUPPORT.md"],
      ["Threading", "ImageCoding", "VectorGraphics", "Fonts", "TextShaping", "XMLDocuments", "CSSStyles"]),
    module(
      "ImageCodecs",
      [
        "Platform", "Threading", "ImageCoding", "MetadataFormats", "ColorManagement", "Resampling", "Placeholders",
        "TextDrawing",
      ] + codecs),
    module(
      "ImageLoading", exclude: ["COMING-FROM-NUKE.md"],
      ["Platform", "Threading", "ImageCoding", "VectorGraphics", "ImageCodecs"]),
    tool(
      "imagecodec", path: "Sources/imagecodec",
      [
        "Platform", "Threading", "ImageCodecs", "MetadataFormats", "PixelPlanes", "JPEG2000Codec", "RawCodec",
        argumentParser,
      ]),
    module("ConformanceKit", path: "Conformance/Kit", ["ImageCore"]),
    tool(
      "conformance", path: "Conformance",
      exclude: ["Kit", "Digests", "Cases", "README.md", "COVERAGE.md", "FUZZING.md", "Expectations", "Triggers"],
      [
        "Platform", "ConformanceKit", "ImageCodecs", "ImageCoding", "ByteCompression", "MetadataFormats", "Fonts",
        "PixelPlanes", argumentParser,
      ] + codecs),
    tool("digests", path: "Conformance/Digests", ["Platform", "ImageCodecs", "ImageCoding", "PixelPlanes"]),
    module("CodecPeers", path: "Benchmarks/Peers", []),
    tool(
      "bench", path: "Benchmarks/Bench",
      [
        "CodecPeers", "ConformanceKit", "ImageCodecs", "ImageLoading", "ImageCoding", "PixelPlanes", "Resampling",
        argumentParser,
      ] + codecs
    ),
    module("TestSupport", path: "Tests/TestSupport", ["Platform", "Threading", "ImageCore", "ImageCoding"]),
    tests("ConformanceTests", ["ConformanceKit", "ImageCore"]),
    tests("ImageCoreTests", ["TestSupport", "Threading", "ImageCore"]),
    tests("ImageCodingTests", ["TestSupport", "Threading", "ImageCoding"]),
    tests("ByteCompressionTests", exclude: ["Fixtures"], ["ByteCompression", "ImageCore", "TestSupport"]),
    tests("PlatformTests", ["Platform", "Threading"]),
    tests("ThreadingTests", ["Threading"]),
    tests("VectorLanesTests", ["TestSupport", "VectorLanes"]),
    tests("PixelPlanesTests", ["TestSupport", "PixelPlanes", "ImageCoding"]),
    tests("ResamplingTests", ["TestSupport", "Resampling", "ImageCore"]),
    tests("ColorManagementTests", isOptimized: false, ["TestSupport", "ColorManagement", "ImageCore"]),
    tests("PlaceholdersTests", exclude: ["Fixtures"], ["TestSupport", "Placeholders", "ImageCore"]),
    tests("MetadataFormatsTests", ["MetadataFormats", "ImageCore"]),
    tests("GIFCodecTests", ["TestSupport", "GIFCodec", "ByteCompression", "ImageCoding"]),
    tests("JPEGCodecTests", exclude: ["Fixtures"], ["TestSupport", "JPEGCodec", "ImageCoding"]),
    tests("VectorGraphicsTests", ["TestSupport", "VectorGraphics", "ImageCore"]),
    module("FontTestSupport", path: "Tests/FontTestSupport", ["Fonts", "VectorGraphics", "ImageCore"]),
    tests(
      "FontsTests", exclude: ["Fixtures"],
      ["TestSupport", "FontTestSupport", "Fonts", "VectorGraphics", "ImageCore"]),
    tests(
      "TextShapingTests",
      ["TestSupport", "FontTestSupport", "TextShaping", "Fonts", "VectorGraphics", "ImageCore"]),
    tests("TextDrawingTests", ["TestSupport", "TextDrawing", "TextShaping", "ImageCore"]),
    tests("XMLDocumentsTests", isOptimized: false, ["TestSupport", "XMLDocuments"]),
    tests("CSSStylesTests", isOptimized: false, ["TestSupport", "CSSStyles", "XMLDocuments"]),
    tests(
      "SVGCodecTests", isOptimized: false,
      ["TestSupport", "Threading", "SVGCodec", "VectorGraphics", "Resampling", "ImageCoding"]),
    tests("PNGCodecTests", ["TestSupport", "Threading", "PNGCodec", "ByteCompression", "ImageCoding"]),
    tests(
      "WebPCodecTests", exclude: ["Fixtures"], isOptimized: false,
      ["TestSupport", "Threading", "WebPCodec", "PixelPlanes", "ImageCoding"]),
    tests(
      "ISOMediaCodecTests",
      ["TestSupport", "Threading", "ISOMediaCodec", "JPEGCodec", "PixelPlanes", "ImageCoding"]),
    tests(
      "TIFFCodecTests", exclude: ["Fixtures"],
      ["TestSupport", "TIFFCodec", "JPEGCodec", "ByteCompression", "MetadataFormats", "ImageCoding"]),
    tests("BMPCodecTests", ["TestSupport", "BMPCodec", "JPEGCodec", "PNGCodec", "ImageCoding"]),
    tests("ICOCodecTests", ["TestSupport", "ICOCodec", "PNGCodec", "ImageCoding"]),
    tests("ICNSCodecTests", ["TestSupport", "ICNSCodec", "PNGCodec", "JPEG2000Codec", "ImageCoding"]),
    tests("XBMCodecTests", ["TestSupport", "XBMCodec", "ImageCoding"]),
    tests("PNMCodecTests", ["TestSupport", "PNMCodec", "ImageCoding"]),
    tests("TGACodecTests", ["TestSupport", "TGACodec", "ImageCoding"]),
    tests("QOICodecTests", ["TestSupport", "QOICodec", "ImageCoding"]),
    tests("HEVCCodecTests", exclude: ["Fixtures"], ["TestSupport", "HEVCCodec", "PixelPlanes", "ImageCoding"]),
    tests("AVCCodecTests", exclude: ["Fixtures"], ["TestSupport", "AVCCodec", "PixelPlanes", "ImageCoding"]),
    tests(
      "AV1CodecTests", exclude: ["Fixtures"], ["TestSupport", "Threading", "AV1Codec", "PixelPlanes", "ImageCoding"]),
    tests("JXLCodecTests", isOptimized: false, ["TestSupport", "JXLCodec", "ImageCoding"]),
    tests("JPEG2000CodecTests", ["TestSupport", "JPEG2000Codec", "ImageCoding"]),
    tests("RawCodecTests", ["TestSupport", "RawCodec", "JPEGCodec", "ByteCompression", "ImageCoding"]),
    tests("ImageCodecsTests", isOptimized: false, ["TestSupport", "Threading", "ImageCodecs"]),
    tests("ImageLoadingTests", isOptimized: false, ["TestSupport", "Threading", "ImageLoading"]),
    tests("SeedSamplesTests", ["ImageCodecs", "ImageLoading"]),
    tests("ImageCodecToolTests", isOptimized: false, ["TestSupport", "Platform", "imagecodec", "ImageCodecs"]),
  ]
    + (isFuzzing
      ? [
        .executableTarget(
          name: "Fuzz",
          dependencies: [
            "ImageCodecs", "ImageCoding", "ByteCompression", "MetadataFormats", "ColorManagement", "TextShaping",
            "PixelPlanes", "Resampling", "HEVCCodec", "AV1Codec", "AVCCodec", "JXLCodec",
          ]
            + codecs,
          path: "Benchmarks/Fuzz", swiftSettings: settings + fuzzFlags,
          linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])])
      ] : []))
    .filter(isWanted),
  swiftLanguageModes: [.v6]
)
