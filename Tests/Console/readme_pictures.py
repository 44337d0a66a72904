#!/usr/bin/env python3
"""Makes the two pictures of the README: the page of a job, and its report.

    readme_pictures.py URL FOLDER
"""
import json
import pathlib
import sys
import time
import urllib.request

from playwright.sync_api import sync_playwright

url, folder = sys.argv[1], pathlib.Path(sys.argv[2])
LARGEST = 150_000


def api(method, path, body=None):
    request = urllib.request.Request(url + path, method=method, headers={"Content-Type": "application/json"},
                                     data=None if body is None else json.dumps(body).encode())
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.loads(response.read())["data"]


def shown(page, path, words):
    page.goto(url + path)
    for _ in range(600):
        if page.evaluate("words => document.querySelector('main')?.innerText.includes(words)", words):
            return
        time.sleep(0.1)
    raise SystemExit(f"console: {path} does not show '{words}'")


job = api("POST", "/api/v1/jobs", {"kind": "research", "input": {"ticker": "AAPL", "persona": "buffett"}})["id"]
folder.mkdir(parents=True, exist_ok=True)
with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    for name, theme, path, words in [("job", "dark", f"/console/jobs/{job}", "Read the report"),
                                     ("report", "light", f"/console/reports/{job}", "Figures by year")]:
        page = browser.new_page(viewport={"width": 1120, "height": 700}, color_scheme=theme)
        shown(page, f"/console/jobs/{job}", "Completed")
        shown(page, path, words)
        page.screenshot(path=folder / f"{name}.png")
        size = (folder / f"{name}.png").stat().st_size
        if size > LARGEST:
            raise SystemExit(f"console: the picture {name}.png has {size} bytes, more than {LARGEST}")
    browser.close()
