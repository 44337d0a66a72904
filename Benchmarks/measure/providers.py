"""The part `providers`: one provider's limit and its silent calls, by Dossier and by other clients in the same run."""
import json
import os
import shutil
import sys
import textwrap
import threading
import time
import venv

from .parts import Broker, answer
from .processes import DOSSIER, HERE, ROOT, WORK, Process, fail, output
from .simulated import MODEL, OTHER, PRICES, Simulator, micro_dollars, user_of, user_who_said, waits

ENVIRONMENT = os.path.join(WORK, "clients")
PYTHON = os.path.join(ENVIRONMENT, "bin", "python")
REQUIREMENTS = os.path.join(HERE, "providers", "requirements.txt")
# A quarter of a usual account. A report takes about 900 tokens of output, so output binds, at 2.8 reports a second. An
# answer takes about twenty seconds, so 64 tasks ask for a little more than that.
PER_MINUTE = {"requests": 250, "input": 750_000, "output": 150_000}
LIMITS = "claude/sonnet: " + ", ".join(f"{name} {amount}" for name, amount in PER_MINUTE.items()) + ", burst 10"
LATENCY = "first_byte 0.8, speed 50"
# Less than two minutes of the limit, and less than the jobs' deadline.
JOBS = 300
SILENT_JOBS, SILENT_PER_SECOND, SILENT, SILENT_LATENCY = 300, 5, 0.02, "first_byte 0.8, speed 160"
INTERACTIVE_PAUSE = 6
# A job of research ends by then, whatever happens.
DEADLINE = 170
PERSONAS = ["buffett", "fisher", "graham", "lynch", "munger", "wood"]
TEXT = "Apple said on Monday that its gross margin rose to 46 percent, as services grew faster than phones."


def home():
    """The repository's content with one Claude model, one other candidate, and plans that limit nothing."""
    folder = os.path.join(WORK, "providers-home")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for name in ["jobs", "prompts", "personas", "library"]:
        shutil.copytree(os.path.join(ROOT, name), os.path.join(folder, name))
    claude, gemini = (json.dumps(PRICES[model]).replace('"', "") for model in [MODEL, OTHER])
    with open(os.path.join(folder, "models.yaml"), "w") as file:
        file.write(f"""tiers:
  deep: [{MODEL}, {OTHER}]
  fast: [{MODEL}, {OTHER}]
models:
  {MODEL}:
    provider: claude
    context: 1000000
    max_output: 128000
    thinking: adaptive
    efforts: [low, medium, high, xhigh, max]
    forced_tool_choice: false
    prices: [{claude}]
  {OTHER}:
    provider: gemini
    context: 1048576
    max_output: 65536
    thinking: level
    efforts: [low, medium, high]
    prices: [{gemini}]
""")
    with open(os.path.join(folder, "plans.yaml"), "w") as file:
        file.write(
            "default: standard\nservice: {spend_dollars_per_day: 10000, free_spend_dollars_per_day: 10000}\nplans:\n"
            "  standard: {title: Standard, spend_dollars_per_day: 1000, unfinished_jobs: 100000}\n")
    return folder


