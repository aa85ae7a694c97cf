"""SVG: one attribute, rule or picture that many elements use, and drawings that cost far more than their bytes."""

import base64
import gzip

import png
from trigger import table

TRIGGERS, trigger = table()


def svg(content, size="width='20' height='20'"):
    names = "xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink'"
    return f"<svg {names} {size}>{content}</svg>".encode()


LARGE = "width='4000' height='4000'"
RECT = "<rect width='1' height='1'/>"


def uses(count, target="a"):
    return f"<use href='#{target}'/>" * count


def picture(width, height, **options):
    return "data:image/png;base64," + base64.b64encode(png.png(width=width, height=height, **options)).decode()


# Styles


@trigger("svg-variable-long-value.svg")
def variable_in_a_long_value():
    return svg("<style>rect{--x:1;font-family:" + "a" * 800_000 + " var(--x)}</style>" + RECT * 2_800)


@trigger("svg-variable-doubling.svg")
def variables_of_variables():
    rules = "".join(f"--a{i}:var(--a{i - 1})var(--a{i - 1});" for i in range(1, 60))
    return svg("<style>rect{--a0:xxxxxxxx;" + rules + "fill:var(--a59)}</style>" + RECT * 100)


@trigger("svg-variable-copies.svg")
def long_variable_for_many_elements():
    copies = "".join(f"--c{i}:var(--a);" for i in range(9))
    return svg("<style>*{--a:" + "b" * 100_000 + ";" + copies + "fill:var(--c0)}</style>" + RECT * 100_000)


@trigger("svg-variable-calls.svg")
def value_of_many_variables():
    return svg("<style>*{--a:1;fill:" + "var(--a)" * 50_000 + "}</style>" + RECT * 10_000)


@trigger("svg-custom-properties.svg")
def many_custom_properties_for_many_elements():
    return svg("<style>*{" + "".join(f"--a{i}:{i % 10};" for i in range(20_000)) + "}</style>" + RECT * 10_000)


@trigger("svg-class-words.svg")
def many_words_of_one_class():
    return svg("<style>" + ".a{fill:red}" * 20_000 + "</style><rect width='9' height='9' class='" + "a " * 30_000 + "'/>")


@trigger("svg-declarations.svg")
def many_declarations_for_many_elements():
    return svg("<style>*{" + "fill:red;" * 100_000 + "}</style>" + RECT * 10_000)


@trigger("svg-selectors-not.svg")
def negated_classes():
    rules = "".join(f"rect:not(.b{i}){{fill:red}}" for i in range(10_000))
    return svg(f"<style>{rules}</style><rect width='9' height='9' class='" + "a " * 300_000 + "'/>")


@trigger("svg-selectors-attribute.svg")
def attribute_selectors_over_many_attributes():
    rules = "".join(f"[q=b{i}]{{fill:red}}" for i in range(20_000))
    return svg(f"<style>{rules}</style><rect " + " ".join(f"w{i}=''" for i in range(100_000)) + " width='9'/>")


@trigger("svg-selectors-descendant.svg")
def descendants_of_deep_elements():
    return svg("<style>" + "g g g g g g rect{fill:red}" * 50 + "</style>" + "<g>" * 900 + RECT * 5_000 + "</g>" * 900)


@trigger("svg-selectors-nth.svg")
def children_counted_for_many_rules():
    return svg("<style>" + ":nth-child(2n+1){fill:red}" * 100 + "</style>" + RECT * 50_000)


# Names that are equal but for their end


NAME = "n" * 20_000


def differing(count, length):
    return ["n" * (length - 8) + f"{i:08}" for i in range(count)]


def nested(count, attributes="", name="g"):
    return f"<{name} {attributes}>" * count + RECT * 2_000 + f"</{name}>" * count


def counted_types(count, length):
    rules = "".join(f":nth-last-of-type({i + 2}){{fill:red}}" for i in range(30))
    return svg(f"<style>{rules}</style>" + "".join(f"<{name}/>" for name in differing(count, length)))


@trigger("svg-names-types.svg")
def types_of_long_names():
    return counted_types(1_900, 1_000)


