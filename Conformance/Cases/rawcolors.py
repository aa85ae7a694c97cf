"""The ground truth of raw files: a picture in sRGB, and the values that a camera with given matrices has for it.

The way is that from the scene to the sensor, in double precision: sRGB → linear light → XYZ, adapted to the white of the
scene → the camera's colours. The decoder goes the other way.
"""

import math

# CIE chromaticities of the standard illuminants (CIE 15), and the temperatures of the last three.
A, D50, D55, D65 = (0.44757, 0.40745), (0.34567, 0.35850), (0.33242, 0.34743), (0.31272, 0.32903)
TEMPERATURES = {A: 2856, D50: 5003, D55: 5503, D65: 6504}
BRADFORD = [[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]]


# Matrices


def times(*matrices):
    result = matrices[0]
    for matrix in matrices[1:]:
        result = [[sum(row[k] * matrix[k][j] for k in range(3)) for j in range(len(matrix[0]))] for row in result]
    return result


def diagonal(values):
    return [[values[i] if i == j else 0.0 for j in range(3)] for i in range(3)]


def inverse(m):
    (a, b, c), (d, e, f), (g, h, i) = m
    determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    cofactors = [
        [e * i - f * h, c * h - b * i, b * f - c * e], [f * g - d * i, a * i - c * g, c * d - a * f],
        [d * h - e * g, b * g - a * h, a * e - b * d]]
    return [[v / determinant for v in row] for row in cofactors]


def applied(matrix, vector):
    return [sum(matrix[i][k] * vector[k] for k in range(3)) for i in range(3)]


def mixed(first, second, weight):
    return [[weight * a + (1 - weight) * b for a, b in zip(*rows)] for rows in zip(first, second)]


def xyz(white):
    return [white[0] / white[1], 1.0, (1 - white[0] - white[1]) / white[1]]


def adaptation(source, target):
    """Bradford's transform from one white to another."""
    scales = [t / s for s, t in zip(applied(BRADFORD, xyz(source)), applied(BRADFORD, xyz(target)))]
    return times(inverse(BRADFORD), diagonal(scales), BRADFORD)


def srgb_to_xyz():
    """From linear sRGB to XYZ with the white D65, from the primaries of IEC 61966-2-1."""
    primaries = [[p[i] for p in (xyz((0.64, 0.33)), xyz((0.30, 0.60)), xyz((0.15, 0.06)))] for i in range(3)]
    return times(primaries, diagonal(applied(inverse(primaries), xyz((0.3127, 0.3290)))))


# Cameras


class Camera:
    """The tags of a camera's colours, and its values for linear sRGB."""

    def __init__(self, fields, to_camera, neutral):
        self.fields, self.to_camera, self.neutral = fields, to_camera, neutral

    def values(self, light):
        """The values for linear sRGB: white has the values of the neutral, the highest of which is 1."""
        return [v / max(self.neutral) for v in applied(self.to_camera, light)]


# How the colours of two made-up cameras mix those of linear sRGB, and their sensitivities. Rows have the sum 1.
MIX = [[0.72, 0.23, 0.05], [0.12, 0.80, 0.08], [0.04, 0.21, 0.75]]
WARM_MIX = [[0.60, 0.37, 0.03], [0.20, 0.77, 0.03], [0.10, 0.34, 0.56]]
SENSITIVITY = (0.52, 1.0, 0.64)


def elements(matrix):
    return [v for row in matrix for v in row]


def rounded(matrix):
    """A matrix with the precision of its tag."""
    return [[round(v, 4) for v in row] for row in matrix]


def color_matrix(mix, white, sensitivity=SENSITIVITY):
    """From XYZ to a camera whose colours are a mixture of those of linear sRGB, adapted to a white."""
    return rounded(times(diagonal(sensitivity), mix, inverse(srgb_to_xyz()), adaptation(white, D65)))


def adapted(matrix, white):
    """From linear sRGB to the camera in the light of a white."""
    return times(matrix, adaptation(D65, white), srgb_to_xyz())


def matrix_camera(white=D65, as_chromaticity=False, gain=None, calibration=None):
    """One ColorMatrix, with AsShotNeutral or AsShotWhiteXY; perhaps AnalogBalance and CameraCalibration1."""
    matrix = color_matrix(MIX, D65)
    fields = [(50721, "r", elements(matrix)), (50778, "H", [21])]
    individual = diagonal([1, 1, 1])
    if calibration:
        fields.append((50723, "r", elements(calibration)))
        individual = calibration
    if gain:
        fields.append((50727, "R", gain))
        individual = times(diagonal(gain), individual)
    matrix = times(individual, matrix)
    neutral = applied(matrix, xyz(white))
    shot = (50729, "R", list(white)) if as_chromaticity else (50728, "R", [v / max(neutral) for v in neutral])
    return Camera(fields + [shot], adapted(matrix, white), neutral)


def forward_camera(white, has_forward=True):
    """Two illuminants, A and D65, interpolated by the inverse of the temperature."""
    first, second = color_matrix(WARM_MIX, A, (0.8, 1.0, 0.4)), color_matrix(MIX, D65)
    fields = [
        (50721, "r", elements(first)), (50722, "r", elements(second)), (50778, "H", [17]), (50779, "H", [21])]
    t, t1, t2 = TEMPERATURES[white], TEMPERATURES[A], TEMPERATURES[D65]
    weight = (1 / t - 1 / t2) / (1 / t1 - 1 / t2)
    matrix = mixed(first, second, weight)
    neutral = applied(matrix, xyz(white))
    to_camera = adapted(matrix, white)
    if has_forward:
        to_d50 = times(adaptation(D65, D50), srgb_to_xyz())
        forwards = [rounded(times(to_d50, inverse(mix))) for mix in (WARM_MIX, MIX)]
        fields += [(50964, "r", elements(forwards[0])), (50965, "r", elements(forwards[1]))]
        to_camera = times(diagonal(neutral), inverse(mixed(*forwards, weight)), to_d50)
    return Camera(fields + [(50728, "R", [v / max(neutral) for v in neutral])], to_camera, neutral)


# Pictures


def linear(code):
    v = code / 255
    return v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4


def scene(width, height):
    """Rows of 8-bit sRGB: slow waves of different phases, without saturated colours."""
    return [
        [
            tuple(
                round(128 + 62 * math.sin(x / 9 + k * 0.9) * math.cos(y / 8 - k * 0.5) + 24 * math.sin((x + 2 * y) / 11 + k))
                for k in range(3))
            for x in range(width)]
        for y in range(height)]


def sensed(rows, camera):
    """A picture as the camera sees it: rows of three values of 0…1."""
    values = [[camera.values([linear(code) for code in pixel]) for pixel in row] for row in rows]
    assert all(0 <= v <= 1 for row in values for pixel in row for v in pixel)
    return values
