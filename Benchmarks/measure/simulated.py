"""The simulated provider of one measurement, and what its record tells."""
import json
import time
import urllib.request

from .processes import DOSSIER, Process, fail, free_port, wait_for

MODEL, OTHER = "claude-sonnet-5-5", "gemini-3.8-flash"
# Dollars a million tokens, in the words of the simulator's bill.
PRICES = {
    MODEL: {"input": 2, "output": 10, "cache_read": 0.1, "cache_write_5m": 2.5, "cache_write_1h": 4},
    OTHER: {"input": 0.75, "output": 3.75, "cache_read": 0.075},
}


class Simulator(Process):
    """`dossier simulate`, strict as ever, on a port of its own."""

    def __init__(self, name, *words):
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        super().__init__(DOSSIER, "simulate", "--listen", f"127.0.0.1:{port}", *words, name=name)
        wait_for(self.url + "/simulator/faults")

    def ask(self, path, body=None):
        request = urllib.request.Request(
            f"{self.url}/simulator/{path}", json.dumps(body).encode() if body else None,
            {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)

    def variables(self, *providers):
        """The variables by which Dossier asks this simulator, as each of the providers and for filings."""
        found = {"SEC_BASE_URL": self.url, "SEC_USER_AGENT": "benchmark simulator@example.com"}
        for provider in providers:
            found |= {f"{provider}_API_KEY": "simulated", f"{provider}_BASE_URL": self.url}
        return found

    def calls(self):
        """Its model calls in order of arrival."""
        found = self.ask("requests?service=claude")["requests"] + self.ask("requests?service=gemini")["requests"]
        return [call for call in found if call["method"] == "POST"]

    def billed(self):
        """Micro-dollars, by the list of prices above."""
        return self.ask("bill", PRICES)["micro_dollars"]

    def use(self, calls):
        """The share of the limit that binds, while jobs wait, and the refusals per call let in.

        The measure leaves out the first 30 seconds, in which the buckets' first content is used and the first answers
        come, and ends when 95 % of the calls have been let in.
        """
        begun = sorted(call["started_at"] for call in calls if call["status"] == 200)
        start, end = begun[0] + 30_000, begun[int(len(begun) * 0.95)]
        # The record counts by whole seconds.
        start, end = start // 1000 * 1000, end // 1000 * 1000 - 1
        if end - start < 10_000:
            fail("too few calls for a measure of the limit")
        found = next(
            model for model in self.ask(f"limits?from={start}&until={end}")["models"] if model["service"] == "claude")
        shares = {kind: limit["share"] for kind, limit in found["limits"].items()}
        binding = max(shares, key=shares.get)
        return {
            "share": round(shares[binding], 3), "binding": binding, "seconds": round((end - start) / 1000),
            "refused": round(sum(found["refused"].values()) / found["let_in"], 4)}


def waits(calls, user, asked):
    """Seconds from each time of `asked` until a call of the user was let in; `None` for one that never was."""
    begun = sorted(call["started_at"] for call in calls if call["status"] == 200 and user_of(call) == user)
    found = []
    for place, time_asked in enumerate(asked):
        until = asked[place + 1] if place + 1 < len(asked) else time.time() * 1000
        first = next((begin for begin in begun if time_asked <= begin < until), None)
        found.append(None if first is None else round((first - time_asked) / 1000, 2))
    return found


def user_who_said(text, calls):
    """The user of the calls whose prompt has a text."""
    return next(user_of(call) for call in calls if text in json.dumps(call["body"]))


def user_of(call):
    return ((call["body"] or {}).get("metadata") or {}).get("user_id")


def micro_dollars(tokens):
    """The price of the tokens that a client was told of, all from the one model."""
    return sum(amount * PRICES[MODEL][name] for name, amount in tokens.items())