@trigger("svg-names-types.svgz")
def types_of_longer_names():
    return gzip.compress(counted_types(1_000, 20_000), 9, mtime=0)


@trigger("svg-names-type-selectors.svgz")
def ancestors_of_long_names():
    rules = f"{NAME}yyyy rect{{fill:red}}" * 10
    return gzip.compress(svg(f"<style>{rules}</style>" + nested(500, name=NAME + "xxxx")), 9, mtime=0)


@trigger("svg-names-prefixes.svgz")
def namespaces_of_long_prefixes():
    prefixes = differing(250, 1_000)
    declarations = " ".join(f"xmlns:{prefix}='urn:{i}'" for i, prefix in enumerate(prefixes))
    return gzip.compress(svg(f"<g {declarations}>" + f"<{prefixes[0]}:a/>" * 60_000 + "</g>"), 9, mtime=0)


@trigger("svg-names-attributes.svgz")
def attributes_of_long_names():
    rules = f"[{NAME}yyyy] rect{{fill:red}}" * 10
    return gzip.compress(svg(f"<style>{rules}</style>" + nested(500, f"{NAME}xxxx=''")), 9, mtime=0)


@trigger("svg-names-ids.svgz")
def long_ids():
    rules = f"#{NAME}yyyy rect{{fill:red}}" * 10
    return gzip.compress(svg(f"<style>{rules}</style>" + nested(500, f"id='{NAME}xxxx'")), 9, mtime=0)


@trigger("svg-names-classes.svgz")
def long_classes():
    rules = f".{NAME}yyyy rect{{fill:red}}" * 10
    return gzip.compress(svg(f"<style>{rules}</style>" + nested(500, f"class='{NAME}xxxx'")), 9, mtime=0)


@trigger("svg-names-variables.svg")
def long_name_of_an_inherited_variable():
    name = "--" + NAME * 5
    return svg(f"<style>g{{{name}:inherit;fill:var({name})}}</style>" + "<g>" * 1_000 + RECT + "</g>" * 1_000)


@trigger("svg-names-families.svg")
def long_name_of_a_font_for_many_texts():
    return svg(f"<g font-family='{NAME * 50}'>" + "<text>a</text>" * 20_000 + "</g>")


@trigger("svg-names-palettes.svg")
def long_name_of_a_palette_for_many_texts():
    return svg(f"<g style='font-palette:--{NAME * 50}'>" + "<text>a</text>" * 20_000 + "</g>")


@trigger("svg-names-references.svg")
def long_reference_for_many_elements():
    return svg(f"<g fill='url(#{NAME * 50})' marker-mid='url(#{NAME * 50})'>" + "<path d='M0 0h1v1h1'/>" * 20_000 + "</g>")


@trigger("svg-selectors-case.svg")
def long_value_that_ignores_case():
    return svg(f"<style>[q='{NAME * 50}' i]{{fill:red}}</style>" + RECT * 20_000)


@trigger("svg-selectors-languages.svg")
def many_languages_for_many_elements():
    languages = ",".join(["aa"] * 100_000)
    return svg(f"<style>rect:lang({languages}){{fill:red}}</style><g lang='de'>" + RECT * 20_000 + "</g>")


@trigger("svg-imports.svg")
def imported_sheets():
    sheet = ".x%7Bfill:red%7D" * 100
    return svg("<style>" + f"@import url(data:text/css,{sheet});" * 1_000 + "</style>" + RECT)


# One element, used many times


@trigger("svg-use-transform.svg")
def long_transform():
    return svg("<rect id='a' width='9' height='9' transform='" + "scale(1)" * 200_000 + "'/>" + uses(2_000))


@trigger("svg-use-languages.svg")
def long_list_of_languages():
    return svg("<rect id='a' width='9' height='9' systemLanguage='" + "de," * 100_000 + "en'/>" + uses(1_000))


@trigger("svg-use-path-spaces.svg")
def path_of_spaces():
    return svg("<path id='a' d='M0 0h9v9z" + " " * 5_000_000 + "'/>" + uses(2_000))


