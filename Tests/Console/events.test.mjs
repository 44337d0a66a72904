// The stream of events: what it reads, when it is opened again, and how tabs share it.
import assert from "node:assert/strict";
import test from "node:test";
import {event, load, settle, surroundings} from "./support.mjs";

const {delay, follow, parser, silence} = await load("stream");
const {hub} = await load("hub");

const source = {path: "/api/v1/events", headers: {"X-User-ID": "7"}};

test("events are read from pieces that end anywhere", () => {
  const text = ": hello\n\nretry: 1500\nid: j:1\nevent: progress\ndata: {\"a\":\ndata: 1}\n\nid: j:2\r\nevent: completed\r\ndata: {}\r\n\r\n";
  for (let size = 1; size < text.length; size += 1) {
    const [events, pauses] = [[], []];
    const feed = parser((event) => events.push(event), (pause) => pauses.push(pause));
    for (let start = 0; start < text.length; start += size) feed(text.slice(start, start + size));
    assert.deepEqual(events, [{id: "j:1", type: "progress", data: "{\"a\":\n1}"}, {id: "j:2", type: "completed", data: "{}"}]);
    assert.deepEqual(pauses, [1500]);
  }
});

test("the first retry comes after 100 ms, later ones within 0.25 to 2 s", () => {
  assert.equal(delay(1, 0.9), 100);
  for (let failures = 2; failures < 12; failures += 1) {
    for (const random of [0, 0.5, 1]) {
      const pause = delay(failures, random);
      assert.ok(pause >= 250 && pause <= 2000, `${failures} ${random}: ${pause}`);
    }
  }
});

/** Follows jobs, and keeps what is told. */
function following(ids, missing) {
  const service = surroundings(missing);
  const told = [];
  const stop = new AbortController();
  const known = new Map();
  const done = follow(source, ids, known, service.around, stop.signal, {
    job: (job) => told.push(`${job.id} ${job.status}`), state: (state) => told.push(state), gone: (id) => told.push(`${id} gone`),
  });
  return {...service, told, stop, known, done};
}

test("a stream that ends before its jobs is opened again with the states that were seen", async () => {
  const {streams, told, advance, done} = following(["a", "b"]);
  await settle();
  assert.equal(streams[0].address, "/api/v1/events?jobs=a,b");
  assert.equal(streams[0].headers["Last-Event-ID"], undefined);
  assert.equal(streams[0].headers["X-User-ID"], "7");
  streams[0].write(event({id: "a", status: "processing"}).replace("id: a:", "id: a:9,x:"));
  await settle();
  streams[0].end();
  await advance(100);
  assert.equal(streams[1].headers["Last-Event-ID"], "a:9");
  assert.ok(told.includes("broken"));
  streams[1].write(event({id: "a", status: "completed"}) + event({id: "b", status: "failed"}));
  await settle();
  streams[1].end();
  await done;
  assert.equal(streams.length, 2);
});

test("a stream that ends after its last job is not broken", async () => {
  const {streams, told, done} = following(["a"]);
  await settle();
  streams[0].write(event({id: "a", status: "cancelled"}));
  await settle();
  streams[0].end();
  await done;
  assert.deepEqual(told.filter((one) => one !== "open"), ["a cancelled"]);
});

test("the planned end of a long stream is not told", async () => {
  const {streams, told, advance, stop} = following(["a"]);
  await settle();
  for (let minute = 0; minute < 15; minute += 1) {
    await advance(30_000);
    streams[0].write(": still here\n\n");
  }
  streams[0].end();
  await advance(200);
  assert.equal(streams.length, 2);
  assert.ok(!told.includes("broken"));
  stop.abort();
});

test("a stream without a byte for 45 s is broken", async () => {
  const {streams, told, advance, stop} = following(["a"]);
  await settle();
  await advance(silence - 1);
  assert.equal(streams[0].isStopped, false);
  await advance(200);
  assert.equal(streams[0].isStopped, true);
  assert.ok(told.includes("broken"));
  assert.equal(streams.length, 2);
  stop.abort();
});

test("a stream of jobs that are not due is left until the service wants to be asked again", async () => {
  const {streams, told, advance, stop} = following(["a"]);
  await settle();
  streams[0].write("retry: 60000\n\n");
  await settle();
  streams[0].end();
  await advance(59_000);
  assert.equal(streams.length, 1);
  await advance(1_000);
  assert.equal(streams.length, 2);
  assert.ok(!told.includes("broken"));
  stop.abort();
});

test("a job that is there no more does not keep the others from their stream", async () => {
  const {streams, told, advance, stop} = following(["a", "b", "c"], ["b"]);
  await settle();
  await advance(1_000);
  assert.deepEqual(streams.map((stream) => stream.jobs.join("")), ["abc", "ac"]);
  assert.ok(told.includes("b gone"));
  stop.abort();
});

