#!/usr/bin/env python3
"""Raises each alert of packaging/prometheus by a real fault, and sees that no other one is raised.

A Prometheus scrapes a broker and two workers once a second, with the rules of the repository whose times are shortened:
an alert that waits for a minute waits for three seconds here, and windows of ten minutes are one minute.
"""
import contextlib
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RULES = os.path.join(ROOT, "packaging", "prometheus", "dossier.rules.yml")
DASHBOARD = os.path.join(ROOT, "packaging", "grafana", "dossier.json")
DOSSIER = os.environ.get("BROKER_BINARY") or os.path.join(ROOT, ".build", "release", "dossier")


def fail(message):
    sys.exit(f"alerts: {message}")


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def ask(url, body=None, method=None, user="1"):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(
        url, data, {"X-User-ID": user, "Content-Type": "application/json"}, method=method)
    with urllib.request.urlopen(request, timeout=20) as answer:
        text = answer.read().decode()
    return json.loads(text) if text.startswith("{") else text


def wait(what, seconds, is_there):
    end = time.time() + seconds
    while time.time() < end:
        try:
            found = is_there()
            if found:
                return found
        except OSError:
            pass
        time.sleep(0.5)
    fail(f"{what} did not happen within {seconds} s")


def check_files():
    """What needs no service: syntax, unit tests, the dashboard's schema, and that all metrics are documented."""
    for words in [["check", "rules", RULES], ["test", "rules", RULES.replace(".yml", ".test.yml")]]:
        ended = subprocess.run(["promtool", *words], capture_output=True, text=True)
        if ended.returncode != 0:
            fail(f"promtool {' '.join(words)}:\n{ended.stdout}{ended.stderr}")
    subprocess.run(
        [sys.executable, os.path.join(ROOT, "packaging", "grafana", "make_dashboard.py"), "--check"], check=True)
    from grafana_foundation_sdk.cog.encoder import JSONEncoder
    from grafana_foundation_sdk.models.dashboard import Dashboard
    with open(DASHBOARD) as file:
        written = json.load(file)
    lost = list(differences(written, json.loads(JSONEncoder().encode(Dashboard.from_json(written)))))
    if lost:
        fail(f"Grafana's schema does not know what the dashboard says at {lost}")
    queries = [target["expr"] for panel in written["panels"] for target in panel.get("targets", [])]
    with tempfile.NamedTemporaryFile("w", suffix=".yml") as file:
        rules = [
            {"record": f"query:{place}", "expr": query.replace("$__rate_interval", "1m")}
            for place, query in enumerate(queries)]
        json.dump({"groups": [{"name": "queries", "rules": rules}]}, file)
        file.flush()
        ended = subprocess.run(["promtool", "check", "rules", file.name], capture_output=True, text=True)
        if ended.returncode != 0:
            fail(f"a query of the dashboard is wrong:\n{ended.stdout}{ended.stderr}")
    with open(os.path.join(ROOT, "docs", "configuration.md")) as file:
        documented = set(re.findall(r"`((?:dossier|gen_ai|process)_\w+)", file.read()))
    with open(RULES) as file:
        used = set(re.findall(r"\b(?:dossier|gen_ai_client|process)_\w+", file.read() + " ".join(queries)))
    unknown = {name for name in used if re.sub("_(bucket|sum|count)$", "", name) not in documented and name not in documented}
    if unknown:
        fail(f"docs/configuration.md does not tell of {sorted(unknown)}")
    check_operations()


def check_operations():
    """docs/operations.md prints a configuration that Prometheus takes, and says what to do for each alert."""
    with open(os.path.join(ROOT, "docs", "operations.md")) as file:
        text = file.read()
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(RULES, folder)
        with open(os.path.join(folder, "prometheus.yml"), "w") as file:
            file.write(re.search(r"```yaml\n(.*?)```", text, re.S).group(1))
        ended = subprocess.run(["promtool", "check", "config", file.name], capture_output=True, text=True)
        if ended.returncode != 0:
            fail(f"the configuration of docs/operations.md is wrong:\n{ended.stdout}{ended.stderr}")
    with open(RULES) as file:
        untold = [name for name in re.findall(r"alert: (\w+)", file.read()) if f"`{name}`" not in text]
    if untold:
        fail(f"docs/operations.md does not say what to do for {untold}")


