"""What the databases themselves can do with the statements of a job's life, fifty jobs a transaction."""
import glob
import json
import os
import time

from .processes import DOSSIER, HERE, ROOT, WORK, output

BATCH = 50
USERS = 1000
CLIENTS = 4


def sqlite_life_cycle(database, jobs):
    url = database.fresh("raw")
    output(DOSSIER, "migrate", "--database", url)
    program = os.path.join(WORK, "raw_sqlite")
    output("cc", "-O2", "-o", program, os.path.join(HERE, "sqlite", "life_cycle.c"), "-lsqlite3")
    queries = os.path.join(ROOT, "Sources", "SQLiteStore", "Queries")
    return json.loads(output(program, database.path("raw"), queries, str(jobs), str(BATCH)))["per_second"]


def postgres(database, script, jobs, fill=None):
    """Jobs a second that a script of Benchmarks/postgres completes, by four clients of pgbench; `fill` runs before."""
    output(DOSSIER, "migrate", "--database", database.fresh("raw"))
    folder = os.path.join(HERE, "postgres")
    database.psql("raw", "-f", os.path.join(folder, "prepare.sql"), users=USERS, clients=CLIENTS)
    transactions = max(jobs // BATCH // CLIENTS, 1)
    if fill:
        pgbench(database, fill, transactions + 1)
    before, start = database.processor_seconds(), time.time()
    pgbench(database, script, transactions)
    elapsed, used = time.time() - start, database.processor_seconds() - before
    completed = int(database.sql("raw", "SELECT count(*) FROM job WHERE status = 'completed'"))
    return {"per_second": round(completed / elapsed, 1), "database_us": round(used / completed * 1e6, 1)}


def postgres_pickup(database, jobs):
    """How long one client waits for the commit of one job and, after it, of the job's claim."""
    output(DOSSIER, "migrate", "--database", database.fresh("raw"))
    database.psql("raw", "-f", os.path.join(HERE, "postgres", "prepare.sql"), users=USERS, clients=1)
    logs = os.path.join(WORK, "raw_pickup")
    for name in glob.glob(logs + ".*"):
        os.remove(name)
    pgbench(database, "pickup.sql", jobs, 1, "-l", "--log-prefix", logs)
    with open(glob.glob(logs + ".*")[0]) as file:
        waits = sorted(int(line.split()[2]) / 1000 for line in file)
    return {"p50_ms": round(waits[len(waits) // 2], 2), "p99_ms": round(waits[len(waits) * 99 // 100], 2)}


def pgbench(database, script, transactions, clients=CLIENTS, *words):
    output(
        os.path.join(database.binaries, "pgbench"), "-n", "-M", "prepared", "-c", str(clients), "-j", "1",
        "-t", str(transactions), "-D", f"users={USERS}", "-f", os.path.join(HERE, "postgres", script), *words,
        "-h", "127.0.0.1", "-p", str(database.port), "-U", "postgres", "raw")
