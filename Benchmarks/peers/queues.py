"""Measures one other queue: `queues.py NAME DATABASE JOBS`, in the folder that Benchmarks/peers/run creates for it.

Prints the number of jobs without work that it takes and finishes a second, and the times from enqueueing one job to its
start by an idle worker in the same process.
"""
import asyncio
import json
import sys
import threading
import time

PICKUPS = 300


def report(claimed, seconds, times):
    times.sort()
    figures = {"per_second": round(claimed / seconds, 1)}
    if times:
        figures["p50_ms"] = round(times[len(times) // 2] * 1000, 2)
        figures["p99_ms"] = round(times[int(len(times) * 0.99)] * 1000, 2)
    print(json.dumps(figures))


class Clock:
    """Times from `begin` to `end`, one after the other."""

    def __init__(self):
        self.times, self.start, self.event = [], 0.0, None

    def begin(self):
        self.event = asyncio.Event()
        self.start = time.perf_counter()

    def end(self):
        if self.event:
            self.times.append(time.perf_counter() - self.start)
            self.event.set()


async def pgqueuer(url, jobs):
    import asyncpg
    from pgqueuer import PgQueuer
    from pgqueuer.db import AsyncpgDriver, AsyncpgPoolDriver
    from pgqueuer.domain.types import QueueExecutionMode
    from pgqueuer.queries import Queries

    pool = await asyncpg.create_pool(url, min_size=4, max_size=4)
    queries = Queries(AsyncpgDriver(await asyncpg.connect(url)))
    await queries.install()
    for start in range(0, jobs, 1000):
        count = min(1000, jobs - start)
        await queries.enqueue(["noop"] * count, [None] * count, [0] * count)
    clock = Clock()

    def worker():
        queue = PgQueuer(AsyncpgPoolDriver(pool))

        @queue.entrypoint("noop")
        async def noop(job):
            clock.end()

        return queue

    start = time.perf_counter()
    await worker().qm.run(batch_size=200, mode=QueueExecutionMode.drain)
    seconds = time.perf_counter() - start
    running = worker()
    task = asyncio.create_task(running.qm.run(batch_size=10))
    await asyncio.sleep(1)
    for _ in range(PICKUPS):
        clock.begin()
        await queries.enqueue("noop", None)
        await asyncio.wait_for(clock.event.wait(), 60)
    running.qm.shutdown.set()
    await asyncio.wait_for(task, 60)
    report(jobs, seconds, clock.times)


async def procrastinate(url, jobs):
    from procrastinate import App, PsycopgConnector

    app = App(connector=PsycopgConnector(conninfo=url, min_size=4, max_size=8))
    clock = Clock()

    @app.task(name="noop")
    async def noop():
        clock.end()

    async with app.open_async():
        await app.schema_manager.apply_schema_async()
        for start in range(0, jobs, 1000):
            await noop.batch_defer_async(*[{} for _ in range(min(1000, jobs - start))])
        start = time.perf_counter()
        await app.run_worker_async(wait=False, concurrency=20, install_signal_handlers=False)
        seconds = time.perf_counter() - start
        task = asyncio.create_task(app.run_worker_async(concurrency=4, install_signal_handlers=False))
        await asyncio.sleep(1)
        for _ in range(PICKUPS):
            clock.begin()
            await noop.defer_async()
            await asyncio.wait_for(clock.event.wait(), 60)
        task.cancel()
        try:
            await task
        except asyncio.CancelledError:
            pass
        report(jobs, seconds, clock.times)


def huey(path, jobs):
    from huey import SqliteHuey

    queue = SqliteHuey(filename=path, fsync=True, results=False)
    left, lock, ended = [jobs], threading.Lock(), threading.Event()

    @queue.task()
    def noop():
        with lock:
            left[0] -= 1
            if left[0] == 0:
                ended.set()

    for _ in range(jobs):
        noop()
    start = time.perf_counter()

    def drain():
        while not ended.is_set():
            task = queue.dequeue()
            if task is None:
                return
            queue.execute(task)

    workers = [threading.Thread(target=drain) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    # It polls for new tasks at intervals, so a pickup is not measured.
    report(jobs, time.perf_counter() - start, [])


def main():
    name, database, jobs = sys.argv[1], sys.argv[2], int(sys.argv[3])
    if name == "huey":
        huey(database, jobs)
    else:
        asyncio.run({"pgqueuer": pgqueuer, "procrastinate": procrastinate}[name](database, jobs))


main()
