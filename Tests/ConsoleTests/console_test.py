"""The console in a real Chromium. CONSOLE_URL is the address of a service whose models are the simulator's."""
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
import unittest
import urllib.request
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[2]
CONSOLE = ROOT / "Console"
URL = os.environ["CONSOLE_URL"]
UUID = "[0-9a-f-]{36}"


def api(path, body=None):
    request = urllib.request.Request(URL + path, json.dumps(body).encode() if body else None)
    if body:
        request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)["data"]


def report():
    """A finished report of the test's user."""
    job = api("/api/v1/jobs", {"kind": "research", "input": {"ticker": "AAPL", "persona": "buffett"}})
    end = time.monotonic() + 60
    while time.monotonic() < end:
        job = api(f"/api/v1/jobs/{job['id']}?wait=30")
        if job["status"] == "completed":
            return job["id"]
    raise AssertionError(f"the report did not complete: {job}")


class Sources(unittest.TestCase):
    def files(self):
        return [path for path in CONSOLE.rglob("*") if path.suffix in (".js", ".html", ".css")]

    def test_no_source_makes_elements_or_code_from_text(self):
        banned = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|srcdoc"
                            r"|setAttribute\(\"on|\beval\b|\bFunction\(")
        for path in self.files():
            self.assertIsNone(banned.search(path.read_text()), path)

    def test_modules_are_short_and_all_files_fit_60_kilobytes(self):
        import gzip
        total = sum(len(gzip.compress(path.read_bytes(), 9)) for path in self.files())
        self.assertLess(total, 60_000)
        for path in CONSOLE.rglob("*.js"):
            self.assertLessEqual(len(path.read_text().splitlines()), 300, path)

    def test_parts_without_a_browser(self):
        with tempfile.TemporaryDirectory() as folder:
            modules = Path(folder) / "console"
            shutil.copytree(CONSOLE, modules)
            (modules / "package.json").write_text('{"type": "module"}')
            run = subprocess.run(["node", "--test", str(Path(__file__).parent / "modules.test.mjs")],
                                 env={**os.environ, "MODULES": str(modules)}, capture_output=True, text=True, timeout=120)
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)


