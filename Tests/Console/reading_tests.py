"""What one reads: proofs beside a report, differences, breaks of a timeline, and lists on a narrow screen."""
import json
import re

from operations_tests import whole
from support import Problems, api, ended, opened, submit, until


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
    if report["risk_updates"]:
        assert region.get_by_role("link", name=f"The quarterly report filed {report['risk_updates']['filed']}").count() == 1
    region.locator("summary").first.click()
    assert region.locator("ins").count() > 0 and region.locator("del").count() > 0
    assert region.locator("details p").first.inner_text() != change["after"]["text"]
    sentence.click()
    card.get_by_role("link", name="Read the item").click()
    until(page, "item => location.pathname.startsWith('/console/filings/') && document.querySelector('main h2')?.textContent === `Item ${item}`", argument=claim["item"])
    assert claim["quote"] in page.locator("main").inner_text()
    until(page, "id => document.activeElement.id === id", argument=claim["passages"][0])
    whole(page, "filing")
    assert not problems.found, problems.found
    page.close()


def a_score_leads_to_its_questions(browser, jobs):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    result = api("GET", f"/api/v1/jobs/{jobs['report']}/result")
    opened(page, f"/console/reports/{jobs['report']}")
    score = page.get_by_role("region", name="Verdict").get_by_role("button")
    assert score.evaluate("one => getComputedStyle(one).fontWeight") == "650"
    score.click()
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
    # It comes and goes while the page is open.
    changed(page, "**/admin/overview", lambda data: data.update({"refused_reload": {"at": "2026-11-28T06:00:00.000Z", "problems": [problem]}}))
    page.locator("main .note.fail").wait_for()
    page.unroute_all(behavior="ignoreErrors")
    page.locator("main .note.fail").wait_for(state="detached")
    page.close()


def a_passage_far_down_its_item_is_found(browser, jobs):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    problems = Problems(page)
    claim = next(one for one in api("GET", f"/api/v1/jobs/{jobs['report']}/result")["report"]["claims"] if one["quote"])

    def later(route):
        # Two hundred paragraphs stand before those of the item.
        body = route.fetch(url=route.request.url.replace("&from=200", "&from=0")).json()
        if "&from=0" in route.request.url:
            body["data"].update(paragraphs=[{"id": f"x/{index}", "text": "Another."} for index in range(200)], next=200)
        route.fulfill(status=200, content_type="application/json", body=json.dumps(body))

    page.route("**/api/v1/filings/*&item=*", later)
    opened(page, f"/console/reports/{jobs['report']}")
    page.get_by_role("button", name=claim["text"], exact=True).click()
    card = page.get_by_role("dialog")
    card.locator("mark").wait_for()
    assert card.locator("mark").inner_text() == claim["quote"]
    assert int(re.search(r"paragraph (\d+)", card.inner_text()).group(1)) > 200, card.inner_text()
    assert not problems.found, problems.found
    page.close()


def what_a_list_leaves_out_is_said(browser, jobs):
    page = browser.new_page(viewport={"width": 320, "height": 900})

    def many(result):
        change = result["report"]["risk_changes"]
        change.update(new_count=57, new=change["new"] * 30)

    changed(page, f"**/api/v1/jobs/{jobs['report']}/result", many)
    opened(page, f"/console/reports/{jobs['report']}")
    region = page.get_by_role("region", name="What changed in the risks")
    text = region.inner_text()
    assert "New (57)" in text and "30 of them are shown here." in text and text.count("are shown here") == 1, text
    whole(page, "many-risks")
    region.get_by_role("link", name="Read all of item 1A").click()
    until(page, "() => location.pathname.startsWith('/console/filings/') && document.querySelector('main h2')?.textContent === 'Item 1A'")
    page.close()


def kinds_of_the_service_have_their_titles(browser, jobs):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    problems = Problems(page)
    opened(page, "/console/jobs?kind=filing-reading")
    until(page, "() => document.querySelector('tbody .second')?.textContent === 'Reading of a filing'")
    assert page.get_by_label("Kind", exact=True).input_value() == "filing-reading"
    own = {"Reading of a filing", "News", "Impact of stories", "Explanations ahead of reading", "Archive"}
    assert own <= set(page.get_by_label("Kind", exact=True).locator("option").all_inner_texts())
    opened(page, "/console/overview")
    page.get_by_role("button", name="Pause").click()
    assert own <= set(page.get_by_label("Kind or queue").locator("option").all_inner_texts())
    opened(page, f"/console/results/{jobs['news']}")
    assert page.locator("h1").inner_text() == "News"
    job = ended(submit("education", {"question": "What is a bond?"}))["id"]
    result = api("GET", f"/api/v1/jobs/{job}/result")
    opened(page, f"/console/results/{job}")
    assert page.locator("h1").inner_text() == "Question about investing"
    text = page.locator("main").inner_text()
    assert result["answer"] in text and "Conversation id" not in text, text
    assert page.locator("dl.terms dt").first.inner_text() == "Answer"
    assert not problems.found, problems.found
    page.close()


