"""The part `research`: the processor time of research jobs whose provider's limit binds."""
import time

from .processes import Costs
from .providers import PERSONAS, Fleet, lost
from .simulated import Simulator

# About ten reports a second, by output.
LIMITS = "claude/sonnet: requests 6000, input 9000000, output 540000, burst 5"
LATENCY = "first_byte 0.3, speed 400"
JOBS = 300


def research(results, database, arguments):
    """Processor milliseconds of each job by the broker and two workers, and of the three for a second without jobs.

    One job of each persona and company comes first, so that filings are stored and prompts are compiled.
    """
    with Simulator("research", "--limits", LIMITS, "--latency", LATENCY) as simulator, \
            Fleet(database, simulator, "ANTHROPIC") as fleet:
        for number in range(2 * len(PERSONAS)):
            fleet.research(number, "user-0")
        fleet.ended()
        time.sleep(3)
        broker, *workers = fleet.processes
        idle = Costs(database, broker=broker, worker_1=workers[0], worker_2=workers[1])
        time.sleep(10)
        pause = sum(idle.seconds().values()) / 10 * 1000
        fleet.jobs = []
        costs = Costs(database, broker=broker, worker_1=workers[0], worker_2=workers[1])
        begin = time.time()
        for number in range(JOBS):
            fleet.research(number, f"user-{number % 2 + 1}")
        ends = fleet.ended()
        taken, used = time.time() - begin, costs.seconds()
        server = used.pop("database", None)
        figures = {
            "jobs": JOBS, "lost": lost(ends), "jobs_per_second": round(JOBS / taken, 1),
            "job_ms": round(sum(used.values()) / JOBS * 1000, 1),
            "broker_ms": round(used["broker"] / JOBS * 1000, 1),
            "worker_ms": round((used["worker_1"] + used["worker_2"]) / JOBS * 1000, 1),
            "database_ms": server and round(server / JOBS * 1000, 1), "idle_second_ms": round(pause, 1)}
    results.add("research", "limited", database, **figures)
