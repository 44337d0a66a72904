// Whether the service answers, as the status "Connection" tells.

/** @type {Set<() => void>} */
const listeners = new Set();
let isLost = false;
let lastAnswer = Date.now();

/** @param {boolean} isGood */
export function report(isGood) {
  if (isGood) lastAnswer = Date.now();
  if (isLost === !isGood) return;
  isLost = !isGood;
  tell();
}

export function state() {
  return !navigator.onLine ? "Offline" : isLost ? "Reconnecting" : "Live";
}

/** The time of the last answer, when what is shown is older than ten seconds and the service does not answer. */
export function staleSince() {
  return state() !== "Live" && Date.now() - lastAnswer > 10_000 ? lastAnswer : null;
}

/** @param {() => void} listener */
export function onChange(listener) {
  listeners.add(listener);
}

function tell() {
  for (const listener of listeners) listener();
}

globalThis.addEventListener?.("online", tell);
globalThis.addEventListener?.("offline", tell);
