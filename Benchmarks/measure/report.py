"""The table of a run's figures in a document, and the machine on which they were measured."""
import datetime
import os
import platform
import re

UNITS = {
    "per_second": "/s", "p50_ms": " ms", "p99_ms": " ms", "poll_p99_ms": " ms", "submit_p99_ms": " ms",
    "worker_mebibytes": " MiB", "peak_mebibytes": " MiB",
}
HIDDEN = {"part", "name", "store", "load_average", "count"}
BEGIN, END = "<!-- results begin -->\n", "<!-- results end -->\n"


def machine(versions, command):
    with open("/proc/cpuinfo") as file:
        model = re.search(r"model name\s*:\s*(.*)", file.read())
    return {
        "date": datetime.date.today().isoformat(), "processor": model.group(1) if model else platform.processor(),
        "cores": os.cpu_count(), "kernel": platform.release().split("-")[0], "versions": versions, "command": command}


def shown(name, value):
    if isinstance(value, float):
        value = round(value) if value >= 1000 else round(value, 1 if value >= 10 else 3)
    text = f"{value:,}" if isinstance(value, (int, float)) else str(value)
    if name == "per_second":
        return f"**{text}/s**"
    if name == "of_raw":
        return f"{text} of raw"
    if name == "of_alone":
        return f"{text} of alone"
    if name.endswith("_us"):
        return f"{name[:-3].replace('_', ' ')} {text} µs"
    words = name.replace("_ms", "").replace("_mebibytes", " memory").replace("_", " ")
    return f"{words} {text}{UNITS.get(name, '')}"


def table(lines, about):
    rows = ["| part | store | what | figures | load |", "|---|---|---|---|---|"]
    for line in lines:
        figures = [shown(name, value) for name, value in line.items() if name not in HIDDEN and value is not None]
        rows.append(
            f"| {line['part']} | {line['store']} | {line['name'].replace('_', ' ')} | {', '.join(figures)} |"
            f" {line['load_average']} |")
    heading = (
        f"{about['date']}, {about['processor']}, {about['cores']} cores, Linux {about['kernel']}, "
        f"{', '.join(about['versions'])}, `{about['command']}`.\n\n")
    return heading + "\n".join(rows) + "\n"


def write_table(path, text, begin=BEGIN, end=END):
    """Puts the table between the document's marks."""
    with open(path) as file:
        document = file.read()
    before, rest = document.split(begin)
    with open(path, "w") as file:
        file.write(before + begin + text + end + rest.split(end)[1])
