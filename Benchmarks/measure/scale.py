"""What claims, polls, lists and an operator's reading cost beside many jobs, finished and pending."""
import datetime
import json
import time
import urllib.request

from .parts import Broker, answer, bench, drill, drills
from .processes import DOSSIER, Process, Wrk, output

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
# The life cycles of one program that fills a database.
FILL = 250_000
# The finished jobs from which on PostgreSQL gets copies of them, each of which is some days older: a month has them all.
COPIED, DAYS = 1_000_000, 3
# The jobs that are made older than the time for which they are kept, and by how much.
AGED, AGE = 100_000, 40 * 86_400_000


def scale(results, database, arguments):
    """The same work beside more and more finished jobs, then beside a backlog, and a pause of that backlog."""
    url, home = database.fresh("scale"), drills()
    finished = 0
    copies = database.name == "postgres" and arguments.finished > COPIED
    if copies:
        output(DOSSIER, "migrate", "--database", url)
        database.leave_room("scale")
    for size in sorted({min(size, arguments.finished) for size in [1000, 100_000, COPIED, arguments.finished]}):
        if copies and size > COPIED:
            database.copy_finished("scale", size // COPIED - 1, DAYS * 86_400_000)
            # What is no whole million is run below.
            finished = size // COPIED * COPIED
        while finished < size:
            # In parts, each of which takes no longer than a program may.
            bench(url, "life_cycle", "--jobs", str(min(FILL, size - finished)))
            finished += min(FILL, size - finished)
        database.settle("scale")
        lives = bench(url, "life_cycle", "--jobs", str(LIVES))[0]
        finished += LIVES
        with Broker(url, DOSSIER_HOME=home) as broker:
            jobs = broker.submit(100, "drill", {"steps": 1})
            polled = polls(broker, jobs)
            read = reads(broker)
            with open(jobs) as file:
                for line in file:
                    user, job = line.split()
                    send(f"{broker.url}/api/v1/jobs/{job}/cancel", "POST", user)
        results.add(
            "scale", f"{size}_finished", database, per_second=lives["per_second"],
            polls_per_second=polled, **read)
    retention(results, database, url, home, finished)
    backlog(results, database, url, home, arguments.pending)


def retention(results, database, url, home, finished):
    """What deleting old jobs costs beside the others: its pace, and polls before and meanwhile. The worker would take the
    jobs of a benchmark's life cycles from their workers."""
    with Broker(url, DOSSIER_HOME=home) as broker:
        jobs = broker.submit(100, "drill", {"steps": 1})
        before = [polls(broker, jobs) for _ in range(3)]
        database.age("scale", AGED, AGE)
        with Process(DOSSIER, "worker", DOSSIER_DATABASE_URL=url, DOSSIER_HOME=home) as worker:
            start = time.time()
            while not deletions(worker):
                if time.time() - start > 900:
                    raise SystemExit("no job was deleted")
                time.sleep(1)
            beside = []
            while len(beside) < 3 and sum(count for _, count in deletions(worker)) < min(AGED, finished):
                beside.append(polls(broker, jobs))
            found = []
            while deletions(worker) != found:
                found = deletions(worker)
                time.sleep(3)
    deleted, seconds = sum(count for _, count in found), found[-1][0] - found[0][0]
    results.add(
        "scale", f"{finished}_retention", database, deleted=deleted, seconds=round(seconds, 1),
        deleted_per_second=round((deleted - found[0][1]) / max(seconds, 0.001)), polls_before=before,
        polls_beside=beside)


def polls(broker, jobs):
    return Wrk("poll.lua", broker.url, 3, 16, JOBS=jobs).result()["per_second"]


def deletions(worker):
    """The times in seconds, and the numbers, of the jobs that a worker's log says it has deleted."""
    found = []
    with open(worker.log.name) as file:
        for line in file:
            if '"deleted old jobs"' in line:
                entry = json.loads(line)
                moment = datetime.datetime.fromisoformat(entry["time"].replace("Z", "+00:00"))
                found.append((moment.timestamp(), entry["count"]))
    return found


def backlog(results, database, url, home, pending):
    with Broker(url, DOSSIER_HOME=home) as broker:
        waiting = 0
        while waiting < pending:
            seconds = max(2, min(60, (pending - waiting) // 8000))
            waiting += Wrk("submit.lua", broker.url, seconds, 64, BODY=drill({"steps": 1})).result()["count"]
        counted = metrics_count(broker)
        results.add("scale", f"{waiting}_pending", database, counted_s=counted, **reads(broker))
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


def metrics_count(broker):
    """The seconds from a first look at the metrics until they have the numbers of jobs; the database is up all the while."""
    start = time.time()
    while True:
        metrics = send(broker.url + "/metrics", "GET", "user-1").decode()
        if "\ndossier_queue_depth " in metrics:
            return round(time.time() - start, 1)
        if "\ndossier_store_up 1\n" not in metrics or time.time() - start > 60:
            raise SystemExit("the metrics say that the database is away, or do not count its jobs")
        time.sleep(0.2)


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
