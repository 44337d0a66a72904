/** Reads again while somebody looks. */

const quick = 2000;
const slow = 10_000;
const calm = 60_000;

/** Calls `load` now, then every 2 s while the page is visible, every 10 s when nothing has changed for a minute.
 * @param {(signal: AbortSignal) => Promise<boolean>} load Whether something has changed.
 * @returns {{again: () => void, close: () => void}} */
export function poll(load) {
  const controller = new AbortController();
  let timer = 0;
  let changedAt = performance.now();
  let isRunning = false;
  let isWanted = false;

  /** @returns {Promise<void>} */
  async function run() {
    clearTimeout(timer);
    if (isRunning) { isWanted = true; return; }
    isRunning = true;
    isWanted = false;
    if (await load(controller.signal)) changedAt = performance.now();
    isRunning = false;
    if (controller.signal.aborted) return;
    if (isWanted) return void run();
    plan();
  }
  function plan() {
    clearTimeout(timer);
    if (document.hidden) return;
    timer = window.setTimeout(run, performance.now() - changedAt > calm ? slow : quick);
  }
  const onVisible = () => (document.hidden ? clearTimeout(timer) : run());
  document.addEventListener("visibilitychange", onVisible, { signal: controller.signal });
  run();
  return {
    again() { changedAt = performance.now(); run(); },
    close() { clearTimeout(timer); controller.abort(); },
  };
}
