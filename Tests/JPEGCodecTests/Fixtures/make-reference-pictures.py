#!/usr/bin/env python3
"""Writes reference-pictures.bin: small JPEG files with hashes of their pixels as djpeg (libjpeg-turbo 2.1) decodes them.

Needs cjpeg and djpeg in PATH. A record is: length of the name (1 byte), name, length of the file (4 bytes, little-endian),
file, FNV-1a of the pixels (8 bytes, little-endian). Pixels are gray or RGB bytes, rows from top to bottom.
"""
import os, random, struct, subprocess

random.seed(7)


def picture(width, height):
    """A smooth gradient with coloured noise, as PPM."""
    pixels = bytearray()
    for y in range(height):
        for x in range(width):
            for channel in range(3):
                value = (x * (9 + 5 * channel) + y * (13 - 4 * channel)) % 256
                pixels.append(max(0, min(255, value + random.randint(-40, 40))))
    return b"P6 %d %d 255\n" % (width, height) + bytes(pixels)


def run(*arguments, stdin):
    return subprocess.run(arguments, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout


def fnv(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


def pixels_of(file, *scale):
    anymap = run("djpeg", "-dct", "int", *scale, "-pnm", stdin=file)
    header = anymap.split(b"\n", 3)
    return header[3]


records = []


def add(name, file, *scale):
    records.append((name.encode(), file, fnv(pixels_of(file, *scale))))


SAMPLINGS = ["1x1", "2x1", "1x2", "2x2", "4x1", "1x4", "4x2", "2x4", "3x1", "3x2", "2x2,2x1,1x1", "1x1,2x2,1x2"]
for sampling in SAMPLINGS + ["gray"]:
    for width in range(1, 18):
        height = width * 7 % 17 + 1
        source = picture(width, height)
        base = ["cjpeg", "-quality", "75", "-optimize"]
        base += ["-grayscale"] if sampling == "gray" else ["-sample", sampling]
        label = "%s/%dx%d" % (sampling, width, height)
        add(label, run(*base, stdin=source))
        add(label + "/restart", run(*base, "-restart", "1B", stdin=source))
        if width % 4 == 1:
            add(label + "/progressive", run(*base, "-progressive", stdin=source))

# A larger picture for previews: the file up to the end of each scan.
source = picture(67, 53)
for sampling in ["1x1", "2x2", "2x1"]:
    file = run("cjpeg", "-quality", "80", "-progressive", "-sample", sampling, stdin=source)
    add("preview-%s/whole" % sampling, file)
    position, scans = 2, 0
    while True:
        marker = file[position + 1]
        if marker == 0xD9:
            break
        length = struct.unpack(">H", file[position + 2:position + 4])[0]
        position += 2 + length
        if marker == 0xDA:
            while not (file[position] == 0xFF and file[position + 1] != 0 and not 0xD0 <= file[position + 1] <= 0xD7):
                position += 1
            scans += 1
            add("preview-%s/%d" % (sampling, scans), file[:position] + b"\xff\xd9")

# At a fraction of the size: N eighths.
for sampling in ["1x1", "2x2", "2x1", "1x2", "4x1", "gray"]:
    kind = ["-grayscale"] if sampling == "gray" else ["-sample", sampling]
    for width, height in [(33, 50), (64, 17)]:
        file = run("cjpeg", "-quality", "85", *kind, *(["-progressive"] if width == 64 else []), stdin=picture(width, height))
        for eighths in [1, 2, 4]:
            add("scaled-%d/%s/%dx%d" % (eighths, sampling, width, height), file, "-scale", "%d/8" % eighths)

# With the standard tables in the file, non-interleaved, and with restart intervals of several MCUs.
add("standard-tables", run("cjpeg", "-quality", "90", "-sample", "2x2", stdin=source))
with open("scans.txt", "w") as script:
    script.write("0;\n1;\n2;\n")
add("non-interleaved", run("cjpeg", "-quality", "70", "-scans", "scans.txt", stdin=source))
os.remove("scans.txt")
add("restart-3", run("cjpeg", "-quality", "60", "-restart", "3B", "-sample", "2x1", stdin=source))
add("progressive-restart", run("cjpeg", "-quality", "60", "-progressive", "-restart", "4B", stdin=source))
for sampling in ["1x1", "2x2", "gray"]:
    kind = ["-grayscale"] if sampling == "gray" else ["-sample", sampling]
    for option in [[], ["-progressive"], ["-restart", "2B"], ["-progressive", "-restart", "3B"]]:
        name = "-".join(["arithmetic", sampling] + [word.strip("-") for word in option])
        add(name, run("cjpeg", "-arithmetic", "-quality", "92", *kind, *option, stdin=source))
add("rgb", run("cjpeg", "-quality", "85", "-rgb", stdin=source))

with open("reference-pictures.bin", "wb") as output:
    for name, file, value in records:
        output.write(bytes([len(name)]) + name + struct.pack("<I", len(file)) + file + struct.pack("<Q", value))
print(len(records), "pictures")
