// The order of registered closures, and that nothing goes wrong when they come and go.

import FoundationEssentials
import ImageLoading
import TestSupport
import Testing
import Threading

/// A decoder that is known by its name.
private struct NamedDecoder: ImageDecoding {
  let name: String
  func decode(_ data: Data) throws -> ImageContainer { ImageContainer(image: PlatformImage()) }
}

private final class OldStyleDecoder: ImageDecoderRegistering {
  let wasComplete: Bool
  init?(data: Data, context: ImageDecodingContext) {
    if data.first == 0 { return nil }
    wasComplete = true
  }
  init?(partiallyDownloadedData data: Data, context: ImageDecodingContext) { wasComplete = false }
  func decode(_ data: Data) throws -> ImageContainer { ImageContainer(image: PlatformImage()) }
}

private final class CompleteOnlyDecoder: ImageDecoderRegistering {
  init?(data: Data, context: ImageDecodingContext) {}
  func decode(_ data: Data) throws -> ImageContainer { ImageContainer(image: PlatformImage()) }
}

@Suite struct DecoderRegistryTests {
  private let context = ImageDecodingContext(request: ImageRequest(url: nil), data: Data([1]))

  private func name(_ registry: ImageDecoderRegistry) -> String? {
    registry.decoder(for: context).map { ($0 as? NamedDecoder)?.name ?? "\(type(of: $0))" }
  }

  @Test func theDefaultDecoderIsThereFromTheStart() {
    #expect(ImageDecoderRegistry().decoder(for: context) is ImageDecoders.Default)
    #expect(ImageDecoderRegistry.shared.decoder(for: context) != nil)
  }

  @Test func theLastOneRegisteredIsAskedFirstAndMayDecline() {
    let registry = ImageDecoderRegistry()
    registry.register { _ in NamedDecoder(name: "a") }
    registry.register { _ in NamedDecoder(name: "b") }
    registry.register { $0.data.isEmpty ? NamedDecoder(name: "c") : nil }
    #expect(name(registry) == "b")
  }

  @Test func unregisteringGivesWayToTheOneBefore() {
    let registry = ImageDecoderRegistry()
    let first = registry.register { _ in NamedDecoder(name: "a") }
    let second = registry.register { _ in NamedDecoder(name: "b") }
    registry.unregister(second)
    #expect(name(registry) == "a")
    registry.unregister(second)
    #expect(name(registry) == "a")
    registry.unregister(first)
    #expect(name(registry) == "Default")
  }

  @Test func aStaleTokenIsNeverThatOfALaterRegistration() {
    let registry = ImageDecoderRegistry()
    let stale = registry.register { _ in NamedDecoder(name: "a") }
    registry.clear()
    registry.register { _ in NamedDecoder(name: "b") }
    registry.unregister(stale)
    #expect(name(registry) == "b")
  }

  @Test func clearTakesOutTheDefaultDecoderToo() {
    let registry = ImageDecoderRegistry()
    registry.clear()
    #expect(registry.decoder(for: context) == nil)
  }

  @Test func closuresMayUseTheRegistry() {
    let registry = ImageDecoderRegistry()
    registry.register { [unowned registry] _ in
      registry.register { _ in NamedDecoder(name: "inner") }
      return nil
    }
    // The lookup works on what was registered when it began.
    #expect(name(registry) == "Default")
    #expect(name(registry) == "inner")
  }

  @Test func typesAreRegisteredForCompleteAndForPartialData() throws {
    let registry = ImageDecoderRegistry()
    registry.register(OldStyleDecoder.self)
    var context = context
    #expect((registry.decoder(for: context) as? OldStyleDecoder)?.wasComplete == true)
    context.isCompleted = false
    #expect((registry.decoder(for: context) as? OldStyleDecoder)?.wasComplete == false)
    context = ImageDecodingContext(request: context.request, data: Data([0]))
    #expect(registry.decoder(for: context) is ImageDecoders.Default)
  }

  @Test func partialDataIsDeclinedByDefault() {
    let registry = ImageDecoderRegistry()
    registry.register(CompleteOnlyDecoder.self)
    var context = context
    #expect(registry.decoder(for: context) is CompleteOnlyDecoder)
    context.isCompleted = false
    #expect(registry.decoder(for: context) is ImageDecoders.Default)
  }

  @Test func registrationAndLookupFromManyTasks() async {
    let registry = ImageDecoderRegistry()
    let context = context
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for _ in 0..<200 {
            let token = registry.register { _ in task % 2 == 0 ? nil : NamedDecoder(name: "\(task)") }
            #expect(registry.decoder(for: context) != nil)
            registry.unregister(token)
          }
        }
      }
    }
    #expect(registry.decoder(for: context) is ImageDecoders.Default)
  }

  @Test func formatsThatAreRegisteredComeBeforeBuiltInOnes() throws {
    let formats = ImageFormatRegistry()
    let file = ToyDecoder.file(width: 2, height: 2)
    #expect(throws: CodecError.self) { try ImageFile(file, formats: formats).decode().bitmap }
    let token = formats.register(ToyDecoder())
    #expect(try ImageFile(file, formats: formats).decode().bitmap.width == 2)
    #expect(try ImageFile(file, formats: formats).info().type == "org.example.toy")
    formats.register(ToyDecoder(type: "org.example.newer"))
    #expect(try ImageFile(file, formats: formats).info().type == "org.example.newer")
    formats.unregister(token)
    #expect(try ImageFile(file, formats: formats).info().type == "org.example.newer")
    let start = Array("TO".utf8)
    let result = formats.probe(start.span)
    #expect(result == .needs(byteCount: 4))
  }
}

@Suite struct EmptyDecoderTests {
  @Test func theDataIsHandedOn() throws {
    let decoder = ImageDecoders.Empty(assetType: .svg, isProgressive: true)
    let data = Data([1, 2, 3])
    #expect(!decoder.isAsynchronous)
    let container = try decoder.decode(data)
    #expect(container.image.isEmpty && container.type == .svg && container.data == data && !container.isPreview)
    let preview = try #require(decoder.decodePartiallyDownloadedData(data.prefix(1)))
    #expect(preview.isPreview && preview.data == data.prefix(1) && preview.type == .svg)
  }

  @Test func previewsOnlyIfAskedFor() {
    #expect(ImageDecoders.Empty().decodePartiallyDownloadedData(Data([1])) == nil)
  }
}
