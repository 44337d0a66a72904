// The parts of the console that need no browser. MODULES is a copy of Console/ that Node reads as modules.
import assert from "node:assert/strict";
import test from "node:test";

const load = (name) => import(`${process.env.MODULES}/${name}.js`);
const { clean } = await load("dom");
const { ago, dollars, duration } = await load("format");
const { parser } = await load("events");
const { scale, timeline } = await load("timeline");
const { growth, rough, short } = await load("figures");

const at = (seconds) => new Date(1_700_000_000_000 + seconds * 1000).toISOString();

test("control characters and changes of direction become visible", () => {
  assert.equal(clean("a\u202eb\u0007c\u2066d"), "a\ufffdb\ufffdc\ufffdd");
  assert.equal(clean(null), "");
});

test("lengths and amounts are short, and a negative length is unknown", () => {
  assert.deepEqual([10, 2234, 37_000, 600_000, 14_400_000, -1].map(duration), ["10 ms", "2.2 s", "37 s", "10 min", "4 h", "–"]);
  assert.equal(ago(5400), "5 s ago");
  assert.deepEqual([0, 400, 22_000, 1_500_000].map(dollars), ["–", "$0.0004", "$0.022", "$1.50"]);
});

test("events are read from pieces that end anywhere", () => {
  const text = ": hello\n\nid: j:1\nevent: progress\ndata: {\"a\":\ndata: 1}\n\nid: j:2\r\nevent: completed\r\ndata: {}\r\n\r\n";
  for (let size = 1; size < text.length; size += 1) {
    const events = [];
    const feed = parser((event) => events.push(event));
    for (let start = 0; start < text.length; start += size) feed(text.slice(start, start + size));
    assert.deepEqual(events, [{ id: "j:1", type: "progress", data: "{\"a\":\n1}" }, { id: "j:2", type: "completed", data: "{}" }]);
  }
});

test("a long gap without work takes 12 % of the line", () => {
  const line = scale([{ from: 0, to: 10_000 }, { from: 3_610_000, to: 3_620_000 }], 0, 3_620_000);
  assert.equal(line.breaks.length, 1);
  assert.equal(line.breaks[0].length, 3_600_000);
  assert.ok(Math.abs(line.place(10_000) - 0.44) < 1e-9);
  assert.ok(Math.abs(line.place(3_610_000) - 0.56) < 1e-9);
  assert.equal(line.place(3_620_000), 1);
});

test("an interrupted attempt is lost until its last sign, and the next one takes steps from the journal", () => {
  const job = { created_at: at(0), completed_at: at(40), current_step: null,
    waits: [{ code: "death", from: at(7), until: at(21), sentence: "Its worker gave no sign." }],
    attempts: [
      { number: 1, epoch: 1, started_at: at(0), ended_at: at(21), last_seen_at: at(7), outcome: "interrupted", steps_reused: 0 },
      { number: 1, epoch: 2, started_at: at(21), ended_at: at(40), outcome: "completed", steps_reused: 1 }],
    steps: [{ sequence: 1, name: "gather", started_at: at(0), at: at(1) }, { sequence: 2, name: "draft", started_at: at(22), at: at(39) }],
    model_calls: [] };
  const { rows } = timeline(job, 0, new Map([["draft", "Writing the report"]]));
  assert.deepEqual(rows.map((row) => [row.name, row.style, row.took]), [
    ["Attempt 1", "attempt lost", "7.0 s"], ["Gather", "done", "1.0 s"], ["Unfinished work", "lost", "6.0 s"],
    ["Waiting: Its worker gave no sign.", "waiting", "14 s"],
    ["Attempt 1, continued", "attempt done", "19 s"], ["Gather, from the journal", "journal", "reused"],
    ["Writing the report", "done", "17 s"]]);
});

test("figures keep their unit, and growth needs positive ends", () => {
  assert.deepEqual([short(416161e6, "USD"), short(2.3025, "USD/shares"), short(0.404277, "ratio")], ["416,161 M", "2.30", "40.4 %"]);
  assert.equal(rough(416161e6), "416 B");
  assert.equal(growth(-1, 5, 3), null);
  assert.equal(growth(100, 121, 2).toFixed(1), "10.0");
});
