// The site as a program: starts the worker for who is signed in, says on a page that comes from
// what was kept that it does, and when it was seen; and removes what the scripts keep in the
// browser for one reader (kskak:7:…) when it is another's. Not for which pages are kept (sw.js).

import {element} from "./board/page.js"
import {begin} from "./device.js"

const facts = element("app").dataset
const root = document.documentElement

// What is kept for anybody but this reader; "": a stranger.
function forgetOthers(reader) {
    try {
        Object.keys(localStorage)
            .filter((name) => name.startsWith("kskak:") && !name.startsWith(`kskak:${reader}:`))
            .forEach((name) => localStorage.removeItem(name))
    } catch {
        // A browser that keeps nothing has nothing to forget.
    }
}

// Whether the page knows who reads it: one without a connection does not, nor an answer to a form
// that came from elsewhere, nor one of a server that failed. Those say nothing of the reader.
function isReaderKnown() {
    const [opened] = performance.getEntriesByType("navigation")
    return root.dataset.offline === undefined && (facts.reader || !((opened?.responseStatus || 0) >= 400))
}

// "at 20.31", with the day when it was not today.
function when(text, lang) {
    const seen = new Date(text)
    const time = new Intl.DateTimeFormat(lang, {hour: "2-digit", minute: "2-digit"}).format(seen)
    if (seen.toDateString() === new Date().toDateString()) {
        return facts.at.replace("{time}", time)
    }
    const day = new Intl.DateTimeFormat(lang, {day: "numeric", month: "long"}).format(seen)
    return facts.on.replace("{day}", day).replace("{time}", time)
}

function notice() {
    const line = document.createElement("p")
    line.textContent = facts.kept.replace("{when}", when(root.dataset.seen, root.lang))
    const box = document.createElement("div")
    box.className = "notice wrong"
    box.id = "seen"
    box.setAttribute("role", "status")
    box.append(line)
    element("main").prepend(box)
    for (const button of document.querySelectorAll("main form button, main form input[type=submit]")) {
        button.disabled = true
        button.setAttribute("aria-describedby", "seen")
    }
}

async function list() {
    const pages = await caches.open("kskak-pages")
    const rows = []
    for (const key of await pages.keys()) {
        const answer = await pages.match(key)
        const seen = answer?.headers.get("Kskak-Seen")
        if (answer && seen) {
            const page = new DOMParser().parseFromString(await answer.text(), "text/html")
            rows.push({path: new URL(key.url).pathname, title: page.title.split(" · ")[0], seen})
        }
    }
    const list = element("kept").querySelector("ul")
    rows.sort((a, b) => Number(b.path === "/") - Number(a.path === "/") || (a.seen < b.seen ? 1 : -1))
    for (const row of rows) {
        const item = document.createElement("li"), link = document.createElement("a"), at = document.createElement("span")
        link.href = row.path
        link.textContent = row.title
        at.className = "quiet"
        at.textContent = when(row.seen, root.lang)
        item.append(link, " ", at)
        list.append(item)
    }
    element("kept").hidden = rows.length === 0
    element("none-kept").hidden = rows.length > 0
}

// A table set as cards or as months is one to a screen reader in every browser: some take its parts
// for plain boxes once style sheets lay them out.
const PARTS = {
    "": "table", "thead": "rowgroup", "tbody": "rowgroup", "tr": "row", "td": "cell",
    "th[scope=col]": "columnheader", "th[scope=row]": "rowheader"
}

// Days are those of the tournament: on a device elsewhere, when they end there. The server says how far
// its zone is from UTC: to open the browser's own tables takes a phone 100 ms before it paints.
function tellZone() {
    for (const note of document.querySelectorAll("[data-zone]")) {
        const {day, zone, says} = note.dataset
        const away = -new Date(`${day}T12:00Z`).getTimezoneOffset() - Number(zone)
        if (away && says) {
            const end = (away + 2 * 1440) % 1440
            const time = `${Math.floor(end / 60)}.${String(end % 60).padStart(2, "0")}`
            note.textContent = says.replace("{time}", time)
        }
    }
}

// Called again when the main part of a page was replaced.
export function start() {
    for (const [part, role] of Object.entries(PARTS)) {
        for (const element of document.querySelectorAll(`:is(.stack, .year) ${part}`)) {
            element.setAttribute("role", role)
        }
    }
    tellZone()
}

start()
if (isReaderKnown()) {
    forgetOthers(facts.reader)
}
document.addEventListener("submit", (event) => {
    if (event.target?.getAttribute("action") === "/signout") {
        forgetOthers("")
    }
})
if (root.dataset.seen) {
    notice()
}
if (facts.reader && navigator.serviceWorker && self.caches) {
    navigator.serviceWorker.register(`/sw.js?lang=${root.lang}`).catch(() => {})
    begin().catch(() => {})
}
if (root.dataset.offline !== undefined) {
    const isUnsent = location.search === "?unsent=1"
    element("again").href = isUnsent ? document.referrer || "/" : location.href
    element("unsent").hidden = !isUnsent
    element("left").hidden = root.dataset.left === undefined
    list()
}