@trigger("svg-use-attributes.svg")
def many_attributes():
    names = " ".join(f"q{i}=''" for i in range(100_000))
    return svg(f"<rect id='a' {names} width='9' height='9'/>" + uses(10_000))


@trigger("svg-use-dashes.svg")
def long_dash_list():
    return svg("<rect id='a' width='9' height='9' stroke='red' stroke-dasharray='" + "1 " * 9_999 + "'/>" + uses(45_000))


@trigger("svg-use-dashed-path.svg")
def short_dashes_on_a_long_path():
    return svg("<path id='a' stroke='red' d='M0 0" + "h10v10" * 1_000 + "' stroke-dasharray='.01'/>" + uses(300))


@trigger("svg-use-style.svg")
def long_style_attribute():
    return svg("<g id='a' style='" + "fill:red;" * 300_000 + "'>" + RECT + "</g>" + uses(10_000))


@trigger("svg-use-comments.svg")
def style_of_comments():
    return svg("<rect id='a' style='" + "/**/" * 500_000 + "fill:red' width='9' height='9'/>" + uses(20_000))


@trigger("svg-use-families.svg")
def long_list_of_fonts():
    return svg("<text id='a' font-family='" + "a," * 500_000 + "'>x</text>" + uses(5_000))


@trigger("svg-use-filters.svg")
def long_list_of_filters():
    return svg("<rect id='a' width='9' height='9' filter='" + "opacity(1) " * 9_000 + "'/>" + uses(5_000))


@trigger("svg-use-points.svg")
def points_of_spaces():
    return svg("<polyline id='a' points='" + " " * 2_000_000 + "0 0 1 1'/>" + uses(5_000))


@trigger("svg-use-positions.svg")
def text_with_many_positions():
    return svg("<text id='a' x='" + "1 " * 1_000_000 + "'>x</text>" + uses(3_000))


@trigger("svg-use-spans.svg")
def text_of_empty_spans():
    return svg("<text id='a'>" + "<tspan/>" * 300_000 + "x</text>" + uses(1_000))


@trigger("svg-use-stroke.svg")
def long_curve_stroked():
    path = "<path id='a' fill='none' stroke='red' stroke-linejoin='round' d='M0 0" + "c9 9 1 2 3 4" * 20_000 + "'/>"
    return svg(path + uses(1_000))


@trigger("svg-use-laughs.svg")
def uses_of_uses():
    levels = "".join(f"<g id='l{i}'>" + uses(10, f"l{i - 1}") + "</g>" for i in range(1, 20))
    return svg(f"<g id='l0'>{RECT}</g>" + levels)


@trigger("svg-use-symbols.svg")
def symbols_without_end():
    return svg(
        "<symbol id='a' viewBox='0 0 9 9'>" + RECT + "</symbol>" + "<use href='#a' width='9' height='9'/>" * 190_000)


@trigger("svg-use-text-path.svg")
def text_on_a_long_path():
    path = "<path id='p' d='M0 0" + "c1 2 3 4 5 6" * 60_000 + "'/>"
    return svg(path + "<text id='a' font-size='2'><textPath href='#p'>abcdefgh</textPath></text>" + uses(10_000))


@trigger("svg-use-switch.svg")
def choice_among_many_languages():
    return svg("<switch id='a'>" + "<g systemLanguage='xx'/>" * 100_000 + RECT + "</switch>" + uses(20_000))


@trigger("svg-marker-attributes.svg")
def marker_of_many_attributes():
    names = " ".join(f"q{i}=''" for i in range(100_000))
    marker = f"<marker id='m' {names} markerWidth='1' markerHeight='1'>{RECT}</marker>"
    return svg(marker + "<path marker-mid='url(#m)' d='M0 0" + "h1" * 100_000 + "'/>")


@trigger("svg-marker-laughs.svg")
def markers_of_markers():
    markers = "".join(
        f"<marker id='m{i}' markerWidth='9' markerHeight='9'><path d='M0 0{'h1' * 11}' marker-mid='url(#m{i + 1})'/></marker>"
        for i in range(8))
    return svg(markers + "<path d='M0 0h1h1h1' marker-mid='url(#m0)'/>")


