// Reading again while a screen is visible.

/**
 * Reads at once, and again and again until it is stopped: every `fast` milliseconds, and every ten seconds when nothing has
 * changed for a minute; never while the page is hidden.
 * @param {(signal: AbortSignal) => Promise<any>} read
 * @param {(value: any) => void} show called when the value differs from the last one
 * @param {(error: unknown) => void} fail
 * @param {number} [fast]
 * @returns {{stop: () => void, again: () => void}}
 */
export function repeat(read, show, fail, fast = 2000) {
  const controller = new AbortController();
  let last = "";
  let changedAt = Date.now();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let isReading = false;

  async function turn() {
    clearTimeout(timer);
    if (controller.signal.aborted || isReading) return;
    if (document.hidden) return;
    isReading = true;
    try {
      const value = await read(controller.signal);
      const text = JSON.stringify(value);
      if (!controller.signal.aborted && text !== last) {
        last = text;
        changedAt = Date.now();
        show(value);
      }
    } catch (error) {
      if (controller.signal.aborted) return;
      last = "";
      fail(error);
    } finally {
      isReading = false;
    }
    const pause = Date.now() - changedAt > 60_000 ? Math.max(fast, 10_000) : fast;
    if (!controller.signal.aborted) timer = setTimeout(turn, pause);
  }

  document.addEventListener("visibilitychange", turn, {signal: controller.signal});
  addEventListener("online", turn, {signal: controller.signal});
  turn();
  return {
    stop() {
      clearTimeout(timer);
      controller.abort();
    },
    again() {
      last = "";
      turn();
    },
  };
}
