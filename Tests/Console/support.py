"""What the tests of the console share: requests to the API, a page that is opened, and what a page complains about."""
import json
import pathlib
import sys
import time
import traceback
import urllib.request

from playwright.sync_api import Error as PlaywrightError

url = sys.argv[1]
pictures = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 and sys.argv[2] else None
HOSTILE = "<img src=x onerror=alert(1)>\u202e\u0007 \"'`${1}"


def api(method, path, body=None, user=None):
    headers = {"Content-Type": "application/json"} if body is not None else {}
    if user:
        headers["X-User-ID"] = user
    request = urllib.request.Request(
        url + path, method=method, headers=headers, data=None if body is None else json.dumps(body).encode())
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.loads(response.read() or b"{}").get("data")


def submit(kind, inputs):
    return api("POST", "/api/v1/jobs", {"kind": kind, "input": inputs})["id"]


def ended(job):
    for _ in range(600):
        found = api("GET", f"/api/v1/jobs/{job}")
        if found["status"] not in ("pending", "processing"):
            return found
        time.sleep(0.1)
    raise AssertionError(f"the job {job} has not ended")


class Problems:
    """What a page complains about: errors in its console, and requests to anywhere else."""

    def __init__(self, page, allowed=(), base=None):
        self.found = []
        page.on("console", lambda message: self.note(message.text, message.type, allowed))
        page.on("pageerror", lambda error: self.found.append(f"an error: {error}"))
        page.on("request", lambda request: request.url.startswith((base or url, "data:", "blob:")) or self.found.append(f"a request to {request.url}"))

    def note(self, text, kind, allowed):
        if kind == "error" and not any(word in text for word in allowed):
            self.found.append(f"console: {text}")


def until(page, script, seconds=15, argument=None):
    """Waits until a script gives true. (`wait_for_function` needs `eval`, which the policy refuses.)"""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if page.evaluate(script, argument):
                return
        except PlaywrightError as error:
            # The page is on its way to another one, or has nothing yet of what the script looks into.
            if not any(word in str(error) for word in ("navigation", "null", "undefined")):
                raise
        time.sleep(0.05)
    raise AssertionError(f"not true within {seconds} s: {script} at {page.url}\n{page.locator('main').inner_text()[:800]}")


def opened(page, path, base=None):
    page.goto((base or url) + path)
    until(page, "() => document.querySelectorAll('main h1').length === 1 && !document.querySelector('main .skeleton')")


def run(tests, browser, jobs):
    """Runs tests, each that fails once more by itself, and gives the number of those that fail twice."""
    return sum(not (passes(test, browser, jobs) or passes(test, browser, jobs, "flaky: passed once more")) for test in tests)


def passes(test, browser, jobs, word="passed"):
    begun = time.monotonic()
    try:
        test(browser, jobs)
    except Exception:
        print(f"failed {test.__name__}", flush=True)
        traceback.print_exc()
        return False
    print(f"{word} {test.__name__} ({time.monotonic() - begun:.1f} s)", flush=True)
    return True