# Resources


@trigger("svg-pattern-tiles.svg")
def patterns_of_large_tiles():
    patterns = "".join(
        f"<pattern id='p{i}' width='8100' height='8100' patternUnits='userSpaceOnUse'>{RECT}</pattern>"
        f"<rect x='{i}' width='1' height='4000' fill='url(#p{i})'/>"
        for i in range(64))
    return svg(patterns, LARGE)


@trigger("svg-pattern-chain.svg")
def patterns_that_borrow_their_content():
    borrowed = "".join(
        f"<pattern id='g{i}' href='#s'/><rect width='1' height='1' fill='url(#g{i})'/>" for i in range(20_000))
    return svg("<pattern id='s' width='1' height='1'>" + RECT * 1_000 + "</pattern>" + borrowed)


@trigger("svg-pattern-laughs.svg")
def patterns_of_patterns():
    patterns = "".join(
        f"<pattern id='p{i}' width='.1' height='.1'>"
        + f"<rect width='9' height='9' fill='url(#p{i + 1})'/>" * 10 + "</pattern>"
        for i in range(12))
    return svg(patterns + "<rect width='4000' height='4000' fill='url(#p0)'/>", LARGE)


@trigger("svg-gradient-stops.svg")
def gradients_that_borrow_their_stops():
    borrowed = "".join(
        f"<linearGradient id='g{i}' href='#s'/><rect width='1' height='1' fill='url(#g{i})'/>" for i in range(50_000))
    return svg("<linearGradient id='s'>" + "<stop/>" * 10_000 + "</linearGradient>" + borrowed)


@trigger("svg-gradient-tables.svg")
def steep_gradient_for_many_elements():
    gradient = "<linearGradient id='g'><stop offset='0'/><stop offset='.13' stop-color='red'/></linearGradient>"
    return svg(gradient + "<rect width='1' height='1' fill='url(#g)'/>" * 180_000)


@trigger("svg-gradient-hard-stops.svg")
def gradient_without_a_table():
    stops = "".join(
        f"<stop offset='{i / 5_000}' stop-color='#{i * 7_919 % 0xffffff:06x}'/><stop offset='{i / 5_000}'/>"
        for i in range(4_999))
    gradient = f"<linearGradient id='g' y2='1'>{stops}</linearGradient>"
    return svg(gradient + "<rect width='4000' height='4000' fill='url(#g)'/>" * 30, LARGE)


@trigger("svg-gradient-deep.svg")
def gradient_under_many_groups():
    gradient = "<g>" * 1_000 + "<linearGradient id='g'><stop/><stop/></linearGradient>" + "</g>" * 1_000
    return svg(gradient + "<rect width='1' height='1' fill='url(#g)'/>" * 100_000)


@trigger("svg-masks.svg")
def masks_of_the_whole_canvas():
    masks = "".join(
        f"<mask id='m{i}'><rect width='4000' height='4000' fill='white'/></mask>"
        f"<rect width='4000' height='4000' mask='url(#m{i})'/>"
        for i in range(200))
    return svg(masks, LARGE)


@trigger("svg-masked-elements.svg")
def mask_for_many_elements():
    mask = "<mask id='m'><circle r='9' fill='white'/></mask>"
    return svg(mask + "<circle mask='url(#m)' r='20'/>" * 190_000)


@trigger("svg-gradient-masks.svg")
def many_layers_of_masks():
    layers = ",".join(["linear-gradient(red,#0008)"] * 30)
    rects = "<rect width='3000' height='3000'/>" * 10
    return svg(f"<style>rect{{mask:{layers}}}</style>{rects}", size="width='3000' height='3000'")


@trigger("svg-patterned-elements.svg")
def pattern_for_many_elements():
    pattern = "<pattern id='p' width='3' height='3'><circle r='9'/></pattern>"
    return svg(pattern + "<circle fill='url(#p)' r='20'/>" * 190_000)


