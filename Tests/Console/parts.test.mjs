// The parts of the console that touch no page: words, lengths, and the model of a job's time.
import assert from "node:assert/strict";
import test from "node:test";
import {load} from "./support.mjs";

const {clean} = await load("dom");
const {dollars, duration, figure, growth, relative} = await load("format");
const {scale, timeline} = await load("timeline");
const {changed, parts} = await load("screens/prompts");

const at = (seconds) => new Date(1_700_000_000_000 + seconds * 1000).toISOString();

test("control characters and changes of direction become visible", () => {
  assert.equal(clean("a\u202eb\u0007c\u2066d"), "a\ufffdb\ufffdc\ufffdd");
  assert.equal(clean("two\nlines\tand a tab"), "two\nlines\tand a tab");
});

test("lengths and amounts are short, and a negative length is unknown", () => {
  assert.deepEqual([10, 2234, 37_000, 600_000, 14_400_000, -1].map(duration), ["10 ms", "2.2 s", "37 s", "10 min", "4 h", "–"]);
  assert.deepEqual([300, 5400, 37_000, -14_400_000].map(relative), ["now", "5 s ago", "37 s ago", "in 4 h"]);
  assert.deepEqual([0, 400, 22_000, 1_500_000].map(dollars), ["$0", "$0.0004", "$0.022", "$1.50"]);
});

test("figures keep their unit, and growth needs positive ends", () => {
  assert.deepEqual([figure(416161e6, "USD"), figure(2.3025, "USD/shares"), figure(0.404277, "ratio")],
    ["416,161 M USD", "2.30 USD", "40.4 %"]);
  assert.equal(growth(-1, 5, 3), null);
  assert.equal(growth(100, 121, 2).toFixed(3), "0.100");
});

test("a long gap without work takes 12 of 100 units", () => {
  const {place, cuts} = scale([{from: 0, to: 10_000}, {from: 3_610_000, to: 3_620_000}], 0, 3_620_000);
  assert.deepEqual(cuts, [{from: 10_000, to: 3_610_000}]);
  assert.ok(Math.abs(place(10_000) - 44) < 1e-9);
  assert.ok(Math.abs(place(3_610_000) - 56) < 1e-9);
  assert.equal(place(3_620_000), 100);
});

test("gaps take 40 of 100 units together", () => {
  const work = Array.from({length: 11}, (_, index) => ({from: index * 100_000, to: index * 100_000 + 1000}));
  const {place, cuts} = scale(work, 0, 1_001_000);
  assert.equal(cuts.length, 10);
  const taken = cuts.reduce((sum, cut) => sum + place(cut.to) - place(cut.from), 0);
  assert.ok(Math.abs(taken - 40) < 1e-9, String(taken));
});

test("an interrupted attempt is lost until its last sign, and the next one takes steps from the journal", () => {
  const job = {created_at: at(0), completed_at: at(40), current_step: null,
    waits: [{code: "death", from: at(7), until: at(21), sentence: "Its worker gave no sign."}],
    attempts: [
      {number: 1, epoch: 1, started_at: at(0), ended_at: at(21), last_seen_at: at(7), outcome: "interrupted", steps_reused: 0},
      {number: 1, epoch: 2, started_at: at(21), ended_at: at(40), outcome: "completed", steps_reused: 1}],
    steps: [{sequence: 1, name: "gather", started_at: at(0), at: at(1)}, {sequence: 2, name: "draft", started_at: at(22), at: at(39)}],
    model_calls: []};
  const {rows} = timeline(job, 0, {draft: "Writing the report"});
  assert.deepEqual(rows.map((row) => [row.name, row.style, row.took]), [
    ["Attempt 1", "attempt lost", "7.0 s"], ["Gather", "done", "1.0 s"], ["Unfinished work", "lost", "6.0 s"],
    ["Waiting: Its worker gave no sign.", "waiting", "14 s"],
    ["Attempt 1, continued", "attempt done", "19 s"], ["Gather, from the journal", "journal", "reused"],
    ["Writing the report", "done", "17 s"]]);
});

test("a wait that looks for the same again and again is one row", () => {
  const waits = [{code: "queue", from: at(0), until: at(1), sentence: "It was ready and waited 1 s for a worker."}];
  const attempts = [{number: 1, epoch: 1, started_at: at(1), ended_at: at(2), outcome: "postponed", steps_reused: 0}];
  for (let look = 0; look < 14; look += 1) {
    const begun = 2 + look * 3;
    waits.push({code: "shared", from: at(begun), until: at(begun + 2), sentence: "It waited 2 s for another job."},
      {code: "queue", from: at(begun + 2), until: at(begun + 2.5), sentence: "It was ready and waited 500 ms for a worker."});
    attempts.push({number: 1, epoch: 2 + look, started_at: at(begun + 2.5), ended_at: at(begun + 3), outcome: look < 13 ? "postponed" : "completed", steps_reused: 1});
  }
  const job = {created_at: at(0), completed_at: at(44), waits, attempts, model_calls: [],
    steps: [{sequence: 1, name: "filings", started_at: at(1), at: at(2)}, {sequence: 2, name: "draft", started_at: at(43.6), at: at(44)}]};
  const {rows} = timeline(job, 0);
  assert.deepEqual(rows.map((row) => [row.name, row.took]), [["Waiting: It was ready and waited 1 s for a worker.", "1.0 s"],
    ["Attempt 1", "1.0 s"], ["Filings", "1.0 s"], ["Waiting, 14 times: It waited 41 s for another job.", "41 s"],
    ["Waiting: It was ready and waited 500 ms for a worker.", "500 ms"], ["Attempt 1, continued", "500 ms"],
    ["Filings, from the journal", "reused"], ["Draft", "400 ms"]]);
  // One that did something in between is told.
  job.steps.push({sequence: 3, name: "gather", started_at: at(10.6), at: at(10.9)});
  assert.equal(timeline(job, 0).rows.filter((row) => /^Waiting, \d+ times/.test(row.name)).length, 2);
});

