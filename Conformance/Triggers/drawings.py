"""SVG documents of a few elements, which together use what the reader supports: seeds of the fuzzer."""

import base64

import png

PICTURE = "data:image/png;base64," + base64.b64encode(png.png(width=4, height=3)).decode()
RECT = "<rect x='2' y='2' width='16' height='12' "
FILTERS = [
    "<feGaussianBlur in='SourceAlpha' stdDeviation='1 .5' edgeMode='none' result='b'/><feBlend in2='b' mode='multiply'/>",
    "<feColorMatrix type='matrix' values='1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1 0'/><feColorMatrix type='hueRotate' "
    "values='90'/>",
    "<feColorMatrix type='saturate' values='.5'/><feColorMatrix type='luminanceToAlpha'/>",
    "<feComponentTransfer><feFuncR type='table' tableValues='0 1 0'/><feFuncG type='discrete' tableValues='0 1'/>"
    "<feFuncB type='gamma' amplitude='2' exponent='3' offset='.1'/><feFuncA type='linear' slope='.5' intercept='.2'/>"
    "</feComponentTransfer>",
    "<feFlood flood-color='red' flood-opacity='.5' x='1' y='1' width='3' height='3'/><feComposite in2='SourceGraphic' "
    "operator='arithmetic' k1='.1' k2='.2' k3='.3' k4='.4'/><feTile/><feOffset dx='2' dy='1'/>",
    "<feConvolveMatrix order='3 2' kernelMatrix='1 2 1 0 1 0' divisor='3' bias='.1' targetX='1' edgeMode='wrap' "
    "preserveAlpha='true'/>",
    "<feDiffuseLighting surfaceScale='2' kernelUnitLength='1'><feDistantLight azimuth='30' "
    "elevation='40'/></feDiffuseLighting>",
    "<feSpecularLighting specularExponent='9' specularConstant='2' lighting-color='lime'><fePointLight x='1' y='2' z='9'/>"
    "</feSpecularLighting>",
    "<feSpecularLighting><feSpotLight x='1' y='2' z='9' pointsAtX='5' pointsAtY='5' "
    "limitingConeAngle='30'/></feSpecularLighting>",
    "<feMorphology operator='dilate' radius='1 2'/><feMerge><feMergeNode in='FillPaint'/><feMergeNode/></feMerge>",
    "<feTurbulence type='fractalNoise' baseFrequency='.1 .2' numOctaves='2' seed='3' stitchTiles='stitch' result='n'/>"
    "<feDisplacementMap in='SourceGraphic' in2='n' scale='5' xChannelSelector='R' yChannelSelector='A'/>",
    f"<feImage href='{PICTURE}' preserveAspectRatio='xMidYMax slice'/><feDropShadow dx='1' dy='1' flood-color='blue'/>",
    "<feImage href='#r' x='1' y='1'/><feComposite in2='SourceAlpha' operator='xor'/>",
]
SHAPES = [
    "circle(40% at left 3px)", "ellipse(closest-side farthest-side at center)", "inset(10% 2px round 3px / 20%)",
    "polygon(evenodd, 0 0, 100% 0, 50% 100%)", "path(nonzero, 'M0 0h9v9z')", "rect(1px auto 90% 0 round 2px)",
    "xywh(1px 1px 50% 60%)",
    "shape(from 0 0, line to 9px 0, curve to 9px 9px with 3px 3px / 5px 5px, arc by 2px 2px of 3px "
    "small cw rotate 20deg, smooth to 1px 9px, hline to 2px, vline by 1px, close) stroke-box", "view-box circle()",
]
PICTURES = [
    "linear-gradient(to top left, red, 30%, blue 80%)",
    "repeating-linear-gradient(30deg in oklch longer hue, red 0 2px, lime 4px)",
    "radial-gradient(circle closest-corner at 3px 20%, #123, hsl(120deg 50% 50% / .5))",
    "repeating-radial-gradient(ellipse 3px 4px, red, blue 50%)",
    "conic-gradient(from 30deg at 20% 30% in hsl, red, lime 40deg, blue)", f"url({PICTURE})",
    "image-set(url(a.png) 1x, linear-gradient(red, blue) 2x)",
    "cross-fade(url(a.png), red 30%)", "repeating-conic-gradient(red 0 10%, #0000 0 20%)",
]
COLORS = [
    "rgb(10 20% none / .5)", "rgba(1,2,3,4%)", "hsla(20,30%,40%,.5)", "hwb(120 10% 20%)", "lab(50% 20 -30)",
    "lch(50 30 1turn)", "oklab(.5 .1 -.1)",
    "oklch(50% .2 200grad / 20%)", "color(display-p3 1 .5 0)", "color(xyz-d50 .1 .2 .3)", "color(rec2020 1 1 0)",
    "color(prophoto-rgb 0 1 0)",
    "color(a98-rgb .1 .2 .3)", "color-mix(in oklab, red 30%, blue)", "color-mix(in lch shorter hue, red, currentColor 20%)",
    "rgb(from red r calc(g + 20) b / alpha)", "oklch(from lime l c calc(h * 2))", "light-dark(red, blue)", "rebeccapurple",
    "transparent", "#12345678",
    "color(from red srgb-linear r g b)", "ButtonFace",
]
TRANSFORMS = [
    "rotate(20deg) translate(2px, 10%) scale(1.5) skewX(10deg)", "matrix(1, .2, .3, 1, 2, 3)",
    "rotate3d(1, 1, 0, 40deg) translateZ(2px)",
    "perspective(30px) rotateY(20deg)", "matrix3d(1,0,0,0,0,1,0,0,0,0,1,.01,1,2,3,1)", "scale3d(1, 2, 3) rotateX(.1turn)",
    "skew(1rad, 10grad)",
]
ANIMATIONS = [
    "<animate attributeName='width' values='1;5;9' keyTimes='0;.5;1' calcMode='spline' keySplines='.1 .2 .3 1;0 0 1 "
    "1' dur='2s' begin='-1s' additive='sum'/>",
    "<animate attributeName='fill' from='red' to='blue' dur='1s' begin='-0.3s' repeatCount='2.5' accumulate='sum' "
    "fill='freeze'/>",
    "<animate attributeName='x' by='5' dur='1s' begin='a.end-2s;-1s' id='a' min='1s' max='3s' restart='whenNotActive' "
    "end='5s'/>",
    "<animateTransform attributeName='transform' type='rotate' from='0 3 3' to='90 5 5' dur='4s' begin='-1s'/>",
    "<animateTransform attributeName='transform' type='scale' values='1;2 3' dur='4s' begin='-1s' additive='sum'/>",
    "<animateMotion path='M0 0C5 5 9 0 12 12' dur='3s' begin='-1s' rotate='auto-reverse' keyPoints='0;1' "
    "keyTimes='0;1' calcMode='linear'/>",
    "<animateMotion dur='3s' begin='-2s' calcMode='paced'><mpath href='#p'/></animateMotion>",
    "<set attributeName='display' to='none' begin='3s'/>",
    "<set attributeName='visibility' to='hidden' begin='-1s' dur='indefinite'/>",
    "<animate attributeName='points' values='0 0 3 3;1 1 4 4' dur='1s' begin='-.4s'/>",
    "<animate attributeName='d' values='M0 0h9;M1 1h8' dur='1s' begin='-.4s' calcMode='discrete'/>",
    "<animate attributeName='stroke-dasharray' values='1 2;3 4' dur='1s' begin='-.4s'/>",
]
TEXTS = [
    "<text x='1 3 5' y='9' dx='1' dy='1' rotate='10 20'>ABC</text>",
    "<text y='9' textLength='18' lengthAdjust='spacingAndGlyphs' letter-spacing='2'>fi ffl</text>",
    "<text y='9' style='inline-size:12px;text-indent:2px;text-align:center'>one two three four</text>",
    "<text y='9' style='white-space:pre'>a\n  b\tc</text>",
    "<text y='9' xml:space='preserve' text-anchor='end' direction='rtl' unicode-bidi='bidi-override'>a  \u05d0\u05d1 "
    "1</text>",
    "<text><textPath href='#p' startOffset='10%' side='right' spacing='auto'>path <tspan "
    "dy='1'>text</tspan></textPath></text>",
    "<text><textPath path='M0 9C5 0 9 9 20 5' method='stretch'>abc</textPath></text>",
    "<text x='9' y='1' writing-mode='vertical-rl' text-orientation='upright'>ab\u3042\u3001</text>",
    "<text x='9' style='writing-mode:vertical-lr;text-orientation:mixed'>a\u3042</text>",
    "<text y='9' text-decoration='underline wavy red 2px' style='text-underline-offset:1px'>gap</text>",
    "<text y='9' text-decoration='line-through overline'>x</text>",
    "<text y='9' style='font:italic small-caps bold 9px/1.2 sans-serif;font-variant:all-small-caps "
    "oldstyle-nums'>Text 123</text>",
    "<text y='9' style='font-stretch:condensed;font-kerning:none;font-feature-settings:\"liga\" "
    "0;font-variation-settings:\"wght\" 300'>AV</text>",
    "<text y='9' style='text-transform:uppercase'>stra\u00dfe \u0131</text>",
    "<text y='9' style='text-transform:capitalize full-width'>ab cd</text>",
    "<text y='9' style='text-emphasis:filled sesame red;text-emphasis-position:under right'>ab</text>",
    "<text y='9' style='hyphens:manual;inline-size:3ch;overflow-wrap:anywhere;word-break:break-all'>abcdef\u00adghi</text>",
    "<text y='9'>a<tspan baseline-shift='super' font-size='50%'>2</tspan><tspan "
    "alignment-baseline='hanging'>b</tspan></text>",
    "<text y='9' dominant-baseline='middle'>\u0915\u094d\u0937\u093f \u0e01\u0e33 \u1019\u103c\u1014\u103a "
    "\u0644\u0627 \uac00\u1100\u1161</text>",
    "<text y='9' style='text-shadow:1px 1px 2px red'>\U0001f600\ufe0f \U0001f1e9\U0001f1ea \u2764\ufe0e</text>",
    "<text y='9'>a<tref href='#t'/></text><text id='t'>b</text>",
    "<text y='9' style='line-height:2;white-space:pre-line;word-spacing:3px;tab-size:4'>a b\nc</text>",
    "<text y='9' fill='url(#g)' stroke='url(#h)' paint-order='stroke markers'>G</text>",
]
SELECTORS = [
    "rect:first-child,*|rect:nth-of-type(2n+1)", "g>rect~circle+path",
    "[x='2' i],[class~=a],[id|=r],[y^='1'],[y$='2'],[y*='3']",
    ":not(g,rect):is(path,:where(.a))", ":nth-last-child(odd of .a):only-child", ":root:has(> rect)", "#r.a:lang(en):empty",
    ":link,:visited,:hover::before",
]
RULES = [
    "@media (min-width:1px) and (prefers-color-scheme:light){rect{fill:red}}",
    "@supports (fill:red) or (not (a:b)){rect{fill:lime!important}}",
    "@layer a,b;@layer b{rect{fill:red}}",
    "rect{--a:3px;--b:var(--a,2px);x:calc(var(--b)*2 + min(1px,2%));width:clamp(1px,5vw,9px)}",
    "@import url('data:text/css,rect{fill:blue}') screen;", "@font-face{font-family:a;src:url(data:font/ttf;base64,AA)}",
    "rect{&amp;:hover{fill:red} .a &amp;{fill:blue}}",
    "rect{rx:2px;ry:30%;all:unset;fill:inherit;stroke:revert}",
    "@namespace s url(http://www.w3.org/2000/svg);s|rect{fill:red}", "rect{width:calc(sqrt(4)*1px + round(up,3px,2px))}",
]


