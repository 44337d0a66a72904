"""The part `research`: the processor time of research jobs whose provider's limit binds."""
import os
import time

from . import providers
from .processes import Costs
from .providers import PERSONAS, Fleet, lost
from .simulated import Simulator

# The provider's limit, by which output binds, and its answers: about ten reports a second, and 2.8 a second of which
# each takes twenty seconds, in some 130 pieces.
SETTINGS = {
    "limited": ("claude/sonnet: requests 6000, input 9000000, output 540000, burst 5", "first_byte 0.3, speed 400"),
    "limited_slow_answers": (providers.LIMITS, providers.LATENCY),
}
JOBS = 300


def research(results, database, arguments):
    """One line for each setting; `SETTINGS=a,b` chooses some."""
    for name in os.environ.get("SETTINGS", ",".join(SETTINGS)).split(","):
        results.add("research", name, database, **measure(database, *SETTINGS[name]))


def measure(database, limits, latency):
    """Processor milliseconds of each job by the broker and two workers, and of the three for a second without jobs.

    One job of each persona and company comes first, so that filings are stored and prompts are compiled.
    """
    with Simulator("research", "--limits", limits, "--latency", latency) as simulator, \
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
        return {
            "jobs": JOBS, "lost": lost(ends), "jobs_per_second": round(JOBS / taken, 1),
            "job_ms": round(sum(used.values()) / JOBS * 1000, 1),
            "broker_ms": round(used["broker"] / JOBS * 1000, 1),
            "worker_ms": round((used["worker_1"] + used["worker_2"]) / JOBS * 1000, 1),
            "database_ms": server and round(server / JOBS * 1000, 1), "idle_second_ms": round(pause, 1)}
