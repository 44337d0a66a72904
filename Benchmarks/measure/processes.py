"""Programs that a measurement starts, their cost, and wrk."""
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(HERE)
WORK = os.path.join(ROOT, ".build", "benchmarks")
DOSSIER = os.path.join(ROOT, ".build", "release", "dossier")
TICKS = os.sysconf("SC_CLK_TCK")


def fail(message):
    sys.exit(f"{sys.argv[0]}: {message}")


def output(*words, **variables):
    ended = subprocess.run(
        words, cwd=ROOT, env={**os.environ, **variables}, stdout=subprocess.PIPE, text=True, timeout=600)
    if ended.returncode != 0:
        fail(f"{os.path.basename(words[0])} ended with {ended.returncode}: {ended.stdout}")
    return ended.stdout


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def ticks(process, with_children=False):
    """Processor time of a process in clock ticks; with that of the children that it has waited for."""
    with open(f"/proc/{process}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return sum(int(field) for field in fields[11:15 if with_children else 13]), int(fields[1])


class Process:
    """One started process, stopped at the end of a `with`."""

    def __init__(self, *words, name=None, folder=ROOT, **variables):
        self.log = open(os.path.join(WORK, f"{name or os.path.basename(words[0]) + '-' + words[1]}.log"), "w")
        self.process = subprocess.Popen(
            words, cwd=folder, env={**os.environ, **variables}, stdout=self.log, stderr=self.log)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()

    def processor_seconds(self):
        return ticks(self.process.pid)[0] / TICKS

    def mebibytes(self):
        with open(f"/proc/{self.process.pid}/status") as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1)) / 1024


class Costs:
    """The processor time of processes and the database server since this was made."""

    def __init__(self, database, **processes):
        self.database, self.processes = database, processes
        self.start, self.before = time.time(), self.now()

    def now(self):
        used = {name: process.processor_seconds() for name, process in self.processes.items()}
        if self.database.processor_seconds() is not None:
            used["database"] = self.database.processor_seconds()
        return used

    def seconds(self):
        now = self.now()
        return {name: now[name] - self.before[name] for name in now}

    def each(self, count):
        """Microseconds for each of `count` pieces of work, by process."""
        return {f"{name}_us": round(used / max(count, 1) * 1e6, 1) for name, used in self.seconds().items()}

    def cores(self):
        elapsed = time.time() - self.start
        cores = {f"{name}_cores": round(used / elapsed, 3) for name, used in self.seconds().items()}
        return {**cores, "cores": round(sum(self.seconds().values()) / elapsed, 3)}


def wait_for(url):
    for _ in range(600):
        try:
            urllib.request.urlopen(url, timeout=5).read()
            return
        except OSError:
            time.sleep(0.1)
    fail(f"nothing answers at {url}; see the logs in {WORK}")


class Wrk:
    """One run of wrk, begun at once; `result` waits for it."""

    def __init__(self, script, url, seconds, connections, **variables):
        self.script = script
        self.process = subprocess.Popen(
            ["wrk", "-t1", f"-c{connections}", f"-d{seconds}", "--latency", "-s",
             os.path.join(HERE, "wrk", script), url],
            env={**os.environ, **variables}, stdout=subprocess.PIPE, text=True)

    def result(self):
        """Requests a second and latencies; answers other than 2xx and 3xx end the run."""
        text, _ = self.process.communicate(timeout=600)
        if self.process.returncode != 0 or "Non-2xx" in text:
            fail(f"requests of {self.script} were refused:\n{text}")
        latencies = {place: milliseconds(time) for place, time in re.findall(r"(50|99)%\s+([\d.]+\w+)", text)}
        return {
            "count": int(re.search(r"(\d+) requests in", text).group(1)),
            "per_second": float(re.search(r"Requests/sec:\s+([\d.]+)", text).group(1)),
            "p50_ms": latencies.get("50"), "p99_ms": latencies.get("99")}


def milliseconds(text):
    number, unit = re.match(r"([\d.]+)(\w+)", text).groups()
    return round(float(number) * {"us": 0.001, "ms": 1, "s": 1000}[unit], 3)