@trigger("svg-clip-paths.svg")
def long_clip_path_for_many_elements():
    clip = "<clipPath id='c'><path d='M0 0" + "h1v1" * 100_000 + "'/></clipPath>"
    return svg(clip + "<rect width='9' height='9' clip-path='url(#c)'/>" * 5_000)


@trigger("svg-clip-paths-nested.svg")
def clip_paths_of_the_whole_canvas():
    circle = "<circle cx='3900' cy='3900' r='5000'"
    clips = "".join(
        f"<clipPath id='c{i}'>{circle}/>{circle} clip-path='url(#c{i + 1})'/></clipPath>" for i in range(22))
    return svg(clips + f"<g clip-path='url(#c0)'>{circle}/></g>" * 9, "width='7900' height='7900'")


@trigger("svg-clips-nested.svg")
def clips_inside_of_clips():
    clip = "<clipPath id='c'><circle cx='2000' cy='2000' r='2500'/></clipPath>"
    return svg(clip + "<g clip-path='url(#c)'>" * 900 + RECT * 2 + "</g>" * 900, LARGE)


@trigger("svg-layers.svg")
def nested_layers_of_the_whole_canvas():
    return svg("<g opacity='.5'>" * 45 + "<rect width='4000' height='4000'/>" + "</g>" * 45, LARGE)


@trigger("svg-blend-layers.svg")
def blended_layers_of_the_whole_canvas():
    layer = "<g style='mix-blend-mode:luminosity'><rect width='4000' height='4000' fill='#8a2'/></g>"
    return svg(layer * 25, LARGE)


@trigger("svg-pictures-rotated.svg")
def pictures_over_the_whole_canvas():
    link = picture(8, 8)
    images = "".join(
        f"<image width='4000' height='4000' transform='rotate({i + 1})' href='{link}'/>" for i in range(8))
    return svg(images, LARGE)


@trigger("svg-picture-enlarged.svg")
def picture_over_a_larger_canvas():
    image = f"<image width='7900' height='7900' transform='rotate(1)' href='{picture(8, 8)}'/>"
    return svg(image * 2, "width='7900' height='7900'")


@trigger("svg-pictures-large.svg")
def pictures_of_many_pixels():
    link = picture(9_990, 9_990, depth=1, color=0)
    return svg("".join(f"<image x='{i}' width='9' height='9' href='{link}'/>" for i in range(400)))


@trigger("svg-pictures-nested.svg")
def drawings_in_drawings():
    content = svg(RECT * 1_000)
    link = "data:image/svg+xml;base64," + base64.b64encode(content).decode()
    return svg(f"<image width='9' height='9' href='{link}'/>" * 150)


@trigger("svg-pictures-deep.svg")
def drawings_in_drawings_in_drawings():
    content = svg(RECT)
    for _ in range(30):
        content = svg("<image width='9' height='9' href='data:image/svg+xml;base64," + base64.b64encode(content).decode() + "'/>")
    return content


# Filters


def filtered(content, count=1):
    return svg(
        f"<filter id='f' x='0' y='0' width='1' height='1'>{content}</filter>"
        + "<rect width='4000' height='4000' filter='url(#f)'/>" * count, LARGE)


@trigger("svg-filter-turbulence.svg")
def noise_of_many_octaves():
    return filtered("<feTurbulence baseFrequency='.01' numOctaves='10'/>")


@trigger("svg-filter-blurs.svg")
def blurs_without_end():
    return filtered("<feGaussianBlur stdDeviation='50'/>" * 50)


@trigger("svg-filter-morphology.svg")
def wide_dilation():
    return filtered("<feMorphology radius='500' operator='dilate'/>" * 20)


@trigger("svg-filter-convolution.svg")
def large_kernels():
    return filtered(("<feConvolveMatrix order='15' kernelMatrix='" + "1 " * 225 + "'/>") * 20)


@trigger("svg-filter-lights.svg")
def spot_lights():
    light = "<feSpotLight x='1' y='1' z='9' specularExponent='3.3'/>"
    return filtered(f"<feSpecularLighting specularExponent='20.5'>{light}</feSpecularLighting>" * 10)


