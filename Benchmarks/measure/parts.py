"""The parts of `Benchmarks/run`. Each starts what it needs on databases of its own and adds its figures to the results."""
import json
import os
import time
import urllib.request

from . import raw
from .processes import DOSSIER, WORK, Costs, Process, Wrk, free_port, output, wait_for


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
            "DOSSIER_LISTEN": f"127.0.0.1:{port}", **variables}
        super().__init__(DOSSIER, "serve", "--workers", "0", **settings)
        wait_for(self.url + "/health")

    def submit(self, count):
        """Submits a few jobs; the file that lists them for poll.lua."""
        path = os.path.join(WORK, "jobs.txt")
        with open(path, "w") as file:
            for number in range(count):
                user = f"user-{number + 1}"
                body = {"kind": "research", "input": {"ticker": "AAPL", "persona": "buffett"}}
                file.write(f"{user} {answer(self.url + '/api/v1/jobs', user, body)['data']['id']}\n")
        return path


def bench(url, part, *words):
    """The measurements of `dossier bench`, one for each line."""
    return [
        json.loads(line)
        for line in output(DOSSIER, "bench", "--json", "--database", url, "--part", part, *words).splitlines()]


def store(results, database, arguments):
    """What one process asks of a store, beside what the database does with the same statements alone."""
    if database.name == "sqlite":
        limits = {"life_cycle": sqlite_limit(results, database, arguments)}
    else:
        limits = postgres_limits(results, database, arguments)
    url = database.fresh("store")
    for part in ["life_cycle", "submit", "claim_complete", "pickup", "pickup_elsewhere", "poll"]:
        before = database.processor_seconds()
        for figures in bench(url, part, "--jobs", str(arguments.jobs)):
            del figures["name"]
            if before is not None and part == "life_cycle":
                used = database.processor_seconds() - before
                figures["database_us"] = round(used / figures["count"] * 1e6, 1)
            if part in limits:
                figures["of_raw"] = round(figures["per_second"] / limits[part], 2)
            results.add("store", part, database, **figures)


def sqlite_limit(results, database, arguments):
    limit = raw.sqlite_life_cycle(database, arguments.jobs)
    results.add("store", "raw_life_cycle", database, per_second=limit)
    return limit


def postgres_limits(results, database, arguments):
    limits = {}
    for name, script, fill in [
        ("life_cycle", "life_cycle.sql", None), ("claim_complete", "claim_complete.sql", "submit.sql"),
    ]:
        figures = raw.postgres(database, script, arguments.jobs, fill)
        results.add("store", "raw_" + name, database, **figures)
        limits[name] = figures["per_second"]
    results.add("store", "raw_pickup", database, **raw.postgres_pickup(database, 1000))
    return limits


def http(results, database, arguments):
    """Polls and submits of a broker alone: routing, identity, limits and logging are on."""
    with Broker(database.fresh("http")) as broker:
        jobs = broker.submit(100)
        for name, script, more in [
            ("poll", "poll.lua", {}), ("poll_not_modified", "poll.lua", {"ETAG": '"1"'}), ("submit", "submit.lua", {}),
        ]:
            costs = Costs(database, broker=broker)
            measured = Wrk(script, broker.url, arguments.seconds, 64, JOBS=jobs, **more).result()
            results.add("http", name, database, **measured, **costs.each(measured["count"]))


def life(results, database, arguments):
    """Whole lives over HTTP: wrk submits as fast as it is answered, and a worker process runs jobs without work."""
    url = database.fresh("life")
    with Broker(url) as broker:
        broker.submit(1)
        seconds = arguments.seconds
        with Process(DOSSIER, "bench", "--part", "drain", "--seconds", str(seconds), "--json", "--database", url) as work:
            time.sleep(1)
            costs = Costs(database, broker=broker, worker=work)
            submitted = Wrk("submit.lua", broker.url, seconds - 2, 64).result()
            used = costs.seconds()
            work.process.wait(120)
        with open(work.log.name) as file:
            completed = json.loads(file.readline())
        count = min(submitted["count"], completed["count"])
        results.add(
            "life", "life_cycle", database, per_second=round(completed["count"] / seconds, 1), count=count,
            submits_per_second=submitted["per_second"], p99_ms=submitted["p99_ms"],
            **{f"{name}_seconds_per_1000_jobs": round(value / count * 1000, 3) for name, value in used.items()})


def load(results, database, arguments):
    """500 submits and 500 polls a second, with a worker whose jobs take a second each."""
    url, seconds = database.fresh("load"), arguments.seconds * 2
    with Broker(url) as broker:
        jobs = broker.submit(100)
        with Process(DOSSIER, "bench", "--part", "work", "--seconds", str(seconds + 5), "--database", url) as work:
            time.sleep(2)
            costs = Costs(database, broker=broker, worker=work)
            # Each connection waits 99 ms between requests, so fifty make about 500 a second.
            submits = Wrk("submit.lua", broker.url, seconds, 50, DELAY="86")
            polls = Wrk("poll.lua", broker.url, seconds, 50, JOBS=jobs, DELAY="94").result()
            submitted = submits.result()
            cores, used = costs.cores(), costs.seconds()
    results.add(
        "load", "sustained", database, submits_per_second=submitted["per_second"],
        polls_per_second=polls["per_second"], poll_p99_ms=polls["p99_ms"], **cores,
        **{f"{name}_seconds_per_1000_jobs": round(value / submitted["count"] * 1000, 3)
           for name, value in used.items()})


def memory(results, database, arguments):
    """A worker with 2,000 running jobs, each with a model's answer on its way from the simulator."""
    # A research job has read a company's filings, an explanation only the article that came with it.
    streams(results, database, "research")
    streams(results, database, "light", KIND="explanation")


def streams(results, database, name, **submitted):
    url, simulated = database.fresh("memory"), free_port()
    address = f"http://127.0.0.1:{simulated}"
    model = {"ANTHROPIC_API_KEY": "simulated", "ANTHROPIC_BASE_URL": address, "SEC_BASE_URL": address,
        "SEC_USER_AGENT": "benchmark simulator@example.com"}
    words = ["--listen", f"127.0.0.1:{simulated}", "--tokens-per-second", "4"]
    with Process(DOSSIER, "simulate", *words), Broker(url) as broker:
        broker.submit(1)
        Wrk("submit.lua", broker.url, 3, 16, **submitted).result()
        with Process(DOSSIER, "worker", "--concurrency", "2020", DOSSIER_DATABASE_URL=url, **model) as worker:
            peak, while_streaming, running, most, costs, start = 0, 0, 0, 0, None, time.time()
            while time.time() - start < 90:
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
    """Life cycles beside 100,000 jobs of one user that cannot run yet, and before they came."""
    alone, beside = bench(database.fresh("crowd"), "crowd", "--jobs", str(max(arguments.jobs // 4, 1000)))
    for figures in [alone, beside]:
        name = figures.pop("name")
        if name == "beside_crowd":
            figures["of_alone"] = round(figures["per_second"] / alone["per_second"], 2)
        results.add("crowd", name, database, **figures)


def open_streams(process, port):
    """Connections to the simulator that stand."""
    with open(f"/proc/{process}/net/tcp") as file:
        ending = f":{port:04X}"
        return sum(1 for line in file if line.split()[2].endswith(ending) and line.split()[3] == "01")
