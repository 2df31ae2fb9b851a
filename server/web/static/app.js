// The site as a program: starts the worker for who is signed in, says on a page that comes from
// what was kept that it does, and when it was seen; and removes what the scripts keep in the
// browser for one reader (kskak:7:…) when it is another's. Not for which pages are kept (sw.js).

import {element} from "./board/page.js"
import {begin} from "./device.js"
import {when} from "./seen.js"

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

function notice() {
    const line = document.createElement("p")
    line.textContent = facts.kept.replace("{when}", when(root.dataset.seen))
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

// A receipt is told once, also where the address names another part: not to who comes back to it.
const here = new URL(location.href)
if (["sent", "done", "saved"].some((name) => here.searchParams.has(name))) {
    document.querySelector("main [autofocus]")?.focus()
    for (const name of ["sent", "done", "saved"]) {
        here.searchParams.delete(name)
    }
    history.replaceState(history.state, "", here)
}