test("a service that has too many streams is asked again when it says", async () => {
  const {streams, told, advance, answers, stop, done} = following(["a"]);
  await settle();
  answers(429);
  streams[0].end();
  await advance(100);
  assert.equal(told.at(-1), "refused");
  answers(null);
  await advance(6_900);
  assert.equal(streams.length, 2);
  await advance(100);
  assert.equal(streams.length, 3);
  stop.abort();
  await done;
});

/** A hub with a service, and tabs that keep what they get. */
function browser() {
  const service = surroundings();
  const {receive} = hub(service.around);
  return {...service, receive, tab() {
    const got = [];
    const tab = {postMessage: (answer) => got.push(answer)};
    return {got, jobs: () => got.filter((one) => one.type === "job").map((one) => `${one.job.id} ${one.job.status}`),
      state: () => got.filter((one) => one.type === "state").at(-1)?.state,
      show: (jobs, isVisible = true, from = source) => receive(tab, {type: "show", source: from, jobs, isVisible}),
      say: (type) => receive(tab, {type})};
  }};
}

test("tabs that show the same jobs share one stream", async () => {
  const {streams, tab} = browser();
  const tabs = Array.from({length: 8}, tab);
  for (const one of tabs) one.show(["a", "b"]);
  await settle();
  assert.equal(streams.length, 1);
  streams[0].write(event({id: "a", status: "processing"}));
  await settle();
  for (const one of tabs) assert.deepEqual(one.jobs(), ["a processing"]);
  const ninth = tab();
  ninth.show(["a"]);
  await settle();
  assert.equal(streams.length, 1);
  assert.deepEqual([ninth.jobs(), ninth.state()], [["a processing"], "open"]);
});

test("a tab gets the states of its own jobs alone", async () => {
  const {streams, tab} = browser();
  const [one, other] = [tab(), tab()];
  one.show(["a"]);
  other.show(["b"]);
  await settle();
  const stream = streams.at(-1);
  assert.deepEqual(stream.jobs, ["a", "b"]);
  assert.equal(streams[0].isStopped, true);
  stream.write(event({id: "b", status: "processing"}));
  await settle();
  assert.deepEqual([one.jobs(), other.jobs()], [[], ["b processing"]]);
});

test("a stream takes 50 jobs, those of visible tabs first", async () => {
  const {streams, tab} = browser();
  const [hidden, visible] = [tab(), tab()];
  const jobs = (letter, count) => Array.from({length: count}, (_, index) => letter + index);
  hidden.show(jobs("h", 40), false);
  visible.show(jobs("v", 30), true);
  await settle();
  const followed = streams.at(-1).jobs;
  assert.equal(followed.length, 50);
  assert.deepEqual(followed.slice(0, 30), jobs("v", 30));
});

test("the stream is closed when its last tab says goodbye, or is silent for long", async () => {
  const {streams, tab, advance} = browser();
  const [leaving, silent, living] = [tab(), tab(), tab()];
  leaving.show(["a"]);
  await settle();
  leaving.say("bye");
  await settle();
  assert.equal(streams[0].isStopped, true);
  silent.show(["b"]);
  living.show([]);
  for (let time = 0; time < 100_000; time += 20_000) {
    await advance(20_000);
    streams.at(-1).isStopped || streams.at(-1).write(": still here\n\n");
    living.say("alive");
  }
  await settle();
  assert.equal(streams.at(-1).isStopped, true);
});

test("a job that runs again after its end is followed again", async () => {
  const {streams, tab} = browser();
  const one = tab();
  one.show(["a"]);
  await settle();
  streams[0].write(event({id: "a", status: "failed"}));
  await settle();
  streams[0].end();
  one.show([]);
  await settle();
  one.show(["a"]);
  await settle();
  assert.equal(streams.length, 2);
  assert.equal(streams[1].headers["Last-Event-ID"], undefined);
});

test("tabs of other users have streams of their own", async () => {
  const {streams, tab} = browser();
  tab().show(["a"]);
  tab().show(["a"], true, {...source, headers: {"X-User-ID": "8"}});
  await settle();
  assert.deepEqual(streams.map((stream) => stream.headers["X-User-ID"]), ["7", "8"]);
});

test("tabs hear how many of them are visible", async () => {
  const {tab} = browser();
  const [one, other] = [tab(), tab()];
  one.show([]);
  other.show([]);
  assert.equal(one.got.filter((answer) => answer.type === "tabs").at(-1).visible, 2);
  other.show([], false);
  assert.equal(one.got.filter((answer) => answer.type === "tabs").at(-1).visible, 1);
});

test("a service that cannot be reached is told, and its return", async () => {
  const {streams, tab, advance, answers} = browser();
  const one = tab();
  one.show(["a"]);
  await settle();
  assert.equal(one.state(), "open");
  answers("unreachable");
  streams[0].end();
  await advance(1_000);
  assert.equal(one.state(), "broken");
  answers(null);
  await advance(2_000);
  assert.equal(one.state(), "open");
});