def differences(written, read, path=""):
    if isinstance(written, dict) and isinstance(read, dict):
        for name, value in written.items():
            yield from differences(value, read.get(name), f"{path}/{name}")
    elif isinstance(written, list) and isinstance(read, list) and len(written) == len(read):
        for place, (one, other) in enumerate(zip(written, read)):
            yield from differences(one, other, f"{path}[{place}]")
    elif written != read:
        yield path


class Fleet:
    """A simulator, a broker, two workers and a Prometheus."""

    def __init__(self, folder):
        self.folder, self.processes = folder, []
        self.database = os.path.join(folder, "dossier.db")
        self.ports = {name: free_port() for name in ["simulator", "broker", "one", "two", "prometheus"]}
        self.environment = dict(os.environ, DOSSIER_RATE_LIMIT="0", DOSSIER_STARTING_CREDITS="100000",
                                DOSSIER_DATABASE_URL="sqlite:" + self.database, DOSSIER_HOME=ROOT)

    def url(self, name):
        return f"http://127.0.0.1:{self.ports[name]}"

    def start(self, name, *words):
        log = open(os.path.join(self.folder, name + ".log"), "a")
        process = subprocess.Popen(words, cwd=ROOT, env=self.environment, stdout=log, stderr=log)
        self.processes.append(process)
        return process

    def worker(self, name):
        worker = self.start(name, DOSSIER, "worker", "--metrics", f"127.0.0.1:{self.ports[name]}")
        wait(f"the start of worker {name}", 60, lambda: ask(self.url(name) + "/health"))
        return worker

    def __enter__(self):
        self.start("simulator", DOSSIER, "simulate", "--listen", f"127.0.0.1:{self.ports['simulator']}")
        text = wait("the start of the simulator", 60, self.variables)
        self.environment.update(re.findall(r"^export (\w+)='?([^'\n]*)'?$", text, re.M))
        self.start("broker", DOSSIER, "serve", "--workers", "0", "--listen", f"127.0.0.1:{self.ports['broker']}")
        wait("the start of the broker", 60, lambda: ask(self.url("broker") + "/health"))
        self.workers = {name: self.worker(name) for name in ["one", "two"]}
        self.prometheus()
        return self

    def variables(self):
        with open(os.path.join(self.folder, "simulator.log")) as file:
            text = file.read()
        return text if "YOUTUBE_BASE_URL" in text else None

    def __exit__(self, *_):
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()

    def prometheus(self):
        with open(RULES) as file:
            rules = file.read()
        rules = re.sub(r"for: \d+[sm]", "for: 3s", rules)
        rules = re.sub(r"\[(10m|15m|1h)\]", "[1m]", rules)
        rules = rules.replace("offset 10m", "offset 1m")
        with open(os.path.join(self.folder, "rules.yml"), "w") as file:
            file.write(rules)
        targets = [f"127.0.0.1:{self.ports[name]}" for name in ["broker", "one", "two"]]
        with open(os.path.join(self.folder, "prometheus.yml"), "w") as file:
            json.dump({
                "global": {"scrape_interval": "1s", "evaluation_interval": "1s"}, "rule_files": ["rules.yml"],
                "scrape_configs": [{"job_name": "dossier", "static_configs": [{"targets": targets}]}]}, file)
        self.start(
            "prometheus", "prometheus", f"--config.file={self.folder}/prometheus.yml",
            f"--storage.tsdb.path={self.folder}/tsdb", f"--web.listen-address=127.0.0.1:{self.ports['prometheus']}")
        wait("the start of Prometheus", 60, lambda: ask(self.url("prometheus") + "/-/ready"))

    # What happens

    def faults(self, rules):
        url = self.url("simulator") + "/simulator/faults"
        ask(url, method="DELETE")
        for rule in rules:
            ask(url, rule)

    def submit(self, count, prefix):
        for number in range(count):
            ask(self.url("broker") + "/api/v1/jobs", {"kind": "explanation", "input": {
                "title": f"Margins {prefix} {number}", "articles": [{
                    "title": "Margins rise", "source": "The Paper", "url": f"https://example.com/{prefix}-{number}",
                    "text": "Apple said on Monday that its gross margin rose to 46 percent, as services grew faster "
                            "than phones. Analysts had expected less."}]}})

    def command(self, *words):
        return subprocess.run(
            [DOSSIER, *words], cwd=ROOT, env=self.environment, check=True, capture_output=True, text=True).stdout

    def firing(self):
        alerts = ask(self.url("prometheus") + "/api/v1/alerts")["data"]["alerts"]
        return {alert["labels"]["alertname"] for alert in alerts if alert["state"] == "firing"}

    def expect(self, what, expected, allowed=(), seconds=150):
        """The alerts of a fault come, and none beside them and the allowed ones that follow from it."""
        seen, end = set(), time.time() + seconds
        while time.time() < end and not expected <= seen:
            seen |= self.firing()
            time.sleep(0.5)
        if not expected <= seen:
            fail(f"{what}: {sorted(expected - seen)} did not come; {sorted(seen)} came")
        if seen - expected - set(allowed):
            fail(f"{what}: {sorted(seen - expected - set(allowed))} came too")
        print(f"alerts: {what}: {', '.join(sorted(expected)) or 'none'}", flush=True)

    def quiet(self, seconds=180):
        wait("the end of all alerts", seconds, lambda: not self.firing())


