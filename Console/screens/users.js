// Users and their credits: one's own account, signing in, and for operators the users with ledgers, plans and grants.
import {closer, dialog, fill, h} from "../dom.js";
import {get, headers, may, post, send, session, Refusal} from "../api.js";
import {field, formDialog, listing, opened, reason, repeat, searchForm} from "../live.js";
import {count, dollars, moment, movements, plural, words} from "../format.js";
import {ago, announce, badge, card, confirm, empty, failure, grid, link, loading, progress, second, terms, tiles, worker} from "../parts.js";

/** @param {Page} page */
export function account(page) {
  const content = h("div");
  const {show, close} = opened(content, "the account", async (_, signal) => {
    const hasSessions = session.auth === "jwt";
    const [me, entries, sessions] = await Promise.all([get("users/me", signal), get("credits/ledger?per_page=50", signal),
      hasSessions ? get("auth/sessions", signal) : []]);
    archive ??= exported(content);
    return [card("Credits", {class: "flush"}, tiles([["Remaining", count(me.credits.remaining)], ["Held", count(me.credits.held)], ["Used", count(me.credits.used)]])),
    card("User", {}, terms([["Name", h("bdi", me.subject)], ["Plan", me.plan.title], ["Since", moment(me.created_at)],
      ["Period", `${me.period.from.slice(0, 10)} to ${me.period.to.slice(0, 10)}`]]), signIn()),
    hasSessions && sessions.length ? card("Sessions", {class: "flush"}, grid("Sessions", [
      ["Device", "main", (one) => [h("strong", one.device ?? "Unnamed"), second(one.current ? "This one" : `ends ${moment(one.ends_at)}`)]],
      ["Last used", "number", (one) => ago(one.last_used_at)],
      ["Act", "", (one) => one.current ? null : worker("End", async () => {
        await send("DELETE", `/api/v1/auth/sessions/${one.id}`).catch((error) => content.prepend(failure(error)));
        show(page.query);
      }, {key: one.id})]], sessions)) : null,
    card("Movements", {class: "flush"}, entries.length ? ledger(entries) : empty("No movements", "Credits move when a job is asked for.")),
    card("Your data", {}, archive.element, h("div.row", worker("Erase my account", () => erase(content), {key: "erase", class: "danger"})))];
  });
  /** @type {{element: HTMLElement, stop: () => void} | undefined} */
  let archive;

  function signIn() {
    if (session.auth === "development") {
      const input = h("input", {id: "act-as", value: sessionStorage.getItem("user") ?? ""});
      return h("form.row", {onsubmit: () => {
        const user = input.value.trim();
        if (user) sessionStorage.setItem("user", user);
        else sessionStorage.removeItem("user");
        location.assign("/console/account");
      }}, h("label", {for: "act-as"}, "Act as user"), input, h("button", {type: "submit"}, "Act"));
    }
    if (session.auth !== "jwt") return null;
    return worker("Sign out", async () => {
      await send("DELETE", "/console/session");
      location.assign("/console/sign-in");
    });
  }

  show(page.query);
  return {element: h("div", h("h1", "Account"), content), close() {
    close();
    archive?.stop();
  }};
}

/**
 * The archive of the user's data: asking for one, how far it is, and the newest one.
 * @param {HTMLElement} screen
 */
