// An open page that follows what happens: it hears from /events that a game has changed, asks for
// itself anew and shows the new main part. What somebody is typing, trying out or has not sent is
// never taken away: then a line at the foot says what is new and offers to show it.
//
// For other modules on the page:
// - "kskak:game" is dispatched on document before anything is changed, cancelable, with
//   {game, seq} (game undefined: nobody knows which). preventDefault() says: I am busy, only tell.
// - after the main part was replaced start() of every other module of the page is called, and
//   "kskak:main" is dispatched on document. A page with a module that exports no start() is loaded
//   anew instead.
//
// Without this script nothing is lost: the page shows what it showed when it was opened.

const LATER = "kskak-news"
const BUSY = "input, textarea, select"
const PAUSE_MS = 3000, LONGEST_MS = 60000
let source, hidden, again, refused = 0, waiting = 0, running = false

/** @returns {any} of a page that listens */
const facts = () => document.getElementById("live")?.dataset
/** @returns {any} every page has it */
const main = () => document.getElementById("main")

// Said aloud, and shown at the foot; it stays when the main part is replaced.
const says = document.createElement("div")
says.className = "live-says"
says.setAttribute("role", "status")
document.body.append(says)

function say(text, link) {
    const line = document.createElement("p")
    line.textContent = text
    if (link) {
        line.append(" ", link)
    }
    const close = document.createElement("button")
    close.type = "button"
    close.className = "plain-button"
    close.textContent = facts().close
    close.addEventListener("click", () => says.replaceChildren())
    line.append(" ", close)
    says.replaceChildren(line)
}

function isChanged(field) {
    if (field.type === "hidden" || field.type === "submit") {
        return false
    }
    if (field.type === "checkbox" || field.type === "radio") {
        return field.checked !== field.defaultChecked
    }
    if (field instanceof HTMLSelectElement) {
        return [...field.options].some((one) => one.selected !== one.defaultSelected) && field.selectedIndex > 0
    }
    return field.value !== field.defaultValue
}

const changed = () => [...main().querySelectorAll(BUSY)].filter(isChanged)

function isBusy(game, seq) {
    const event = new CustomEvent("kskak:game", {cancelable: true, detail: {game, seq}})
    const isTaken = !document.dispatchEvent(event)
    const marked = getSelection()
    const isMarking = marked && !marked.isCollapsed && main().contains(marked.anchorNode)
    return isTaken || isMarking || document.querySelector("dialog[open]") !== null || changed().length > 0
}

// The page's own address, without the answer to a form that stands under it: that holds what was
// typed.
function address() {
    const {live, game} = facts()
    const own = new URL(live === "game" ? `/games/${game}` : "/", location.href)
    if (location.pathname === own.pathname) {
        own.search = location.search
        own.searchParams.delete("answer")
    }
    return own
}

const isAnswer = () => location.pathname !== address().pathname
    || new URLSearchParams(location.search).has("answer")

// Whether the server has a newer program than this page's.
const isOutdated = (next) => !next.querySelector(`script[src="${new URL(import.meta.url).pathname}"]`)

async function fetched() {
    const answer = await fetch(address(), {headers: {Accept: "text/html"}, cache: "no-store"})
    if (!answer.ok || answer.redirected) {
        return null
    }
    const next = new DOMParser().parseFromString(await answer.text(), "text/html")
    // Another has signed in meanwhile, in another window: his page has no place on this one.
    const reader = (page) => page.getElementById("app").dataset.reader
    return reader(next) === reader(document) ? next : null
}

// Styles and scripts that the page needs now and did not need before.
function complete(next) {
    for (const one of next.querySelectorAll("link[rel=stylesheet], script[type=module][src]")) {
        const name = one.tagName === "LINK" ? "href" : "src"
        const from = one.getAttribute(name)
        if (!document.querySelector(`[${name}="${CSS.escape(from)}"]`)) {
            const made = document.createElement(one.tagName)
            for (const {name: key, value} of one.attributes) {
                made.setAttribute(key, value)
            }
            document.head.append(made)
        }
    }
}

// What was typed goes into the same fields of the new main part; false when one is not there.
function carry(from, to) {
    for (const field of from) {
        const key = field.id ? `#${CSS.escape(field.id)}` : `[name="${CSS.escape(field.name)}"]`
        const place = to.querySelector(key)
        if (!place || place.type !== field.type) {
            return false
        }
        place.value = field.value
        place.checked = field.checked
    }
    return true
}

// The other modules of the page, ready to start anew; null when one can't: then only loading the
// whole page makes it work.
async function modules() {
    const found = []
    for (const one of document.querySelectorAll("script[type=module][src]")) {
        if (one.src !== import.meta.url) {
            found.push(await import(one.src))
        }
    }
    return found.every((one) => one.start) ? found : null
}

