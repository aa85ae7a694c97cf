#!/usr/bin/env python3
"""Writes references.json: hashes of generated pictures by the packages fast-thumbhash, blurhash and ImageHash of PyPI.

The pictures are described by a width, a height and a kind; pixel() is repeated in the tests.
"""
import json, os

import blurhash, fast_thumbhash, imagehash
from PIL import Image

here = os.path.dirname(os.path.abspath(__file__))


def pixel(kind, x, y):
    red = (x * 7 + y * 3) % 256
    green = 200 if (x // 5 + y // 7) % 2 else 40
    blue = (x * x + y * 11) // 9 % 256
    alpha = 255
    if kind == 1:
        alpha = 0 if (x // 6) % 3 == 0 else 100 + (x + y) % 100
    if kind == 2:
        red = green = blue = 255 - min(255, x * 5)
    return red, green, blue, alpha


records = []
for width, height, kind in [
    (1, 1, 0), (3, 8, 0), (32, 32, 0), (64, 20, 0), (20, 64, 0), (50, 33, 1), (33, 60, 1), (40, 40, 2), (64, 47, 2),
]:
    rgba = [sample for y in range(height) for x in range(width) for sample in pixel(kind, x, y)]
    thumb = fast_thumbhash.rgba_to_thumb_hash(width, height, bytes(rgba))
    w, h, drawn = fast_thumbhash.thumb_hash_to_rgba(bytes(thumb))
    rows = [[list(pixel(kind, x, y)[:3]) for x in range(width)] for y in range(height)]
    image = Image.frombytes("RGB", (width, height), bytes(s for row in rows for p in row for s in p))
    blurs = []
    for columns, lines in [(1, 1), (4, 3), (9, 9), (2, 5)]:
        text = blurhash.encode(rows, columns, lines)
        picture = blurhash.decode(text, 9, 7, punch=1.0)
        blurs.append({"columns": columns, "rows": lines, "text": text, "pixels": [s for r in picture for p in r for s in p]})
    records.append({
        "width": width, "height": height, "kind": kind, "thumb": list(thumb), "thumbWidth": w, "thumbHeight": h,
        "thumbPixels": [int(max(0, min(255, s))) for s in drawn], "blurs": blurs, "perceptual": str(imagehash.phash(image)),
    })
with open(os.path.join(here, "references.json"), "w") as output:
    json.dump(records, output, separators=(",", ":"))
