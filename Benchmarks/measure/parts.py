"""The parts of `Benchmarks/run`. Each starts its programs on its own databases and adds its figures to the results."""
import json
import os
import shutil
import subprocess
import time
import urllib.request

from . import raw
from .processes import DOSSIER, HERE, ROOT, WORK, Costs, Process, Wrk, fail, free_port, output, wait_for

# It contains the number of the request, so that no two requests are the same work.
EXPLANATION = {"kind": "explanation", "input": {"title": "Margins, week %d", "articles": [{
    "title": "Margins rise", "source": "The Paper", "url": "https://example.com/margins-%d",
    "text": "Apple said on Monday that its gross margin rose to 46 percent, as services grew faster than phones. "
    "Analysts had expected less."}]}}


class Results:
    def __init__(self):
        self.lines = []

    def add(self, part, name, database, **values):
        line = {
            "part": part, "name": name, "store": database.name, "load_average": round(os.getloadavg()[0], 1), **values}
        self.lines.append(line)
        print(json.dumps(line), flush=True)


def answer(url, user, body=None):
    request = urllib.request.Request(
        url, json.dumps(body).encode() if body else None, {"X-User-ID": user, "Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.load(response)


class Broker(Process):
    """A broker without a worker on a port of its own, that is ready."""

    def __init__(self, url, **variables):
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        settings = {
            "DOSSIER_RATE_LIMIT": "1000000", "DOSSIER_STARTING_CREDITS": "1000000", "DOSSIER_DATABASE_URL": url,
            "DOSSIER_CONNECTIONS_PER_ADDRESS": "0", "DOSSIER_LISTEN": f"127.0.0.1:{port}", **variables}
        super().__init__(DOSSIER, "serve", "--workers", "0", **settings)
        wait_for(self.url + "/health")

    def submit(self, count, kind="research", input={"ticker": "AAPL", "persona": "buffett"}):
        """Submits a few jobs; the file that lists them for poll.lua."""
        path = os.path.join(WORK, "jobs.txt")
        with open(path, "w") as file:
            for number in range(count):
                user = f"user-{number + 1}"
                body = {"kind": kind, "input": input}
                file.write(f"{user} {answer(self.url + '/api/v1/jobs', user, body)['data']['id']}\n")
        return path


def bench(url, part, *words):
    """The measurements of `dossier bench`, one for each line."""
    return [
        json.loads(line)
        for line in output(DOSSIER, "bench", "--json", "--database", url, "--part", part, *words).splitlines()]


def store(results, database, arguments):
    """One process and its store, beside the database with the same statements alone."""
    limits = (raw.sqlite if database.name == "sqlite" else raw.postgres)(database, arguments.jobs)
    url = database.fresh("store")
    for part in ["life_cycle", "submit", "claim_complete", "pickup", "pickup_elsewhere", "poll"]:
        # Only on PostgreSQL a worker elsewhere has another limit.
        limit = limits.get(part, limits["pickup"])
        if part in limits:
            results.add("store", "raw_" + part, database, **limit)
        before = database.processor_seconds()
        for figures in bench(url, part, "--jobs", str(arguments.jobs)):
            del figures["name"]
            if before is not None and part == "life_cycle":
                used = database.processor_seconds() - before
                figures["database_us"] = round(used / figures["count"] * 1e6, 1)
            figure = "per_second" if "per_second" in limit else "p50_ms"
            results.add("store", part, database, **figures, of_raw=round(figures[figure] / limit[figure], 2))


def http(results, database, arguments):
    """Polls and submits of a broker alone: routing, identity, limits and logging are on."""
    with Broker(database.fresh("http")) as broker:
        jobs = broker.submit(100)
        limit = raw.http(jobs, arguments.seconds)
        results.add("http", "raw_poll", database, **limit)
        for name, script, more in [
            ("poll", "poll.lua", {}), ("poll_not_modified", "poll.lua", {"ETAG": '"1"'}), ("submit", "submit.lua", {}),
        ]:
            costs = Costs(database, broker=broker)
            measured = Wrk(script, broker.url, arguments.seconds, 64, JOBS=jobs, **more).result()
            if script == "poll.lua":
                measured["of_raw"] = round(measured["per_second"] / limit["per_second"], 2)
            results.add("http", name, database, **measured, **costs.each(measured["count"]))


def drills():
    """A folder of content with one kind of job, which walks through journalled steps and calls no service. A user may have
    any number of jobs."""
    home = os.path.join(WORK, "home")
    for name in ["jobs", "prompts", "personas", "library"]:
        os.makedirs(os.path.join(home, name), exist_ok=True)
    shutil.copy(os.path.join(ROOT, "models.yaml"), home)
    shutil.copy(os.path.join(HERE, "drill.yaml"), os.path.join(home, "jobs"))
    with open(os.path.join(home, "plans.yaml"), "w") as file:
        file.write("default: all\nplans:\n  all: {title: All, unfinished_jobs: 100000}\n")
    return home


def drill(input):
    return json.dumps({"kind": "drill", "input": input})


def life(results, database, arguments):
    """Whole lives over HTTP: wrk submits as fast as the broker answers, and a worker process runs jobs without work."""
    url, home = database.fresh("life"), drills()
    with Broker(url, DOSSIER_HOME=home) as broker, working(url, home) as worker:
        costs = Costs(database, broker=broker, worker=worker)
        submitted = Wrk("submit.lua", broker.url, arguments.seconds, 64, BODY=drill({"steps": 2})).result()
        while database.ask("life", "SELECT count(*) FROM job WHERE completed_at IS NULL") > 0:
            time.sleep(0.1)
        used = costs.seconds()
        count = database.ask("life", "SELECT count(*) FROM job WHERE status = 'completed'")
        if count < submitted["count"]:
            fail(f"of {submitted['count']} jobs {count} were completed")
        seconds = database.ask("life", "SELECT (max(completed_at) - min(created_at)) / 1000.0 FROM job")
    results.add(
        "life", "life_cycle", database, per_second=round(count / seconds, 1), count=count,
        submits_per_second=submitted["per_second"], p99_ms=submitted["p99_ms"],
        **{f"{name}_seconds_per_1000_jobs": round(value / count * 1000, 3) for name, value in used.items()})


def working(url, home):
    """A worker process that has registered."""
    worker = Process(
        DOSSIER, "worker", "--concurrency", "2000", DOSSIER_DATABASE_URL=url, DOSSIER_HOME=home)
    time.sleep(1)
    return worker


def load(results, database, arguments):
    """500 submits and 500 polls a second, with a worker whose jobs take a second each."""
    url, home, seconds = database.fresh("load"), drills(), arguments.seconds * 2
    second = {"steps": 2, "pause": 1000}
    with Broker(url, DOSSIER_HOME=home) as broker, working(url, home) as worker:
        jobs = broker.submit(100, "drill", second)
        time.sleep(2)
        costs = Costs(database, broker=broker, worker=worker)
        # Each connection waits this long between requests, so fifty make a little over 500 a second.
        submits = Wrk("submit.lua", broker.url, seconds, 50, DELAY="84", BODY=drill(second))
        polls = Wrk("poll.lua", broker.url, seconds, 50, JOBS=jobs, DELAY="94").result()
        submitted = submits.result()
        cores, used = costs.cores(), costs.seconds()
    results.add(
        "load", "sustained", database, submits_per_second=submitted["per_second"],
        polls_per_second=polls["per_second"], submit_p99_ms=submitted["p99_ms"], poll_p99_ms=polls["p99_ms"], **cores,
        **{f"{name}_seconds_per_1000_jobs": round(value / submitted["count"] * 1000, 3)
           for name, value in used.items()})


def memory(results, database, arguments):
    """A worker with 2,000 running jobs, each with a model's answer on its way from the simulator."""
    # A research job has read a company's filings, an explanation only the article that came with it.
    streams(results, database, "research")
    streams(results, database, "light", BODY=json.dumps(EXPLANATION))


def streams(results, database, name, **submitted):
    # Filings come from a simulator of their own, so that open connections to the other one are model calls.
    url, simulated, filings = database.fresh("memory"), free_port(), free_port()
    model = {
        "ANTHROPIC_API_KEY": "simulated", "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{simulated}",
        "SEC_BASE_URL": f"http://127.0.0.1:{filings}", "SEC_USER_AGENT": "benchmark simulator@example.com"}
    words = ["--listen", f"127.0.0.1:{simulated}", "--tokens-per-second", "4"]
    with Process(DOSSIER, "simulate", *words), \
            Process(DOSSIER, "simulate", "--listen", f"127.0.0.1:{filings}", name="filings"), Broker(url) as broker:
        broker.submit(1)
        Wrk("submit.lua", broker.url, 8, 16, **submitted).result()
        with Process(DOSSIER, "worker", "--concurrency", "2020", DOSSIER_DATABASE_URL=url, **model) as worker:
            peak, while_streaming, running, most, costs, start = 0, 0, 0, 0, None, time.time()
            while time.time() - start < 240:
                time.sleep(1)
                peak = max(peak, worker.mebibytes())
                running = open_streams(worker.process.pid, simulated)
                most = max(most, running)
                if running >= 2000 and costs is None:
                    costs = Costs(database, worker=worker)
                if costs:
                    while_streaming = max(while_streaming, worker.mebibytes())
                if costs and time.time() - costs.start > 15:
                    break
            cores = costs.cores() if costs else {}
    results.add(
        "memory", f"{name}_streams", database, streams=most, worker_mebibytes=round(while_streaming or peak, 1),
        peak_mebibytes=round(peak, 1), **cores)


def crowd(results, database, arguments):
    """Life cycles before and beside 100,000 jobs of one user that cannot run yet."""
    alone, beside = bench(database.fresh("crowd"), "crowd", "--jobs", str(max(arguments.jobs // 4, 1000)))
    for figures in [alone, beside]:
        name = figures.pop("name")
        if name == "beside_crowd":
            figures["of_alone"] = round(figures["per_second"] / alone["per_second"], 2)
        results.add("crowd", name, database, **figures)


def storage(results, database, arguments):
    """The bytes of a research job with its journal, and of light jobs as they are kept once they have ended."""
    readings = bench(database.fresh("storage"), "storage", "--jobs", str(max(arguments.jobs, 100_000)))
    each = [reading["bytes_per_job"] for reading in readings]
    if database.name == "postgres":
        # The table of unfinished jobs keeps the room of those that were moved until a vacuum, and then uses it again.
        each[-1] = database.ask("storage", "SELECT pg_total_relation_size('finished_job')") / readings[-1]["jobs"]
    results.add(
        "storage", "light_jobs", database, jobs=readings[-1]["jobs"], kilobytes_per_job=round(each[-1] / 1000, 3),
        quarters=" ".join(f"{value / 1000:.3f}" for value in each[1:]),
        gigabytes_per_million=round(each[-1] / 1000, 2))
    url, simulated = database.fresh("research"), free_port()
    model = {
        "ANTHROPIC_API_KEY": "simulated", "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{simulated}",
        "SEC_BASE_URL": f"http://127.0.0.1:{simulated}", "SEC_USER_AGENT": "benchmark simulator@example.com"}
    with Process(DOSSIER, "simulate", "--listen", f"127.0.0.1:{simulated}"), Broker(url) as broker, \
            Process(DOSSIER, "worker", DOSSIER_DATABASE_URL=url, **model):
        # The first jobs store what all share.
        sizes = [research_bytes(broker, database, url, count) for count in [20, 200]]
    each = (sizes[1] - sizes[0]) / 200
    results.add("storage", "research_job", database, jobs=200, kilobytes_per_job=round(each / 1000, 1))


def research_bytes(broker, database, url, count):
    """The size of the database after some more research jobs have completed; of PostgreSQL after a vacuum."""
    with open(broker.submit(count)) as file:
        jobs = [line.split() for line in file]
    deadline = time.time() + 300
    for user, job in jobs:
        while answer(f"{broker.url}/api/v1/jobs/{job}", user)["data"]["status"] != "completed":
            if time.time() > deadline:
                fail("the research jobs do not end")
            time.sleep(0.2)
    if database.name == "postgres":
        database.sql("research", "VACUUM")
    # The command fails without keys of a provider, and prints its findings all the same.
    findings = subprocess.run(
        [DOSSIER, "doctor", "--json", "--database", url], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    lines = [json.loads(line) for line in findings.stdout.splitlines()]
    return next(line["value"] for line in lines if line["subject"] == "database database_bytes")


def open_streams(process, port):
    """The number of open connections to the simulator."""
    with open(f"/proc/{process}/net/tcp") as file:
        ending = f":{port:04X}"
        return sum(1 for line in file if line.split()[2].endswith(ending) and line.split()[3] == "01")
