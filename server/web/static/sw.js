// The worker behind the pages. Three rules and no more:
// - files under /static/ carry a digest in their address and never change: from here if they are;
// - pages come from the server. Those that it marks (Kskak-Keep), for the person it made them for
//   (Kskak-Reader), are kept as they were last seen, and shown when the server can't be reached;
// - what is kept belongs to one person: as soon as any page was made for another, or for nobody,
//   and when somebody signs out, all of it is removed.
// A fourth, for moves: one that its player has said is to be sent, and that no line took, waits on
// this device (device.js) and is sent from here when there is a line again, with the position it
// was made for, which the server compares. Nothing else is sent later.
// Not for what is said on a kept page (app.js).

const FILES = "kskak-files", PAGES = "kskak-pages", MOVES = "kskak-moves"
const MOST_FILES = 300, MOST_PAGES = 60
const READER = "/kept-for"
const LANG = new URL(location.href).searchParams.get("lang") || "da"
const OFFLINE = `/offline?lang=${LANG}`

self.addEventListener("install", (event) => {
    self.skipWaiting()
    event.waitUntil(prepare())
})

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()))

async function prepare() {
    const answer = await fetch(OFFLINE, {credentials: "omit", cache: "no-store"})
    if (!answer.ok) {
        return
    }
    const files = await caches.open(FILES)
    const text = await answer.clone().text()
    await files.put("/offline", answer)
    const found = [...text.matchAll(/(?:href|src)="(\/static\/[^"]+)"/g)].map((match) => match[1])
    await files.addAll([...new Set(found)])
}

self.addEventListener("fetch", (event) => {
    const {request} = event
    const url = new URL(request.url)
    if (url.origin !== location.origin) {
        return
    }
    if (request.method === "POST" && url.pathname === "/signout") {
        event.respondWith(leave(request))
    } else if (request.method === "POST" && request.mode === "navigate" && isOurs(request)) {
        event.respondWith(form(request, url))
    } else if (request.method !== "GET") {
        return
    } else if (url.pathname.startsWith("/static/")) {
        event.respondWith(file(request))
    } else if (request.mode === "navigate" || request.headers.get("Accept") === "text/html") {
        event.respondWith(page(event, request, url))
    }
})

async function file(request) {
    const files = await caches.open(FILES)
    const known = await files.match(request)
    if (known) {
        return known
    }
    const answer = await fetch(request)
    if (answer.ok && (answer.headers.get("Cache-Control") || "").includes("immutable")) {
        await files.put(request, answer.clone())
        await trim(files, MOST_FILES)
    }
    return answer
}

async function trim(cache, most) {
    const keys = (await cache.keys()).filter((one) => new URL(one.url).pathname !== READER)
    await Promise.all(keys.slice(0, Math.max(0, keys.length - most)).map((key) => cache.delete(key)))
}

async function page(event, request, url) {
    let answer
    try {
        answer = await fetch(request)
    } catch {
        return (await kept(url)) || offline("")
    }
    event.waitUntil(note(url, answer.clone()).then(fetchLater))
    return answer
}

// Modules that a kept page loads first when they are needed: trying moves works without a
// connection too.
async function fetchLater(text) {
    const [, names] = text?.match(/ data-later="([^"]*)"/) || []
    const files = await caches.open(FILES)
    for (const name of names?.split(" ") || []) {
        if (!await files.match(name)) {
            await files.add(name).catch(() => {})
        }
    }
}

// One page after the other, in the order in which the server answered.
let turn = Promise.resolve()

function note(url, answer) {
    turn = turn.then(() => noted(url, answer)).catch(() => caches.delete(PAGES))
    return turn
}

// The page's text, when it was kept.
async function noted(url, answer) {
    const reader = answer.headers.get("Kskak-Reader")
    if (reader === null) {
        return ""
    }
    const known = await (await caches.open(PAGES)).match(READER)
    if ((known ? await known.text() : "") !== reader) {
        await caches.delete(PAGES)
    }
    if (reader !== "" || url.pathname === "/signout") {
        await forgetMoves(reader)
    }
    const isPlain = url.search === "" || url.search === "?sent=1"
    if (reader === "" || !isPlain || !answer.ok || answer.headers.get("Kskak-Keep") !== "1") {
        return ""
    }
    const pages = await caches.open(PAGES)
    await pages.put(READER, new Response(reader))
    const headers = new Headers(answer.headers)
    for (const name of ["Content-Encoding", "Content-Length", "Set-Cookie"]) {
        headers.delete(name)
    }
    headers.set("Kskak-Seen", new Date().toISOString())
    await pages.delete(url.pathname)
    const text = await answer.text()
    await pages.put(url.pathname, new Response(text, {headers}))
    await trim(pages, MOST_PAGES)
    return text
}

async function kept(url) {
    const known = await (await caches.open(PAGES)).match(url.pathname)
    if (!known || url.pathname === READER) {
        return null
    }
    const seen = known.headers.get("Kskak-Seen")
    const text = (await known.text()).replace("<html ", `<html data-seen="${seen}" `)
    return new Response(text, {headers: known.headers})
}