def a_comparison_is_one_table_with_its_text(browser, jobs):
    job = ended(submit("comparison", {"tickers": ["AAPL", "SNOW"], "personas": ["buffett"]}))["id"]
    found = api("GET", f"/api/v1/jobs/{job}/result")["comparison"]
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    problems = Problems(page)
    for width in (1280, 320):
        page.set_viewport_size({"width": width, "height": 900})
        opened(page, f"/console/results/{job}")
        assert page.locator("h1").inner_text() == "AAPL, SNOW, read as Warren Buffett would"
        assert found["text"]["summary"] in page.locator("main").inner_text()
        rows = page.get_by_role("table", name="Comparison").get_by_role("row")
        assert rows.count() == len(found["rows"]) + 4
        for row in found["rows"]:
            line = rows.filter(has=page.get_by_role("rowheader", name=row["title"], exact=True)).inner_text()
            for cell in row["cells"]:
                assert (cell["written"] or "–") in line, (row["title"], line)
        gaps = page.get_by_role("region", name="SNOW").inner_text()
        assert all(one in gaps for one in found["columns"][1]["gaps"] + found["columns"][1]["walk_aways"]), gaps
        whole(page, f"comparison-{width}")
    assert not problems.found, problems.found
    page.close()


def a_company_read_by_several_investors_is_one_table(browser, jobs):
    job = ended(submit("comparison", {"tickers": ["AAPL"], "personas": ["buffett", "graham", "wood"]}))["id"]
    found = api("GET", f"/api/v1/jobs/{job}/result")["comparison"]
    assert any(None in row["cells"] for row in found["rows"]), "each investor asks everything"
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    problems = Problems(page)
    opened(page, f"/console/results/{job}")
    rows = page.get_by_role("table", name="Comparison").get_by_role("row")
    assert rows.count() == len(found["rows"]) + 4
    row = next(row for row in found["rows"] if None in row["cells"])
    line = rows.filter(has=page.get_by_role("rowheader", name=row["title"], exact=True)).inner_text()
    assert line.count("not asked") == row["cells"].count(None), line
    whole(page, "investors")
    assert not problems.found, problems.found
    page.close()


def a_result_without_a_bundle_opens(browser, jobs):
    """A forecast asks no prompt."""
    page = browser.new_page()
    problems = Problems(page)
    changed(page, f"**/jobs/{jobs['report']}/result", lambda data: data["provenance"].pop("bundle"))
    opened(page, f"/console/reports/{jobs['report']}")
    assert page.get_by_role("region", name="Verdict").count() == 1
    assert not problems.found, problems.found
    page.close()


def moments_in_sentences_are_local(browser, jobs):
    context = browser.new_context(timezone_id="Asia/Tokyo")
    page = context.new_page()
    sentence = "It is asked again at 2025-11-28T20:16:19.391Z."
    changed(page, "**/admin/overview", lambda data: data.update({"alerts": [{"code": "breaker_open", "sentence": sentence, "since": None}]}))
    opened(page, "/console/overview")
    until(page, "() => document.querySelector('main .note') !== null")
    assert "It is asked again at 2025-11-29 05:16." in page.locator("main .note").inner_text(), page.locator("main .note").inner_text()
    changed(page, f"**/admin/jobs/{jobs['report']}", lambda job: job.update(waits=[{"from": job["created_at"], "until": job["completed_at"], "code": "scheduled", "sentence": sentence}]))
    opened(page, f"/console/jobs/{jobs['report']}")
    until(page, "() => document.querySelector('.timeline').innerText.includes('Waiting: It is asked again at 2025-11-29 05:16.')")
    context.close()


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
    lines = [{**line, "group": f"2026-11-2{day}", "cost_micro_dollars": cost, "of_failed": cost // 4} for day, cost in ((7, 400_000), (6, 0), (3, 800_000))]
    page.route("**/admin/costs?*", lambda route: route.fulfill(content_type="application/json", body=json.dumps({"success": True, "data": lines, "meta": {}})))
    opened(page, "/console/costs")
    until(page, "() => document.querySelectorAll('.days > span').length === 5")
    assert page.locator(".days").inner_text().split() == ["11-23", "11-24", "11-25", "11-26", "11-27"]
    heights = page.locator(".days .costs").evaluate_all("all => all.map((one) => Math.round(one.getBoundingClientRect().height))")
    # A day without calls has its place.
    widths = page.locator(".days > span").evaluate_all("all => new Set(all.map((one) => Math.round(one.getBoundingClientRect().width))).size")
    assert widths == 1, widths
    assert heights[0] > heights[1] and page.locator(".days > span").evaluate_all("all => all.map((one) => one.querySelectorAll('.costs').length)") == [1, 0, 0, 0, 1], heights
    lost = page.locator(".days .costs i").evaluate_all("all => all.map((one) => one.getBoundingClientRect().height)")
    assert abs(lost[0] - heights[0] / 4) < 2, (lost, heights)
    whole(page, "costs-by-day")
    page.close()


tests = [a_passage_far_down_its_item_is_found, a_company_read_by_several_investors_is_one_table, a_result_without_a_bundle_opens, what_a_list_leaves_out_is_said, kinds_of_the_service_have_their_titles, a_comparison_is_one_table_with_its_text, moments_in_sentences_are_local, a_sentence_leads_to_its_passage, a_score_leads_to_its_questions, a_difference_is_by_words_beside_each_other, a_refused_reload_is_told,
         breaks_of_a_timeline_have_their_length, a_list_of_jobs_has_room_and_filters, costs_of_days_are_bars]