function exported(screen) {
  const element = h("div.row");
  let isBusy = false;
  const reading = repeat(async (signal) => (await get("jobs?kind=export&per_page=1", signal))[0] ?? null, (job) => {
    isBusy = ["pending", "processing"].includes(job?.status);
    const isThere = job?.status === "completed";
    fill(element, isBusy ? [h("span", "Your archive is made"), progress("Progress of the archive", job.progress / 100, "run")]
      : worker(isThere ? "Make a new archive" : "Make an archive", async () => {
        await post("users/me/export").catch((error) => screen.prepend(failure(error)));
        reading.again();
      }, {key: "archive"}),
    isThere ? [worker("Download the archive", async () => {
      const answer = await fetch("/api/v1/users/me/export", {headers: headers()});
      if (!answer.ok) return screen.prepend(failure(new Refusal(answer.status, (await answer.json()).error, "")));
      const file = URL.createObjectURL(await answer.blob());
      h("a", {href: file, download: answer.headers.get("Content-Disposition")?.match(/dossier-export[^"]*/)?.[0] ?? "dossier-export.jsonl"}).click();
      setTimeout(() => URL.revokeObjectURL(file), 60_000);
    }, {key: "download", class: "first"}), h("span.faint", "made ", ago(job.completed_at))] : null,
    job?.status === "failed" ? h("span.problem", job.error?.user_message) : null);
  }, (error) => fill(element, failure(error, () => reading.again())), () => isBusy ? 1000 : 15_000);
  return {element, stop: reading.stop};
}

/** @param {HTMLElement} screen */
async function erase(screen) {
  if (!await confirm("Erase your account?", "The user's data is erased for good; unfinished jobs end.",
    "Erase everything", "Keep my account")) return;
  try {
    const answer = (await send("DELETE", "/api/v1/users/me?confirm=true")).data;
    if (session.auth === "jwt") await send("DELETE", "/console/session").catch(() => {});
    fill(screen, empty("Your account is erased", `The rest goes until ${moment(answer.complete_by)} at the latest.`, h("code", answer.deletion_id)));
    announce("Your account is erased");
  } catch (error) {
    screen.prepend(failure(error));
  }
}

/** @param {Page} page */
export function signIn(page) {
  const problem = h("p.problem", {role: "alert", id: "token-problem"});
  const token = h("input", {id: "token", type: "password", required: true, "aria-describedby": "token-problem"});
  const button = h("button", {type: "submit", class: "first"}, "Sign in");
  const to = page.query.get("to") ?? "";
  // No way up, plain or encoded.
  const back = () => location.assign(/^\/console\/(?!.*(\.|%2e){2})[^/\\]/i.test(to) ? to : "/console/jobs");
  const form = h("form.narrow", {onsubmit: async () => {
    button.disabled = true;
    problem.textContent = "";
    try {
      await send("POST", "/console/session", {body: {token: token.value.trim()}});
      back();
    } catch (error) {
      fill(problem, reason(error));
      token.setAttribute("aria-invalid", "true");
      token.focus();
    } finally {
      button.disabled = false;
    }
  }}, h("label", {for: "token"}, "Access token"), token, problem, button,
  h("p.faint", "It comes from your sign-in provider, or from the command ",
    h("code", "dossier token issue USER --role viewer"), "."));
  return {element: h("div", h("h1", "Sign in"),
    session.auth === "gateway" ? h("div.narrow", h("p", "The gateway in front of this service did not say who you are."),
      h("button", {onclick: back}, "Try again")) : form)};
}

/** @param {Page} page */
export function credits(page) {
  const content = h("div.stack");
  /** @type {import("../live.js").Listing} */
  let list;
  let controller = new AbortController();

  /** @param {URLSearchParams} query */
  function show(query) {
    list?.stop();
    controller.abort();
    controller = new AbortController();
    const user = query.get("user");
    if (user && /\D/.test(user)) find(user);
    else if (user) showUser(user, query);
    else if (query.get("show") === "movements") showMovements(query);
    else showUsers(query);
  }

  /** @param {boolean} isUsers */
  const head = (isUsers) => h("div.head", h("h1", "Credits"), h("div.tabs", [["", "Users"], ["?show=movements", "Movements"]]
    .map(([rest, label]) => link(`/console/credits${rest}`, label, {"aria-current": isUsers === !rest ? "true" : null}))), h("span.space"),
  may("credits:grant") ? h("button.first", {onclick: () => grant("", () => list.again())}, "Grant credits") : null);

  /** Goes to a user by the name.
   * @param {string} name */
  function find(name) {
    const query = `q=${encodeURIComponent(name)}`;
    get(`admin/users?${query}`, controller.signal).then((all) => {
      const one = all.find((/** @type {any} */ user) => user.subject === name);
      page.go(`/console/credits?${one ? `user=${one.id}` : query}`, true);
    }, (error) => fill(content, h("h1", "Credits"), failure(error)));
  }

  /** The movements of all users.
   * @param {URLSearchParams} query */
  function showMovements(query) {
    list = listing("Ledger", [["User", "whole", (entry) => link(`/console/credits?user=${entry.user.id}`, h("bdi.short", entry.user.subject), {class: "name"})],
      ledgerColumns[0], ["Remaining", "number third", ledgerColumns[1][2]], ledgerColumns[2], jobColumn], () => "admin/ledger", () => empty("No movements", "Credits move when a job is asked for."));
    fill(content, head(false), list.element);
    list.show(query);
  }

  /** @param {URLSearchParams} query */
  function showUsers(query) {
    list = listing("Users", [["User", "main", (user) => link(`/console/credits?user=${user.id}`, h("bdi", user.subject), {class: "name"})],
      ["Number", "number third", (user) => user.id], ["Since", "number", (user) => ago(user.created_at)]],
    () => `admin/users?${query.get("q") ? `q=${encodeURIComponent(query.get("q") ?? "")}` : ""}`,
    () => empty("No user fits", "Users come with their first request.", link("/console/credits", "Show all users", {class: "button"})));
    fill(content, head(true), searchForm("Filter users", page, [["q", "Beginning of the name"]]), list.element);
    list.show(query);
  }

  /** @param {string} id @param {URLSearchParams} query */
  function showUser(id, query) {
    const path = `admin/users/${encodeURIComponent(id)}`;
    const top = h("div.stack", h("h1", "Credits"), loading("the user"));
    list = listing("Ledger", [...ledgerColumns, jobColumn], () => `${path}/ledger`,
    () => empty("No movements", "Credits move when a job is asked for."));
    fill(content, top, card("Ledger", {class: "flush"}, list.element));
    list.show(query);

    async function read() {
      try {
        showHead(await get(path, controller.signal));
      } catch (error) {
        if (!controller.signal.aborted) fill(top, h("h1", "Credits"), failure(error, read));
      }
    }

    function again() {
      list.again();
      return read();
    }

    /** @param {any} user */
    function showHead(user) {
      const act = (/** @type {() => Promise<any>} */ write, /** @type {string} */ done) => async () => {
        try {
          await write();
          announce(done);
          await again();
        } catch (error) {
          top.append(failure(error));
        }
      };
      const isBarred = user.barred;
      fill(top, h("p.crumbs", h("a", {href: "/console/credits"}, "Credits")),
        h("div.head", h("h1", h("bdi", user.subject)), isBarred ? badge("Barred", "fail") : null, h("span.space"),
          h("div.actions",
            may("credits:grant") ? h("button.first", {key: "grant", onclick: () => grant(user.subject, again)}, "Grant credits") : null,
            may("admin:write") ? [
              worker("Choose the plan", async () => choosePlan(user, again), {key: "plan"}),
              worker("Sign out", async () => {
                if (await confirm(`Sign out ${user.subject}?`, "All sessions and tokens of the user end.", "Sign out", "Keep them")) {
                  await act(() => post(`${path}/sign-out`), "The user is signed out")();
                }
              }, {key: "sign-out"}),
              worker(isBarred ? "Let in again" : "Bar", async () => {
                if (isBarred || await confirm(`Bar ${user.subject}?`, "All requests of the user are refused until you let them in again.", "Bar", "Keep the user")) {
                  await act(() => send("PUT", `/api/v1/${path}/bar`, {body: {barred: !isBarred}}), isBarred ? "The user is let in" : "The user is barred")();
                }
              }, {key: "bar", class: isBarred ? "" : "danger"})] : null)),
        tiles([["Remaining", count(user.credits.remaining)], ["Held", count(user.credits.held)], ["Used", count(user.credits.used)],
          ["Plan", user.plan.title], ["Unfinished jobs", h("a", {href: `/console/jobs?user=${encodeURIComponent(user.subject)}&status=pending,processing`},
            count(user.unfinished_jobs))], ["Spent today", dollars(user.spent_today_micro_dollars)], ["Sessions", count(user.sessions)],
          ["User since", ago(user.created_at)]]));
    }
    read();
  }

  show(page.query);
  return {element: content, update: show, close() {
    list?.stop();
    controller.abort();
  }};
}

/** @param {string} subject @param {() => void} again */
function grant(subject, again) {
  const user = h("input", {id: "grant-user", required: true, value: subject});
  const amount = h("input", {id: "grant-amount", type: "number", required: true, value: "10", min: "-1000000", max: "1000000"});
  const source = h("select", {id: "grant-source"}, ["gift", "purchase", "refund", "correction"].map((one) => h("option", {value: one}, words(one))));
  const note = h("input", {id: "grant-note", maxlength: "500"});
  // A grant is made once for each of these, however often the button is pressed.
  const external = h("input", {id: "grant-external", required: true, maxlength: "200", value: `console-${crypto.randomUUID()}`, autocomplete: "off"});
  formDialog("Grant credits", "Grant", [field("User", user), field("Credits, negative to take some", amount), field("As", source),
    field("Note for the audit", note), field("External id, for which it is made once", external)], async () => {
    const made = await post("admin/credits/grants", {user: user.value.trim(), amount: Number(amount.value), external_id: external.value,
      source: source.value, ...(note.value ? {note: note.value} : {})});
    announce(`${plural(made.applied, "credit")} granted to ${made.user}`);
    again();
  });
}

/** @param {any} user @param {() => void} again */
function choosePlan(user, again) {
  const plan = h("input", {id: "plan-name", placeholder: user.plan.id});
  formDialog("Choose the plan", "Choose", [h("p", `It is ${user.plan.title} now. An empty name takes the choice back.`),
    field("Name in plans.yaml", plan)], async () => {
    const now = await send("PUT", `/api/v1/admin/users/${user.id}/plan`, {body: {plan: plan.value.trim() || null}});
    announce(`The plan is ${now.data.plan.title}`);
    again();
  });
}

/** @type {import("../parts.js").Cell[]} */
export const ledgerColumns = [
  ["What", "main wrap", (entry) => [h("strong", movements[entry.type] ?? entry.type), second([entry.source && words(entry.source),
    ...Object.entries(entry.effect).filter(([, change]) => change !== 0)
      .map(([name, change]) => `${Number(change) > 0 ? "+" : "−"}${Math.abs(Number(change))} ${name}`)].filter(Boolean).join(", ") || "–")]],
  ["Remaining", "number", (entry) => count(entry.after.remaining)], ["When", "number", (entry) => ago(entry.at)],
];

/** @type {import("../parts.js").Cell} */
const jobColumn = ["Job", "third", (entry) => entry.job_id ? link(`/console/jobs/${entry.job_id}`, entry.job_id.slice(0, 8)) : "–"];

/** @param {any[]} entries */
export const ledger = (entries) => grid("Ledger", [...ledgerColumns, jobColumn], entries);
