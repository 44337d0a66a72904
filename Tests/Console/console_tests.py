#!/usr/bin/env python3
"""Opens the console in Chromium, as a person would: every screen in both colours and at two widths, the way from a new job
to its report by keyboard alone, hostile texts, and a service that goes away.

    console_tests.py URL [PICTURES]    PICTURES is a folder for pictures of every screen
"""
import json
import pathlib
import re
import sys
import time
import traceback
import urllib.request

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

url = sys.argv[1]
pictures = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
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

    def __init__(self, page, allowed=()):
        self.found = []
        page.on("console", lambda message: self.note(message.text, message.type, allowed))
        page.on("pageerror", lambda error: self.found.append(f"an error: {error}"))
        page.on("request", lambda request: request.url.startswith((url, "data:")) or self.found.append(f"a request to {request.url}"))

    def note(self, text, kind, allowed):
        if kind == "error" and not any(word in text for word in allowed):
            self.found.append(f"console: {text}")


def until(page, script, seconds=15, argument=None):
    """Waits until a script gives true. (`wait_for_function` needs `eval`, which the policy refuses.)"""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if page.evaluate(script, argument):
            return
        time.sleep(0.05)
    raise AssertionError(f"not true within {seconds} s: {script} at {page.url}\n{page.locator('main').inner_text()[:800]}")


def opened(page, path):
    page.goto(url + path)
    until(page, "() => document.querySelectorAll('main h1').length === 1 && !document.querySelector('main .skeleton')")


def screens(job):
    return ["/console/jobs", "/console/jobs?scope=mine", f"/console/jobs/{job}", f"/console/reports/{job}", "/console/start",
            "/console/account", "/console/overview", "/console/fleet", "/console/providers", "/console/costs", "/console/nowhere"]


def every_screen_is_whole(browser, jobs):
    wrong = []
    for theme in ("light", "dark"):
        for width in (320, 1280):
            context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=theme)
            page = context.new_page()
            problems = Problems(page)
            for path in screens(jobs["report"]):
                opened(page, path)
                if pictures:
                    name = re.sub(r"[^a-z]+", "-", re.sub(r"[0-9a-f-]{36}", "one", path.lower())[9:]).strip("-")
                    page.screenshot(path=pictures / f"{name}-{theme}-{width}.png", full_page=True)
                wide = page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
                if wide > 0:
                    wrong.append(f"{path} at {width} is {wide} px too wide")
                assert page.title().endswith(" · Dossier"), f"{path}: {page.title()}"
                result = Axe().run(page)
                for one in result.response["violations"]:
                    wrong.append(f"{path} {theme} {width}: {one['id']} at {[node['target'] for node in one['nodes'][:3]]}")
            wrong += problems.found
            context.close()
    assert not wrong, "\n".join(wrong)


def a_job_goes_from_the_form_to_its_report_by_keyboard(browser, jobs):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    problems = Problems(page)
    opened(page, "/console/jobs")

    def tab_to(name):
        for _ in range(80):
            page.keyboard.press("Tab")
            label = page.evaluate(
                "() => document.activeElement.getAttribute('aria-label') || document.activeElement.labels?.[0]?.textContent"
                " || document.activeElement.textContent")
            if label and label.strip().startswith(name):
                return
        raise AssertionError(f"Tab does not reach '{name}'")

    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.textContent") == "Skip to content"
    page.keyboard.press("Control+k")
    page.keyboard.type("start")
    page.keyboard.press("Enter")
    until(page, "() => location.pathname === '/console/start' && document.getElementById('field-ticker') !== null")
    tab_to("Ticker")
    page.keyboard.type("AAPL")
    tab_to("Warren")
    page.keyboard.press("ArrowDown")
    tab_to("Start for 1 credit")
    page.keyboard.press("Enter")
    until(page, "() => /^.console.jobs.[0-9a-f-]{36}$/.test(location.pathname)")
    until(page, "() => document.querySelector('main .badge')?.textContent === 'Completed'", 60)
    tab_to("Read the report")
    page.keyboard.press("Enter")
    until(page, "() => location.pathname.startsWith('/console/reports/') && document.querySelector('table .figure') !== null", 30)
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("() => /^Revenue, FY/.test(document.activeElement.getAttribute('aria-label') ?? '')"):
            break
    name = page.evaluate("() => document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("ArrowRight")
    other = page.evaluate("() => document.activeElement.getAttribute('aria-label')")
    assert name != other and other.startswith("Revenue, FY"), f"{name} then {other}"
    page.keyboard.press("Enter")
    until(page, "() => document.querySelector('dialog[open]') !== null")
    page.keyboard.press("Escape")
    until(page, "() => document.querySelector('dialog') === null")
    assert page.evaluate("() => document.activeElement.getAttribute('aria-label')") == other, "the focus is lost"
    assert not problems.found, problems.found
    page.close()


def hostile_texts_stay_texts(browser, jobs):
    page = browser.new_page()
    problems = Problems(page)
    page.on("dialog", lambda dialog: problems.found.append("a text was run"))
    opened(page, "/console/jobs")
    opened(page, f"/console/jobs/{jobs['hostile']}")
    text = page.locator("main").inner_text()
    assert "\u202e" not in text and "\u0007" not in text
    assert page.locator("main img").count() == 0
    page.goto(url + "/console/start?kind=interpret")
    until(page, "() => document.querySelector('form textarea') !== null")
    page.goto(url + "/console/" + "%3Cimg%20src%3Dx%3E")
    until(page, "() => document.querySelector('main h1')?.textContent === 'There is no such page'")
    assert not problems.found, problems.found
    page.close()


def a_job_is_cancelled_after_a_question(browser, jobs):
    page = browser.new_page()
    later = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 86400))
    job = api("POST", "/api/v1/jobs", {"kind": "research", "input": {"ticker": "AAPL", "persona": "graham"}, "run_at": later})["id"]
    opened(page, f"/console/jobs/{job}")
    until(page, "() => document.querySelector('main .note') !== null")
    page.get_by_role("button", name="Cancel", exact=True).click()
    assert page.evaluate("() => document.activeElement.textContent") == "Keep it"
    page.keyboard.press("Escape")
    assert api("GET", f"/api/v1/jobs/{job}")["status"] == "pending"
    page.get_by_role("button", name="Cancel", exact=True).click()
    page.get_by_role("button", name="Cancel the job").click()
    until(page, "() => document.querySelector('main .badge')?.textContent === 'Cancelled'")
    page.close()


