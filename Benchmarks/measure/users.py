"""Users who submit jobs while a service is upgraded, and what each of them must find afterwards.

    python3 Benchmarks/measure/users.py URL FILE

submits at one service until the file exists, waits for the last jobs, and exits with 1 when a promise was broken.
"""
import json
import os
import random
import sys
import threading
import time
import urllib.error
import urllib.request

TEXT = "Apple said on Monday that its gross margin rose to 46 percent, as services grew faster than phones. Week {}."
USERS = 6
# Each third job is a report, for a credit; the others are free.
PAID_EACH = 3


class User(threading.Thread):
    """Submits one job after the other, and waits for each."""

    def __init__(self, number, urls, stopped):
        super().__init__(daemon=True)
        self.id, self.urls, self.stopped = f"user-{number}", urls, stopped
        self.jobs, self.problems, self.repeats, self.isAlive = [], [], 0, True

    def run(self):
        while not self.stopped.is_set():
            number = len(self.jobs)
            job = {"kind": "interpret", "input": {"textOrUrl": TEXT.format(f"{self.id} {number}")}}
            if number % PAID_EACH == 0:
                job = {"kind": "research", "input": {"ticker": "AAPL", "persona": "buffett"}}
            found = self.ask("/api/v1/jobs", job, f"{self.id}-{number}")
            self.jobs.append(found["id"])
            while found["status"] not in ["completed", "failed", "cancelled"]:
                time.sleep(0.1)
                found = self.ask(f"/api/v1/jobs/{self.jobs[-1]}")
            if found["status"] != "completed":
                self.problems.append(found)
        self.isAlive = False

    def ask(self, path, body=None, key=None):
        """The answer of whichever broker gives one: one that stops breaks connections, and the request is repeated."""
        for _ in range(600):
            headers = {"X-User-ID": self.id, "Content-Type": "application/json"}
            if key:
                headers["Idempotency-Key"] = key
            try:
                request = urllib.request.Request(
                    random.choice(self.urls()) + path, json.dumps(body).encode() if body else None, headers)
                with urllib.request.urlopen(request, timeout=30) as response:
                    return json.load(response)["data"]
            except urllib.error.HTTPError as error:
                if error.code not in [429, 503]:
                    self.problems.append(f"{path}: {error.code} {error.read().decode()}")
                    raise
            except (OSError, IndexError):
                pass
            self.repeats += 1
            time.sleep(0.1)
        raise TimeoutError(path)


def books(users):
    """What is wrong for these users; nothing when every promise was kept."""
    problems = [f"{user.id}: {problem}" for user in users for problem in user.problems]
    problems += [f"{user.id} still waits" for user in users if user.isAlive]
    for user in users:
        balance = user.ask("/api/v1/credits")
        paid = -(-len(user.jobs) // PAID_EACH)
        if balance["used"] != paid or balance["held"] != 0:
            problems.append(f"{user.id} has {paid} reports and these credits: {balance}")
        if len(set(user.jobs)) != len(user.jobs):
            problems.append(f"{user.id} got one job for two submits")
    return problems


def main(url, file):
    stopped = threading.Event()
    users = [User(number, lambda: [url], stopped) for number in range(USERS)]
    for user in users:
        user.start()
    while not os.path.exists(file):
        time.sleep(0.1)
    stopped.set()
    for user in users:
        user.join(120)
    problems = books(users)
    print(f"{sum(len(user.jobs) for user in users)} jobs, {sum(user.repeats for user in users)} requests were repeated")
    sys.exit("\n".join(problems[:20]) or 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
