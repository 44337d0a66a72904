"""The part `limits`: strict providers with other limits, buckets and latencies, asked by fleets of one and four workers."""
import os

from .providers import TEXT, Fleet, NowAndThen, about, lost, of_bill
from .simulated import Simulator, user_who_said, waits

# What the provider allows, its answers, and the research jobs of each setting. These take about two minutes of the
# limit: less than their deadline. A report is one call of some 900 tokens of output.
SETTINGS = {
    "output_2_s": ("requests 1000, input 9000000, output 90000, burst 2", "first_byte 0.8, speed 80", 180),
    "output_1_s": ("requests 1000, input 9000000, output 120000, burst 1", "first_byte 0.5, speed 120", 220),
    "output_2_s_quick_answers": (
        "requests 1000, input 9000000, output 60000, burst 2", "first_byte 0.3, speed 400", 120),
    "output_3_s_uneven": (
        "requests 1000, input 9000000, output 90000, burst 3", "first_byte 1.5, speed 60, spread 0.8", 180),
    "requests_60_at_1_s": ("requests 60, input 9000000, output 900000, burst 1", "first_byte 0.8, speed 80", 110),
    "requests_90_at_1_s": ("requests 90, input 9000000, output 900000, burst 1", "first_byte 0.8, speed 80", 165),
    "requests_30_at_1_s": ("requests 30, input 9000000, output 900000, burst 1", "first_byte 0.5, speed 80", 50),
    "requests_120_at_2_s": ("requests 120, input 9000000, output 900000, burst 2", "first_byte 2, speed 60", 220),
    "input_2_s": ("requests 1000, input 600000, output 900000, burst 2", "first_byte 0.8, speed 80", 180),
}


def limits(results, database, arguments):
    """The share of the limit, refusals, fairness and interactive waits; `SETTINGS=a,b` and `WORKERS=1,4` choose some."""
    chosen = os.environ.get("SETTINGS", ",".join(SETTINGS)).split(",")
    for name in chosen:
        for workers in map(int, os.environ.get("WORKERS", "1,4").split(",")):
            results.add("limits", name, database, workers=workers, **measure(database, workers, *SETTINGS[name]))


def measure(database, workers, rule, latency, jobs):
    with Simulator("limits", "--limits", f"claude/sonnet: {rule}", "--latency", latency) as simulator, \
            Fleet(database, simulator, "ANTHROPIC", workers=workers) as fleet:
        interactive = NowAndThen(fleet)
        interactive.start()
        for number in range(jobs):
            fleet.research(number, "user-1" if number < jobs // 2 else "user-2")
        ends = fleet.ended()
        asked = interactive.stop()
        calls = simulator.calls()
        half = ends[:len(ends) // 2]
        waited = about(waits(calls, user_who_said(TEXT, calls), asked))
        return {
            **simulator.use(calls), "jobs": jobs, "lost": lost(ends),
            "second_user": round(sum(1 for end in half if end[2] == "user-2") / len(half), 3),
            "interactive_longest": waited["interactive_longest"],
            "interactive_lost": f"{waited['interactive_lost']} of {waited['interactive_calls']}",
            "books": of_bill(fleet.booked(), simulator)}