class Screens(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.play = sync_playwright().start()
        cls.browser = cls.play.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        cls.job = report()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.play.stop()

    def page(self, width=1280, scheme="light"):
        context = self.browser.new_context(viewport={"width": width, "height": 860}, color_scheme=scheme)
        self.addCleanup(context.close)
        page = context.new_page()
        page.set_default_timeout(30_000)
        self.faults = []
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda line: self.faults.append(line.text) if line.type == "error" else None)
        page.on("request", lambda one: self.faults.append(one.url) if not one.url.startswith(URL) else None)
        return page

    def wait(self, page, what, condition):
        end = time.monotonic() + 60
        while not condition():
            self.assertLess(time.monotonic(), end, f"{what} did not come")
            page.wait_for_timeout(50)

    def open(self, page, path):
        page.goto(URL + path)
        page.locator("h1").first.wait_for()
        self.wait(page, "the data", lambda: page.locator(".skeleton").count() == 0)

    def test_screens_are_accessible_and_fit_in_both_colours_at_both_widths(self):
        for name, path in self.paths().items():
            for width, scheme in [(320, "dark"), (320, "light"), (1280, "dark"), (1280, "light")]:
                with self.subTest(name=name, width=width, scheme=scheme):
                    page = self.page(width, scheme)
                    self.open(page, path)
                    found = Axe().run(page).response["violations"]
                    self.assertEqual([(one["id"], one["nodes"][0]["html"]) for one in found], [])
                    self.assertFalse(page.evaluate("document.documentElement.scrollWidth > innerWidth"))
                    self.assertEqual(page.locator("h1").count(), 1)
                    self.assertEqual(self.faults, [])
                    if folder := os.environ.get("CONSOLE_PICTURES"):
                        page.screenshot(path=f"{folder}/{name}-{scheme}-{width}.png", full_page=True)
                    page.context.close()

    def paths(self):
        names = ["start", "jobs", "account", "overview", "fleet", "providers", "nowhere"]
        return {name: f"/console/{name}" for name in names} | {
            "job": f"/console/jobs/{self.job}", "report": f"/console/reports/{self.job}"}

    def test_a_job_is_started_watched_and_read_by_keyboard_alone(self):
        page = self.page()
        self.open(page, "/console/start")
        page.get_by_label("Ticker").focus()
        page.keyboard.press("Enter")
        self.wait(page, "the error at the field", lambda: page.locator("[aria-invalid]").count() == 1)
        self.assertEqual(page.evaluate("document.activeElement.id"), "input-ticker")
        page.keyboard.type("SNOW")
        page.keyboard.press("Enter")
        self.wait(page, "the job", lambda: re.search(f"/console/jobs/{UUID}$", page.url))
        page.get_by_role("link", name="Read the report").focus()
        page.keyboard.press("Enter")
        self.wait(page, "the report", lambda: re.search(f"/console/reports/{UUID}$", page.url))
        self.assertEqual(page.evaluate("document.activeElement.id"), "main")

    def test_a_figure_leads_to_its_filing_and_the_focus_comes_back(self):
        page = self.page()
        self.open(page, f"/console/reports/{self.job}")
        figure = page.get_by_role("table", name="Figures by year").get_by_role("button", name="Revenue, FY2025")
        figure.focus()
        page.keyboard.press("Enter")
        card = page.get_by_role("dialog", name="Revenue, FY2025")
        self.assertIn("416,161,000,000 USD", card.inner_text())
        page.keyboard.press("Escape")
        self.assertEqual(figure.evaluate("it => it === document.activeElement"), True)
        page.keyboard.press("ArrowRight")
        self.assertIn("FY2024", page.evaluate("document.activeElement.getAttribute('aria-label')"))
        page.keyboard.press("Enter")
        page.get_by_role("link", name="Show the filing").click()
        self.wait(page, "the filing", lambda: page.evaluate("document.activeElement.id").startswith("filing-"))

    def test_a_service_that_is_away_is_told_and_what_was_shown_stays(self):
        page = self.page()
        self.open(page, "/console/jobs")
        rows = page.locator("tbody tr").count()
        state = page.get_by_role("status", name="Connection")
        page.route("**/api/**", lambda route: route.abort())
        self.wait(page, "Reconnecting", lambda: state.inner_text() == "Reconnecting")
        self.wait(page, "the error", lambda: page.get_by_role("alert").count() == 1)
        self.assertEqual(page.locator("tbody tr").count(), rows)
        page.unroute("**/api/**")
        self.wait(page, "Live", lambda: state.inner_text() == "Live")

    def test_hostile_texts_are_shown_as_texts(self):
        page = self.page()
        hostile = "<img src=x onerror=alert(1)>\u202eevil"

        def answer(route):
            reply = route.fetch()
            body = reply.json()
            for row in body["data"]:
                row["subject"] = hostile
            route.fulfill(response=reply, json=body)
        page.route(re.compile("/admin/jobs[?]"), answer)
        self.open(page, "/console/jobs")
        name = page.locator("tbody bdi").first
        self.wait(page, "the text", lambda: name.inner_text() == hostile.replace("\u202e", "\ufffd"))
        self.assertEqual(page.locator("main img").count(), 0)

    def test_a_refusal_and_an_empty_list_say_what_they_are(self):
        page = self.page()
        self.open(page, "/console/jobs?status=cancelled&kind=brief")
        page.get_by_role("heading", name="No job fits").wait_for()
        refusal = {"success": False, "error": {"code": "AUTH_1004", "user_message": "Not for you."}, "meta": {}}
        page.route(re.compile("/admin/workers"), lambda route: route.fulfill(status=403, json=refusal))
        page.goto(URL + "/console/fleet")
        page.get_by_role("heading", name="You may not see this").wait_for()


if __name__ == "__main__":
    unittest.main()
