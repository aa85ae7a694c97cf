// The page: choosing a picture, and showing what the worker makes of it.
"use strict";

const element = (id) => document.getElementById(id);
const workerAddress = URL.createObjectURL(
  new Blob([`"use strict";(${decodeInWorker})()`], { type: "text/javascript" }));
// Compiled once for all workers, which also share its optimised code.
const codecsModule = fetch(`data:application/wasm;base64,${imageCodecsModule}`).then(WebAssembly.compileStreaming);

let worker;
let comparison;
let file;
let note = "";
let saving;
let own;
let isPlaying = false;
let nextFrame;

function newWorker() {
  const started = new Worker(workerAddress);
  const isCurrent = () => started === worker || started === comparison;
  started.onmessage = ({ data }) => { if (isCurrent()) receive[data.kind](data); };
  started.onerror = (event) => {
    if (isCurrent()) receive.error({ message: `The decoder failed: ${event.message}` });
  };
  return started;
}

/** Gives a task to a new worker, in place of the one that is at work, if any: memory of a module does not shrink. */
async function start(task) {
  worker?.terminate();
  const started = worker = newWorker();
  try {
    const module = await codecsModule;
    started.postMessage({ module });
    started.postMessage(task);
  } catch (error) {
    if (worker === started) receive.error({ message: `The decoder does not start: ${error.message}` });
  }
}

/** Frees the memory of the worker, which has nothing to do. */
function endWorker() {
  worker?.terminate();
  worker = undefined;
}

function open(files) {
  if (files.length === 0) return;
  file = files[0];
  note = files.length > 1 ? ` It is the first of ${files.length} files; the others are not opened.` : "";
  stopPlaying();
  element("results").hidden = true;
  element("error").hidden = true;
  element("animation").hidden = true;
  element("progress").hidden = false;
  element("progress").value = 0;
  for (const id of ["facts", "times", "hash-text", "caption"]) element(id).replaceChildren();
  for (const id of ["shown", "times-section", "small-section", "downloads-section", "facts-section"]) element(id).hidden = true;
  enableButtons(false);
  say(`Decoding ${file.name}.${note}`);
  comparison?.terminate();
  start({ file });
}

const receive = {
  progress({ fraction }) { element("progress").value = fraction; },
  preview({ bitmap }) { show("shown", "picture", bitmap); },
  picture({ facts, bitmap }) {
    element("progress").hidden = true;
    show("shown", "picture", bitmap);
    const size = `${facts.width} × ${facts.height} pixels`;
    const damage = facts.isComplete ? "" : " The file is damaged: a part of the picture is missing.";
    element("picture").setAttribute("aria-label", `The picture of ${file.name}, ${size}`);
    element("caption").textContent = [`${size}.`, ...facts.diagnostics].join("\n");
    say(`${file.name} has been decoded: ${size}.${damage}${note}`);
    addRow("times", "This page, while the file is read", milliseconds(facts.time));
    reveal("times-section");
  },
  info({ facts }) {
    for (const [label, text] of describe(facts, file)) addRow("facts", label, text);
    reveal("facts-section");
    element("animation").hidden = !(facts.frameCount > 1);
  },
  thumbnail({ bitmap }) { show("small-section", "thumbnail", bitmap); },
  hash({ facts, bitmap }) {
    show("small-section", "hash", bitmap);
    element("hash-text").textContent = `ThumbHash ${facts.base64}`;
  },
  measured({ time }) {
    own = time;
    addRow("times", "This page, the file in memory", milliseconds(own));
  },
  browser({ time }) {
    comparison.terminate();
    addRow("times", "This browser's own decoder", time === undefined ? "does not read the file" : milliseconds(time));
    if (time !== undefined) addRow("times", "This page relative to it", `${(own / time).toFixed(2)} ×`);
  },
  frame({ facts, bitmap }) {
    if (!isPlaying) return bitmap.close();
    show("shown", "picture", bitmap);
    nextFrame = setTimeout(() => worker.postMessage({ frame: facts.next }), Math.max(10, facts.milliseconds - facts.time));
  },
  saved({ bytes, time }) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes], { type: saving.type }));
    link.download = saving.name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    endWorker();
    say(`${saving.name} has ${byteText(bytes.byteLength)}, written in ${milliseconds(time)}.`);
    enableButtons(true);
    saving.button.focus();
  },
  problem(problem) {
    if (isPlaying) stopPlaying();
    showError(sentence(problem));
    enableButtons(true);
  },
  error(problem) {
    if (isPlaying) stopPlaying();
    element("progress").hidden = true;
    say(`${file.name} cannot be decoded.${note}`);
    showError(sentence(problem));
  },
  done({ canSave, isCompared }) {
    endWorker();
    if (!canSave) return;
    reveal("downloads-section");
    enableButtons(true);
    if (!isCompared) return;
    comparison = newWorker();
    comparison.postMessage({ browser: file });
  },
};

const milliseconds = (time) => `${time.toFixed(time < 100 ? 1 : 0)} ms`;

/** Shows a picture on a canvas, which takes its pixels. */
function show(section, id, bitmap) {
  const canvas = element(id);
  if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
    [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
  }
  canvas.getContext("bitmaprenderer").transferFromImageBitmap(bitmap);
  reveal(section);
}

function reveal(section) { element("results").hidden = element(section).hidden = false; }

function addRow(list, label, text) {
  const [term, description] = [document.createElement("dt"), document.createElement("dd")];
  term.textContent = label;
  description.textContent = text;
  element(list).append(term, description);
}

function say(text) { element("status").textContent = text; }

function showError(text) {
  element("error").textContent = text;
  element("error").hidden = false;
}

function enableButtons(areEnabled) {
  for (const button of document.querySelectorAll("button")) button.disabled = !areEnabled;
}

function stopPlaying() {
  if (isPlaying) endWorker();
  isPlaying = false;
  clearTimeout(nextFrame);
  element("play").setAttribute("aria-pressed", "false");
}

element("play").onclick = () => {
  if (isPlaying) return stopPlaying();
  isPlaying = true;
  element("play").setAttribute("aria-pressed", "true");
  start({ animation: file });
};

for (const button of document.querySelectorAll("button[data-output]")) {
  button.onclick = () => {
    const { output, extension, type } = button.dataset;
    const [name, own] = [file.name.replace(/\.[^.]*$/, ""), file.name.match(/\.[^.]*$/)?.[0] ?? ""];
    saving = { button, name: name + (output === "strip" ? `-stripped${own}` : `.${extension}`), type: type ?? file.type };
    stopPlaying();
    enableButtons(false);
    element("error").hidden = true;
    say(`Writing ${saving.name}.`);
    start({ file, output, quality: Math.min(100, Math.max(1, Number(element("quality").value) || 80)) });
  };
}

element("file").onchange = ({ target }) => open(target.files);
const drop = document.querySelector(".drop");
drop.onclick = ({ target }) => { if (!target.closest("input, label")) element("file").click(); };
document.ondragover = (event) => {
  event.preventDefault();
  drop.classList.add("is-over");
};
document.ondragleave = (event) => { if (!event.relatedTarget) drop.classList.remove("is-over"); };
document.ondrop = (event) => {
  event.preventDefault();
  drop.classList.remove("is-over");
  if (event.dataTransfer.files.length > 0) open(event.dataTransfer.files);
  else say("What was dropped is no file.");
};