class Fleet:
    """A broker and worker processes that ask a simulator."""

    def __init__(self, database, simulator, *providers, workers=2):
        self.address = database.fresh("providers")
        variables = {"DOSSIER_HOME": home(), **simulator.variables(*providers)}
        self.processes = [Broker(self.address, **variables)]
        self.broker = self.processes[0]
        for number in range(1, workers + 1):
            self.processes.append(Process(
                DOSSIER, "worker", name=f"dossier-worker-{number}", DOSSIER_DATABASE_URL=self.address, **variables))
        self.jobs = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.__exit__()

    def research(self, number, user):
        company = ["AAPL", "SNOW"][number // len(PERSONAS) % 2]
        job = {"kind": "research", "input": {"ticker": company, "persona": PERSONAS[number % len(PERSONAS)]}}
        self.jobs.append((user, answer(self.broker.url + "/api/v1/jobs", user, job)["data"]["id"]))

    def show(self, user, job):
        return answer(f"{self.broker.url}/api/v1/jobs/{job}", user)["data"]

    def ended(self):
        """Every job of `research` once it has ended, in the order of their ends."""
        found = []
        for user, job in self.jobs:
            while (state := self.show(user, job))["status"] not in ["completed", "failed", "cancelled"]:
                time.sleep(0.2)
            end, begin = milliseconds(state["completed_at"]), milliseconds(state["created_at"])
            if state["status"] != "completed":
                print(f"{state['status']}: {job} of {user} after {end - begin:.0f} ms: {state['error']}", file=sys.stderr)
            found.append((end, begin, user, state["status"]))
        return sorted(found)

    def processor_milliseconds(self):
        """Of each job, by the broker and both workers."""
        return round(sum(process.processor_seconds() for process in self.processes) / len(self.jobs) * 1000, 1)

    def booked(self):
        """The micro-dollars of all calls in the books."""
        lines = output(DOSSIER, "costs", "--json", "--database", self.address).splitlines()
        return sum(json.loads(line)["micro_dollars"] for line in lines)


def lost(ends):
    return sum(1 for _, _, _, status in ends if status != "completed")


def milliseconds(text):
    return time.mktime(time.strptime(text[:19], "%Y-%m-%dT%H:%M:%S")) * 1000 + int(text[20:23])


class NowAndThen(threading.Thread):
    """An interactive job every few seconds, each after the end of the last one, until it is stopped. `stop` waits
    for the last one."""

    def __init__(self, fleet):
        super().__init__(daemon=True)
        self.fleet, self.asked, self.stopped = fleet, [], threading.Event()

    def run(self):
        while not self.stopped.wait(INTERACTIVE_PAUSE):
            self.asked.append(time.time() * 1000)
            # Each text is another one, so that no answer is shared.
            job = {"kind": "interpret", "input": {"textOrUrl": f"{TEXT} Week {len(self.asked)}."}}
            id = answer(self.fleet.broker.url + "/api/v1/jobs", "user-9", job)["data"]["id"]
            while self.fleet.show("user-9", id)["completed_at"] is None:
                time.sleep(0.2)

    def stop(self):
        self.stopped.set()
        self.join()
        return self.asked


def limited(database):
    """Dossier at the limit: its figures, and its requests of each user in the order of submission."""
    with Simulator("limited", "--limits", LIMITS, "--latency", LATENCY) as simulator, \
            Fleet(database, simulator, "ANTHROPIC") as fleet:
        interactive = NowAndThen(fleet)
        interactive.start()
        for number in range(JOBS):
            fleet.research(number, "user-1" if number < JOBS // 2 else "user-2")
        ends = fleet.ended()
        asked = interactive.stop()
        calls = simulator.calls()
        sent = [call for call in calls if call["status"] == 200]
        of_user = {user: [call["body"] for call in sent if user_of(call) == user] for user in map(user_of, sent)}
        person = user_who_said(TEXT, sent)
        # The two with the jobs; readings of filings, which all users share, have a user of their own.
        owners = sorted(of_user.keys() - {person}, key=lambda user: -len(of_user[user]))[:2]
        half = ends[:len(ends) // 2]
        figures = {
            "processor": fleet.processor_milliseconds(), **simulator.use(calls), "jobs": JOBS, "lost": lost(ends),
            "second_user": round(sum(1 for end in half if end[2] == "user-2") / len(half), 3),
            **about(waits(calls, person, asked)), "books": of_bill(fleet.booked(), simulator)}
    bodies = {
        "jobs": [body for user in owners for body in of_user[user][:JOBS // 2]],
        "interactive": of_user[person][0]}
    return figures, bodies


def of_bill(booked, simulator):
    """A client's micro-dollars as a share of those that the provider bills."""
    return round(booked / simulator.billed(), 4)


def about(waited):
    known = sorted(wait for wait in waited if wait is not None)
    return {
        "interactive_calls": len(waited), "interactive_lost": len(waited) - len(known),
        "interactive_median": known[len(known) // 2] if known else None,
        "interactive_longest": known[-1] if known else None}


def silent(database):
    """Dossier with calls that are never answered, and another candidate that is healthy."""
    with Simulator("silent", "--latency", SILENT_LATENCY) as simulator, \
            Fleet(database, simulator, "ANTHROPIC", "GEMINI") as fleet:
        simulator.ask("faults", {"action": "stall", "service": "claude", "rate": SILENT, "seed": 1})
        begin = time.time()
        for number in range(SILENT_JOBS):
            fleet.research(number, f"user-{number % 2 + 1}")
            time.sleep(max(0, begin + (number + 1) / SILENT_PER_SECOND - time.time()))
        ends = fleet.ended()
        # A stalled call is in the books as such once its worker has closed it.
        time.sleep(3)
        taken = sorted((end[0] - end[1]) / 1000 for end in ends)
        return {
            "silent_calls": sum(rule["applied"] for rule in simulator.ask("faults")), "silent_jobs": SILENT_JOBS,
            "silent_lost": lost(ends), **tail(taken),
            "silent_books": of_bill(fleet.booked(), simulator)}


def tail(taken):
    taken = sorted(taken)
    return {
        "silent_p50": round(taken[len(taken) // 2], 1), "silent_p99": round(taken[int(len(taken) * 0.99)], 1),
        "silent_longest": round(taken[-1], 1)}


# Other clients


def install():
    if not os.path.exists(PYTHON):
        venv.create(ENVIRONMENT, with_pip=True)
    output(PYTHON, "-m", "pip", "install", "-q", "--disable-pip-version-check", "-r", REQUIREMENTS)


class Client(Process):
    """A run of client.py, begun at once; `result` waits for it."""

    def __init__(self, client, name, simulator, **settings):
        self.path = os.path.join(WORK, f"client-{name}")
        with open(self.path + ".json", "w") as file:
            json.dump({"url": simulator.url, "model": MODEL, **settings}, file)
        super().__init__(
            PYTHON, os.path.join(HERE, "providers", "client.py"), client, self.path + ".json", name=f"client-{name}",
            PYTHONDONTWRITEBYTECODE="1")

    def result(self, seconds):
        if self.process.wait(seconds) != 0:
            fail(f"a client ended with {self.process.returncode}; see {self.path}.log")
        with open(self.path + ".log") as file:
            return next(json.loads(line) for line in file if line.startswith('{"order"'))


def limited_client(client, bodies, **settings):
    """Another client at the limit, with 64 tasks that take their jobs from one list."""
    users = [body["metadata"]["user_id"] for body in bodies["jobs"]]
    with Simulator("limited", "--limits", LIMITS, "--latency", LATENCY) as simulator:
        with Client(
            client, f"{client}-limited", simulator, tasks=64, give_up=DEADLINE, interactive_pause=INTERACTIVE_PAUSE,
            **bodies, **settings,
        ) as running:
            result = running.result(600)
        calls, half = simulator.calls(), result["order"][:len(users) // 2]
        user = bodies["interactive"]["metadata"]["user_id"]
        return {
            **simulator.use(calls), "lost": result["lost"], "jobs": len(users), "causes": result["causes"],
            "second_user": round(sum(1 for user in half if user == users[-1]) / max(1, len(half)), 3),
            "processor": round(result["processor"] / len(users) * 1000, 1),
            **about(waits(calls, user, result["asked"])),
            "books": of_bill(micro_dollars(result["tokens"]), simulator)}


def silent_clients(bodies, clients):
    """Other clients with calls that are never answered, at the same time, each with a simulator of its own.

    The simulator never answers such a call, so a job that has no answer after `give_up` seconds has none at its
    deadline either: it counts as lost then.
    """
    bodies = (bodies["jobs"] * SILENT_JOBS)[:SILENT_JOBS]
    running, results = [], {}
    try:
        for name, (client, settings) in clients.items():
            running.append(Simulator(f"silent-{name}", "--latency", SILENT_LATENCY))
            simulator = running[-1]
            simulator.ask("faults", {"action": "stall", "service": "claude", "rate": SILENT, "seed": 1})
            running.append(Client(
                client, name, simulator, jobs=bodies, per_second=SILENT_PER_SECOND, give_up=75, **settings))
            results[name] = (simulator, running[-1])
        return {name: silent_figures(*pair) for name, pair in results.items()}
    finally:
        for process in reversed(running):
            process.__exit__()


def silent_figures(simulator, client):
    result = client.result(600)
    return {
        "silent_calls": sum(rule["applied"] for rule in simulator.ask("faults")), "silent_jobs": SILENT_JOBS,
        "silent_lost": result["lost"], **tail(result["seconds"] + [float(DEADLINE)] * result["lost"]),
        "silent_books": of_bill(micro_dollars(result["tokens"]), simulator)}


def providers(databases):
    """The figures of every client by its name, and versions. Other clients get the requests that Dossier sent."""
    install()
    figures, bodies, versions = {}, None, []
    for database in databases:
        with database:
            versions.append(database.version())
            name = "Dossier, " + {"sqlite": "SQLite", "postgres": "PostgreSQL"}[database.name]
            figures[name], sent = limited(database)
            bodies = bodies or sent
            figures[name] |= silent(database)
            print(json.dumps({name: figures[name]}), flush=True)
    told = {"rpm": PER_MINUTE["requests"], "tpm": PER_MINUTE["input"] + PER_MINUTE["output"]}
    clients = {"SDK": ("sdk", {}), "LiteLLM": ("litellm", told)}
    for name, (client, settings) in clients.items():
        figures[name] = limited_client(client, bodies, **settings)
        print(json.dumps({name: figures[name]}), flush=True)
    clients["LiteLLM, time-out 30 s"] = ("litellm", {**told, "timeout": 30})
    for name, found in silent_clients(bodies, clients).items():
        figures[name] = figures.get(name, {}) | found
        print(json.dumps({name: found}), flush=True)
    with open(REQUIREMENTS) as file:
        versions += [line.strip().replace("==", " ") for line in file]
    return figures, versions


# The rows of the table: what is measured, the goal, and the figures as text.
ROWS = [
    ("share of the limit that binds, while jobs wait", "≥ 0.95", "{share}"),
    ("refusals for each call let in", "< 0.5 %", "{refused:.1%}"),
    ("jobs lost, of {jobs}", "0", "{lost}"),
    ("second user's part of the first half of results", "0.40 to 0.60", "{second_user}"),
    ("wait of an interactive call: median, longest", "≤ 3 s", "{interactive_median} s, {interactive_longest} s"),
    ("interactive calls that were not let in", "0", "{interactive_lost} of {interactive_calls}"),
    ("known costs, of the provider's bill", "0.95 to 1.05", "{books}"),
    ("processor time of a job, ms", "–", "{processor}"),
    ("2 % silent: jobs lost, of {silent_jobs}", "0", "{silent_lost}"),
    ("2 % silent: p50, p99, longest", "p99 ≤ 35 s", "{silent_p50} s, {silent_p99} s, {silent_longest} s"),
    ("2 % silent: known costs, of the bill", "0.95 to 1.05", "{silent_books}"),
]


def table(figures, about):
    names, first = list(figures), next(iter(figures.values()))
    lines = ["| | goal | " + " | ".join(names) + " |", "|---|---|" + "---|" * len(names)]
    for what, goal, form in ROWS:
        cells = []
        for name in names:
            try:
                cells.append(form.format(**figures[name]).replace("None s", "–"))
            except KeyError:
                cells.append("–")
        lines.append(f"| {what.format(**first)} | {goal} | " + " | ".join(cells) + " |")
    heading = (
        f"{about['date']}, {about['processor']}, {about['cores']} cores, Linux {about['kernel']}, "
        f"{', '.join(about['versions'])}, `{about['command']}`. The provider is simulated: `--limits '{LIMITS}' "
        f"--latency '{LATENCY}'`, with silent calls `--latency '{SILENT_LATENCY}'`. Load average {about['load']}.")
    wrapped = textwrap.fill(heading, 120, break_long_words=False, break_on_hyphens=False)
    return wrapped + "\n\n" + "\n".join(lines) + "\n"