@trigger("svg-filter-merges.svg")
def many_inputs_for_many_elements():
    content = "<filter id='f'><feMerge>" + "<feMergeNode in='SourceGraphic'/>" * 100_000 + "</feMerge></filter>"
    return svg(content + "<rect width='9' height='9' filter='url(#f)' x='30'/>" * 10_000)


@trigger("svg-filter-primitives.svg")
def many_primitives_for_many_elements():
    content = "<filter id='f'>" + "<feGaussianBlur stdDeviation='3'/>" * 9_000 + "</filter>"
    return svg(content + "<rect width='9' height='9' filter='url(#f)'/>" * 1_000)


@trigger("svg-filter-table.svg")
def long_table_for_many_elements():
    table_values = "1 " * 1_000_000
    content = f"<filter id='f'><feComponentTransfer><feFuncR type='table' tableValues='{table_values}'/></feComponentTransfer></filter>"
    return svg(content + "".join(f"<rect width='{i + 1}' height='9' filter='url(#f)'/>" for i in range(20_000)))


@trigger("svg-filter-images.svg")
def pictures_of_elements_inside_of_filters():
    content = "<filter id='f'>" + "<feImage href='#a'/>" * 2_000 + "</filter><g id='a'>" + RECT * 2_000 + "</g>"
    return svg(content + "<rect width='9' height='9' filter='url(#f)'/>")


# Sheer numbers


@trigger("svg-characters.svg")
def letters_without_end():
    return svg("".join(f"<text y='{i}' font-size='1'>" + "abcdefghij" * 100 + "</text>" for i in range(150)))


@trigger("svg-elements.svg")
def elements_without_end():
    return svg("<rect width='9' height='9'/>" * 280_000)


@trigger("svg-overdraw.svg")
def elements_over_the_whole_canvas():
    return svg("<rect width='4000' height='4000' fill='red'/>" * 3_000, LARGE)


@trigger("svg-long-edges.svg")
def edges_across_the_canvas():
    return svg("<path d='M0 0" + "".join(f"L4000 {i % 4_000}L0 {i * 7 % 4_000}" for i in range(20_000)) + "'/>", LARGE)


@trigger("svg-long-path.svg")
def path_of_many_lines():
    return svg("<path d='M0 0" + "l1 1" * 1_900_000 + "'/>")


@trigger("svg-long-stroke.svg")
def stroke_of_many_lines():
    style = "fill='none' stroke='red' stroke-width='3' stroke-linejoin='round'"
    return svg(f"<path {style} d='M0 0" + "l9 9l-8-8" * 800_000 + "'/>")


@trigger("svg-circles.svg")
def stroked_circles_without_end():
    circles = "".join(f"<circle cx='{i % 4_000}' cy='{i * 7 % 4_000}' r='50'/>" for i in range(150_000))
    return svg("<g fill='none' stroke='red' stroke-width='5'>" + circles + "</g>", LARGE)


@trigger("svg-long-curve.svg")
def stroke_of_many_curves():
    style = "fill='none' stroke='red' stroke-width='30' stroke-linejoin='arcs'"
    return svg(f"<path {style} d='M0 0" + "c9 9 1-5 3 2" * 600_000 + "'/>")


@trigger("svg-entities.svg")
def entities_of_entities():
    entities = "".join(f"<!ENTITY e{i} '&e{i - 1};&e{i - 1};'>" for i in range(1, 40))
    return (f"<!DOCTYPE svg [<!ENTITY e0 'xxxxxxxx'>{entities}]>".encode() + svg("<text>&e39;</text>"))


@trigger("svg-nesting.svg")
def groups_inside_of_groups():
    return svg("<g>" * 1_000_000 + "</g>" * 1_000_000)


@trigger("svg-compressed.svgz")
def drawing_that_inflates():
    return gzip.compress(svg("<g/>" * 60_000_000), 6, mtime=0)


# Nesting that must not need much stack.


@trigger("svg-image-filters-in-a-chain.svg")
def filters_that_show_the_next_filtered_element():
    filters = "".join(
        f"<filter id='f{i}'><feImage href='#e{i + 1}'/></filter><rect id='e{i}' width='9' height='9' filter='url(#f{i})'/>"
        for i in range(200))
    return svg(filters + "<rect id='e200' width='9' height='9'/>")


