"""What holds for every screen: texts of others stay texts, all of it is reached by Tab, a picture and axe find nothing, and what it reads
is in the description of the API."""
import json
import pathlib
import re
import urllib.request

from axe_playwright_python.sync_playwright import Axe

from support import HOSTILE, Problems, api, opened, pictures, until, url


def screens(jobs):
    job, result, other = jobs["report"], jobs["hostile"], jobs["other"]
    bundle = api("GET", "/api/v1/admin/bundles")[0]["hash"]
    filing = api("GET", f"/api/v1/jobs/{job}/result")["report"]["filings_read"][0]["accession_number"]
    return ["/console/jobs", "/console/jobs?scope=mine", "/console/jobs?status=failed,cancelled", f"/console/jobs/{job}",
            f"/console/reports/{job}", f"/console/filings/{filing}?item=1A", f"/console/results/{result}", f"/console/compare?left={job}&right={other}", "/console/start",
            "/console/news", "/console/cards", "/console/account", "/console/webhooks", "/console/webhooks?scope=mine", "/console/overview",
            "/console/fleet", "/console/providers", "/console/credits", "/console/credits?user=1", "/console/credits?show=movements", "/console/costs", "/console/prompts",
            f"/console/prompts/{bundle}", f"/console/prompts/{bundle}?file=prompts%2Fresearch.prompt", "/console/audit", "/console/service",
            "/console/suite", "/console/suite/research/apple",
            "/console/nowhere"]


def every_screen_is_whole(browser, jobs):
    wrong = []
    for theme in ("light", "dark"):
        for width in (320, 1280):
            context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=theme)
            page = context.new_page()
            problems = Problems(page)
            for path in screens(jobs):
                opened(page, path)
                if pictures:
                    name = re.sub(r"[^a-z]+", "-", re.sub(r"[0-9a-f-]{36,64}", "one", path.lower())[9:]).strip("-")
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


def replaced(value, name=""):
    """An answer with a hostile text in each prose and name."""
    if isinstance(value, dict):
        return {key: replaced(one, key) for key, one in value.items()}
    if isinstance(value, list):
        return [replaced(one, name) for one in value]
    is_text = isinstance(value, str) and (" " in value or name in TEXTS)
    return f"{HOSTILE} {value}" if is_text else value


TEXTS = {"subject", "title", "host", "name", "label", "publisher", "model", "persona", "url", "device", "by", "note", "concept", "target", "group", "ticker", "question",
         "answer", "description", "group_title", "summary"}


def hostile_answers_stay_texts_everywhere(browser, jobs):
    page = browser.new_page(viewport={"width": 320, "height": 900})
    problems = Problems(page)
    page.on("dialog", lambda dialog: problems.found.append("a text was run"))

    def answer(route):
        if "/events" in route.request.url:
            return route.continue_()
        response = route.fetch()
        if "json" not in response.headers.get("content-type", ""):
            return route.fulfill(response=response)
        route.fulfill(response=response, json=replaced(response.json()))

    page.route(re.compile("/(api/)?v1/|openapi.json"), answer)
    seen = []
    for path in screens(jobs):
        opened(page, path)
        text = page.evaluate("() => document.body.innerText + document.title")
        if "<img src=x" in text:
            seen.append(path)
        assert "\u202e" not in text and "\u0007" not in text, f"{path} shows a mark that turns text around"
        assert page.locator("main img, main script").count() == 0, f"{path} has made an element of a text"
        assert page.locator("main a[href^='javascript:' i]").count() == 0
        wide = page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if wide > 0:
            problems.found.append(f"{path} is {wide} px too wide: " + page.evaluate("""() => [...document.querySelectorAll('main *')].filter((one) =>
              one.getBoundingClientRect().right > innerWidth && !one.closest('.scroll, pre')).slice(0, 5).map((one) => one.outerHTML.slice(0, 90)).join(' | ')"""))
    assert len(seen) > 17, f"these alone show hostile texts: {seen}"
    page.unroute_all(behavior="ignoreErrors")
    assert not problems.found, problems.found
    page.close()


REACHED = """() => {
  const all = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')].filter((one) =>
    !one.disabled && one.tabIndex >= 0 && one.checkVisibility({visibilityProperty: true}) && !(one.type === 'radio' && !one.checked));
  const now = document.activeElement;
  const style = getComputedStyle(now);
  const shown = style.outlineStyle !== 'none' || now.closest('.chip') || now === document.body;
  return [all.length, all.indexOf(now), Boolean(shown), now.outerHTML.slice(0, 120)];
}"""