def run(folder):
    with Fleet(folder) as fleet:
        fleet.submit(20, "well")
        time.sleep(10)
        if fleet.firing():
            fail(f"nothing is wrong, and there are {sorted(fleet.firing())}")
        for name in ["broker", "one", "two"]:
            text = ask(fleet.url(name) + "/metrics")
            ended = subprocess.run(
                ["promtool", "check", "metrics"], input=text, capture_output=True, text=True)
            if ended.returncode != 0:
                fail(f"metrics of {name}: {ended.stdout}{ended.stderr}")
        print("alerts: nothing wrong: none; promtool finds the metrics of broker and workers in order", flush=True)

        fleet.faults([{"action": "500"}])
        fleet.submit(30, "failing")
        fleet.expect(
            "a provider that fails", {"DossierModelErrors", "DossierModelStopped"},
            {"DossierJobsFailing", "DossierJobsStandStill"})
        fleet.faults([])
        fleet.quiet()

        # Other providers answer, so that no job fails: nothing else tells of the key.
        fleet.faults([{"action": "401", "service": "claude"}])
        fleet.submit(30, "no-key")
        fleet.expect("a provider that refuses the key", {"DossierModelErrors"}, {"DossierModelStopped"})
        fleet.faults([])
        fleet.quiet()

        fleet.faults([{"action": "refusal"}])
        fleet.submit(15, "refused")
        fleet.expect("answers that are refusals", {"DossierJobsFailing"})
        fleet.faults([])
        fleet.quiet()

        begun = json.loads(fleet.command("admin", "pause", "--kind", "explanation", "--json"))
        fleet.submit(5, "paused")
        fleet.expect("a pause that nobody ends", {"DossierJobsStandStill"})
        fleet.command("admin", "resume", begun["id"])
        fleet.quiet()

        with contextlib.closing(sqlite3.connect(fleet.database, timeout=30, isolation_level=None)) as other:
            # Another process holds the write lock, which counts as a database that is away.
            other.execute("BEGIN IMMEDIATE")
            fleet.expect("a database that is away", {"DossierDatabaseAway"})
            other.execute("ROLLBACK")
        fleet.quiet()

        # Both workers have calls under way for some seconds, which is slow and no fault yet.
        fleet.faults([{"action": "slow", "first_byte": 4}])
        fleet.submit(40, "dead")
        time.sleep(1)
        fleet.workers["one"].send_signal(signal.SIGKILL)
        fleet.expect(
            "a worker that is killed", {"DossierWorkersDie", "DossierDown"},
            {"DossierModelErrors", "DossierModelStopped", "DossierJobsStandStill"})
        fleet.faults([])
        fleet.workers["one"] = fleet.worker("one")
        fleet.quiet()

        for worker in fleet.workers.values():
            worker.terminate()
        fleet.expect("a fleet without workers", {"DossierNoWorker", "DossierDown"})


if __name__ == "__main__":
    check_files()
    if sys.argv[1:] == ["files"]:
        print("alerts: rules and dashboard are in order")
        sys.exit()
    with tempfile.TemporaryDirectory() as folder:
        try:
            run(folder)
        except (urllib.error.URLError, OSError) as error:
            fail(str(error))
