// The descriptions of the errors of pipelines.

import Foundation
import ImageLoading
import Testing

@Suite struct PipelineErrorTests {
  private typealias Failure = ImagePipeline.Error

  private let context = ImageDecodingContext(request: ImageRequest(url: testURL), data: Data(count: 7))
  private let processor = ImageProcessors.GaussianBlur(radius: 3)

  private func decoding(_ error: any Error) -> String {
    Failure.decodingFailed(decoder: ImageDecoders.Default(), context: context, error: error).description
  }

  private func processing(_ error: any Error) -> String {
    let response = ImageResponse(container: ImageContainer(image: PlatformImage()), request: context.request)
    let context = ImageProcessingContext(request: context.request, response: response, isCompleted: true)
    return Failure.processingFailed(processor: processor, context: context, error: error).description
  }

  /// Code written for Nuke searches logs for these words.
  @Test func descriptionsContainNukesWords() {
    let descriptions: [(Failure, String)] = [
      (.dataMissingInCache, "cache"), (.dataLoadingFailed(error: TestError()), "Failed to load image data"),
      (.dataIsEmpty, "empty"), (.decoderNotRegistered(context: context), "No decoders"),
      (.imageRequestMissing, "no image request"), (.pipelineInvalidated, "invalidated"),
      (.dataDownloadExceededMaximumSize, "exceeded"),
    ]
    for (error, words) in descriptions { #expect(error.description.contains(words), "\(error)") }
    #expect(Set(descriptions.map(\.0.description)).count == descriptions.count)
    #expect(Failure.cancelled.description == "The image task was cancelled.")
    #expect(Failure.decoderNotRegistered(context: context).description.contains("7 bytes"))
  }

  @Test func causesAreNamedUnlessUnknown() {
    #expect(decoding(ImageDecodingError.unknown) == "Failed to decode the image using decoder Default.")
    #expect(decoding(TestError()).hasSuffix("Default. Underlying error: TestError()."))
    let truncated = CodecError(.truncated, "the data ends", format: .png)
    #expect(decoding(ImageDecodingError.codec(truncated)).contains("Underlying error: \(truncated)"))
    let failure = "Failed to process the image using processor GaussianBlur(radius: 3)."
    #expect(processing(ImageProcessingError.unknown) == failure)
    #expect(processing(TestError()) == failure + " Underlying error: TestError().")
    #expect(Failure.dataLoadingFailed(error: TestError()).description.hasSuffix("Underlying error: TestError()."))
  }
}
