"""What operators do to many jobs, pauses, and what users do with their data."""
import json
import time
import urllib.error

from axe_playwright_python.sync_playwright import Axe

from support import Problems, api, ended, opened, pictures, submit, until, url

LATER = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 86400))


def whole(page, name):
    """What is on the screen now is without a finding of axe, and no wider than the screen, in both colours and at two widths."""
    for width, theme in ((320, "light"), (320, "dark"), (1280, "dark"), (1280, "light")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=theme)
        found = Axe().run(page).response["violations"]
        assert not found, [(name, width, theme, one["id"], [node["target"] for node in one["nodes"][:3]]) for one in found]
        assert page.evaluate("() => document.documentElement.scrollWidth <= document.documentElement.clientWidth"), f"{name} at {width} is too wide"
        if pictures:
            page.screenshot(path=pictures / f"{name}-{theme}-{width}.png", full_page=True)


def all_that_match_are_cancelled_and_retried(browser, jobs):
    user = f"bulk-{time.time()}"
    made = [api("POST", "/api/v1/jobs", {"kind": "interpret", "input": {"textOrUrl": f"Wages rose by {index} per cent."},
                                         "run_at": LATER}, user=user)["id"] for index in range(12)]
    state = lambda job: api("GET", f"/api/v1/admin/jobs/{job}")["status"]
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    problems = Problems(page)
    opened(page, "/console/jobs")
    until(page, "() => document.querySelectorAll('tbody tr').length > 1")
    assert page.get_by_role("button", name="Cancel all that match").count() == 0, "everything could be cancelled without a filter"
    opened(page, f"/console/jobs?user={user}")
    page.get_by_role("button", name="Cancel all that match").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("12 jobs now").wait_for()
    assert dialog.get_by_role("link").count() == 10
    curl, line = dialog.locator("pre").all_text_contents()
    assert "/api/v1/admin/operations" in curl and f"--subject '{user}'" in line and "dossier admin cancel" in line
    whole(page, "operation-question")
    page.keyboard.press("Escape")
    assert page.evaluate("() => document.activeElement.textContent") == "Cancel all that match", "the focus is lost"
    assert state(made[0]) == "pending"
    page.keyboard.press("Enter")
    dialog.get_by_text("12 jobs now").wait_for()
    dialog.get_by_label("Note for the audit").fill("They were sent twice")
    dialog.get_by_role("button", name="Cancel all that match").click()
    until(page, "() => location.pathname.startsWith('/console/operations/')")
    until(page, "() => document.querySelector('main').innerText.includes('12 of 12') && document.querySelectorAll('tbody tr').length === 12")
    assert "They were sent twice" in page.locator("main").inner_text()
    assert page.locator("#announcements").inner_text() == "The operation is completed"
    whole(page, "operation")
    assert {state(job) for job in made} == {"cancelled"}
    opened(page, f"/console/jobs?user={user}&status=cancelled,completed")
    assert page.get_by_role("button", name="Cancel all that match").count() == 0, "nothing there can be cancelled"
    page.get_by_role("button", name="Retry all that match").click()
    dialog.get_by_text("12 jobs now").wait_for()
    dialog.get_by_role("button", name="Retry all that match").click()
    until(page, "() => location.pathname.startsWith('/console/operations/') && document.querySelector('main').innerText.includes('12 of 12')")
    for job in made:
        ended_as_operator(job)
    opened(page, "/console/audit?action=operations.start")
    until(page, "() => document.querySelector('tbody a')?.pathname.startsWith('/console/operations/')")
    assert not problems.found, problems.found
    page.close()


def chosen_jobs_alone_are_cancelled(browser, jobs):
    user = f"chosen-{time.time()}"
    made = [api("POST", "/api/v1/jobs", {"kind": "interpret", "input": {"textOrUrl": f"Rents rose by {index} per cent."},
                                         "run_at": LATER}, user=user)["id"] for index in range(3)]
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    problems = Problems(page)
    opened(page, f"/console/jobs?user={user}")
    until(page, "() => document.querySelectorAll('tbody tr').length === 3")
    boxes = page.get_by_role("checkbox", name="Select ")
    boxes.nth(0).focus()
    page.keyboard.press("Space")
    boxes.nth(2).check()
    # The list is read again meanwhile, and what is chosen stays so.
    page.wait_for_timeout(3000)
    assert [boxes.nth(index).is_checked() for index in range(3)] == [True, False, True]
    whole(page, "jobs-chosen")
    page.get_by_role("button", name="Cancel 2 chosen jobs").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("2 jobs now").wait_for()
    dialog.get_by_role("button", name="Cancel 2 chosen jobs").click()
    until(page, "() => location.pathname.startsWith('/console/operations/') && document.querySelector('main').innerText.includes('2 of 2')")
    assert "Chosen jobs" in page.locator("main").inner_text()
    state = lambda job: api("GET", f"/api/v1/admin/jobs/{job}")["status"]
    # The newest stands first.
    assert [state(job) for job in made] == ["cancelled", "pending", "cancelled"]
    page.go_back()
    until(page, "() => document.querySelectorAll('tbody tr').length === 3")
    assert page.get_by_role("checkbox", name="Select ", checked=True).count() == 0
    api("POST", "/api/v1/admin/operations", {"action": "cancel", "filter": {"user": user}})
    assert not problems.found, problems.found
    page.close()


