"""Where the focus is: behind a way back, after a dialog, in the card of a figure, and in tables."""
import time

from reading_tests import changed
from support import Problems, api, opened, until

NAME = "() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"


def back_gives_back_place_and_focus(browser, jobs):
    page = browser.new_page(viewport={"width": 1280, "height": 500})
    problems = Problems(page)
    opened(page, "/console/jobs")
    until(page, "() => document.querySelectorAll('tbody tr').length > 4")
    link = page.locator("tbody tr a").nth(4)
    link.scroll_into_view_if_needed()
    link.focus()
    place, address = page.evaluate("() => [scrollY, document.activeElement.href]")
    page.keyboard.press("Enter")
    until(page, "() => location.pathname.startsWith('/console/jobs/') && document.querySelector('main h1') !== null")
    assert page.evaluate("() => document.activeElement.id") == "main"
    page.go_back()
    until(page, "address => document.activeElement.href === address", argument=address)
    until(page, "place => Math.abs(scrollY - place) < 2", argument=place)
    # A link of a card is gone with it: what opened the card has the focus.
    opened(page, f"/console/reports/{jobs['report']}")
    sentence = page.locator(".sentence").nth(1)
    text = sentence.inner_text()
    sentence.click()
    page.get_by_role("dialog").get_by_role("link", name="Read the item").click()
    until(page, "() => location.pathname.startsWith('/console/filings/') && document.querySelector('main h2') !== null")
    page.go_back()
    until(page, f"text => ({NAME})() === text", argument=text)
    # A filter that is taken back is the same screen.
    opened(page, "/console/jobs?status=completed")
    page.locator("nav").get_by_role("link", name="Account").click()
    until(page, "() => location.pathname === '/console/account' && document.activeElement.id === 'main'")
    page.go_back()
    until(page, "() => location.search === '?status=completed' && document.activeElement !== document.body")
    assert not problems.found, problems.found
    page.close()


def a_dialog_whose_button_is_gone_gives_the_focus_to_the_screen(browser, jobs):
    page = browser.new_page()
    later = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 86400))
    job = api("POST", "/api/v1/jobs", {"kind": "research", "input": {"ticker": "AAPL", "persona": "graham"}, "run_at": later})["id"]
    opened(page, f"/console/jobs/{job}")
    page.get_by_role("button", name="Cancel", exact=True).click()
    api("POST", f"/api/v1/jobs/{job}/cancel", {})
    until(page, "() => document.querySelector('main .badge')?.textContent === 'Cancelled'")
    page.get_by_role("button", name="Keep it").click()
    until(page, "() => document.querySelector('dialog') === null")
    until(page, "() => document.activeElement.id === 'main'")
    # A button that was made anew takes the place of the one before.
    opened(page, f"/console/reports/{jobs['report']}")
    figure = page.get_by_role("button", name="Free cash flow, FY2025")
    figure.click()
    page.get_by_role("dialog", name="Free cash flow, FY2025").wait_for()
    page.keyboard.press("Control+k")
    page.get_by_label("A screen, or an id").wait_for()
    page.keyboard.press("Escape")
    until(page, f"() => ({NAME})().startsWith('Free cash flow, FY2025')")
    page.close()


def tab_stays_in_the_card_of_a_figure(browser, jobs):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    opened(page, f"/console/reports/{jobs['report']}")
    page.get_by_role("button", name="Revenue, FY2025").click()
    card = page.get_by_role("dialog", name="Revenue, FY2025")
    names = []
    for key in ["Tab"] * 4 + ["Shift+Tab"] * 4:
        page.keyboard.press(key)
        names.append(page.evaluate(NAME))
        assert card.evaluate("card => card.contains(document.activeElement)"), names
    assert names[0] == names[3] == names[6] == "Close", names
    title, close = card.locator("p").first.bounding_box(), card.get_by_role("button", name="Close").bounding_box()
    assert abs(title["y"] + title["height"] / 2 - close["y"] - close["height"] / 2) < 4, "the button stands on a line of its own"
    page.keyboard.press("Escape")
    until(page, "() => document.querySelector('[popover]') === null")
    assert page.evaluate(NAME).startswith("Revenue, FY2025"), page.evaluate(NAME)
    page.close()


