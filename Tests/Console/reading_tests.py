"""What one reads: proofs beside a report, differences, breaks of a timeline, and lists on a narrow screen."""
import json

from operations_tests import whole
from support import Problems, api, opened, until


def changed(page, pattern, change):
    """Lets a read give another answer."""

    def answer(route):
        response = route.fetch()
        body = response.json()
        change(body["data"])
        headers = {name: value for name, value in response.headers.items() if name != "etag"}
        route.fulfill(status=200, headers=headers, body=json.dumps(body))

    page.route(pattern, answer)


def a_sentence_leads_to_its_passage(browser, jobs):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    problems = Problems(page)
    report = api("GET", f"/api/v1/jobs/{jobs['report']}/result")["report"]
    claim = next(one for one in report["claims"] if one["quote"])
    opened(page, f"/console/reports/{jobs['report']}")
    for name in ("Business", "What changed in the risks"):
        assert page.get_by_role("region", name=name, exact=True).count() == 1, name
    sentence = page.get_by_role("button", name=claim["text"], exact=True)
    sentence.click()
    card = page.get_by_role("dialog", name=f"Item {claim['item']}", exact=True)
    card.locator("mark").wait_for()
    assert card.locator("mark").inner_text() == claim["quote"]
    assert card.locator(".badge").inner_text() == {"verified": "Verified", "repaired": "Repaired"}[claim["status"]]
    whole(page, "passage")
    page.keyboard.press("Escape")
    until(page, "() => document.querySelector('[popover]') === null")
    assert page.evaluate("() => document.activeElement.textContent") == claim["text"], "the focus is lost"
    change = report["risk_changes"]["changed"][0]
    region = page.get_by_role("region", name="What changed in the risks")
    region.locator("summary").first.click()
    assert region.locator("ins").count() > 0 and region.locator("del").count() > 0
    assert region.locator("details p").first.inner_text() != change["after"]["text"]
    sentence.click()
    card.get_by_role("link", name="Read the item").click()
    until(page, "item => location.pathname.startsWith('/console/filings/') && document.querySelector('main h2')?.textContent === `Item ${item}`", argument=claim["item"])
    assert claim["quote"] in page.locator("main").inner_text()
    whole(page, "filing")
    assert not problems.found, problems.found
    page.close()


def a_score_leads_to_its_questions(browser, jobs):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    result = api("GET", f"/api/v1/jobs/{jobs['report']}/result")
    opened(page, f"/console/reports/{jobs['report']}")
    page.get_by_role("region", name="Verdict").get_by_role("button").click()
    card = page.get_by_role("dialog", name="Score by the checklist of 100", exact=True)
    text = card.inner_text()
    for item in result["scorecard"]["items"]:
        assert item["question"] in text and f"weight {item['weight']}" in text, item["question"]
    box = card.bounding_box()
    assert box["y"] >= 0 and box["y"] + box["height"] <= 900, box
    page.keyboard.press("Escape")
    page.locator(".checklist .figure").first.click()
    assert result["scorecard"]["items"][0]["evidence"]["formula"] in page.get_by_role("dialog").inner_text()
    page.keyboard.press("Escape")
    assert page.locator(".chart .grid + text").count() == page.locator(".chart").count() > 3
    assert page.get_by_role("columnheader", name="Figure, USD").count() == 1
    page.close()


def a_difference_is_by_words_beside_each_other(browser, jobs):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    bundle = api("GET", "/api/v1/admin/bundles")[0]["hash"]
    diff = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n first\n-Say what it costs, and stop.\n+Tell what it costs, and stop there.\n"
    page.route("**/diff?with=*", lambda route: route.fulfill(content_type="application/json", body=json.dumps(
        {"success": True, "data": [{"path": "prompts/x.prompt", "change": "changed", "diff": diff}], "meta": {}})))
    opened(page, f"/console/prompts/{bundle}?with={bundle}")
    page.locator(".sides").wait_for()
    assert page.locator(".sides del").all_text_contents() == ["Say", "stop."]
    assert page.locator(".sides ins").all_text_contents() == ["Tell", "stop there."]
    old, now = (page.locator(".sides p").nth(index).bounding_box() for index in (0, 1))
    assert old["y"] == now["y"] and now["x"] > old["x"] + 200, (old, now)
    page.set_viewport_size({"width": 320, "height": 900})
    old, now = (page.locator(".sides p").nth(index).bounding_box() for index in (0, 1))
    assert now["y"] > old["y"] and now["x"] == old["x"], (old, now)
    page.close()


