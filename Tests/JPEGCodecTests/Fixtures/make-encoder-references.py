#!/usr/bin/env python3
"""Writes encoder-references.tsv: hashes of JPEG files as libjpeg-turbo 2.1 encodes pictures that the tests make again.

Needs cjpeg in PATH, and cc and jpeglib.h for CMYK, which cjpeg does not read. Columns: width, height, kind, components,
quality, subsampling, flags, bytes, FNV-1a. Bytes and hash are those of the file without APPn and COM segments. Flags:
p progressive, o optimised tables, b steps limited to 255, rN restart every N rows of MCUs, RN every N MCUs, y YCCK.
"""
import os, random, struct, subprocess, tempfile

random.seed(11)
FACTORS = {"444": "1x1", "422": "2x1", "420": "2x2", "440": "1x2", "411": "4x1"}

CMYK_PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#include <jpeglib.h>
int main(int argc, char **argv) {
  int width = atoi(argv[1]), height = atoi(argv[2]), quality = atoi(argv[3]), h = atoi(argv[4]), v = atoi(argv[5]);
  int progressive = atoi(argv[6]), optimize = atoi(argv[7]), baseline = atoi(argv[8]), rows = atoi(argv[9]);
  int mcus = atoi(argv[10]), ycck = atoi(argv[11]);
  struct jpeg_compress_struct c;
  struct jpeg_error_mgr error;
  c.err = jpeg_std_error(&error);
  jpeg_create_compress(&c);
  jpeg_stdio_dest(&c, stdout);
  c.image_width = width; c.image_height = height; c.input_components = 4; c.in_color_space = JCS_CMYK;
  jpeg_set_defaults(&c);
  jpeg_set_colorspace(&c, ycck ? JCS_YCCK : JCS_CMYK);
  c.dct_method = JDCT_ISLOW;
  jpeg_set_quality(&c, quality, baseline);
  if (ycck) {
    c.comp_info[0].h_samp_factor = c.comp_info[3].h_samp_factor = h;
    c.comp_info[0].v_samp_factor = c.comp_info[3].v_samp_factor = v;
  }
  c.optimize_coding = optimize;
  c.restart_in_rows = rows; c.restart_interval = mcus;
  if (progressive) jpeg_simple_progression(&c);
  jpeg_start_compress(&c, TRUE);
  unsigned char *row = malloc(width * 4);
  for (int y = 0; y < height; y++) {
    if (fread(row, 4, width, stdin) != (size_t)width) return 1;
    JSAMPROW p = row;
    jpeg_write_scanlines(&c, &p, 1);
  }
  jpeg_finish_compress(&c);
  return 0;
}
"""


def picture(width, height, kind, components):
    """Samples: noise (0), a gradient with noise (1), a smooth gradient (2), squares of extremes (3)."""
    state = width * 65_536 + height * 256 + kind
    samples = bytearray()
    for y in range(height):
        for x in range(width):
            for channel in range(components):
                state = (state * 1_664_525 + 1_013_904_223) & 0xFFFFFFFF
                noise = state >> 24
                gradient = (x * (9 + 5 * channel) + y * (13 + 3 * channel)) // 4 % 256
                if kind == 0:
                    value = noise
                elif kind == 1:
                    value = max(0, min(255, gradient + noise % 81 - 40))
                elif kind == 2:
                    value = gradient
                else:
                    value = 255 if (x // 5 + y // 3 + channel) % 2 else 0
                samples.append(value)
    return bytes(samples)


def without_metadata(file):
    result = bytearray(file[:2])
    index = 2
    while True:
        marker, length = file[index + 1], struct.unpack(">H", file[index + 2 : index + 4])[0]
        if not (0xE0 <= marker <= 0xEF or marker == 0xFE):
            result += file[index : index + 2 + length]
        index += 2 + length
        if marker == 0xDA:
            return bytes(result + file[index:])


def fnv(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


def encode(width, height, kind, components, quality, sampling, flags, program):
    pixels = picture(width, height, kind, components)
    flag = {f[0]: f[1:] for f in flags}
    if components == 4:
        # Bitmaps count ink, files of this kind its complement.
        pixels = bytes(255 - p for p in pixels)
        factors = FACTORS[sampling].split("x")
        numbers = [width, height, quality, *factors, int("p" in flag), int("o" in flag), int("b" in flag)]
        numbers += [flag.get("r", 0), flag.get("R", 0), int("y" in flag)]
        return subprocess.run([program] + [str(n) for n in numbers], input=pixels, stdout=subprocess.PIPE, check=True).stdout
    arguments = ["cjpeg", "-dct", "int", "-quality", str(quality)]
    arguments += ["-grayscale"] if sampling == "gray" else ["-sample", FACTORS[sampling]]
    arguments += ["-progressive"] if "p" in flag else []
    arguments += ["-optimize"] if "o" in flag else []
    arguments += ["-baseline"] if "b" in flag else []
    arguments += ["-restart", flag["r"]] if "r" in flag else []
    arguments += ["-restart", flag["R"] + "B"] if "R" in flag else []
    header = b"P%d\n%d %d\n255\n" % (5 if components == 1 else 6, width, height)
    return subprocess.run(arguments, input=header + pixels, stdout=subprocess.PIPE, check=True).stdout


def cases():
    modes = [[], ["o"], ["p"]]
    for quality in range(1, 101):
        yield 20, 13, 1, 3, quality, "420", modes[quality % 3]
        yield 11, 9, 1, 3, quality, "444", ["b"] + modes[quality % 3]
    for sampling in list(FACTORS) + ["gray"]:
        for width in list(range(1, 18)) + [31, 32, 33, 64, 65]:
            height = width * 7 % 19 + 1
            for mode in modes:
                yield width, height, width % 4, 3, 75, sampling, mode
            yield width, height, 1, 3, 90, sampling, ["r1"] + modes[width % 3]
            yield width, height, 1, 3, 60, sampling, ["R%d" % (width % 5 + 1)] + modes[width % 3]
    for width in range(1, 18):
        yield width, width * 5 % 17 + 1, 1, 1, 80, "gray", modes[width % 3]
        for mode in modes:
            yield width, width * 5 % 17 + 1, 1, 4, 80, "444", mode
            yield width, width * 5 % 17 + 1, 1, 4, 80, list(FACTORS)[width % 5], ["y"] + mode
        yield width, 9, 1, 4, 15, "420", ["y", "r1", "b"] + modes[width % 3]
    # Runs of empty blocks longer than 32,767, and correction bits that overflow: many flat blocks, then noise.
    yield 1600, 1400, 2, 1, 3, "gray", ["p"]
    yield 200, 160, 0, 3, 100, "420", ["p"]
    yield 200, 160, 0, 3, 95, "444", ["o"]


def make(folder):
    """Builds the encoder of CMYK pictures."""
    program = os.path.join(folder, "cmyk")
    subprocess.run(["cc", "-x", "c", "-", "-o", program, "-ljpeg"], input=CMYK_PROGRAM.encode(), check=True)
    return program


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        program = make(folder)
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "encoder-references.tsv"), "w") as output:
            for case in cases():
                file = without_metadata(encode(*case, program))
                columns = list(case[:6]) + [",".join(case[6]) or "-", len(file), "%016x" % fnv(file)]
                output.write("\t".join(str(c) for c in columns) + "\n")