async function offline(attribute) {
    const known = await (await caches.open(FILES)).match("/offline")
    if (!known) {
        return Response.error()
    }
    const text = (await known.text()).replace("<html ", `<html data-offline${attribute} `)
    return new Response(text, {status: 503, headers: known.headers})
}

async function leave(request) {
    const forgotten = note(new URL(request.url), new Response("", {headers: {"Kskak-Reader": ""}}))
    try {
        return await fetch(request)
    } catch {
        await forgotten
        return await offline(" data-left")
    } finally {
        await forgotten
    }
}

// Only forms of our own pages: one from elsewhere goes its way as if nobody were here.
const isOurs = (request) => request.referrer.startsWith(`${location.origin}/`)

// A form, or where to go when no line takes it: back to the game, which is kept with what was
// typed, or to the page that says that nothing was sent.
async function form(request, url) {
    const copy = request.clone()
    try {
        return await fetch(request)
    } catch {
        const [, game, step] = url.pathname.match(/^\/games\/(\d+)\/(preview|move)$/) || []
        if (step === "move") {
            await keepMove(game, await copy.formData())
        }
        return Response.redirect(game ? `/games/${game}` : "/offline?unsent=1", 303)
    }
}

// The move of a preview whose button was pressed: its player has seen it and wants it sent.
async function keepMove(game, data) {
    const known = await (await caches.open(PAGES)).match(READER)
    const field = (name) => data.get(name) || ""
    await put({
        reader: known ? await known.text() : "", game, state: "waiting", key: field("key"),
        ply: field("ply"), send: field("text"), text: field("text"), message: field("message"),
        draw: field("draw"), overstep: field("overstep"), title: field("title"), url: `/games/${game}`,
    })
    self.registration.sync?.register("send-moves").catch(() => {})
}

async function put(move) {
    const answer = new Response(JSON.stringify(move))
    await (await caches.open(MOVES)).put(`/kept-move/${move.game}`, answer)
}

async function movesKept() {
    const moves = await caches.open(MOVES)
    const all = (await moves.keys()).map(async (key) => (await moves.match(key))?.json())
    return (await Promise.all(all)).filter(Boolean)
}

// All but this reader's.
async function forgetMoves(reader) {
    const moves = await caches.open(MOVES)
    for (const move of await movesKept()) {
        if (move.reader !== reader) {
            await moves.delete(`/kept-move/${move.game}`)
        }
    }
}

// One at a time, whoever asks.
let sending = Promise.resolve()

function sendMoves() {
    sending = sending.then(sendAll).catch(() => {})
    return sending
}

async function sendAll() {
    for (const move of await movesKept()) {
        const outcome = move.state === "waiting" ? await sendMove(move) : null
        const still = (await movesKept()).find((one) => one.key === move.key)
        if (outcome && still) {
            await put({...move, ...outcome})
            const pages = await self.clients.matchAll({type: "window", includeUncontrolled: true})
            pages.forEach((page) => page.postMessage("moves"))
        }
    }
}

// What became of it; null: not to be told yet (no line, a server that fails, nobody signed in).
async function sendMove(move) {
    const headers = {Accept: "text/html"}
    const page = await fetch(`/games/${move.game}`, {headers, cache: "no-store"})
    const csrf = (await page.text()).match(/name="csrf" value="([^"]+)"/)
    if (!page.ok || page.headers.get("Kskak-Reader") !== move.reader || !csrf) {
        return null
    }
    const {ply, key, send, message, draw, overstep} = move
    const fields = {csrf: csrf[1], ply, key, text: send, message, draw, overstep: overstep || ""}
    const body = new URLSearchParams(Object.entries(fields).filter(([, value]) => value))
    const answer = await fetch(`/games/${move.game}/move`, {method: "POST", headers, body})
    if (answer.status >= 500 || answer.status === 429) {
        return null
    }
    const {pathname, search, searchParams} = new URL(answer.url)
    const state = searchParams.has("sent") ? "sent" : answer.status === 409 ? "stale" : "refused"
    return {state, url: state === "sent" ? `${pathname}?sent=1` : pathname + search}
}

self.addEventListener("message", (event) => {
    if (event.data === "send-moves") {
        event.waitUntil(sendMoves())
    }
})

self.addEventListener("sync", (event) => {
    if (event.tag === "send-moves") {
        event.waitUntil(sendMoves())
    }
})

self.addEventListener("push", (event) => {
    const told = event.data?.json()
    if (told) {
        const {title, body, url, tag, lang} = told
        event.waitUntil(
            self.registration.showNotification(title, {
                body, tag, lang, renotify: true, icon: "/icons/192.png", badge: "/icons/192.png", data: {url},
            }),
        )
    }
})

self.addEventListener("notificationclick", (event) => {
    event.notification.close()
    event.waitUntil(open(event.notification.data.url))
})

async function open(path) {
    const url = new URL(path, location.origin).href
    const windows = await self.clients.matchAll({type: "window", includeUncontrolled: true})
    const there = windows.find((one) => one.url.split(/[?#]/)[0] === url)
    return there ? there.focus() : self.clients.openWindow(url)
}