def a_refused_reload_is_told(browser, jobs):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    problem = "jobs/research.yaml:3: unknown key 'titel' (did you mean 'title'?)"
    changed(page, "**/admin/overview", lambda data: data.update({"refused_reload": {"at": "2026-11-28T06:00:00.000Z", "problems": [problem]}}))
    opened(page, "/console/prompts")
    until(page, "problem => document.querySelector('main .note.fail')?.innerText.includes(problem)", argument=problem)
    whole(page, "prompts-refused")
    page.unroute_all(behavior="ignoreErrors")
    opened(page, "/console/prompts")
    until(page, "() => document.querySelectorAll('tbody tr').length > 0")
    assert page.locator("main .note").count() == 0
    page.close()


def breaks_of_a_timeline_have_their_length(browser, jobs):
    page = browser.new_page(viewport={"width": 1280, "height": 900})

    def wait(job):
        job["created_at"] = job["created_at"].replace("2026", "2025")
        job["waits"] = [{"from": job["created_at"], "until": job["attempts"][0]["started_at"], "code": "scheduled", "sentence": "It begins later."}]

    changed(page, f"**/admin/jobs/{jobs['report']}", wait)
    opened(page, f"/console/jobs/{jobs['report']}")
    until(page, "() => document.querySelector('.axis .gap') !== null")
    # The wait for the readings of the filing may be another one.
    gap = page.locator(".axis .gap").first.inner_text()
    assert gap.endswith(" d"), gap
    assert page.evaluate("() => getComputedStyle(document.querySelector('.lane')).backgroundImage.startsWith('linear-gradient')")
    page.close()


def a_list_of_jobs_has_room_and_filters(browser, jobs):
    page = browser.new_page(viewport={"width": 320, "height": 900})
    problems = Problems(page, allowed=("503", "Failed to load"))
    opened(page, "/console/jobs?code=BIZ_2004")
    assert page.get_by_label("Error code").input_value() == "BIZ_2004" and page.get_by_label("Error code").is_visible()
    page.get_by_label("Error code").fill("")
    until(page, "() => location.search === '' && document.querySelectorAll('tbody tr').length > 3")
    for name in ("Worker", "Bundle", "Lane", "From, UTC", "To before, UTC"):
        assert page.get_by_label(name, exact=True).is_visible(), name
    page.get_by_label("From, UTC").fill("2099-01-01T00:00")
    until(page, "() => new URLSearchParams(location.search).get('from') === '2099-01-01T00:00:00Z' && document.querySelector('main').innerText.includes('No job fits')")
    assert page.get_by_role("button", name="all that match").count() == 0, "nothing matches"
    opened(page, "/console/jobs")
    until(page, "() => document.querySelectorAll('tbody tr').length > 3")
    assert min(page.locator("tbody .main").evaluate_all("all => all.map((one) => one.clientWidth)")) >= 130
    small = page.locator("tbody label.pick").evaluate_all("all => all.filter((one) => one.clientWidth < 24 || one.clientHeight < 24).length")
    assert small == 0 and page.locator("tbody label.pick").count() > 3
    before = page.locator("tbody tr").first.bounding_box()["y"]
    page.route("**/api/v1/admin/jobs?*", lambda route: route.fulfill(status=503, content_type="application/json", body=json.dumps(
        {"success": False, "error": {"code": "SYS_5002", "message": "The database is away.", "user_message": "Please wait a moment."}, "meta": {}})))
    page.locator("main [role=alert]").wait_for()
    assert page.locator("tbody tr").first.bounding_box()["y"] == before, "the rows have moved"
    assert page.locator("main [role=alert]").bounding_box()["y"] < 900, "the error is not seen"
    assert not problems.found, problems.found
    page.close()


def costs_of_days_are_bars(browser, jobs):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    line = {"calls": 3, "input_tokens": 10, "output_tokens": 10, "of_failed": 0, "of_cancelled": 0, "simulated": 0}
    lines = [{**line, "group": f"2026-11-2{day}", "cost_micro_dollars": cost, "of_failed": cost // 4} for day, cost in ((7, 400_000), (6, 0), (5, 800_000))]
    page.route("**/admin/costs?*", lambda route: route.fulfill(content_type="application/json", body=json.dumps({"success": True, "data": lines, "meta": {}})))
    opened(page, "/console/costs")
    until(page, "() => document.querySelectorAll('.days .costs').length === 3")
    heights = page.locator(".days .costs").evaluate_all("all => all.map((one) => Math.round(one.getBoundingClientRect().height))")
    assert heights[0] > heights[2] > heights[1], heights
    lost = page.locator(".days .costs i").evaluate_all("all => all.map((one) => one.getBoundingClientRect().height)")
    assert abs(lost[0] - heights[0] / 4) < 2, (lost, heights)
    whole(page, "costs-by-day")
    page.close()


tests = [a_sentence_leads_to_its_passage, a_score_leads_to_its_questions, a_difference_is_by_words_beside_each_other, a_refused_reload_is_told,
         breaks_of_a_timeline_have_their_length, a_list_of_jobs_has_room_and_filters, costs_of_days_are_bars]
