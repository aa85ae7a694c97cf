// Drawings that exercise the rasteriser, the paint servers and every filter primitive.

/// A drawing and its name.
struct Drawing {
  let name: String
  private let content: String

  var bytes: [UInt8] {
    Array("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 96 64' width='96' height='64'>\(content)</svg>".utf8)
  }

  private static let shapes = """
    <path d='M8 56 C20 4 44 4 50 30 S80 60 90 8' fill='none' stroke='#1a7' stroke-width='5' stroke-linecap='round' \
    stroke-dasharray='9 4'/><circle cx='66' cy='22' r='17.3' fill='#d33' fill-opacity='.6'/>\
    <rect x='11.4' y='9.7' width='30' height='21' rx='6' fill='#25c' stroke='gold' stroke-width='1.3'/>
    """

  private static func filtered(_ name: String, _ primitives: String) -> Drawing {
    Drawing(
      name: name,
      content:
        "<filter id='f' color-interpolation-filters='sRGB'>\(primitives)</filter><g filter='url(#f)'>\(shapes)</g>")
  }

  static let all: [Drawing] = [
    Drawing(name: "shapes", content: shapes),
    Drawing(
      name: "gradients",
      content: """
        <linearGradient id='a' spreadMethod='reflect' x2='.4'><stop stop-color='red'/><stop offset='1' \
        stop-color='#00f' stop-opacity='.2'/></linearGradient><radialGradient id='b' fx='.2' fy='.3'><stop \
        stop-color='#ff0'/><stop offset='.5' stop-color='#0a4'/><stop offset='1' stop-color='#204'/></radialGradient>\
        <rect width='96' height='30' fill='url(#a)'/><ellipse cx='48' cy='45' rx='44' ry='17' fill='url(#b)'/>
        """),
    Drawing(
      name: "pattern and clip",
      content: """
        <pattern id='p' width='9' height='7' patternUnits='userSpaceOnUse' patternTransform='rotate(20)'><circle cx='4' \
        cy='3' r='2.5' fill='#a0f'/></pattern><clipPath id='c'><path d='M48 2 90 60H6Z'/></clipPath>\
        <rect width='96' height='64' fill='url(#p)' clip-path='url(#c)'/>
        """),
    Drawing(
      name: "mask and blending",
      content: """
        <mask id='m'><rect width='96' height='64' fill='#777'/><circle cx='48' cy='32' r='24' fill='#fff'/></mask>\
        <rect width='96' height='64' fill='#fc8'/><g mask='url(#m)' style='mix-blend-mode:luminosity'>\(shapes)</g>\
        <g style='mix-blend-mode:color-dodge' opacity='.7' transform='translate(9 5) skewX(12)'>\(shapes)</g>
        """),
    filtered("blur", "<feGaussianBlur stdDeviation='2.7 .8'/>"),
    filtered("shadow", "<feDropShadow dx='3' dy='2' stdDeviation='1.5' flood-color='#024'/>"),
    filtered("turbulence", "<feTurbulence baseFrequency='.07 .11' numOctaves='3' seed='5' type='fractalNoise'/>"),
    filtered(
      "displacement",
      "<feTurbulence baseFrequency='.05' result='n'/><feDisplacementMap in='SourceGraphic' in2='n' scale='9' xChannelSelector='R' yChannelSelector='G'/>"
    ),
    filtered(
      "lighting",
      "<feSpecularLighting surfaceScale='4' specularExponent='12' lighting-color='#fec'><fePointLight x='20' y='9' z='30'/></feSpecularLighting>"
    ),
    filtered(
      "diffuse lighting",
      "<feDiffuseLighting surfaceScale='3'><feDistantLight azimuth='40' elevation='50'/></feDiffuseLighting>"),
    filtered("morphology", "<feMorphology operator='dilate' radius='2 1'/>"),
    filtered("convolution", "<feConvolveMatrix order='3' kernelMatrix='-1 -1 0 -1 1 1 0 1 1'/>"),
    filtered(
      "colours",
      "<feColorMatrix type='hueRotate' values='75'/><feComponentTransfer><feFuncR type='gamma' exponent='.6'/><feFuncG type='table' tableValues='1 0 .5'/></feComponentTransfer>"
    ),
    filtered(
      "composite",
      "<feFlood flood-color='#08c' result='c'/><feComposite in='SourceGraphic' in2='c' operator='arithmetic' k1='.5' k2='.3' k3='.4' k4='.1'/><feBlend mode='soft-light' in2='SourceGraphic'/><feTile/>"
    ),
  ]
}
