// The part of the page that decodes, on a thread of its own. It is a function, because a page that is opened from a file
// starts workers from text only.
"use strict";

function decodeInWorker() {
  /** The bytes that are read from a file at a time. */
  const partByteCount = 1 << 18;
  /** The milliseconds between two previews. */
  const previewInterval = 100;
  /** Larger pictures are not shown before they are complete: a preview is a copy. */
  const maximumPreviewPixelCount = 8e6;
  /** The longest side of what is shown. A larger picture is decoded again to this size, which takes less memory than a copy. */
  const maximumShownSide = 2400;
  /** The module decodes no larger pictures as a whole, and the browser's own decoder is not measured with them either. */
  const maximumWholePixelCount = 16e6;
  /** Each decoder is measured up to the given number of times, if they take less than the given milliseconds together. */
  const [maximumRunCount, maximumMeasuredTime] = [5, 700];

  let codecs;
  let time = 0;

  const imports = {
    wasi_snapshot_preview1: {
      random_get(start, count) {
        crypto.getRandomValues(new Uint8Array(codecs.memory.buffer, start, count));
        return 0;
      },
    },
  };

  class CodecError extends Error {
    constructor(facts) {
      super(facts.message);
      this.facts = facts;
    }
  }

  /** Calls a function of the module with bytes, and measures the time that it takes. Returns the facts of its answer. */
  function call(name, bytes, ...parameters) {
    const start = bytes ? codecs.allocate(bytes.length) : 0;
    if (bytes) new Uint8Array(codecs.memory.buffer).set(bytes, start);
    const before = performance.now();
    const status = bytes ? codecs[name](start, bytes.length, ...parameters) : codecs[name](...parameters);
    time += performance.now() - before;
    if (bytes) codecs.deallocate(start);
    const text = new Uint8Array(codecs.memory.buffer, codecs.answer_text(), codecs.answer_text_byte_count());
    const facts = JSON.parse(new TextDecoder().decode(text));
    if (status !== 0) throw new CodecError(facts);
    return facts;
  }

  /** A copy of the bytes of the latest answer, which is released. */
  function answerBytes() {
    const bytes = new Uint8Array(codecs.memory.buffer, codecs.answer_bytes(), codecs.answer_byte_count()).slice();
    codecs.release_answer();
    return bytes;
  }

  /** A picture for a canvas, made of the pixels of the latest answer. */
  async function answerBitmap({ width, height }) {
    const start = codecs.answer_bytes();
    const pixels = new ImageData(new Uint8ClampedArray(codecs.memory.buffer, start, width * height * 4), width, height);
    const bitmap = await createImageBitmap(pixels);
    codecs.release_answer();
    return bitmap;
  }

  async function postPicture(kind, facts) {
    const bitmap = await answerBitmap(facts);
    postMessage({ kind, facts, bitmap }, [bitmap]);
  }

  /** Shows a picture that is too large to be decoded as a whole: its rows are reduced as they are decoded. */
  async function decodeReduced(file) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const { width, height } = call("info", bytes);
    time = 0;
    const shown = call("thumbnail", bytes, maximumShownSide);
    const bitmap = await answerBitmap(shown);
    const diagnostics = ["The picture is shown reduced, because it is too large for this page as a whole."];
    const facts = { width, height, time, diagnostics, isComplete: true };
    postMessage({ kind: "picture", facts, bitmap }, [bitmap]);
  }

  async function decode(file) {
    try {
      await decodeInParts(file);
    } catch (error) {
      if (error.facts?.kind !== "limitExceeded") throw error;
      codecs.session_begin();
      await decodeReduced(file);
    }
  }

  async function decodeInParts(file) {
    codecs.session_begin();
    time = 0;
    let lastPreview = performance.now();
    for (let offset = 0; offset < file.size; offset += partByteCount) {
      const part = new Uint8Array(await file.slice(offset, offset + partByteCount).arrayBuffer());
      const progress = call("session_append", part);
      postMessage({ kind: "progress", fraction: Math.min(1, (offset + part.length) / file.size), progress });
      const isSmall = progress.width * progress.height <= maximumPreviewPixelCount;
      if (isSmall && performance.now() - lastPreview > previewInterval) {
        const decodingTime = time;
        const facts = call("session_preview");
        if (facts.width > 0) await postPicture("preview", facts);
        lastPreview = performance.now();
        time = decodingTime;
      }
    }
    const facts = call("session_finish");
    facts.time = time;
    if (Math.max(facts.width, facts.height) <= maximumShownSide) return postPicture("picture", facts);
    codecs.release_answer();
    const shown = call("thumbnail", new Uint8Array(await file.arrayBuffer()), maximumShownSide);
    const bitmap = await answerBitmap(shown);
    postMessage({ kind: "picture", facts, bitmap }, [bitmap]);
  }

  /** Posts the result of a step. A step that fails does not prevent those after it. */
  async function attempt(step) {
    try {
      await step();
    } catch (error) {
      postMessage({ kind: "problem", message: error.message, facts: error.facts });
    }
  }

  /** Reads all pixels as this browser decodes them, some rows at a time so that they are not in memory twice. */
  async function decodeByBrowser(blob) {
    const bitmap = await createImageBitmap(blob);
    const rowCount = Math.min(bitmap.height, 128);
    const canvas = new OffscreenCanvas(bitmap.width, rowCount).getContext("2d", { willReadFrequently: true });
    for (let y = 0; y < bitmap.height; y += rowCount) {
      canvas.drawImage(bitmap, 0, -y);
      canvas.getImageData(0, 0, bitmap.width, rowCount);
    }
    bitmap.close();
  }

  /** The least time that a function takes, or that it returns. */
  async function leastTime(run) {
    let least = Infinity;
    const start = performance.now();
    for (let count = 0; count < maximumRunCount && performance.now() - start < maximumMeasuredTime; count += 1) {
      const before = performance.now();
      const measured = await run();
      least = Math.min(least, measured ?? performance.now() - before);
    }
    return least;
  }

  /** Measures the module with the file in memory and the pixels as result. */
  async function measure(bytes) {
    const least = await leastTime(() => {
      time = 0;
      call("decode", bytes);
      codecs.release_answer();
      return time;
    });
    postMessage({ kind: "measured", time: least });
  }

  /** Measures the browser's own decoder likewise. */
  async function measureBrowser(file) {
    const blob = new Blob([await file.arrayBuffer()], { type: file.type });
    postMessage({ kind: "browser", time: await leastTime(() => decodeByBrowser(blob)).catch(() => undefined) });
  }

  async function open(file) {
    let failure;
    try {
      await decode(file);
    } catch (error) {
      failure = error;
      postMessage({ kind: "error", message: error.message, facts: error.facts });
    }
    codecs.release_answer();
    if (failure && !failure.facts) return postMessage({ kind: "done", canSave: false });
    const bytes = new Uint8Array(await file.arrayBuffer());
    let info;
    try {
      info = call("info", bytes);
      postMessage({ kind: "info", facts: info });
    } catch (error) {
      // The headers are damaged, as the error of the picture says.
      if (!failure) postMessage({ kind: "problem", message: error.message, facts: error.facts });
    }
    if (failure) return postMessage({ kind: "done", canSave: false });
    await attempt(async () => postPicture("thumbnail", call("thumbnail", bytes, 240)));
    await attempt(async () => {
      const { base64 } = call("thumb_hash", bytes);
      await postPicture("hash", { ...call("thumb_hash_picture", answerBytes()), base64 });
    });
    const isCompared = info && info.width * info.height <= maximumWholePixelCount;
    if (isCompared) await attempt(() => measure(bytes));
    postMessage({ kind: "done", canSave: true, isCompared });
  }

  let frameCount = 0;

  /** Posts a frame of the animation, and the index of the one after it. */
  async function postFrame(index) {
    time = 0;
    const facts = call("animation_frame", undefined, index);
    await postPicture("frame", { ...facts, time, next: (index + 1) % frameCount });
  }

  async function openAnimation(file) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    frameCount = call("animation_open", bytes).frameCount;
    await postFrame(0);
  }

  async function save(file, output, quality) {
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      time = 0;
      if (output === "strip") call("strip", bytes);
      else call("convert", bytes, Number(output), quality);
      const result = answerBytes();
      postMessage({ kind: "saved", time, bytes: result.buffer }, [result.buffer]);
    } catch (error) {
      postMessage({ kind: "problem", message: error.message, facts: error.facts });
    }
  }

  let isReady;

  onmessage = async ({ data }) => {
    if (data.module) {
      isReady = WebAssembly.instantiate(data.module, imports).then(({ exports }) => {
        codecs = exports;
        codecs._initialize?.();
      });
      return;
    }
    if (data.browser) return measureBrowser(data.browser);
    await isReady;
    if (data.output !== undefined) await save(data.file, data.output, data.quality);
    else if (data.animation) await attempt(() => openAnimation(data.animation));
    else if (data.frame !== undefined) await attempt(() => postFrame(data.frame));
    else await open(data.file);
  };
}
