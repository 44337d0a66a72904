// The worker that all tabs of a browser share: it holds the stream of events for them.
import {hub} from "./hub.js";
import {surroundings} from "./stream.js";

const shared = hub(surroundings);
/** @type {any} */ (globalThis).onconnect = (/** @type {MessageEvent} */ event) => {
  const port = event.ports[0];
  port.onmessage = (message) => shared.receive(port, message.data);
};
