// One stream for all tabs of a browser: the union of the jobs that they show, and the way of each state to its tabs.
import {follow, hasEnded} from "./stream.js";

/** The jobs of one stream at most, as the service takes them. */
const most = 50;

/** A tab that gives no sign for this time is gone. Hidden tabs have a timer a minute. */
const longestSilence = 90_000;

/**
 * What a tab sends: the jobs that it shows, a sign of life, or its end.
 * @typedef {{type: "show", source: import("./stream.js").Source, jobs: string[], isVisible: boolean}
 *   | {type: "alive"} | {type: "bye"}} Request
 *
 * What a tab gets: the state of a job, the state of the stream, or the number of visible tabs.
 * @typedef {{type: "job", job: any} | {type: "gone", id: string}
 *   | {type: "state", state: "open" | "broken" | "refused" | "idle"} | {type: "tabs", visible: number}} Answer
 *
 * @typedef {{postMessage: (answer: Answer) => void}} Tab
 */

/**
 * @param {import("./stream.js").Surroundings} around
 * @returns {{receive: (tab: Tab, request: Request) => void}}
 */
export function hub(around) {
  /** @type {Map<Tab, {channel: Channel, jobs: string[], isVisible: boolean, heardAt: number}>} */
  const tabs = new Map();
  /** @type {Map<string, Channel>} */
  const channels = new Map();
  let visible = 0;

  /**
   * The stream of one source. Tabs have different ones where they act as different users.
   * @typedef {object} Channel
   * @property {import("./stream.js").Source} source
   * @property {Set<string>} ended
   * @property {Map<string, {tag: string, job: any}>} known
   * @property {string[]} followed
   * @property {AbortController | null} stop
   * @property {"open" | "broken" | "refused" | "idle"} state
   */

  /** @param {import("./stream.js").Source} source @returns {Channel} */
  function channel(source) {
    const key = JSON.stringify(source);
    let found = channels.get(key);
    if (!found) {
      found = {source, ended: new Set(), known: new Map(), followed: [], stop: null, state: "idle"};
      channels.set(key, found);
    }
    return found;
  }

  /** @param {Channel} channel @param {Answer} answer @param {string} [job] */
  function tell(channel, answer, job) {
    for (const [tab, entry] of tabs) {
      if (entry.channel === channel && (job === undefined || entry.jobs.includes(job))) tab.postMessage(answer);
    }
  }

  /** @param {Channel} channel @param {Channel["state"]} state */
  function setState(channel, state) {
    if (channel.state === state) return;
    channel.state = state;
    tell(channel, {type: "state", state});
  }

  /**
   * The jobs to follow, those of visible tabs first.
   * @param {Channel} channel
   */
  function wanted(channel) {
    const entries = [...tabs.values()].filter((entry) => entry.channel === channel)
      .sort((one, other) => Number(other.isVisible) - Number(one.isVisible));
    return [...new Set(entries.flatMap((entry) => entry.jobs))].filter((id) => !channel.ended.has(id)).slice(0, most);
  }

  /**
   * Opens the stream of a channel again when a job is new to it, and closes it when none is left.
   * @param {Channel} channel
   */
  function arrange(channel) {
    const ids = wanted(channel);
    if (ids.length === 0) {
      channel.stop?.abort();
      [channel.stop, channel.followed] = [null, []];
      channel.known.clear();
      setState(channel, "idle");
      return;
    }
    if (channel.stop && ids.every((id) => channel.followed.includes(id))) return;
    channel.stop?.abort();
    const stop = new AbortController();
    [channel.stop, channel.followed] = [stop, ids];
    follow(channel.source, ids, channel.known, around, stop.signal, {
      job(job) {
        if (hasEnded(job)) channel.ended.add(job.id);
        tell(channel, {type: "job", job}, job.id);
      },
      state: (state) => setState(channel, state),
      gone(id) {
        channel.ended.add(id);
        tell(channel, {type: "gone", id}, id);
      },
    }).finally(() => {
      if (channel.stop !== stop) return;
      [channel.stop, channel.followed] = [null, []];
      if (channel.state !== "refused") arrange(channel);
    });
  }

  /** @param {Tab} tab @param {Request} request */
  function receive(tab, request) {
    const before = tabs.get(tab);
    if (request.type === "bye") tabs.delete(tab);
    else if (request.type === "alive") {
      if (before) before.heardAt = around.now();
    } else {
      const mine = channel(request.source);
      // A job that is shown anew may run again, after a retry.
      for (const id of request.jobs) {
        if (before?.channel === mine && before.jobs.includes(id)) continue;
        if (mine.ended.delete(id)) mine.known.delete(id);
        const known = mine.followed.includes(id) ? mine.known.get(id) : undefined;
        if (known) tab.postMessage({type: "job", job: known.job});
      }
      tabs.set(tab, {channel: mine, jobs: request.jobs, isVisible: request.isVisible, heardAt: around.now()});
      if (before?.channel !== mine) tab.postMessage({type: "state", state: mine.state});
    }
    for (const [other, entry] of tabs) {
      if (around.now() - entry.heardAt > longestSilence) tabs.delete(other);
    }
    for (const [key, one] of channels) {
      arrange(one);
      if (![...tabs.values()].some((entry) => entry.channel === one)) channels.delete(key);
    }
    const count = [...tabs.values()].filter((entry) => entry.isVisible).length;
    if (count !== visible) {
      visible = count;
      for (const other of tabs.keys()) other.postMessage({type: "tabs", visible});
    } else if (!before && tabs.has(tab)) tab.postMessage({type: "tabs", visible});
  }

  return {receive};
}
