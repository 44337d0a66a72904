import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./modules.mjs";

const format = await load("format.js");
const now = Date.parse("2026-11-24T12:00:00Z");

test("characters that hide or reorder text become visible", () => {
  assert.equal(format.clean("a\u202eb\u0000c\u2066d\u200f"), "a\ufffdb\ufffdc\ufffdd\ufffd");
  assert.equal(format.clean("Zoë\tline\nאב 株"), "Zoë\tline\nאב 株");
});

test("a length of time has one unit, and a negative one is not drawn", () => {
  const cases = [[0, "0 ms"], [241, "241 ms"], [999.6, "1.0 s"], [7040, "7.0 s"], [9960, "10 s"], [37_000, "37 s"],
    [59_600, "1 min"], [540_000, "9 min"], [4 * 3_600_000, "4 h"], [72 * 3_600_000, "3 d"], [-1, "–"], [NaN, "–"]];
  for (const [value, words] of cases) assert.equal(format.duration(value), words);
});

test("the age of a moment is in whole units", () => {
  assert.equal(format.ago("2026-11-24T11:59:55Z", now), "5 s ago");
  assert.equal(format.ago("2026-11-24T11:59:59.5Z", now), "now");
  assert.equal(format.ago("2026-11-24T12:00:30Z", now), "now");
  assert.equal(format.ago("nonsense", now), "–");
});

test("money keeps the digits that matter", () => {
  const cases = [[0, "–"], [null, "–"], [40, "< $0.0001"], [621, "$0.0006"], [26_633, "$0.027"],
    [1_234_560_000, "$1,234.56"]];
  for (const [value, words] of cases) assert.equal(format.dollars(value), words);
});

test("a job says where it is", () => {
  const job = { status: "pending", created_at: "2026-11-24T11:59:00Z", started_at: null, completed_at: null };
  assert.equal(format.progressWords(job, now), "for 1 min");
  assert.equal(format.progressWords({ ...job, blocked_by: { until: "2026-11-24T16:00:00Z" } }, now), "starts in 4 h");
  const ended = { ...job, started_at: "2026-11-24T11:59:01Z", completed_at: "2026-11-24T11:59:33Z" };
  assert.equal(format.progressWords({ ...ended, status: "completed" }, now), "took 32 s");
  assert.equal(format.progressWords({ ...ended, status: "failed" }, now), "after 32 s");
  assert.equal(format.progressWords({ ...job, status: "processing" }, now), "");
});