test("a call of a lost attempt is lost with it, and no longer", () => {
  const job = {created_at: at(0), completed_at: at(20),
    attempts: [{number: 1, epoch: 1, started_at: at(0), ended_at: at(9), last_seen_at: at(5), outcome: "interrupted", steps_reused: 0}],
    model_calls: [{id: "1", epoch: 1, step: "draft", model: "m", state: "cut", started_at: at(1), ended_at: at(9), input_tokens: 10,
      output_tokens: 1, cache_read_tokens: 5, cache_write_tokens: 0, cost_micro_dollars: 2000}]};
  const {rows} = timeline(job, 0);
  assert.deepEqual(rows.map((row) => [row.name, row.style, row.took]), [["Attempt 1", "attempt lost", "5.0 s"],
    ["Draft", "lost", "5.0 s"], ["m", "lost", "4.0 s"]]);
  assert.equal(rows[2].detail, "15 → 1 tokens, $0.0020");
});

test("a worker that died before its first beat lived until its last call began", () => {
  const job = {created_at: at(0), completed_at: at(20),
    attempts: [{number: 1, epoch: 1, started_at: at(2), ended_at: at(9), last_seen_at: at(1), outcome: "interrupted", steps_reused: 0}],
    model_calls: [{id: "1", epoch: 1, step: "draft", model: "m", state: "cut", started_at: at(4), ended_at: at(9), input_tokens: 10,
      output_tokens: 1, cache_read_tokens: 5, cache_write_tokens: 0, cost_micro_dollars: 2000}]};
  assert.deepEqual(timeline(job, 0).rows.map((row) => [row.name, row.took]), [["Attempt 1", "2.0 s"], ["Draft", "2.0 s"], ["m", "0 ms"]]);
});

test("what runs is open until now", () => {
  const job = {created_at: at(0), completed_at: null, current_step: "Writing the report",
    attempts: [{number: 1, epoch: 1, started_at: at(1), ended_at: null, outcome: "running", steps_reused: 0}]};
  const {rows, to} = timeline(job, Date.parse(at(5)));
  assert.equal(to, Date.parse(at(5)));
  assert.deepEqual(rows.map((row) => [row.name, row.isOpen, row.took]), [["Attempt 1", true, "4.0 s"], ["Writing the report", true, "4.0 s"]]);
});

test("a difference shows the words that were taken out and put in", () => {
  const unified = "--- a/x\n+++ b/x\n@@ -1,3 +1,4 @@\n same\n-Never in a hurry.\n+Never in any hurry.\n+And calm.\n last\n";
  assert.deepEqual(parts(unified), [{kind: "head", text: "@@ -1,3 +1,4 @@"}, {kind: "same", text: "same"},
    {kind: "change", out: ["Never in a hurry."], put: ["Never in any hurry.", "And calm."]}, {kind: "same", text: "last"}]);
  assert.deepEqual(changed("Never in a hurry.", "Never in any hurry."), [["", "Never in "], ["del", "a"], ["ins", "any"], ["", " hurry."]]);
  assert.deepEqual(changed("one", "one two"), [["", "one"], ["ins", " two"]]);
});

test("words between two changes stay, and each text comes back from its parts", () => {
  const [old, now] = ["Say what it costs, and why it costs that.", "Tell what it costs, and why it costs that much more."];
  const found = changed(old, now);
  assert.deepEqual(found.filter(([kind]) => kind === "").map(([, text]) => text.trim()), ["what it costs, and why it costs"]);
  const without = (other) => found.filter(([kind]) => kind !== other).map(([, text]) => text).join("");
  assert.deepEqual([without("ins"), without("del")], [old, now]);
  const long = Array.from({length: 3000}, (_, index) => index).join(" ");
  assert.deepEqual(changed(long, `${long} end`).length, 2, "texts that are too long to be compared are whole");
});

test("lines that begin with a sign of their own are lines of the text", () => {
  assert.deepEqual(parts("--- a/x\n+++ b/x\n@@ -1 +1 @@\n--- rule\n+++ rule"), [{kind: "head", text: "@@ -1 +1 @@"},
    {kind: "change", out: ["-- rule"], put: ["++ rule"]}]);
});