@trigger("svg-image-filters-in-a-tree.svg")
def filters_that_show_two_filtered_elements():
    filters = "".join(
        f"<filter id='f{i}'><feImage href='#e{i + 1}'/><feOffset dx='1'/><feImage href='#e{i + 1}'/><feMerge>"
        f"<feMergeNode/><feMergeNode/></feMerge></filter><rect id='e{i}' width='9' height='9' filter='url(#f{i})'/>"
        for i in range(24))
    return svg(filters + "<rect id='e24' width='9' height='9'/>")


@trigger("svg-masks-in-a-tree.svg")
def masks_whose_content_is_masked_twice():
    masks = "".join(
        f"<mask id='m{i}'><rect width='9' height='9' fill='white' mask='url(#m{i + 1})'/>"
        f"<circle r='9' fill='white' mask='url(#m{i + 1})'/></mask>"
        for i in range(24))
    return svg(masks + "<mask id='m24'><rect width='9' height='9' fill='white'/></mask><rect width='9' height='9' mask='url(#m0)'/>")


# Rows in which each edge has to be ordered among all others.


@trigger("svg-crossing-lines.svg")
def polygon_whose_lines_cross_in_every_pixel():
    lines = "".join(f"L{i * 997 % 4_000} {i % 2 * 4_000}" for i in range(62))
    return svg(f"<path d='M0 0{lines}'/>" * 300, LARGE)


@trigger("svg-opposite-contours.svg")
def contours_of_both_directions_in_every_row():
    lines = "".join(f"M{i * 7 % 4_000} 0v4000h2z" if i % 2 else f"M{i * 7 % 4_000} 0h2v4000z" for i in range(40_000))
    return svg(f"<path d='{lines}'/>", LARGE)


# Text that is rewritten without being drawn


@trigger("svg-many-elements.svgz")
def elements_of_four_characters():
    return gzip.compress(svg("<g/>" * 15_750_000), mtime=0)


@trigger("svg-many-open-elements.svgz")
def elements_inside_of_elements():
    return gzip.compress(svg("<g>" * 8_000_000 + "</g>" * 8_000_000), mtime=0)


@trigger("svg-many-attributes.svgz")
def attributes_of_no_value():
    return gzip.compress(svg("<g a=''/>" * 6_900_000), mtime=0)


@trigger("svg-many-urls.svgz")
def short_urls_that_embed():
    return gzip.compress(svg("<g fill='url(data:,a)'/>" * 1_500_000), mtime=0)


@trigger("svg-many-words.svgz")
def style_sheet_of_short_words():
    return gzip.compress(svg("<style>" + "a{b:url()}" * 5_000_000 + "</style>"), mtime=0)


@trigger("svg-nested-many-elements.svgz")
def drawings_of_many_elements_in_a_drawing():
    inner = base64.b64encode(gzip.compress(svg("<g/>" * 100_000), mtime=0)).decode()
    return gzip.compress(svg(f"<image href='data:image/svg+xml;base64,{inner}'/>" * 3_000), mtime=0)


@trigger("svg-attribute-words.svg")
def attribute_of_many_words_for_many_selectors():
    sheet = "".join(f"[d~='b{i}']{{fill:red}}" for i in range(2_000))
    return svg(f"<style>{sheet}</style><rect width='3' height='3' d='{'a ' * 1_500_000}'/>")


@trigger("svg-dash-lists.svgz")
def long_dashes_of_many_paths():
    path = "<path d='M0 0L99 99' stroke='red' stroke-dasharray='" + "1 " * 9_999 + "'/>"
    return gzip.compress(svg(path * 3_000), mtime=0)


@trigger("svg-animation-lists.svgz")
def long_lists_of_animated_values():
    animation = "<animate attributeName='x' dur='1s' values='" + "1;" * 9_000 + "'/>"
    return gzip.compress(svg(f"<rect>{animation}</rect>" * 2_000), mtime=0)
