#!/usr/bin/env python3
"""Writes logarithmic-pictures.bin: LogL and LogLuv files, each with the pixels that libtiff shows.

Run it in this folder: `python3 make-logarithmic-pictures.py`. It needs libtiff's shared library.

A record: length of the name (1 byte), name, length of the file (4 bytes, little-endian), file, length of the pixels (4
bytes), pixels in 8-bit gray or RGB.
"""

import ctypes
import ctypes.util
import math
import os
import random
import struct
import tempfile

libtiff = ctypes.CDLL(ctypes.util.find_library("tiff"))
libtiff.TIFFOpen.restype = ctypes.c_void_p
libtiff.TIFFOpen.argtypes = [ctypes.c_char_p, ctypes.c_char_p]
libtiff.TIFFClose.argtypes = [ctypes.c_void_p]
for function in (libtiff.TIFFWriteScanline, libtiff.TIFFReadScanline):
    function.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint32, ctypes.c_uint16]

W, H = 150, 40
WIDTH, LENGTH, BITS, COMPRESSION, PHOTOMETRIC, SAMPLES, ROWS, FORMAT = 256, 257, 258, 259, 262, 277, 278, 339
SGILOG_DATA_FORMAT = 65560
FLOAT, BYTE = 0, 3


def set_field(file, tag, value):
    libtiff.TIFFSetField(ctypes.c_void_p(file), ctypes.c_uint32(tag), ctypes.c_int(value))


def picture(channels, seed):
    """Luminances from black to four times white, flat areas, and chromaticities over most of the gamut."""
    noise = random.Random(seed)
    rows = []
    for y in range(H):
        row = []
        for x in range(W):
            luminance = 0 if x < 5 else 4.0 * (x / W) ** 3 * (1 if (x // 10 + y // 5) % 2 else 0.9 + noise.random() / 5)
            if channels == 1:
                row.append(luminance)
                continue
            u, v = 0.05 + 0.5 * ((x * 7 + y * 13) % 97) / 97, 0.1 + 0.48 * y / H
            row += [9 * u / (4 * v) * luminance, luminance, (12 - 3 * u - 20 * v) / (4 * v) * luminance]
        rows.append(struct.pack(f"={W * channels}f", *row))
    return rows


def record(name, channels, compression, seed):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "picture.tif").encode()
        file = libtiff.TIFFOpen(path, b"wl")
        for tag, value in ((WIDTH, W), (LENGTH, H), (BITS, 32), (SAMPLES, channels), (COMPRESSION, compression),
                           (PHOTOMETRIC, 32845 if channels == 3 else 32844), (FORMAT, 3), (ROWS, 16)):
            set_field(file, tag, value)
        set_field(file, SGILOG_DATA_FORMAT, FLOAT)
        for y, row in enumerate(picture(channels, seed)):
            assert libtiff.TIFFWriteScanline(file, row, y, 0) == 1
        libtiff.TIFFClose(file)
        file = libtiff.TIFFOpen(path, b"r")
        set_field(file, SGILOG_DATA_FORMAT, BYTE)
        pixels = b""
        for y in range(H):
            row = ctypes.create_string_buffer(W * channels)
            assert libtiff.TIFFReadScanline(file, row, y, 0) == 1
            pixels += row.raw
        libtiff.TIFFClose(file)
        data = open(path, "rb").read()
    return bytes([len(name)]) + name.encode() + struct.pack("<I", len(data)) + data + struct.pack("<I", len(pixels)) + pixels


with open("logarithmic-pictures.bin", "wb") as out:
    out.write(record("luminance", 1, 34676, 1))
    out.write(record("luv32", 3, 34676, 2))
    out.write(record("luv24", 3, 34677, 3))
