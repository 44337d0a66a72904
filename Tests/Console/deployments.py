"""Brokers, workers and simulators as processes of their own, for tests of the console that need more than one service."""
import contextlib
import os
import re
import signal
import subprocess
import tempfile
import time

dossier = os.environ["DOSSIER"]


class Deployment:
    def __init__(self, folder):
        self.folder = folder
        self.database = f"sqlite:{folder}/dossier.db"
        self.environment = dict(os.environ, DOSSIER_RATE_LIMIT="0")
        self.processes = []

    def start(self, *words, **environment):
        log = open(f"{self.folder}/{words[0]}-{len(self.processes)}.txt", "w+b")
        process = subprocess.Popen([dossier, *words], stdout=log, stderr=subprocess.STDOUT, env=self.environment | environment)
        self.processes.append(process)
        return process, log.name

    @staticmethod
    def address(log, pattern):
        for _ in range(600):
            with open(log, encoding="utf-8") as text:
                found = re.search(pattern, text.read())
            if found:
                return found[1]
            time.sleep(0.1)
        raise AssertionError(f"{open(log, encoding='utf-8').read()[-500:]}")

    def simulate(self, *flags):
        _, log = self.start("simulate", "--listen", "127.0.0.1:0", *flags)
        self.address(log, "(YOUTUBE_BASE_URL)")
        self.environment.update(re.findall(r"^export (\w+)='(.*)'$", open(log, encoding="utf-8").read(), re.M))

    def serve(self, workers=1, **environment):
        """Starts a broker, and gives its address."""
        _, log = self.start("serve", "--listen", "127.0.0.1:0", "--database", self.database, "--workers", str(workers), **environment)
        return self.address(log, r'(?:listens on |"listening","url":")(http://127\.0\.0\.1:\d+)')

    def worker(self):
        return self.start("worker", "--database", self.database)[0]

    def stop(self, process):
        process.send_signal(signal.SIGTERM)
        process.wait(30)


@contextlib.contextmanager
def deployment():
    with tempfile.TemporaryDirectory() as folder:
        found = Deployment(folder)
        try:
            yield found
        finally:
            for process in found.processes:
                if process.poll() is None:
                    process.send_signal(signal.SIGKILL)
                    process.wait()
