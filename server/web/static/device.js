// A move that waits on this device because there was no line: it is kept here from a game's page,
// the worker sends it when there is a line again (sw.js), and whoever opens a page is told what
// became of it. The position it was made for goes with it: the server takes it in no other.
// Not for a move that waits on the server by its player's wish.

import {element} from "./board/page.js"

const MOVES = "kskak-moves"
const AGAIN_MS = 15000
const SOON_MS = 2000
const facts = element("app").dataset
const words = JSON.parse(facts.device || "null")
const isOld = document.documentElement.dataset.seen !== undefined

async function all() {
    const cache = await caches.open(MOVES)
    const answers = await Promise.all((await cache.keys()).map((key) => cache.match(key)))
    const found = await Promise.all(answers.map((answer) => answer?.json()))
    return found.filter((one) => one?.reader === facts.reader)
}

const address = (game) => `/kept-move/${game}`

async function keep(one) {
    await (await caches.open(MOVES)).put(address(one.game), new Response(JSON.stringify(one)))
}

async function remove(one) {
    await (await caches.open(MOVES)).delete(address(one.game))
}

// Ask the worker to try; it also tries by itself where the browser lets it.
async function ask() {
    const worker = await navigator.serviceWorker.ready
    worker.active?.postMessage("send-moves")
}

function button(text, done) {
    const made = document.createElement("button")
    made.type = "button"
    made.className = "button second"
    made.textContent = text
    made.addEventListener("click", done)
    return made
}

function told(one) {
    const box = document.createElement("div")
    const line = document.createElement("p"), deeds = document.createElement("div")
    box.className = one.state === "sent" ? "notice" : "notice wrong"
    box.setAttribute("role", one.state === "sent" ? "status" : "alert")
    line.textContent = words[one.state].replace("{move}", one.text).replace("{game}", one.title)
    deeds.className = "buttons"
    if (one.state !== "waiting") {
        const link = document.createElement("a")
        link.className = "button second"
        link.href = one.url
        link.textContent = words.open
        // It goes first: with the page would go the deed of removing it.
        link.addEventListener("click", (event) => {
            const isHere = !(event.ctrlKey || event.metaKey || event.shiftKey)
            if (isHere) {
                event.preventDefault()
            }
            remove(one).then(() => isHere && location.assign(link.href))
        })
        deeds.append(link)
    }
    if (one.state !== "sent") {
        deeds.append(button(words.remove, () => remove(one).then(show)))
    }
    box.append(line, deeds)
    return box
}

const place = document.createElement("div")
place.id = "on-device"

async function show() {
    const moves = await all()
    const here = moves.find((one) => one.state === "sent" && location.pathname === `/games/${one.game}`)
    if (here) {
        await remove(here)
        location.replace(here.url)
        return
    }
    place.replaceChildren(...moves.map(told))
    // What was sent is said once.
    await Promise.all(moves.filter((one) => one.state === "sent").map(remove))
    const waits = moves.some((one) => one.state === "waiting" && location.pathname === `/games/${one.game}`)
    document.getElementById("keep-move")?.toggleAttribute("disabled", waits)
}

// The move in the field, when it is one that the page knows: without a line nothing else can be
// shown before it is sent.
function written(board, field) {
    const {prefix, moves} = board.dataset
    const value = field.value.trim()
    const text = value.startsWith(prefix.trim()) ? value.slice(prefix.trim().length).trim() : value
    const digits = (uci) => uci.slice(0, 4).replace(/[a-h]/g, (file) => file.charCodeAt(0) - 96)
    const plain = text.replace("-", "")
    const found = JSON.parse(moves).find(([uci, name]) =>
        name === text || uci === plain || (uci.length === 4 && digits(uci) === plain))
    return found ? {text: `${prefix.trim()} ${found[1]}`.trim(), name: found[1]} : null
}

function offer() {
    const form = document.getElementById("move-form"), board = document.getElementById("board")
    if (!form || !board?.dataset.moves || document.getElementById("keep-move")) {
        return
    }
    const says = document.createElement("p")
    says.className = "error"
    says.setAttribute("role", "alert")
    const made = button(words.keep, async () => {
        const {text, message, draw, ply} = form.elements
        const move = written(board, text)
        says.textContent = move ? "" : words.single
        if (!move) {
            text.focus()
            return
        }
        await keep({
            reader: facts.reader, game: location.pathname.split("/")[2], state: "waiting",
            key: crypto.randomUUID(), ply: ply.value, send: move.text, text: move.name,
            message: message.value, draw: draw?.checked ? "1" : "",
            title: document.title.split(" · ")[0], url: location.pathname,
        })
        await later()
        await show()
        place.scrollIntoView({block: "nearest"})
    })
    made.className = "button"
    made.id = "keep-move"
    form.querySelector(":scope > .buttons")?.append(made, says)
}

// Try again: by the browser, even when no page is open, and by this page while it is.
let timer
async function later() {
    const worker = await navigator.serviceWorker.ready
    worker.sync?.register("send-moves").catch(() => {})
    clearInterval(timer)
    timer = setInterval(async () => {
        if ((await all()).some((one) => one.state === "waiting")) {
            ask()
        } else {
            clearInterval(timer)
        }
    }, AGAIN_MS)
}

export async function begin() {
    element("main").prepend(place)
    document.addEventListener("kskak:main", () => element("main").prepend(place))
    navigator.serviceWorker.addEventListener("message", (event) => event.data === "moves" && show())
    // A line that is said to be there may not carry anything yet.
    addEventListener("online", () => [0, SOON_MS].forEach((ms) => setTimeout(ask, ms)))
    if (isOld) {
        offer()
    }
    await show()
    if ((await all()).some((one) => one.state === "waiting")) {
        await later()
        await ask()
    }
}