def the_card_of_a_figure_says_what_is_so(browser, jobs):
    page = browser.new_page(viewport={"width": 320, "height": 700})
    result = api("GET", f"/api/v1/jobs/{jobs['report']}/result")
    opened(page, f"/console/reports/{jobs['report']}")
    # One that was derived was never reported, and has no tag of its own.
    page.get_by_role("button", name="Free cash flow, FY2025").click()
    card = page.get_by_role("dialog")
    assert "As reported" not in card.inner_text() and card.locator("dt", has_text="Tag").count() == 0, card.inner_text()
    page.keyboard.press("Escape")
    # All figures of a median, each with the way to its own card.
    median = next(one for one in result["computed"] if one["id"] == "metric.gross_margin_median")
    page.locator(".checklist .figure").first.click()
    assert card.locator(".sum tr").count() == 14
    card.get_by_role("button", name=f"Show all {len(median['figures'])} figures").click()
    assert card.locator(".sum tr").count() == len(median["figures"]) + 1
    assert card.evaluate("card => card.contains(document.activeElement)"), "the focus is lost"
    card.get_by_role("button", name="Gross profit, FY2016").click()
    other = page.get_by_role("dialog", name="Gross profit, FY2016", exact=True)
    assert "As reported" in other.inner_text() and page.get_by_role("dialog").count() == 1
    page.keyboard.press("Escape")
    until(page, f"() => ({NAME})().startsWith('Median gross margin')")
    # The score of a question names what was measured.
    mention = next(one["figure"] for one in result["mentions"] if one["figure"].startswith("score."))
    item = next(one for one in result["scorecard"]["items"] if f"score.{one['id']}" == mention)
    page.get_by_role("button", name=f"question {item['question']}").first.click()
    text = card.inner_text()
    assert card.evaluate("card => card.scrollWidth <= card.clientWidth"), "the card scrolls sideways"
    assert card.get_by_role("button", name="Close").bounding_box()["x"] > 260, "the button stands on a line of its own"
    assert f"{item['evidence']['value'] * 100:.1f} %, weight {item['weight']}" in text and item["evidence"]["formula"] in text, text
    page.keyboard.press("Escape")
    # Confidence is not made of points.
    page.get_by_role("button", name="Confidence in the score").first.click()
    assert "10 of 10 questions could be scored." in card.inner_text() and card.locator(".sum").count() == 0
    wide = page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide == 0, wide
    page.close()


def a_table_of_figures_keeps_one_stop(browser, jobs):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    opened(page, f"/console/reports/{jobs['report']}")
    stops = "() => document.querySelectorAll('#figures table [tabindex=\"0\"]').length"
    assert page.evaluate(stops) == 1
    page.get_by_role("button", name="Free cash flow, FY2024").click()
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    until(page, f"() => ({NAME})().startsWith('Free cash flow, FY2023')")
    assert page.evaluate(stops) == 1
    page.close()


SMALL = """() => [...document.querySelectorAll('main :is(td, th) :is(a, button)')].filter((one) => {
  const {width, height} = one.getBoundingClientRect();
  return one.checkVisibility() && (width < 24 || height < 24);
}).map((one) => one.outerHTML.slice(0, 90))"""


def targets_in_tables_are_large_enough(browser, jobs):
    page = browser.new_page()
    for width in (1280, 320):
        page.set_viewport_size({"width": width, "height": 900})
        for path in (f"reports/{jobs['report']}", f"jobs/{jobs['report']}", "jobs", "fleet", "credits?show=movements", "prompts", "suite", "audit", "overview"):
            opened(page, f"/console/{path}")
            assert not page.evaluate(SMALL), (path, width, page.evaluate(SMALL)[:5])
    page.close()


def a_silent_worker_is_seen(browser, jobs):
    page = browser.new_page(viewport={"width": 320, "height": 900})

    def silent(workers):
        workers[:] = [{**workers[0], "alive": True, "draining": seconds < 9, "host": f"{seconds} s", "id": f"{seconds}",
                       "last_beat_at": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() - seconds))} for seconds in (8, 20)]

    changed(page, "**/admin/workers?*", silent)
    opened(page, "/console/fleet")
    for name in ("Resume 8 s", "Drain 20 s"):
        place = page.get_by_role("button", name=name).bounding_box()
        assert place["x"] + place["width"] <= 304, place
    page.set_viewport_size({"width": 1280, "height": 900})
    classes = page.locator("tbody .wait-text").evaluate_all("all => all.map((one) => one.className)")
    assert classes == ["wait wait-text", "fail wait-text"], classes
    page.close()


tests = [back_gives_back_place_and_focus, a_dialog_whose_button_is_gone_gives_the_focus_to_the_screen, tab_stays_in_the_card_of_a_figure,
         the_card_of_a_figure_says_what_is_so, a_table_of_figures_keeps_one_stop, targets_in_tables_are_large_enough, a_silent_worker_is_seen]
