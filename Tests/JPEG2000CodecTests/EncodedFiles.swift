// Small files written by OpenJPEG's encoder, and the pictures that they were made from.

import ImageCore

/// Files of 13 × 9 pixels.
enum EncodedFiles {
  static let width = 13
  static let height = 9

  /// The pixels of the grey files.
  static let gray: [UInt8] = (0..<width * height).map { index in
    let (x, y) = (index % width, index / width)
    return UInt8(truncatingIfNeeded: x * 19 + y * 7 + x * y % 11 * 3)
  }

  /// The pixels of the colour files.
  static let rgb: [UInt8] = (0..<width * height * 3).map { index in
    let (x, y) = (index / 3 % width, index / 3 / width)
    let values: [Int] = [x * 17 + y * 3, x * 5 + y * 23, x * y * 3]
    return UInt8(truncatingIfNeeded: values[index % 3])
  }

  /// The lossless grey files.
  static let grayFiles = [plain, bypass, allStyles, tiles]

  /// Three resolutions, no option.
  static let plain = bytes(
    """
    /0//UQApAAAAAAANAAAACQAAAAAAAAAAAAAADQAAAAkAAAAAAAAAAAABBwEB/1IADAAAAAEAAgQEAAH/XAAKQEBISFBISFD/ZAAlAAFDcmVh\
    dGVkIGJ5IE9wZW5KUEVHIHZlcnNpb24gMi41LjD/kAAKAAAAAACKAAH/k9+AgAaJU2hx9SYlSyejxLHDlH/PwCY+0Hg+oGAYTmmb3nQODjkY\
    LY6qtaO0Eq1qp4Rwz8BmPtF4/ARALcV1UKXCmF5lg0JQA5d6whny47nbn+uiPy9/EY8FkZs7zeIwPdo7R5OqlcpGael/LwN1Iv9OK27c6b4D\
    pkHBKaL/2Q==
    """)

  /// Selective arithmetic coding bypass.
  static let bypass = bytes(
    """
    /0//UQApAAAAAAANAAAACQAAAAAAAAAAAAAADQAAAAkAAAAAAAAAAAABBwEB/1IADAAAAAEAAQQEAQH/XAAHQEBISFD/ZAAlAAFDcmVhdGVk\
    IGJ5IE9wZW5KUEVHIHZlcnNpb24gMi41LjD/kAAKAAAAAACyAAH/k9+BNUqVKhIKyvQlR+EE7/s3OURXst41yH/wcInG0v9/s2ySWpr/f15q\
    T8gK/38hsedKCv9/z8BKJSqRR9otSiRR+AlEaNGgLcV1UKXCmF5/XAkYAv9/FxB2ERVnNNfJwgr/fwJCENH/fy9/EY8FkZs7zeI/ZSPMGip/\
    D41X0P9/ARfEBf9/LwN1Iv9OK27fMxWhQv9/AAAA/38AAAD/fwBygP9//9k=
    """)

  /// All code-block styles of Part 1.
  static let allStyles = bytes(
    """
    /0//UQApAAAAAAANAAAACQAAAAAAAAAAAAAADQAAAAkAAAAAAAAAAAABBwEB/1IADAAAAAEAAQQEPwH/XAAHQEBISFD/ZAAlAAFDcmVhdGVk\
    IGJ5IE9wZW5KUEVHIHZlcnNpb24gMi41LjD/kAAKAAAAAADVAAH/k9+CUqMqEwmkUikSCsr2zS825DVMr7TLvGKjGonRtpEWMBId3LbxHCJx\
    tLa1Nsklqaq2XmpPyAq2IbHnSgq2z8DJJJJjJaSZMMfaZJJbKaKZLMfgRKJUJaJRKJRALcUTngB5i3B5IAAZ2Z/xXAkZAK0XEHLCIgQzNNbk\
    4QW2AkhCGiq2L348mKxfHDQhDtsciNVHi/llI8pg0TUPimq+hbYCIviAti7UcAA1H5tWHcW22+/7cJczFZWFCrYAAAC2AAAAtgBygLb/2Q==
    """)

  /// Three layers in the order of resolutions and positions, with SOP and EPH.
  static let layers = bytes(
    """
    /0//UQApAAAAAAANAAAACQAAAAAAAAAAAAAADQAAAAkAAAAAAAAAAAABBwEB/1IADAYCAAMAAgQEAAH/XAAKQEBISFBISFD/ZAAlAAFDcmVh\
    dGVkIGJ5IE9wZW5KUEVHIHZlcnNpb24gMi41LjD/kAAKAAAAAADYAAH/k/+RAAQAAID/kv+RAAQAAYD/kv+RAAQAAt+AgP+SBolTaHH1JiVL\
    J6PEscOUf/+RAAQAA4D/kv+RAAQABID/kv+RAAQABc/AJj7QeD6gYP+SGE5pm950Dg45GC2OqrWjtBKtaqeEcP+RAAQABoD/kv+RAAQAB4D/\
    kv+RAAQACM/AZj7RePwEQP+SLcV1UKXCmF5lg0JQA5d6whny47nbn+uiPy9/EY8FkZs7zeIwPdo7R5OqlcpGael/LwN1Iv9OK27c6b4DpkHB\
    KaL/2Q==
    """)

