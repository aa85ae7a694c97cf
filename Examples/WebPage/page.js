// The page: choosing a picture, and showing what the worker makes of it.
"use strict";

const element = (id) => document.getElementById(id);
const workerAddress = URL.createObjectURL(
  new Blob([`"use strict";(${decodeInWorker})()`], { type: "text/javascript" }));
const moduleBytes = Uint8Array.from(atob(imageCodecsModule), (character) => character.charCodeAt(0));

let worker;
let file;
let saving;

/** Starts a worker in place of the one that is at work, if any. */
function startWorker() {
  worker?.terminate();
  worker = new Worker(workerAddress);
  worker.onmessage = ({ data }) => receive[data.kind](data);
  worker.onerror = (event) => showError(`The decoder failed: ${event.message}`);
  worker.postMessage({ module: moduleBytes });
}

function open(chosen) {
  file = chosen;
  startWorker();
  element("results").hidden = true;
  element("error").hidden = true;
  element("progress").hidden = false;
  element("progress").value = 0;
  for (const id of ["facts", "times", "hash-text", "caption"]) element(id).replaceChildren();
  for (const id of ["picture", "thumbnail", "hash"]) element(id).width = element(id).height = 0;
  say(`Decoding ${file.name}.`);
}

const receive = {
  ready() { worker.postMessage({ file }); },
  progress({ fraction }) { element("progress").value = fraction; },
  preview({ facts, pixels }) {
    element("results").hidden = false;
    draw("picture", facts, pixels);
  },
  picture({ facts, pixels }) {
    element("results").hidden = false;
    element("progress").hidden = true;
    draw("picture", facts, pixels);
    const damage = facts.isComplete ? "" : " A part is missing.";
    element("caption").textContent = `${facts.width} × ${facts.height} pixels.${damage} ${facts.diagnostics.join(" ")}`;
    say(`${file.name} has been decoded: ${facts.width} by ${facts.height} pixels.${damage}`);
    addFact("times", "this page", `${facts.time.toFixed(1)} ms`);
    compareWithBrowser();
  },
  info({ facts }) {
    for (const [name, value] of Object.entries(facts)) addFact("facts", name, String(value));
    element("results").hidden = false;
  },
  thumbnail({ facts, pixels }) { draw("thumbnail", facts, pixels); },
  hash({ facts, pixels }) {
    draw("hash", facts, pixels);
    element("hash-text").textContent = `ThumbHash ${facts.base64}`;
  },
  saved({ bytes, time }) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes], { type: saving.type }));
    link.download = saving.name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    say(`${saving.name} has ${bytes.byteLength.toLocaleString("en")} bytes, written in ${time.toFixed(0)} ms.`);
    enableButtons(true);
  },
  problem({ message }) {
    showError(message);
    enableButtons(true);
  },
  error({ message }) {
    element("progress").hidden = true;
    say(`${file.name} cannot be decoded.`);
    showError(message);
  },
  done() { enableButtons(true); },
};

/** Times the decoder of the browser. */
async function compareWithBrowser() {
  const compared = file;
  const start = performance.now();
  try {
    const picture = await createImageBitmap(compared);
    const time = performance.now() - start;
    picture.close();
    if (file === compared) addFact("times", "this browser's own decoder", `${time.toFixed(1)} ms`);
  } catch {
    if (file === compared) addFact("times", "this browser's own decoder", "does not read the file");
  }
}

function draw(id, { width, height }, pixels) {
  const canvas = element(id);
  if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
  canvas.getContext("2d").putImageData(new ImageData(new Uint8ClampedArray(pixels), width, height), 0, 0);
}

function addFact(list, name, value) {
  const [term, description] = [document.createElement("dt"), document.createElement("dd")];
  term.textContent = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  description.textContent = value;
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

for (const button of document.querySelectorAll("button")) {
  button.onclick = () => {
    const { output, extension, type } = button.dataset;
    const [name, own] = [file.name.replace(/\.[^.]*$/, ""), file.name.match(/\.[^.]*$/)?.[0] ?? ""];
    saving = { name: name + (output === "strip" ? `-stripped${own}` : `.${extension}`), type: type ?? file.type };
    enableButtons(false);
    element("error").hidden = true;
    worker.postMessage({ file, output, quality: Number(element("quality").value) || 80 });
  };
}

element("file").onchange = ({ target }) => { if (target.files[0]) open(target.files[0]); };
const drop = document.querySelector(".drop");
document.ondragover = (event) => {
  event.preventDefault();
  drop.classList.add("is-over");
};
document.ondragleave = () => drop.classList.remove("is-over");
document.ondrop = (event) => {
  event.preventDefault();
  drop.classList.remove("is-over");
  if (event.dataTransfer.files[0]) open(event.dataTransfer.files[0]);
};
