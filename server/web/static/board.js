// The board of a game's page and of an archive's: it starts the parts and hands the board from
// one to the other. Without script the page steps by links and the field is filled by hand.

import {Table} from "./board/table.js"
import {Steps} from "./board/steps.js"
import {Playing} from "./board/playing.js"
import {Taking} from "./board/taking.js"
import {forget} from "./board/draft.js"
import {recall} from "./board/keeping.js"
import {listed, placings, taken} from "./board/position.js"
import {startTabs} from "./board/tabs.js"
import {startConfirming} from "./board/confirming.js"
import {element} from "./board/page.js"

const found = (id) => document.getElementById(id)

// What trying moves and building a series need, with its words, once.
async function loadLater({given, words}) {
    const loaded = import("./board/later.js")
    const name = given.later.split(" ")[1]
    if (!words.try_none) {
        Object.assign(words, await (await fetch(name)).json())
    }
    return loaded
}

let running = null

// Begin on the page as it is now; again when its main part was replaced (live.js).
export function start() {
    running?.abort()
    /** @type {any} */
    const place = found("board")
    if (!place?.dataset.start) {
        return
    }
    running = new AbortController()
    document.documentElement.classList.add("scripted")
    const tabs = found("tabs"), form = found("move-form"), words = JSON.parse(place.dataset.words)
    const reveal = tabs ? startTabs(tabs, running.signal) : () => {}
    begin(place, place.dataset, words, running.signal, reveal)
    if (form) {
        startConfirming(form, words)
    }
}

function begin(place, given, words, signal, reveal) {
    const moves = given.line.split(" ").filter(Boolean)
    const table = new Table(place, placings(given.start, moves.slice(0, Number(given.ply))).at(-1))
    const steps = new Steps(table, given, words, signal)
    const playing = given.plays ? new Playing(table, steps, given, words) : null
    if (!playing) {
        forget(given.key)
    }
    const taking = new Taking(given, words, async () => (await loadLater({given, words})).rules)
    const desk = {place, given, words, table, steps, playing, taking, reveal, signal, mode: ""}
    steps.show(false)
    steps.followers.push((ply) => {
        playing?.forget()
        if (desk.mode === "try") {
            desk.trying.follow(ply)
            return
        }
        if (desk.mode === "propose") {
            press(desk, "")
        }
        listen(desk)
        showGame(desk)
    })
    listen(desk)
    startTyping(desk)
    startFlipping(desk)
    startBar(signal)
    startTrying(desk)
    startBook(desk)
    found("propose")?.addEventListener("click", () => toggle(desk, "propose"))
    // Whoever looks back, tries or has moved is told of news and not interrupted by it.
    document.addEventListener("kskak:game", (event) => {
        if (desk.mode || steps.ply < steps.played || playing?.entered) {
            event.preventDefault()
        }
    }, {signal})
}

// On a phone the steps stand above the bar, which is as high as what it says.
function startBar(signal) {
    /** @type {any} */
    const bar = document.querySelector(".send")
    if (bar) {
        const height = () => document.documentElement.style.setProperty("--bar",
            getComputedStyle(bar).position === "fixed" ? `${bar.offsetHeight}px` : "0px")
        const watched = new ResizeObserver(height)
        watched.observe(bar)
        signal.addEventListener("abort", () => watched.disconnect())
    }
}

// Moves are taken for the field only while the board shows the position now.
function listen({playing, steps, table}) {
    if (playing && steps.isNow) {
        playing.start()
    } else {
        table.listen(null)
    }
}

// Who types has left the series that he built on the board.
function startTyping(desk) {
    if (desk.playing) {
        desk.playing.open()
        desk.playing.typed = () => {
            if (desk.mode === "propose") {
                press(desk, "")
                listen(desk)
            }
        }
    }
}

function startFlipping(desk) {
    const {place, table, taking, steps} = desk
    taking.isFlipped = new URL(location.href).searchParams.get("flip") === "1"
    element("flip").addEventListener("click", (event) => {
        event.preventDefault()
        table.flip()
        desk.trying?.redraw()
        const [above, below] = [place.previousElementSibling, place.nextElementSibling]
        place.before(below)
        place.after(above)
        for (const side of [above, below].filter((one) => one.classList.contains("player"))) {
            side.classList.toggle("above")
            side.classList.toggle("below")
        }
        taking.isFlipped = !taking.isFlipped
        const url = new URL(location.href)
        if (taking.isFlipped) {
            url.searchParams.set("flip", "1")
        } else {
            url.searchParams.delete("flip")
        }
        if (!steps.given.base || url.pathname === steps.given.base) {
            history.replaceState(history.state, "", url)
        }
    })
}

function startTrying(desk) {
    const button = element("try")
    if (hasLines(desk)) {
        named(button, desk.words.try_kept)
    }
    button.addEventListener("click", () => toggle(desk, "try"))
}

// Lines that the server keeps, or this browser.
const hasLines = ({given}) => Boolean(found("own-tree")?.defaultValue
    || recall("tree", given.key)?.text || recall("lines", given.key))