def jobs_are_found_by_words_of_their_subjects(browser, jobs):
    page = browser.new_page()
    problems = Problems(page)
    opened(page, "/console/jobs")
    page.get_by_label("Subject").fill("graham AAP")
    page.keyboard.press("Enter")
    until(page, "id => new URLSearchParams(location.search).get('q') === 'graham AAP' && [...document.querySelectorAll('tbody a')].some(a => a.href.endsWith(id))", argument=jobs["other"])
    assert all("Benjamin Graham" in one for one in page.locator("tbody .name").all_inner_texts())
    # A filter applies while one types, too.
    page.get_by_label("Subject").fill("raham")
    until(page, "() => document.querySelector('main').innerText.includes('No job fits')")
    page.go_back()
    until(page, "() => document.querySelectorAll('tbody tr').length > 0")
    assert page.get_by_label("Subject").input_value() == "graham AAP"
    assert not problems.found, problems.found
    page.close()


def the_request_to_a_model_is_shown_and_noted(browser, jobs):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    problems = Problems(page)
    opened(page, f"/console/jobs/{jobs['report']}")
    button = page.get_by_role("button", name="Request to").first
    button.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("It is the request that the journal names.").wait_for()
    assert "Warren Buffett" in dialog.inner_text() and "Apple" in dialog.inner_text()
    whole(page, "request")
    page.keyboard.press("Escape")
    assert page.evaluate("() => document.activeElement.textContent") == "Request", "the focus is lost"
    opened(page, f"/console/audit?action=jobs.read_content&target={jobs['report']}")
    until(page, "() => document.querySelector('tbody')?.innerText.includes('Call: ')")
    assert not problems.found, problems.found
    page.close()


def the_suite_and_a_case_are_shown(browser, jobs):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    problems = Problems(page)
    opened(page, "/console/suite")
    until(page, "() => document.querySelectorAll('tbody tr').length > 50", 60)
    with page.expect_response("**/admin/suite/run", timeout=300_000) as answer:
        page.get_by_role("button", name="Run the suite").click()
    assert answer.value.status == 200
    until(page, "() => document.getElementById('announcements').textContent === 'The suite has run'")
    groups = page.locator("details.group")
    assert groups.count() > 5 and groups.filter(has_text="research").count() > 0, groups.count()
    page.locator("#group-filter").fill("research apple")
    page.get_by_role("link", name="apple", exact=True).first.click()
    until(page, "() => document.querySelector('main h1').textContent === 'research: apple' && document.querySelectorAll('tbody tr').length > 5")
    for name in ("Request", "Answer", "Checks"):
        assert page.get_by_role("region", name=name, exact=True).count() == 1, name
    assert not problems.found, problems.found
    page.close()


def figures_in_prose_lead_to_their_proof(browser, jobs):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    opened(page, f"/console/reports/{jobs['report']}")
    until(page, "() => document.querySelectorAll('.prose p .figure').length > 3")
    button = page.locator(".prose p .figure").first
    label = button.get_attribute("aria-label")
    button.click()
    assert page.get_by_role("dialog").inner_text().startswith(label.split(":")[0])
    page.keyboard.press("Escape")
    result = api("GET", f"/api/v1/jobs/{jobs['report']}/result")
    shown = page.locator(".prose .lead").all_inner_texts()
    assert "".join(shown).replace("\n", "") == result["report"]["summary"].replace("\n", ""), "the prose is another one"
    page.close()


def ended_as_operator(job):
    for _ in range(600):
        if api("GET", f"/api/v1/admin/jobs/{job}")["status"] in ("completed", "failed"):
            return
        time.sleep(0.1)
    raise AssertionError(f"the job {job} has not ended")