def documents():
    """The documents by name."""
    units = "primitiveUnits='objectBoundingBox' color-interpolation-filters='sRGB'"
    parts = [f"<filter id='f' {units}>{content}</filter>{RECT}filter='url(#f)'/>" for content in FILTERS[:5]]
    parts += [
        f"<filter id='f' x='0' y='0' width='2' height='2'>{content}</filter>{RECT}filter='url(#f)'/>" for content in FILTERS]
    functions = (
        "blur(1px) brightness(2) contrast(50%) drop-shadow(1px 1px 1px red) grayscale(1) hue-rotate(40deg) invert() "
        "opacity(.5) saturate(2) sepia(1)")
    parts.append(f"{RECT}style='filter:{functions};backdrop-filter:none'/>")
    parts += [f"{RECT}style=\"clip-path:{shape}\"/>" for shape in SHAPES]
    parts += [
        f"{RECT}style=\"mask:{picture} 1px 2px / 5px auto repeat-x border-box exclude,linear-gradient(red,#0000)\"/>"
        for picture in PICTURES]
    parts += [f"<style>svg{{background:{picture} center / cover no-repeat, red}}</style>{RECT}/>" for picture in PICTURES]
    parts.append("".join(
        f"<path d='M{index} 1v9' stroke='{color}' style='color:red;fill:{color}'/>" for index, color in enumerate(COLORS)))
    others = "transform-origin:right 3px;transform-box:fill-box;rotate:10deg;scale:2 1;translate:1px 2px"
    parts += [f"{RECT}style='transform:{value};{others}'/>" for value in TRANSFORMS]
    parts += [
        f"<polygon points='1 1 5 5 9 1' d='M0 0h3' stroke='red'>{animation}</polygon>{RECT}>{animation}</rect>"
        for animation in ANIMATIONS]
    parts += TEXTS
    tree = f"<g class='a' xml:lang='en-GB'>{RECT}id='r' class='a b'/><circle r='3'/><path d='M1 1h3'/></g>"
    parts += [f"<style>{selector}{{fill:red}}</style>{tree}" for selector in SELECTORS]
    parts += [f"<style>{rule}</style>{RECT}/>" for rule in RULES]
    parts += [
        "<marker id='m' orient='auto-start-reverse' markerUnits='userSpaceOnUse' refX='1' viewBox='0 0 2 2'><path "
        "d='M0 0h2v2' fill='context-stroke'/></marker>"
        "<path d='M1 1l5 5 3-4q2 2 4 4t1 1s2 2 3 3a3 2 20 0 1 3 3z' marker='url(#m)' stroke='red' stroke-dasharray='3 "
        "1' stroke-linejoin='round' stroke-linecap='square'/>",
        "<pattern id='q' width='4' height='4' patternTransform='rotate(20)' patternContentUnits='objectBoundingBox' "
        "href='#w'/><pattern id='w'><path d='M0 0h1v1'/></pattern>"
        f"{RECT}fill='url(#q) red'/>",
        "<mask id='k' mask-type='alpha' maskContentUnits='objectBoundingBox'><path d='M0 0h1v1' "
        "fill='white'/></mask><clipPath id='c' clipPathUnits='objectBoundingBox'>"
        f"<circle r='.5' clip-rule='evenodd'/></clipPath>{RECT}mask='url(#k)' clip-path='url(#c)' opacity='.5' "
        f"style='mix-blend-mode:luminosity;isolation:isolate'/>",
        f"<symbol id='s' viewBox='0 0 9 9' preserveAspectRatio='none'>{RECT}/></symbol><use href='#s' x='1' "
        f"width='9'/><switch><g systemLanguage='fr'/><g requiredExtensions=''/>{RECT}/></switch>",
        f"<image href='{PICTURE}' width='9' height='5' preserveAspectRatio='xMaxYMin slice' "
        f"image-rendering='pixelated'/><image href='{PICTURE}' style='object-fit:cover'/>",
        "<image width='9' height='9' href='data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22%3E%3Crect "
        "width=%229%22 height=%229%22/%3E%3C/svg%3E'/>",
        "<ellipse cx='5' cy='5' rx='auto' ry='2' pathLength='10' vector-effect='non-scaling-stroke' "
        "stroke='red'/><line x1='1' y2='5' stroke='red'/><polyline points='1,1 2,2'/>"
        "<foreignObject/><a href='#x'><title>t</title><desc>d</desc></a><view/><metadata/>",
    ]
    names = "xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink'"
    shared = (
        "<defs><linearGradient id='g' gradientTransform='rotate(9)' spreadMethod='reflect' "
        "color-interpolation='linearRGB'><stop stop-color='red'/><stop offset='50%' "
        "stop-opacity='.5'/></linearGradient><radialGradient id='h' fx='.2' fr='.1' href='#g' "
        "gradientUnits='userSpaceOnUse' cx='9'/><path id='p' d='M1 9C5 0 9 9 19 5'/></defs>")
    for index, part in enumerate(parts):
        content = shared + part if "#" in part else part
        yield f"{index:03}", f"<svg {names} viewBox='0 0 20 20'>{content}</svg>".encode()
    yield "entities", (
        "<?xml version='1.0' encoding='UTF-8'?><?xml-stylesheet href='data:text/css,rect{fill:red}'?><!DOCTYPE svg "
        "[<!ENTITY e 'red'><!ATTLIST rect x CDATA '3'>]>"
        f"<svg {names}><!-- c --><![CDATA[x]]>{RECT}fill='&e;&#x20;'/></svg>").encode()
    yield "utf-16", f"\ufeff<svg {names}>{RECT}/></svg>".encode("utf-16-le")