def errors_and_absence_are_told(browser, jobs):
    page = browser.new_page()
    problems = Problems(page, allowed=("404", "503", "Failed to load", "ERR_FAILED"))
    opened(page, "/console/jobs")
    until(page, "() => document.querySelectorAll('tbody tr').length > 1")
    page.route("**/api/v1/admin/jobs?*", lambda route: route.abort())
    until(page, "() => document.querySelector('main [role=alert]') !== null && document.querySelectorAll('tbody tr').length > 1")
    page.unroute("**/api/v1/admin/jobs?*")
    until(page, "() => document.querySelector('main [role=alert]') === null")
    page.goto(url + "/console/jobs/00000000-0000-7000-8000-000000000000")
    until(page, "() => document.querySelector('main [role=alert]') !== null")
    page.route("**/api/v1/admin/overview", lambda route: route.fulfill(status=503, content_type="application/json", body=json.dumps(
        {"success": False, "error": {"code": "SYS_5002", "message": "The database is away.", "user_message": "Please wait a moment."},
         "meta": {"request_id": "r-1"}})))
    page.goto(url + "/console/overview")
    until(page, "() => document.querySelector('main [role=alert]')?.textContent.includes('SYS_5002')")
    assert page.locator("[aria-label=Connection]").inner_text() == "Reconnecting"
    page.unroute("**/api/v1/admin/overview")
    page.get_by_role("button", name="Try again").click()
    until(page, "() => document.querySelector('[aria-label=Connection]').textContent === 'Live'")
    page.context.set_offline(True)
    until(page, "() => document.querySelector('[aria-label=Connection]').textContent === 'Offline'")
    page.context.set_offline(False)
    assert not problems.found, problems.found
    page.close()


def the_form_names_the_field(browser, jobs):
    page = browser.new_page()
    opened(page, "/console/start")
    until(page, "() => document.getElementById('field-ticker') !== null")
    page.locator("#field-ticker").fill("NOT A TICKER")
    page.get_by_role("button", name="Start for 1 credit").click()
    until(page, "() => document.activeElement.id === 'field-ticker' && document.getElementById('field-ticker-problem').textContent !== ''")
    page.close()


def colours_are_kept(browser, jobs):
    page = browser.new_page()
    opened(page, "/console/jobs")
    page.get_by_role("button", name="Colours: Auto").click()
    page.get_by_role("button", name="Colours: Light").click()
    opened(page, "/console/account")
    assert page.evaluate("() => document.documentElement.dataset.theme") == "dark"
    page.get_by_role("button", name="Colours: Dark").click()
    page.close()


def a_viewer_of_one_user_sees_no_operations(browser, jobs):
    page = browser.new_page()
    answer = json.loads(urllib.request.urlopen(url + "/console/session").read())
    answer["data"].update({"scopes": [], "role": None})
    page.route("**/console/session", lambda route: route.fulfill(content_type="application/json", body=json.dumps(answer)))
    opened(page, "/console/jobs")
    assert page.locator("nav").get_by_text("Fleet").count() == 0
    page.close()


tests = [every_screen_is_whole, a_job_goes_from_the_form_to_its_report_by_keyboard, hostile_texts_stay_texts,
         a_job_is_cancelled_after_a_question, errors_and_absence_are_told, the_form_names_the_field, colours_are_kept,
         a_viewer_of_one_user_sees_no_operations]

report = submit("research", {"ticker": "AAPL", "persona": "buffett"})
hostile = submit("interpret", {"textOrUrl": HOSTILE + " The central bank left its rate as it was."})
ended(report)
ended(hostile)
if pictures:
    pictures.mkdir(parents=True, exist_ok=True)
failed = 0
with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    for test in tests:
        begun = time.monotonic()
        try:
            test(browser, {"report": report, "hostile": hostile})
            print(f"passed {test.__name__} ({time.monotonic() - begun:.1f} s)", flush=True)
        except Exception:
            failed += 1
            print(f"failed {test.__name__}", flush=True)
            traceback.print_exc()
    browser.close()
print(f"{len(tests) - failed} passed, {failed} failed")
sys.exit(1 if failed else 0)