def tab_reaches_everything(browser, jobs):
    """Tab goes through all of a screen, in its order, shows where it is, and leaves again."""
    wrong = []
    for width in (1280, 320):
        page = browser.new_page(viewport={"width": width, "height": 900})
        for path in screens(jobs):
            opened(page, path)
            reached, total = set(), page.evaluate(REACHED)[0]
            page.locator(".skip").focus()
            for _ in range(total + 40):
                total, place, is_shown, name = page.evaluate(REACHED)
                if place in reached and place == 0 and len(reached) > 1:
                    break
                if place >= 0:
                    reached.add(place)
                    if not is_shown:
                        wrong.append(f"{path} at {width}: the focus is not seen at {name}")
                page.keyboard.press("Tab")
            if len(reached) < total:
                missing = page.evaluate("""reached => [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
                  .filter((one) => !one.disabled && one.tabIndex >= 0 && one.checkVisibility({visibilityProperty: true}) && !(one.type === 'radio' && !one.checked))
                  .filter((one, index) => !reached.includes(index)).map((one) => one.outerHTML.slice(0, 100))""", list(reached))
                wrong.append(f"{path} at {width}: Tab misses {missing[:4]} of {total}")
        page.close()
    assert not wrong, "\n".join(wrong)


def what_is_read_is_in_the_description(browser, jobs):
    """Each member that the modules read from an answer, by its name, is one of the API's description."""
    with urllib.request.urlopen(url + "/openapi.json", timeout=60) as response:
        described = set(re.findall(r"[a-z]+(?:_[a-z0-9]+)+", response.read().decode()))
    session = {"signed_in"}
    sources = "".join(path.read_text(encoding="utf-8") for path in pathlib.Path("Console").rglob("*.js"))
    sources = re.sub(r"^\s*(//|/?\*).*$", "", sources, flags=re.M)
    read = set(re.findall(r"\.([a-z]+(?:_[a-z0-9]+)+)\b", sources))
    assert len(read) > 60, read
    assert read <= described | session, f"not in the description: {sorted(read - described - session)}"


def a_hidden_tab_asks_nothing(browser, jobs):
    page = browser.new_page()
    page.add_init_script("Object.defineProperty(document, 'hidden', {get: () => Boolean(window.isAway)})")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    for path in ("/console/jobs", "/console/overview", "/console/account", f"/console/jobs/{jobs['report']}"):
        opened(page, path)
        page.evaluate("() => { window.isAway = true; document.dispatchEvent(new Event('visibilitychange')); }")
        page.wait_for_timeout(500)
        asked.clear()
        page.wait_for_timeout(4000)
        assert not asked, f"{path}, which is hidden, asks for {asked}"
        page.evaluate("() => { window.isAway = false; document.dispatchEvent(new Event('visibilitychange')); }")
        until(page, "() => !document.hidden")
    page.close()


def without_scripts_the_page_says_what_it_needs(browser, jobs):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(url + "/console/jobs")
    assert "The console needs JavaScript" in page.locator("body").inner_text()
    assert page.locator("a[href='/docs']").count() == 1
    context.close()


def a_report_is_light_on_screen_and_short_on_paper(browser, jobs):
    page = browser.new_page(viewport={"width": 1280, "height": 900}, color_scheme="dark")
    opened(page, f"/console/reports/{jobs['report']}")
    until(page, "() => document.querySelector('table .figure') !== null")
    figures, nodes = page.evaluate("() => [document.querySelectorAll('table .figure').length, document.querySelectorAll('*').length]")
    assert figures > 100 and nodes < 3000, f"{nodes} elements for {figures} figures"
    sheets = page.pdf(format="A4").count(b"/Type /Page\n")
    assert 3 <= sheets <= 7, f"{sheets} sheets of paper"
    print(f"  a report of {figures} figures has {nodes} elements and {sheets} sheets of paper", flush=True)
    page.close()


tests = [every_screen_is_whole, hostile_answers_stay_texts_everywhere, tab_reaches_everything, what_is_read_is_in_the_description,
         a_hidden_tab_asks_nothing, without_scripts_the_page_says_what_it_needs, a_report_is_light_on_screen_and_short_on_paper]