async function show(next, text) {
    const old = main(), fresh = next.getElementById("main")
    const others = isOutdated(next) ? null : await modules()
    const typed = changed()
    if (isAnswer() || !fresh || (!others && typed.length > 0) || !carry(typed, fresh)) {
        return false
    }
    if (!others) {
        sessionStorage.setItem(LATER, text)
        location.reload()
        return true
    }
    const focus = document.activeElement?.id
    const open = [...old.querySelectorAll("details[open] > summary")].map((one) => one.textContent)
    for (const summary of fresh.querySelectorAll("details > summary")) {
        summary.parentElement.open ||= open.includes(summary.textContent)
    }
    complete(next)
    fresh.querySelectorAll("script").forEach((one) => one.remove())
    old.replaceWith(document.adoptNode(fresh))
    if (focus) {
        document.getElementById(focus)?.focus({preventScroll: true})
    }
    title(next.title)
    others.forEach((one) => one.start())
    document.dispatchEvent(new CustomEvent("kskak:main"))
    return true
}

function title(plain) {
    const count = Number(facts()?.count || 0)
    document.title = count ? `(${count}) ${plain}` : plain
}

function news(next, before) {
    const now = next.getElementById("live")?.dataset
    if (!now) {
        return ""
    }
    if (now.live === "games") {
        return now.news
    }
    if (now.ended && !before.ended) {
        return now.ended
    }
    if (Number(now.ply) > Number(before.ply)) {
        return now.moved
    }
    return Number(now.heard) > Number(before.heard) ? now.written : now.other
}

function offer(text, next) {
    const link = document.createElement("a")
    link.href = address()
    link.textContent = facts().show
    link.addEventListener("click", async (event) => {
        if (link.target) {
            return
        }
        event.preventDefault()
        if (await show(next, text)) {
            say(text)
        } else {
            // What was typed has no place on the new page: it stays here, the new one beside it.
            link.target = "_blank"
            link.textContent = facts().showNew
            link.focus()
        }
    })
    say(text, link)
}

// Something has changed: look, once at a time, and once more for what came meanwhile.
async function look(game, seq) {
    waiting += 1
    if (running) {
        return
    }
    running = true
    try {
        while (waiting > 0) {
            waiting = 0
            await lookOnce(game, seq)
        }
    } finally {
        running = false
    }
}

async function lookOnce(game, seq) {
    const before = {...facts()}
    const next = await fetched().catch(() => null)
    const now = next?.getElementById("live")?.dataset
    if (!now || (now.live === "game" ? now.seq === before.seq : now.after === before.after)) {
        return
    }
    const text = news(next, before)
    if (isBusy(game, seq) || !await show(next, text)) {
        offer(text, next)
    } else {
        say(text)
    }
}

function listen() {
    const {live, game, seq, after} = facts()
    const query = live === "game" ? `game=${game}&after=${seq}` : `after=${after}`
    source = new EventSource(`/events?${query}`)
    source.addEventListener("game", (event) => {
        const told = JSON.parse(event.data)
        look(told.game, told.seq)
    })
    source.addEventListener("missed", () => look())
    source.addEventListener("open", () => {
        refused = 0
    })
    source.addEventListener("error", afterRefusal)
}

// A line that is cut the browser takes up again by itself; after a refusal (too many listen, the
// server is being started) it never asks any more. We do, less and less often.
function afterRefusal(event) {
    if (event.target !== source || source.readyState !== EventSource.CLOSED) {
        return
    }
    again = setTimeout(listen, Math.min(LONGEST_MS, PAUSE_MS * 2 ** refused))
    refused += 1
}

function rest() {
    clearTimeout(again)
    source?.close()
    source = undefined
}

// A browser opens few connections to one place, and a stream takes one: of the pages that nobody
// looks at only one keeps listening, for the number in its title.
function listenHidden() {
    if (!navigator.locks || hidden) {
        rest()
        return
    }
    navigator.locks.request("kskak-hidden", {ifAvailable: true}, (lock) => {
        if (!lock) {
            rest()
            return undefined
        }
        return new Promise((done) => {
            hidden = done
        })
    })
}

function turn() {
    if (document.visibilityState === "hidden") {
        listenHidden()
        return
    }
    hidden?.()
    hidden = undefined
    if (!source || source.readyState === EventSource.CLOSED) {
        clearTimeout(again)
        listen()
    }
}

if (facts()) {
    title(document.title)
    if (sessionStorage.getItem(LATER)) {
        say(sessionStorage.getItem(LATER))
        sessionStorage.removeItem(LATER)
    }
    turn()
    document.addEventListener("visibilitychange", turn)
    addEventListener("pagehide", rest)
    addEventListener("pageshow", turn)
}
