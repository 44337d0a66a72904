"""What claims, polls, lists and an operator's reading cost beside many jobs, finished and pending."""
import time
import urllib.request

from .parts import Broker, answer, bench, drill, drills
from .processes import Wrk

# Reads of an operator and of a user, with the path of each.
READS = {
    "own_jobs": "/api/v1/jobs", "overview": "/api/v1/admin/overview", "jobs": "/api/v1/admin/jobs",
    "failed_jobs": "/api/v1/admin/jobs?status=failed", "jobs_of_user": "/api/v1/admin/jobs?user=user-1",
    "jobs_in_doubt": "/api/v1/admin/jobs?why=no_worker", "costs": "/api/v1/admin/costs?by=day",
    "users": "/api/v1/admin/users", "ledger": "/api/v1/admin/ledger", "audit": "/api/v1/admin/audit",
    "metrics": "/metrics"}
# The requests of one read; the median counts.
ROUNDS = 15
# The life cycles that are measured at each size.
LIVES = 5000


def scale(results, database, arguments):
    """The same work beside more and more finished jobs, then beside a backlog, and a pause of that backlog."""
    url, home = database.fresh("scale"), drills()
    finished = 0
    for size in sorted({min(size, arguments.finished) for size in [1000, 100_000, 1_000_000, arguments.finished]}):
        if size > finished:
            bench(url, "life_cycle", "--jobs", str(size - finished))
            finished = size
        lives = bench(url, "life_cycle", "--jobs", str(LIVES))[0]
        finished += LIVES
        with Broker(url, DOSSIER_HOME=home) as broker:
            jobs = broker.submit(100, "drill", {"steps": 1})
            polled = Wrk("poll.lua", broker.url, 3, 16, JOBS=jobs).result()
            read = reads(broker)
            with open(jobs) as file:
                for line in file:
                    user, job = line.split()
                    send(f"{broker.url}/api/v1/jobs/{job}/cancel", "POST", user)
        results.add(
            "scale", f"{size}_finished", database, per_second=lives["per_second"],
            polls_per_second=polled["per_second"], **read)
    backlog(results, database, url, home, arguments.pending)


def backlog(results, database, url, home, pending):
    with Broker(url, DOSSIER_HOME=home) as broker:
        waiting = 0
        while waiting < pending:
            seconds = max(2, min(60, (pending - waiting) // 8000))
            waiting += Wrk("submit.lua", broker.url, seconds, 64, BODY=drill({"steps": 1})).result()["count"]
        results.add("scale", f"{waiting}_pending", database, **reads(broker))
        start = time.time()
        pause = answer(broker.url + "/api/v1/admin/pauses", "operator", {"kind": "drill"})["data"]
        accepted = time.time() - start
        parked = until(database, lambda: count(database, "waits_for = 'paused'") >= waiting)
        results.add(
            "scale", "pause", database, jobs=waiting, accepted_ms=round(accepted * 1000), seconds=round(parked, 1),
            **reads(broker, ["overview", "jobs"]))
        start = time.time()
        send(f"{broker.url}/api/v1/admin/pauses/{pause['id']}", "DELETE", "operator")
        accepted = time.time() - start
        resumed = until(database, lambda: count(database, "waits_for = 'paused'") == 0)
        results.add(
            "scale", "resume", database, jobs=waiting, accepted_ms=round(accepted * 1000), seconds=round(resumed, 1))


def count(database, condition):
    return database.ask("scale", f"SELECT count(*) FROM job WHERE completed_at IS NULL AND {condition}")


def until(database, is_done):
    start = time.time()
    while not is_done():
        if time.time() - start > 1800:
            raise SystemExit("the pause did not come to its end")
        time.sleep(1)
    return time.time() - start


def reads(broker, names=None):
    """The median of each read's milliseconds."""
    found = {}
    for name in names or READS:
        times = []
        for _ in range(ROUNDS):
            start = time.perf_counter()
            send(broker.url + READS[name], "GET", "user-1")
            times.append(time.perf_counter() - start)
        found[f"{name}_ms"] = round(sorted(times)[ROUNDS // 2] * 1000, 1)
    return found


def send(url, method, user):
    request = urllib.request.Request(url, method=method, headers={"X-User-ID": user})
    with urllib.request.urlopen(request, timeout=120) as response:
        return response.read()