// What stands beside the board is scrolled there, and the page stays; below it the page is.
function bringUp(found) {
    const side = found.closest(".side")
    if (side && getComputedStyle(side).overflowY === "auto") {
        const room = parseFloat(getComputedStyle(found).scrollMarginTop)
        side.scrollTop += found.getBoundingClientRect().top - side.getBoundingClientRect().top - room
    } else {
        found.scrollIntoView()
    }
}

const toggle = (desk, mode) => (desk.mode === mode ? close(desk) : open(desk, mode))

// Begin to try moves or to build a series: what is needed for it is loaded first, once.
async function open(desk, mode, line = [], isShown = true) {
    if (desk.mode === mode || desk.isOpening) {
        return
    }
    desk.isOpening = true
    try {
        await (mode === "try" ? loadTrying(desk) : loadProposing(desk))
    } catch {
        desk.steps.status.textContent = desk.words.failed
        return
    } finally {
        desk.isOpening = false
    }
    const {steps, playing} = desk
    const entered = steps.isNow && playing?.entered ? [playing.entered] : []
    if (desk.mode) {
        close(desk)
    }
    if (mode === "propose" && !steps.isNow) {
        steps.step("last")
    }
    press(desk, mode)
    if (mode === "try") {
        desk.trying.start(entered)
        if (isShown) {
            desk.reveal(element("trying"))
            bringUp(element("trying"))
        }
    } else {
        desk.proposing.start(line)
        desk.place.scrollIntoView({block: "nearest"})
    }
}

async function loadTrying(desk) {
    const {table, steps, given, words, signal} = desk
    const {rules, Trying} = await loadLater(desk)
    if (!desk.trying) {
        desk.trying = new Trying(table, steps, given, words, rules, signal)
        desk.trying.proposed = (line) => open(desk, "propose", line)
        desk.trying.followers.push((ply, moves, placing) => {
            showWords(desk, placing)
            follow(desk, steps.moves.slice(0, ply), moves)
        })
    }
}

async function loadProposing(desk) {
    const {table, steps, given, words, playing} = desk
    const {rules, Proposing} = await loadLater(desk)
    desk.proposing ||= new Proposing(table, steps, given, words, rules, playing)
}

function close(desk) {
    const {mode} = desk
    press(desk, "")
    if (mode === "try") {
        desk.trying.stop()
        showGame(desk)
        desk.playing?.forget()
    } else {
        desk.proposing.stop()
    }
    listen(desk)
}

// A button of the board under another name; a phone goes on showing its short word.
function named(button, name) {
    button.setAttribute("aria-label", name)
    button.querySelector(".long").textContent = name
}

// The two buttons say what they do next, and to whom it matters that they are pressed.
function press(desk, mode) {
    const {place, words} = desk
    const attempt = element("try"), propose = found("propose")
    if (desk.mode === "propose" && mode !== "propose") {
        desk.proposing.undo.hidden = true
        desk.proposing.says.textContent = ""
        desk.playing.changed()
    }
    desk.mode = mode
    attempt.setAttribute("aria-pressed", String(mode === "try"))
    named(attempt, mode === "try" ? words.try_stop : words.try_start)
    propose?.setAttribute("aria-pressed", String(mode === "propose"))
    if (propose) {
        named(propose, mode === "propose" ? words.series_stop : words.series_start)
    }
    element("trying").hidden = mode !== "try"
    place.classList.toggle("trying", mode === "try")
}

// A position of the game, for who hears it and who takes it along.
function showGame(desk) {
    const {steps} = desk
    showWords(desk, steps.placings[steps.ply])
    const base = Math.min(steps.ply, steps.played)
    follow(desk, steps.moves.slice(0, base), steps.moves.slice(base, steps.ply))
}

function follow(desk, played, tried) {
    desk.taking.follow(played, tried)
    desk.shown = [...played, ...tried]
    showBook(desk)
}

// The archive's openings, while their tab is shown.
function startBook(desk) {
    /** @type {any} */
    const place = found("book")
    if (place) {
        new IntersectionObserver(([entry]) => {
            desk.isBookShown = entry.isIntersecting
            showBook(desk)
        }).observe(place.parentElement)
    }
}

async function showBook(desk) {
    if (desk.isBookShown) {
        const {rules, Book} = await loadLater(desk)
        desk.book ||= new Book(element("book"), desk.given, desk.words, rules, async (uci) => {
            await open(desk, "try", [], false)
            desk.trying.played(uci)
        })
        desk.book.follow(desk.shown || desk.steps.moves.slice(0, desk.steps.ply))
    }
}

// The position in words follows the board, and what each side has taken.
function showWords({words, given}, placing) {
    for (const side of document.querySelectorAll("[data-taken]")) {
        side.textContent = taken(given.start, placing, side.dataset.taken === "white")
    }
    document.querySelectorAll(".position-words dd").forEach((entry, index) => {
        const pieces = listed(placing, index === 0)
        entry.textContent = pieces.map(([kind, square]) => `${words[kind]} ${square}`).join(", ")
    })
}

start()
