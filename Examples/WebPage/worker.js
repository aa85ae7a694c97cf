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

  function postPicture(kind, facts) {
    const pixels = answerBytes();
    postMessage({ kind, facts, pixels: pixels.buffer }, [pixels.buffer]);
  }

  async function decode(file) {
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
        if (facts.width > 0) postPicture("preview", facts);
        lastPreview = performance.now();
        time = decodingTime;
      }
    }
    const facts = call("session_finish");
    postPicture("picture", { ...facts, time });
  }

  /** Posts the result of a step. A step that fails does not prevent those after it. */
  function attempt(kind, step) {
    try {
      step();
    } catch (error) {
      postMessage({ kind: "problem", part: kind, message: error.message });
    }
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
    if (failure && !failure.facts) return;
    const bytes = new Uint8Array(await file.arrayBuffer());
    attempt("info", () => postMessage({ kind: "info", facts: call("info", bytes) }));
    if (failure) return postMessage({ kind: "done" });
    attempt("thumbnail", () => postPicture("thumbnail", call("thumbnail", bytes, 240)));
    attempt("hash", () => {
      const { base64 } = call("thumb_hash", bytes);
      postPicture("hash", { ...call("thumb_hash_picture", answerBytes()), base64 });
    });
    postMessage({ kind: "done" });
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
      postMessage({ kind: "problem", part: "save", message: error.message });
    }
  }

  onmessage = async ({ data }) => {
    if (data.module) {
      const { instance } = await WebAssembly.instantiate(data.module, imports);
      codecs = instance.exports;
      codecs._initialize?.();
      postMessage({ kind: "ready" });
    } else if (data.output !== undefined) {
      await save(data.file, data.output, data.quality);
    } else {
      await open(data.file);
    }
  };
}
