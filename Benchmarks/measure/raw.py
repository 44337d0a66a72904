"""The speed of the databases alone with the statements of a job's life, fifty jobs a transaction."""
import glob
import json
import os
import time

from .processes import DOSSIER, HERE, ROOT, WORK, Process, Wrk, free_port, output, wait_for

BATCH = 50
USERS = 1000
CLIENTS = 4


def sqlite(database, jobs):
    """The figures of each part with one process and the statements alone."""
    url = database.fresh("raw")
    output(DOSSIER, "migrate", "--database", url)
    program = compiled("raw_sqlite", os.path.join("sqlite", "raw.c"), "sqlite3")
    queries = os.path.join(ROOT, "Sources", "SQLiteStore", "SQL")
    lines = output(program, database.path("raw"), queries, str(jobs), str(BATCH)).splitlines()
    return {figures.pop("name"): figures for figures in map(json.loads, lines)}


def postgres(database, jobs):
    """The figures of each part with `pgbench`."""
    limits = {}
    prepare(database)
    limits["life_cycle"] = completed(database, "life_cycle.sql", jobs)
    prepare(database)
    limits["submit"] = submitted(database, jobs, 1)
    prepare(database)
    submitted(database, jobs, 0)
    limits["claim_complete"] = completed(database, "claim_complete.sql", jobs)
    limits["pickup"] = waits(database, os.path.join(HERE, "postgres", "pickup.sql"), 1000)
    limits["pickup_elsewhere"] = waits(database, without_pipeline("pickup.sql"), 1000)
    limits["poll"] = polls(database, jobs * 4)
    return limits


def batches(jobs):
    """Transactions of each client."""
    return max(jobs // BATCH // CLIENTS, 1)


def completed(database, script, jobs):
    """Jobs a second that a script of Benchmarks/postgres completes, by four clients."""
    before, start = database.processor_seconds(), time.time()
    pgbench(database, script, batches(jobs))
    elapsed, used = time.time() - start, database.processor_seconds() - before
    done = int(database.sql("raw", "SELECT count(*) FROM job WHERE status = 'completed'"))
    return {"per_second": round(done / elapsed, 1), "database_us": round(used / done * 1e6, 1)}


def submitted(database, jobs, cost):
    """Jobs of a price that four clients submit in a second; they stay in the database."""
    start = time.time()
    # One batch more than is needed: a claim that finds too few would be a shorter one.
    pgbench(database, "submit.sql", batches(jobs) + 1, CLIENTS, "-D", f"cost={cost}")
    elapsed = time.time() - start
    return {"per_second": round(int(database.sql("raw", "SELECT count(*) FROM job")) / elapsed, 1)}


def waits(database, script, jobs):
    """The time of a script in which one client submits one job and claims it."""
    prepare(database)
    logs = os.path.join(WORK, "raw_pickup")
    for name in glob.glob(logs + ".*"):
        os.remove(name)
    pgbench(database, script, jobs, 1, "-l", "--log-prefix", logs)
    with open(glob.glob(logs + ".*")[0]) as file:
        found = sorted(int(line.split()[2]) / 1000 for line in file)
    return {"p50_ms": round(found[len(found) // 2], 3), "p99_ms": round(found[len(found) * 99 // 100], 3)}


def without_pipeline(name):
    """A script whose statements are transactions of their own, each with its own round trip."""
    with open(os.path.join(HERE, "postgres", name)) as file:
        lines = [line for line in file if not line.startswith("\\")]
    script = os.path.join(WORK, "two_transactions_" + name)
    with open(script, "w") as file:
        file.writelines(lines)
    return script


def named_query(path, name):
    """The text of a query in a file of named queries."""
    with open(path) as file:
        return file.read().split(f"-- name: {name}\n")[1].split("-- name:")[0]


def polls(database, count):
    """Jobs a second that the store's own query reads, fifty at once, by four clients."""
    prepare(database)
    pgbench(database, "submit.sql", 2, 1, "-D", "cost=0")
    query = named_query(os.path.join(ROOT, "Sources", "PostgresStore", "SQL", "jobs.sql"), "job_get")
    for number, value in [("1", ":ids"), ("2", ":owners"), ("3", "NULL")]:
        query = query.replace("$" + number, value)
    script = os.path.join(WORK, "raw_poll.sql")
    with open(script, "w") as file:
        file.write(query + ";\n")
    asked = "SELECT '{' || string_agg(%s, ',') || '}' FROM (SELECT * FROM job ORDER BY number LIMIT 50) AS j"
    start = time.time()
    pgbench(
        database, script, batches(count), CLIENTS, "-D", "ids=" + database.sql("raw", asked % "id::text").strip(),
        "-D", "owners=" + database.sql("raw", asked % "user_id::text").strip())
    return {"per_second": round(batches(count) * CLIENTS * BATCH / (time.time() - start), 1)}


def http(requests, seconds):
    """The speed of libmicrohttpd with the same requests, each answered with the same bytes."""
    port = free_port()
    program = compiled("raw_http", os.path.join("http", "constant.c"), "microhttpd")
    with Process(program, str(port), name="raw-http"):
        url = f"http://127.0.0.1:{port}"
        wait_for(url)
        return Wrk("poll.lua", url, seconds, 64, JOBS=requests).result()


def compiled(name, source, library):
    """A program in C of this folder."""
    program = os.path.join(WORK, name)
    output("cc", "-O2", "-o", program, os.path.join(HERE, source), "-l" + library)
    return program


def prepare(database):
    """A new database with users and workers."""
    output(DOSSIER, "migrate", "--database", database.fresh("raw"))
    database.psql("raw", "-f", os.path.join(HERE, "postgres", "prepare.sql"), users=USERS, clients=CLIENTS)


def pgbench(database, script, transactions, clients=CLIENTS, *words):
    output(
        os.path.join(database.binaries, "pgbench"), "-n", "-M", "prepared", "-c", str(clients), "-j", "1",
        "-t", str(transactions), "-D", f"users={USERS}", "-f", os.path.join(HERE, "postgres", script), *words,
        "-h", "127.0.0.1", "-p", str(database.port), "-U", "postgres", "raw")