def a_pause_is_told_where_one_meets_it(browser, jobs):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    problems = Problems(page)
    opened(page, "/console/overview")
    page.get_by_role("button", name="Pause", exact=True).click()
    page.get_by_label("Kind or queue").select_option(value="kind interpret")
    page.get_by_label("Reason").fill("The provider writes nonsense")
    page.get_by_label("End, or none").fill("2099-12-31T12:00")
    whole(page, "pause")
    page.get_by_role("dialog").get_by_role("button", name="Pause").click()
    resume = page.get_by_role("button", name="Resume")
    resume.wait_for()
    try:
        assert "The provider writes nonsense" in page.locator("main").inner_text() and "2099-12-31" in page.locator("main").inner_text()
        whole(page, "overview-paused")
        job = submit("interpret", {"textOrUrl": f"Rents rose, {time.time()}."})
        opened(page, f"/console/jobs/{job}")
        until(page, "() => document.querySelector('main .note')?.innerText.includes('The provider writes nonsense')")
        opened(page, "/console/jobs?kind=interpret")
        until(page, "() => document.querySelector('main .note')?.innerText.includes('The provider writes nonsense')")
        until(page, "() => document.querySelector('tbody tr').innerText.includes('has paused')")
        whole(page, "jobs-paused")
        opened(page, "/console/jobs?kind=research")
        until(page, "() => document.querySelectorAll('tbody tr').length > 0")
        assert page.locator("main .note").count() == 0, "another kind is not paused"
        opened(page, "/console/start?kind=interpret")
        until(page, "() => document.querySelector('main .note')?.innerText.includes('paused')")
        whole(page, "start-paused")
    finally:
        opened(page, "/console/overview")
        page.get_by_role("button", name="Resume").click()
        page.get_by_text("Nothing is paused.").wait_for()
    assert page.evaluate("() => document.activeElement !== document.body"), "the focus is lost"
    ended(job)
    assert not problems.found, problems.found
    page.close()


def an_archive_is_made_and_an_account_is_erased(browser, jobs):
    user = f"leaver-{time.time()}"
    api("POST", "/api/v1/jobs", {"kind": "interpret", "input": {"textOrUrl": "Wages rose."}}, user=user)
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    problems = Problems(page)
    opened(page, "/console/account")
    page.get_by_label("Act as user").fill(user)
    page.keyboard.press("Enter")
    until(page, "user => document.querySelector('main dl.terms')?.innerText.includes(user)", argument=user)
    page.get_by_role("button", name="Make an archive").click()
    button = page.get_by_role("button", name="Download the archive")
    button.wait_for()
    with page.expect_download() as download:
        button.click()
    lines = [json.loads(line) for line in open(download.value.path(), encoding="utf-8")]
    assert lines[0]["type"] == "export" and lines[0]["subject"] == user and lines[-1]["type"] == "end", lines[:1]
    assert download.value.suggested_filename.endswith(".jsonl")
    whole(page, "account-archive")
    page.get_by_role("button", name="Erase my account").click()
    assert page.evaluate("() => document.activeElement.textContent") == "Keep my account"
    page.keyboard.press("Enter")
    assert api("GET", "/api/v1/users/me", user=user)["subject"] == user
    page.get_by_role("button", name="Erase my account").click()
    page.get_by_role("button", name="Erase everything").click()
    page.get_by_role("heading", name="Your account is erased").wait_for()
    whole(page, "account-erased")
    assert not api("GET", f"/api/v1/admin/users?q={user}") or refused(user), "the account goes on"
    assert not problems.found, problems.found
    page.close()


def refused(user):
    try:
        return api("GET", "/api/v1/jobs", user=user) == []
    except urllib.error.HTTPError as error:
        return error.code == 403


def old_data_and_newer_files_are_told(browser, jobs):
    page = browser.new_page()
    opened(page, "/console/overview")
    until(page, "() => document.querySelector('.tiles') !== null")
    page.route("**/api/**", lambda route: route.abort())
    until(page, "() => document.querySelector('[aria-label=Connection]').textContent === 'Reconnecting'")
    until(page, "() => document.querySelector('.stale:not([hidden])')?.textContent.startsWith('Shown as of ')", 20)
    assert page.locator(".tiles").is_visible(), "what was read is gone"
    # The service comes back with other files.
    text = page.request.get(url + "/console/").text()
    page.route("**/console/", lambda route: route.fulfill(content_type="text/html", body=text.replace("/console/assets/", "/console/assets/0")))
    page.unroute("**/api/**")
    page.get_by_text("A newer version of the console is here.").wait_for()
    assert page.get_by_role("button", name="Reload").is_visible()
    until(page, "() => ![...document.querySelectorAll('.stale:not([hidden])')].some((one) => one.textContent.startsWith('Shown'))")
    page.close()


tests = [all_that_match_are_cancelled_and_retried, chosen_jobs_alone_are_cancelled, jobs_are_found_by_words_of_their_subjects,
         the_request_to_a_model_is_shown_and_noted, the_suite_and_a_case_are_shown, figures_in_prose_lead_to_their_proof, a_pause_is_told_where_one_meets_it, an_archive_is_made_and_an_account_is_erased,
         old_data_and_newer_files_are_told]
