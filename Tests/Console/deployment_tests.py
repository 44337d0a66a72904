"""The console over other services than the one of a test: a worker that dies, every way of signing in, and 200,000 jobs."""
import json
import os
import signal
import sqlite3
import subprocess
import time
import urllib.request

from deployments import deployment, dossier
from support import Problems, opened, until

SECRET = "a secret of sixteen characters or more"


def sent(address, method, path, body=None, **headers):
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    if body is not None:
        headers["Content-Type"] = "application/json"
    request = urllib.request.Request(address + path, method=method, headers=headers, data=None if body is None else json.dumps(body).encode())
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.loads(response.read() or b"{}").get("data")


RESEARCH = {"kind": "research", "input": {"ticker": "AAPL", "persona": "buffett"}}


def a_death_of_a_worker_is_seen_and_survived(browser, jobs):
    with deployment() as place:
        place.simulate("--tokens-per-second", "40")
        address = place.serve(workers=0)
        worker = place.worker()
        job = sent(address, "POST", "/api/v1/jobs", RESEARCH)["id"]
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        problems = Problems(page, base=address)
        opened(page, f"/console/jobs/{job}", address)
        page.evaluate("() => { window.isSame = true; }")
        # It has paid for work when it dies: steps are in the journal, and a model answers.
        for _ in range(600):
            found = sent(address, "GET", f"/api/v1/admin/jobs/{job}")
            if found["steps"] and any(call["state"] == "running" for call in found["model_calls"]):
                break
            time.sleep(0.05)
        os.kill(worker.pid, signal.SIGKILL)
        until(page, "() => /silent|No worker is alive/.test(document.querySelector('main .note')?.innerText ?? '')", 30)
        place.worker()
        until(page, "() => document.querySelector('.timeline').innerText.includes('Attempt 1, continued')", 60)
        until(page, "() => document.querySelector('main .badge').textContent === 'Completed'", 120)
        until(page, "() => document.querySelector('.timeline').innerText.includes('from the journal')")
        rows = page.locator(".timeline tbody th").all_inner_texts()
        assert any("interrupted" in row for row in rows), rows
        assert page.locator(".timeline i.lost").count() > 0, "what was lost is not drawn"
        assert page.evaluate("() => window.isSame"), "the page was loaded again"
        assert page.locator("[aria-label=Connection]").inner_text() == "Live"
        assert not problems.found, problems.found
        page.close()


def a_broker_that_starts_again_is_found_again(browser, jobs):
    with deployment() as place:
        place.simulate()
        address = place.serve()
        broker = place.processes[-1]
        page = browser.new_page()
        opened(page, "/console/overview", address)
        page.evaluate("() => { window.isSame = true; }")
        until(page, "() => document.querySelector('[aria-label=Connection]').textContent === 'Live'")
        os.kill(broker.pid, signal.SIGKILL)
        broker.wait()
        until(page, "() => document.querySelector('[aria-label=Connection]').textContent === 'Reconnecting'", 10)
        place.start("serve", "--listen", address.removeprefix("http://"), "--database", place.database, "--workers", "1")
        until(page, "() => document.querySelector('[aria-label=Connection]').textContent === 'Live'", 60)
        assert page.evaluate("() => window.isSame"), "the page was loaded again"
        page.close()


WRITES = ["Cancel", "Retry", "Drain", "Resume", "Pause", "Grant credits", "Bar", "Sign out", "Choose the plan", "Cancel all that match",
          "Retry all that match"]
OPERATORS = ["jobs", "jobs?status=pending,completed", "overview", "fleet", "providers", "credits", "costs", "prompts", "audit", "service"]