  /// Tiles with offsets, in the order of positions.
  static let tiles = bytes(
    """
    /0//UQApAAAAAAAQAAAACgAAAAMAAAABAAAACAAAAAgAAAABAAAAAQABBwEB/1IADAADAAEAAQQEAAH/XAAHQEBISFD/ZAAlAAFDcmVhdGVk\
    IGJ5IE9wZW5KUEVHIHZlcnNpb24gMi41LjD/kAAKAAAAAABDAAH/k8+0NBEliKjNxrRp/NSppl/D6gqD5xUD5xAGYETPHcb9VqKRF2BKZ9OV\
    ZmVDzxp0MuMq5F3f/5AACgABAAAAVAAB/5PfgHAZ0EnZ2PT50gLmuUwpV8/ASj7QyPwDgB/3IH5VgIqxXpvZj9/ojU4CCx9NbG6QgkVIYY/i\
    myDGqKrtpYBZqogwcZO3/5AACgACAAAAHAAB/5PH2gkPtBAFeQfnByNuX/+QAAoAAwAAAB8AAf+T35gs/MGACwZdePcNhvB78X//2Q==
    """)

  /// A file of three components with the reversible component transform.
  static let color = bytes(
    """
    AAAADGpQICANCocKAAAAFGZ0eXBqcDIgAAAAAGpwMiAAAAAtanAyaAAAABZpaGRyAAAACQAAAA0AAwcHAAAAAAAPY29scgEAAAAAABAAAAEV\
    anAyY/9P/1EALwAAAAAADQAAAAkAAAAAAAAAAAAAAA0AAAAJAAAAAAAAAAAAAwcBAQcBAQcBAf9SAAwAAAABAQEEBAAB/1wAB0BASEhQ/2QA\
    JQABQ3JlYXRlZCBieSBPcGVuSlBFRyB2ZXJzaW9uIDIuNS4w/5AACgAAAAAAmgAB/5PfgRgSHX1gAqzJ4zZh6SC7MXO+OMVuEr932lGuhGoq\
    +/tbLGZ7R9+A8AFgX2Wn2C2IPpv+MtmmRAwj7+BCPykzXpipFL/Sv9+AyDGGWienh7W6FHu/JWXfTgzV5gvYCMLpij/B84SH1AkD5wRMnjt/\
    M9q9Ly64x9oJPwBYfaBgTJ47jzPavS+/LrkvgP/Z
    """)

  /// A file with the 9/7 wavelet and the irreversible component transform.
  static let lossyColor = bytes(
    """
    AAAADGpQICANCocKAAAAFGZ0eXBqcDIgAAAAAGpwMiAAAAAtanAyaAAAABZpaGRyAAAACQAAAA0AAwcHAAAAAAAPY29scgEAAAAAABAAAACp\
    anAyY/9P/1EALwAAAAAADQAAAAkAAAAAAAAAAAAAAA0AAAAJAAAAAAAAAAAAAwcBAQcBAQcBAf9SAAwAAAABAQEEBAAA/1wAC0JIJFfTV9NX\
    Yv9kACUAAUNyZWF0ZWQgYnkgT3BlbkpQRUcgdmVyc2lvbiAyLjUuMP+QAAoAAAAAACoAAf+TziwRHcIkKJkPOjpLV88SVuxCK3hoTLCFgICA\
    gP/Z
    """)

  /// The pixels that OpenJPEG decodes the lossy file to.
  static let lossyPixels = bytes(
    """
    CgoKBwYOCAcQGx4ILTYAKzMAKTEBOkcAS14AR1oARlgAansRhpcwHBoiFxcUFhoFKjEKPkcROUEONT0LTVgVZnMfZXIgYm8ecoEgfpAhMS85\
    LTAbLTYAQEkPU1woTlYjS1MgaHA+ho5diI9kg4tdf406fY8eLTAeMzkXPUYRRE0XTVUiXGQwa3NAeIBNgYpWgIhXf4dVjZhSmKZQKTEAO0MR\
    UFgoS1MiSVIeaHA9ho9bhY5YfYZPeIFKeoNMnKVwuMCNNUIATlwJbXora3U4Zm1AcnpJgIlTjZNsl5uCk5d+k5d8srSmy8zJSFkAZHYGhpgq\
    iJVHg4pde4NReoNMl5uCtbS6tLK5sK+yxsTN19XjbX4SeIobhpgqhJQyg5A+jZhSnKRvtbiky8rSy8jcyMbR0Nmh1ud7hpcwg5QtgJApe40d\
    fY8emKZRuMCNy86619bZ2NXr1dTf0+V00fQe
    """)

  private static func bytes(_ text: String) -> [UInt8] { Base64.decode(text.utf8.span) ?? [] }
}
