// The words in which the page describes files and errors.
"use strict";

const formatNames = {
  "public.jpeg": "JPEG", "public.png": "PNG", "com.compuserve.gif": "GIF", "org.webmproject.webp": "WebP",
  "public.tiff": "TIFF", "com.microsoft.bmp": "BMP", "com.microsoft.ico": "ICO", "com.microsoft.cur": "CUR",
  "com.truevision.tga-image": "TGA", "public.pbm": "PNM",
};
const formatName = (type) => formatNames[type] ?? type.split(".").pop().toUpperCase();

const counted = (count, unit) => `${count.toLocaleString("en")} ${unit}${count === 1 ? "" : "s"}`;
const byteText = (count) => counted(count, "byte");
const yesNo = (value) => (value ? "yes" : "no");
const orientations = {
  2: "mirrored", 3: "upside down", 4: "mirrored, upside down", 5: "mirrored, on its side", 6: "on its side, to be turned right",
  7: "mirrored, on its side", 8: "on its side, to be turned left",
};

/** The label of each fact, and its text; a fact without one is left out. */
const factTexts = {
  type: ["Format", formatName],
  coding: ["Coding"],
  bitDepth: ["Bits per sample", String],
  colorModel: ["Colour model", (model) => ({ yCbCr: "YCbCr", rgb: "RGB", cmyk: "CMYK" })[model] ?? model],
  colorProfile: ["Colour profile", (name) => (/^sRGB/i.test(name) ? name : `${name}, converted to sRGB`)],
  hasAlpha: ["Transparency", yesNo],
  orientation: ["Stored", (value) => orientations[value]],
  isProgressive: ["Progressive", yesNo],
  imageCount: ["Pictures", (count) => (count > 1 ? String(count) : undefined)],
  frameCount: ["Frames", (count) => (count > 1 ? String(count) : undefined)],
  loopCount: ["Repeats", (count) => (count === 0 ? "for ever" : counted(count, "time"))],
  milliseconds: ["Duration", (time) => `${(time / 1000).toFixed(2)} s`],
  cameraMake: ["Camera make"],
  cameraModel: ["Camera"],
  lensModel: ["Lens"],
  isoSpeed: ["ISO speed", String],
  dateTaken: ["Taken"],
  hasLocation: ["Location", (value) => (value ? "is in the file" : undefined)],
  artist: ["Artist"],
  copyright: ["Copyright"],
  description: ["Description"],
  software: ["Software"],
  comments: ["Comments", (comments) => comments.join("\n")],
  texts: ["Texts", (texts) => texts.join("\n")],
  exifByteCount: ["EXIF", byteText],
  xmpByteCount: ["XMP", byteText],
  iptcByteCount: ["IPTC", byteText],
  iccByteCount: ["ICC profile", byteText],
};

/** The labels and texts of the facts of a file, in the order above. */
function describe(facts, file) {
  const rows = [
    ["File", `${file.name}, ${byteText(file.size)}`],
    ["Size", `${facts.width} × ${facts.height} pixels`],
  ];
  for (const [name, [label, text]] of Object.entries(factTexts)) {
    const value = facts[name] === undefined ? undefined : text ? text(facts[name]) : facts[name];
    if (value !== undefined && value !== "") rows.push([label, value]);
  }
  return rows;
}

const problems = {
  unrecognizedFormat: "This is no picture of a format that the page knows",
  truncated: "The file ends too early",
  malformed: "The file is damaged",
  limitExceeded: "The picture is too large for this page",
  unsupported: "The file uses something that the page cannot read",
};

/** A sentence about an error of the module, or about another one. */
function sentence({ facts, message }) {
  if (!facts?.kind) return message;
  const place = !facts.byteOffset ? "" : ` (at byte ${facts.byteOffset.toLocaleString("en")})`;
  return `${problems[facts.kind] ?? "The file cannot be used"}: ${facts.reason}${place}.`;
}