def a_gateway_signs_in(browser, jobs):
    with deployment() as place:
        place.simulate()
        address = place.serve(DOSSIER_AUTH="gateway", DOSSIER_GATEWAY_SECRET=SECRET)
        page = browser.new_page()
        page.goto(address + "/console/jobs")
        until(page, "() => document.querySelector('main').innerText.includes('did not say who you are')")
        page.close()
        for role, sections in ((None, 1), ("viewer", 2), ("admin", 2)):
            headers = {"X-Gateway-Secret": SECRET, "X-User-ID": "ada"} | ({"X-User-Role": role} if role else {})
            job = sent(address, "POST", "/api/v1/jobs", RESEARCH,
                       **{name.replace("-", "_"): value for name, value in headers.items()})["id"]
            context = browser.new_context(extra_http_headers=headers)
            page = context.new_page()
            problems = Problems(page, base=address)
            opened(page, f"/console/jobs/{job}", address)
            until(page, "() => document.querySelector('main .badge')?.textContent === 'Completed'", 60)
            assert page.locator("nav h2").count() == sections, role
            assert page.locator(".user").inner_text() == "ada"
            opened(page, "/console/account", address)
            assert page.get_by_label("Act as user").count() == 0 and page.get_by_role("button", name="Sign out").count() == 0
            for path in OPERATORS if role == "viewer" else []:
                opened(page, f"/console/{path}", address)
                for name in WRITES:
                    assert page.locator("main").get_by_role("button", name=name, exact=True).count() == 0, f"a viewer finds '{name}' at {path}"
            assert not problems.found, problems.found
            context.close()


def tokens_sign_in(browser, jobs):
    with deployment() as place:
        place.simulate()
        address = place.serve(DOSSIER_AUTH="jwt", DOSSIER_JWT_SECRET=SECRET)
        environment = place.environment | {"DOSSIER_AUTH": "jwt", "DOSSIER_JWT_SECRET": SECRET}
        token = subprocess.run([dossier, "token", "issue", "ada", "--role", "viewer"], env=environment, capture_output=True, text=True,
                               check=True).stdout.strip().splitlines()[-1]
        context = browser.new_context()
        page = context.new_page()
        problems = Problems(page, allowed=("401", "Failed to load"), base=address)
        page.goto(address + "/console/costs?by=model")
        page.get_by_label("Access token").fill("no token")
        page.keyboard.press("Enter")
        until(page, "() => document.querySelector('#token-problem').textContent !== ''")
        assert page.evaluate("() => document.activeElement.id") == "token"
        page.get_by_label("Access token").fill(token)
        page.get_by_role("button", name="Sign in").click()
        until(page, "() => location.pathname + location.search === '/console/costs?by=model'")
        cookie = context.cookies()[0]
        assert cookie["name"] == "dossier_console" and cookie["httpOnly"] and cookie["sameSite"] == "Strict", cookie
        held = page.evaluate("() => JSON.stringify([{...localStorage}, {...sessionStorage}, location.href, document.documentElement.outerHTML])")
        assert token not in held, "the token is in the page"
        for path in OPERATORS:
            opened(page, f"/console/{path}", address)
            for name in WRITES:
                assert page.locator("main").get_by_role("button", name=name, exact=True).count() == 0, f"a viewer finds '{name}' at {path}"
        opened(page, "/console/start", address)
        until(page, "() => document.querySelector('[aria-label=Request]')?.textContent.includes('Authorization: Bearer $DOSSIER_TOKEN')")
        opened(page, "/console/account", address)
        page.get_by_role("button", name="Sign out").click()
        until(page, "() => location.pathname === '/console/sign-in'")
        page.goto(address + "/console/jobs")
        until(page, "() => location.pathname === '/console/sign-in' && location.search.includes('jobs')")
        assert not problems.found, problems.found
        context.close()


MANY = 200_000


