// Cancellation by AbortSignal, for runtimes without AbortSignal.any.

const callbacks = new WeakMap()

/**
 * Calls back once when a signal aborts. One listener for each signal serves any number of callbacks, since Node warns
 * of more than ten listeners.
 * @returns {() => void} Removes the callback.
 */
export function onAbort(signal, callback) {
  if (!signal) return () => {}
  if (signal.aborted) {
    callback(signal.reason)
    return () => {}
  }
  let waiting = callbacks.get(signal)
  if (!waiting) {
    waiting = new Set()
    callbacks.set(signal, waiting)
    const all = waiting
    signal.addEventListener("abort", () => {
      for (const each of [...all]) each(signal.reason)
      all.clear()
    }, { once: true })
  }
  waiting.add(callback)
  return () => waiting.delete(callback)
}

/** Throws the reason of a signal that has aborted. */
export function throwIfAborted(signal) {
  if (signal?.aborted) throw signal.reason
}

/** Settles as the promise does, or rejects with the signal's reason as soon as that aborts. */
export function abortable(promise, signal) {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const remove = onAbort(signal, reject)
    promise.then(resolve, reject).finally(remove)
  })
}

/**
 * A controller that aborts with the signal.
 * @returns {{ controller: AbortController, unlink: () => void }} `unlink` ends the connection of the two.
 */
export function linkedController(signal) {
  const controller = new AbortController()
  return { controller, unlink: onAbort(signal, reason => controller.abort(reason)) }
}

/** Waits so many milliseconds; rejects with the signal's reason. */
export function sleep(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    let remove = () => {}
    const timer = setTimeout(() => {
      remove()
      resolve()
    }, milliseconds)
    remove = onAbort(signal, reason => {
      clearTimeout(timer)
      reject(reason)
    })
  })
}

const left = Symbol("the loop was left")

/**
 * An asynchronous sequence over a generator function that takes a signal. Nothing happens before the first element is
 * asked for, and each iteration begins anew. Leaving the loop aborts the generator's signal, so that no work goes on
 * behind it, also while an element is being waited for.
 */
export function sequence(generate, signal) {
  return {
    [Symbol.asyncIterator]() {
      const { controller, unlink } = linkedController(signal)
      const generator = generate(controller.signal)
      const end = { done: true, value: undefined }
      return {
        async next() {
          try {
            throwIfAborted(controller.signal)
            const step = await abortable(generator.next(), controller.signal)
            if (step.done) unlink()
            return step
          } catch (error) {
            unlink()
            // The signal may have aborted between two elements: the generator's own clean-up is still to run.
            generator.return().catch(() => {})
            if (error === left) return end
            throw error
          }
        },
        async return() {
          unlink()
          controller.abort(left)
          // The generator ends by the signal; a generator that is suspended between two elements is ended here.
          generator.return().catch(() => {})
          return end
        },
        [Symbol.asyncIterator]() {
          return this
        },
      }
    },
  }
}