def fill(path):
    """Copies the jobs of a database, and their model calls, until it has 200,000 jobs of 500 users over thirty days."""
    database = sqlite3.connect(path)
    columns = [row[1] for row in database.execute("PRAGMA table_info(job)")]
    templates = [dict(zip(columns, row)) for row in database.execute("SELECT * FROM job ORDER BY number")]
    calls = [row[1] for row in database.execute("PRAGMA table_info(model_call)")]
    call = dict(zip(calls, database.execute("SELECT * FROM model_call WHERE state = 'ok' LIMIT 1").fetchone()))
    database.executemany("INSERT INTO account (id, subject, created_at) VALUES (?, ?, ?)",
                         [(1000 + user, f"user-{user}", templates[0]["created_at"]) for user in range(500)])
    rows, spent = [], []
    step = 30 * 86_400_000 // MANY
    for index in range(MANY):
        one = dict(templates[index // 20 % len(templates)] if index % 20 == 0 else templates[0])
        later = -(MANY - index) * step
        at = one["created_at"] + later
        one.update(cost=0, number=1000 + index, id=at.to_bytes(6, "big") + bytes([0x70, 0, 0x80, 0]) + index.to_bytes(6, "big"), user=1000 + index % 500,
                   subject=f"Job {index}", hold=None, worker=None)
        one.update({name: one[name] + later for name in ("created_at", "deadline", "started_at", "completed_at") if one[name]})
        rows.append(tuple(one.values()))
        if index % 2 == 0:
            moved = {name: call[name] + at - call["created_at"] for name in ("created_at", "ended_at", "heard_at") if call[name]}
            spent.append(tuple((call | moved | {"id": f"many-{index}", "job": one["id"], "user": one["user"]}).values()))
    with database:
        database.executemany(f"INSERT INTO job VALUES ({', '.join('?' * len(columns))})", rows)
        database.executemany(f"INSERT INTO model_call VALUES ({', '.join('?' * len(calls))})", spent)
    database.execute("ANALYZE")
    database.close()


def many_jobs_are_as_quick_as_few(browser, jobs):
    with deployment() as place:
        place.simulate()
        address = place.serve()
        broker = place.processes[-1]
        made = [sent(address, "POST", "/api/v1/jobs", body)["id"] for body in (
            RESEARCH, {"kind": "interpret", "input": {"textOrUrl": "https://www.youtube.com/watch?v=aaaaaaaaaaa"}}, {"kind": "interpret", "input": {"textOrUrl": "Rents rose."}})]
        for job in made:
            while sent(address, "GET", f"/api/v1/jobs/{job}")["status"] in ("pending", "processing"):
                time.sleep(0.1)
        code = sent(address, "GET", f"/api/v1/jobs/{made[1]}")["error"]["code"]
        place.stop(broker)
        fill(f"{place.folder}/dossier.db")
        address = place.serve(workers=0)
        reads = ["jobs", "jobs?status=failed", "jobs?status=completed", "jobs?status=pending", "jobs?kind=interpret", "jobs?user=user-7",
                 f"jobs?code={code}", "jobs?why=queue", "jobs?lane=interactive&status=failed",
                 "jobs?status=failed,cancelled", "jobs?q=job%20199", "jobs?q=nowhere", "overview", "costs?by=day", "costs?by=user"]
        figures = {}
        for read in reads:
            times = []
            for _ in range(20):
                begun = time.monotonic()
                sent(address, "GET", f"/api/v1/admin/{read}")
                times.append((time.monotonic() - begun) * 1000)
            times.sort()
            figures[read] = f"{times[10]:.0f} {times[-1]:.0f}"
            assert times[10] < 2000, f"{read} takes {times[10]:.0f} ms"
        page = browser.new_page()
        begun = time.monotonic()
        page.goto(address + "/console/jobs")
        until(page, "() => document.querySelectorAll('tbody tr').length > 20")
        first = (time.monotonic() - begun) * 1000
        filtered = [round(page.evaluate(FILTERED, word)) for word in ("Failed", "Completed", "Failed", "Cancelled")]
        assert max(filtered) < 2000, filtered
        # What finds nothing looks at a part of the jobs, says how far it came, and goes on.
        page.goto(address + "/console/jobs?q=nowhere")
        until(page, "() => document.querySelector('main').innerText.includes('Searched back to ')")
        looks = 0
        while page.get_by_role("link", name="Search further back").count():
            before = page.url
            page.get_by_role("link", name="Search further back").click()
            until(page, "before => location.href !== before && /Searched back to|The filter leaves none/.test(document.querySelector('main').innerText)", argument=before)
            looks += 1
        assert looks >= MANY / 20_000 - 1, f"{looks} looks for {MANY} jobs"
        print(f"  {MANY} jobs: first row after {first:.0f} ms, filters {filtered} ms; ms at p50 and at most: {figures}", flush=True)
        page.close()


# The time from the click on a status to rows of this status alone, or to the word that there are none.
FILTERED = """async word => {
  const begun = performance.now();
  for (const box of document.querySelectorAll('.chip input')) if (box.checked !== (box.parentElement.textContent === word)) box.click();
  const isDone = () => location.search === `?status=${word.toLowerCase()}` && (document.querySelector('.empty') !== null
    || document.querySelectorAll('tbody tr').length > 0 && [...document.querySelectorAll('tbody .badge')].every((one) => one.textContent === word));
  while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 2));
  return performance.now() - begun;
}"""


tests = [a_death_of_a_worker_is_seen_and_survived, a_broker_that_starts_again_is_found_again, a_gateway_signs_in, tokens_sign_in,
         many_jobs_are_as_quick_as_few]
